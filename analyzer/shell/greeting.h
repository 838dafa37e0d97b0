/* SPDX-License-Identifier: Apache-2.0 */
/* What the prompt begins with. */
#ifndef GREETING_H
#define GREETING_H

#include "base/strbuf.h"
#include "session/session.h"

/* Lines with the open experiments, and commands to begin with. */
void greeting_put(const struct session *s, struct strbuf *out);

#endif
