/* SPDX-License-Identifier: Apache-2.0 */
#include "process/kernel_stack.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"

enum { LINE_MAX_LEN = 256, PLACES_MAX = 4096 };

_Static_assert(LINE_MAX_LEN == 256, "parse_line has the width of a text");

#define NO_PLACE 0

struct line {
	char function[LINE_MAX_LEN], object[LINE_MAX_LEN]; /* "": of the kernel's own */
	uint64_t offset, size;
};

void kernel_stack_places_release(struct kernel_stack_places *places)
{
	idmap_release(&places->known);
	vec_release(&places->starts);
}

/* TEXT is shorter than LINE_MAX_LEN. */
static bool parse_line(const char *text, struct line *line)
{
	line->object[0] = '\0';
	return sscanf(text, "[<%*[^>]>] %255[^+]+%" SCNx64 "/%" SCNx64 " %255s",
		      line->function, &line->offset, &line->size, line->object) >= 3 &&
	       line->offset <= line->size && line->size <= UINT32_MAX;
}

static uint64_t hash_line(const struct kernel_stack_places *places,
			  const struct line *line)
{
	const uint64_t key = places->known.key;

	return hash_bytes(hash_bytes(key, line->function, strlen(line->function)),
			  line->object, strlen(line->object));
}

/* Names are looked up one by one, in all that the kernel has. */
static uint64_t start_of(struct kernel_stack_places *places,
			 const struct kernel_names *names, const struct line *line)
{
	const uint64_t hash = hash_line(places, line);
	const uint32_t size = (uint32_t)line->size;
	uint32_t index = idmap_get(&places->known, hash, size);
	uint64_t start = NO_PLACE;

	if (index != IDMAP_NONE)
		return places->starts.data[index];
	if (places->starts.len == PLACES_MAX)
		return NO_PLACE;
	if (!kernel_names_locate(names, line->function, line->object, size, &start))
		start = NO_PLACE;
	idmap_set(&places->known, hash, size, (uint32_t)places->starts.len);
	*vec_push(&places->starts) = start;
	return start;
}

size_t kernel_stack_parse(struct kernel_stack_places *places,
			  const struct kernel_names *names, const char *text, size_t len,
			  uint64_t ips[KERNEL_STACK_MAX])
{
	char copy[LINE_MAX_LEN];
	size_t count = 0;

	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t line_len = end ? (size_t)(end - text) : sizeof(copy);
		struct line line;
		uint64_t start;

		if (line_len >= sizeof(copy) || count == KERNEL_STACK_MAX)
			return 0;
		memcpy(copy, text, line_len);
		copy[line_len] = '\0';
		if (!parse_line(copy, &line))
			return 0;
		start = start_of(places, names, &line);
		if (start == NO_PLACE)
			return 0;
		ips[count++] = start + line.offset;
		text += line_len + 1;
		len -= line_len + 1;
	}
	return count;
}
