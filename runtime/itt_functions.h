/* SPDX-License-Identifier: Apache-2.0 */
/* Names of tasks that ITT knows only by a function of the program. */
#ifndef ITT_FUNCTIONS_H
#define ITT_FUNCTIONS_H

/* Once, before any other call. */
void itt_functions_init(void);

/*
 * The function's name, if its object exports it, else the object's and the offset in it.
 * The text lasts as long as the process.
 */
const char *itt_function_name(const void *function);

#endif
