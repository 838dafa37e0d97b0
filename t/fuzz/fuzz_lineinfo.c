/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a file with debug information, and as the package of its split units: the
 * lines of all its places.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "elf/lineinfo.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { PLACES = 256 };

static uint64_t ask(struct lineinfo *info, size_t len)
{
	struct line_answers answers;
	uint64_t offsets[PLACES], sum = 0;

	for (size_t i = 0; i < PLACES; i++)
		offsets[i] = len * i / PLACES;
	lineinfo_find(info, offsets, PLACES, &answers);
	vec_for_each(const struct line_answer, place, &answers.places)
		for (uint32_t f = place->first; f < place->first + place->count; f++) {
			const struct line_frame *frame = &answers.frames.data[f];

			sum += frame->line + *strtab_get(&answers.texts, frame->file) +
			       *strtab_get(&answers.texts, frame->function);
		}
	line_answers_release(&answers);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static volatile uint64_t sink;
	struct lineinfo *info;
	char dir[SCRATCH_PATH_MAX], path[SCRATCH_PATH_MAX + 8],
		package[SCRATCH_PATH_MAX + 16];
	int fd;

	scratch_make(dir);
	snprintf(path, sizeof(path), "%s/elf", dir);
	snprintf(package, sizeof(package), "%s.dwp", path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || link(path, package))
		abort();
	if (!lineinfo_open(&(struct object_place){ .path = path, .trusted = true },
			   &info)) {
		if (!lineinfo_parse(info))
			sink = ask(info, len);
		lineinfo_free(info);
	}
	close(fd);
	unlink(package);
	scratch_remove(dir, "elf");
	return 0;
}
