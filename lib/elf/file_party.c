/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/file_party.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/rights.h"
#include "base/vec.h"

enum { NOBODY = 65534 };

static uint64_t writer_of(int fd)
{
	struct stat st;

	if (fd < 0)
		return PARTY_OURS;
	if (fstat(fd, &st))
		return NOBODY;
	if (st.st_uid)
		return st.st_uid;
	/* With an access list the group's bits are its mask, whatever the group. */
	return st.st_mode & (S_IWOTH | S_IWGRP) ? NOBODY : PARTY_OURS;
}

uint64_t party_of_files(const int *files, size_t count)
{
	uint64_t all = PARTY_OURS;

	for (size_t i = 0; i < count; i++) {
		uint64_t one = writer_of(files[i]);

		if (one != PARTY_OURS)
			all = all == PARTY_OURS || all == one ? one : NOBODY;
	}
	return all;
}

/* "0 1000 1": in this user namespace root is somebody else, and only called root. */
static bool is_root_in_name_only(void)
{
	unsigned long inside = 1, outside = 0;
	FILE *f = fopen("/proc/self/uid_map", "re");
	bool read = f && fscanf(f, "%lu %lu", &inside, &outside) == 2;

	if (f)
		fclose(f);
	return read && !inside && outside;
}

/*
 * Nobody's group: the user's are not known.  Where other users do not exist (user
 * namespaces), root has no rights but by its capabilities.
 */
static bool become(uid_t user)
{
	const struct rights rights = { .uid = user, .gid = NOBODY };
	struct rights_before before;

	if (!rights_take(&rights, &before)) {
		rights_release(&before.own);
		return true;
	}
	rights_keep_none();
	return is_root_in_name_only();
}

static bool stay_in_folders(const struct object_place *place)
{
	const char *const *dir = place->search ? place->search->symfs : NULL;
	VEC(int) folders = { 0 };
	bool done;

	*vec_push(&folders) = place->archive ? place->archive->fd : -1;
	for (; dir && *dir; dir++)
		*vec_push(&folders) = open(*dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	done = confine_reading(folders.data, folders.len);
	for (size_t i = 1; i < folders.len; i++)
		if (folders.data[i] >= 0)
			close(folders.data[i]);
	vec_release(&folders);
	return done;
}

bool party_join(uint64_t party, const struct object_place *place)
{
	if (party == PARTY_OURS || (party == PARTY_ELSEWHERE && stay_in_folders(place)))
		return true;
	return become(party == PARTY_ELSEWHERE ? NOBODY : (uid_t)party);
}
