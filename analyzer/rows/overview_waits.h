/* SPDX-License-Identifier: Apache-2.0 */
/* What threads did with most of their time: a field of overview. */
#ifndef OVERVIEW_WAITS_H
#define OVERVIEW_WAITS_H

#include "session/session.h"
#include "tables/table.h"

/* Nothing unless all experiments have the states of their threads. */
void overview_waits(struct session *s, struct table *table);

#endif
