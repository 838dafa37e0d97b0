/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rights.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"

/* The capabilities that concern files; include/uapi/linux/capability.h. */
#define FILE_CAPS                                                                        \
	(1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH |          \
	 1u << CAP_FOWNER | 1u << CAP_FSETID)

void rights_release(struct rights *rights)
{
	vec_release(&rights->groups);
}

void rights_copy(const struct rights *rights, struct rights *out)
{
	*out = (struct rights){ .uid = rights->uid,
				.gid = rights->gid,
				.caps = rights->caps };
	vec_for_each(const gid_t, group, &rights->groups)
		*vec_push(&out->groups) = *group;
}

/* ---- of another process ---- */

/* The text behind LABEL, or NULL. */
static const char *field(const char *text, const char *label)
{
	const char *found = strstr(text, label);

	return found ? found + strlen(label) : NULL;
}

/* The last of the four ids of a line (real, effective, saved, for files). */
static bool file_id(const char *at, unsigned *out)
{
	char *end = NULL;

	for (int i = 0; i < 4; i++, at = end) {
		unsigned long id = strtoul(at, &end, 10);

		if (end == at || id > UINT32_MAX)
			return false;
		*out = (unsigned)id;
	}
	return true;
}

static void read_groups(const char *at, struct rights *out)
{
	size_t line = strcspn(at, "\n");
	const char *stop = at + line;

	while (at < stop) {
		char *end;
		unsigned long id = strtoul(at, &end, 10);

		if (end == at || end > stop)
			break;
		*vec_push(&out->groups) = (gid_t)id;
		at = end + strspn(end, " \t");
	}
}

bool rights_parse(struct rights *rights, const char *text)
{
	const char *uid = field(text, "\nUid:\t"), *gid = field(text, "\nGid:\t");
	const char *groups = field(text, "\nGroups:\t"),
		   *caps = field(text, "\nCapEff:\t");

	*rights = (struct rights){ 0 };
	if (!uid || !gid || !groups || !caps || !file_id(uid, &rights->uid) ||
	    !file_id(gid, &rights->gid))
		return false;
	read_groups(groups, rights);
	rights->caps = strtoull(caps, NULL, 16);
	return true;
}

/* ---- of this thread: by system call, as glibc's functions change all threads ---- */

struct caps {
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct data[2];
};

static bool caps_get(struct caps *c)
{
	*c = (struct caps){ .head.version = _LINUX_CAPABILITY_VERSION_3 };
	return !syscall(SYS_capget, &c->head, c->data);
}

static bool caps_set(uint64_t effective)
{
	struct caps c;

	if (!caps_get(&c))
		return false;
	c.data[0].effective = (uint32_t)effective;
	c.data[1].effective = (uint32_t)(effective >> 32);
	return !syscall(SYS_capset, &c.head, c.data);
}

static bool read_own(struct rights *own)
{
	int count = getgroups(0, NULL);
	struct caps c;

	*own = (struct rights){ .uid = (uid_t)setfsuid((uid_t)-1),
				.gid = (gid_t)setfsgid((gid_t)-1) };
	if (count < 0 || !caps_get(&c))
		return false;
	own->caps = c.data[0].effective | (uint64_t)c.data[1].effective << 32;
	vec_reserve(&own->groups, (size_t)count);
	own->groups.len = (size_t)count;
	return getgroups(count, own->groups.data) == count;
}

static bool set_user(const struct rights *r)
{
	if (syscall(SYS_setgroups, r->groups.len, r->groups.data))
		return false;
	setfsgid(r->gid);
	setfsuid(r->uid);
	return (uid_t)setfsuid((uid_t)-1) == r->uid &&
	       (gid_t)setfsgid((gid_t)-1) == r->gid;
}

static bool may_change_user(const struct rights *own)
{
	return own->caps >> CAP_SETUID & 1 && own->caps >> CAP_SETGID & 1;
}

/* Root that cannot change its user would keep the right to all that root owns. */
static bool become(const struct rights *own, const struct rights *wanted)
{
	if (may_change_user(own))
		return set_user(wanted);
	return own->uid || !wanted->uid;
}

int rights_take(const struct rights *rights, struct rights_before *before)
{
	uint64_t caps;

	*before = (struct rights_before){ 0 };
	if (!read_own(&before->own)) {
		rights_release(&before->own);
		return -EPERM;
	}
	before->changed = true;
	caps = before->own.caps & rights->caps & FILE_CAPS;
	if (become(&before->own, rights) && caps_set(caps))
		return 0;
	rights_return(before);
	return -EPERM;
}

/* Capabilities first, as the rest needs them; last again, as setfsuid changes them. */
void rights_return(struct rights_before *before)
{
	struct rights *own = &before->own;
	bool back = !before->changed ||
		    (caps_set(own->caps) && (!may_change_user(own) || set_user(own)) &&
		     caps_set(own->caps));

	if (!back) {
		diag_error("cannot restore its rights");
		abort();
	}
	rights_release(own);
	before->changed = false;
}

static void keep_caps(uint32_t kept)
{
	struct caps c;

	if (!caps_get(&c))
		return;
	for (size_t i = 0; i < sizeof(c.data) / sizeof(c.data[0]); i++) {
		c.data[i].effective &= i ? 0 : kept;
		c.data[i].permitted = c.data[i].effective;
		c.data[i].inheritable = 0;
	}
	syscall(SYS_capset, &c.head, c.data);
}

void rights_keep_files(void)
{
	keep_caps(FILE_CAPS);
}

void rights_keep_none(void)
{
	keep_caps(0);
}
