/* SPDX-License-Identifier: Apache-2.0 */
/* Sample points, for the command samples. */
#ifndef VIEWS_POINTS_H
#define VIEWS_POINTS_H

#include "session/session.h"

/* A command's status; a source has points. */
int show_points(struct session *s, struct strbuf *err);

#endif
