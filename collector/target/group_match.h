/* SPDX-License-Identifier: Apache-2.0 */
/* Names of control groups as systemd and containers' engines make them. */
#ifndef GROUP_MATCH_H
#define GROUP_MATCH_H

#include <stdbool.h>

#include "base/strbuf.h"

/* The kinds of names, in the order in which they count. */
enum group_kind {
	GROUP_EXACT,     /* the directory's own */
	GROUP_UNIT,      /* nginx: nginx.service */
	GROUP_MACHINE,   /* web: machine-web.scope, lxc.payload.web */
	GROUP_CONTAINER, /* 3f2a: docker-3f2a….scope */
	GROUP_POD,       /* of Kubernetes: its uid */
	GROUP_KINDS,
};

/* Adds the name of a directory without systemd's escapes: man systemd.unit, cg_escape. */
void group_unescape(const char *name, struct strbuf *out);

/* The first kind by which a directory of that NAME is WORD; GROUP_KINDS: none. */
enum group_kind group_match(const char *name, const char *word);

#endif
