/* SPDX-License-Identifier: Apache-2.0 */
/* A recording in a dozen sentences: what ran, for how long, where its time went. */
#ifndef OVERVIEW_FIELDS_H
#define OVERVIEW_FIELDS_H

#include "session/session.h"
#include "tables/table.h"

/* Makes TABLE one of fields (tables/fields.h), which the caller releases. */
void overview_fields(struct session *s, struct table *table);

#endif
