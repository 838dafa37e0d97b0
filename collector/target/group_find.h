/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which control group a word of --cgroup means: "self", a path, or a name.
 *
 * A path begins at the hierarchy's root, or at /sys/fs/cgroup.  Names are those of
 * directories anywhere in the hierarchy, as systemd escapes them or not; of units, with
 * or without their kind; of machines and LXC's containers; ids of containers, or their
 * beginnings; and uids of Kubernetes' pods.  The first kind that any matches counts.
 */
#ifndef GROUP_FIND_H
#define GROUP_FIND_H

#include "base/strbuf.h"

struct group_place {
	char *path;      /* in the hierarchy: "/system.slice/nginx.service" */
	char *directory; /* of the same */
};

void group_place_release(struct group_place *place);

/*
 * ROOT precedes /proc.  0, or a negative errno with one sentence in ERR: -ENOENT (there is
 * none), -ENOTUNIQ (several), -EINVAL (not a path, or the whole machine), -ENOTSUP (of
 * version 1).  Release PLACE either way.
 */
int group_find(const char *root, const char *word, struct group_place *place,
	       struct strbuf *err) __attribute__((warn_unused_result));

#endif
