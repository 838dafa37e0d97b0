/* SPDX-License-Identifier: Apache-2.0 */
/* A program's standard input, output and error, which it may be started without. */
#ifndef STREAMS_H
#define STREAMS_H

/*
 * To be called first.  Where one is closed its number is taken, by what can be neither
 * read nor written: else the next file that is opened would get it, and with it what is
 * meant for the user.  Programs that are executed find it closed as it was.
 */
void streams_hold(void);

#endif
