/* SPDX-License-Identifier: Apache-2.0 */
/* collect --report: er_print makes a page of the recording that has just ended. */
#ifndef REPORT_H
#define REPORT_H

#include <signal.h>

#include "base/strbuf.h"

/*
 * Finds er_print, beside this program or in PATH, and looks whether PAGE can be created: what
 * would fail in the end fails before the recording.  0 and *ER_PRINT, the caller's to free;
 * or an exit status, and one sentence in ERR.
 */
int report_prepare(const char *page, char **er_print, struct strbuf *err)
	__attribute__((warn_unused_result));

/*
 * Writes PAGE of EXPERIMENT, with the signal mask MASK.  0, or -1: reported, also how to
 * make the page later.
 */
int report_write(const char *er_print, const char *page, const char *experiment,
		 const sigset_t *mask) __attribute__((warn_unused_result));

#endif
