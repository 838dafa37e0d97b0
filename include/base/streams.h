/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program's standard input, output and error, any of which may be closed at its start.
 */
#ifndef STREAMS_H
#define STREAMS_H

/*
 * Call this first in main.  If one is closed, a descriptor that can be neither read nor
 * written takes its number; otherwise the next opened file would get it, and with it the
 * text for the user.  Programs that are executed still find it closed.
 */
void streams_hold(void);

#endif
