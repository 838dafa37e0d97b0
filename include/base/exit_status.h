/* SPDX-License-Identifier: Apache-2.0 */
#ifndef EXIT_STATUS_H
#define EXIT_STATUS_H

/* What our programs exit with, besides 0 and the status of a recorded program. */
enum {
	EXIT_FAILED = 1, /* what was asked for could not be done, or not be kept */
	EXIT_USAGE = 2,  /* it could not be understood */
};

#endif
