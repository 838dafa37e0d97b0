/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function that is compiled without .eh_frame, so that .debug_frame alone describes it.
 */
#ifndef UNDESCRIBED_H
#define UNDESCRIBED_H

/* Calls itself DEPTH times and then RECORD(ARG). */
int undescribed(void (*record)(void *arg), void *arg, int depth);

#endif
