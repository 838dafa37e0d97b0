/* SPDX-License-Identifier: Apache-2.0 */
/* A program's standard input, output and error, which it may be started without. */
#ifndef STREAMS_H
#define STREAMS_H

/*
 * Call this first in main.  Where one of them is closed, its number is given to a
 * descriptor that can be neither read nor written; else the next file to be opened would
 * get that number, and with it the text that is meant for the user.  Programs that are
 * executed still find it closed.
 */
void streams_hold(void);

#endif
