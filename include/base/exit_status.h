/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXIT_STATUS_H
#define EXIT_STATUS_H

/* Our programs' exit statuses, besides 0 and the status of a recorded program. */
enum {
	EXIT_FAILED = 1,    /* the task failed, or its result could not be stored */
	EXIT_USAGE = 2,     /* the command line was not understood */
	EXIT_NO_EXEC = 126, /* the program cannot be executed, as for a shell */
};

#endif
