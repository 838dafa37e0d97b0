/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For test scripts: prints lineinfo's data of a file.
 *
 *	linedump [-d] FILE [ROOT [BUILD-ID]]
 *
 * answers hex addresses on stdin, all in one batch, by its confined process, a line each: "ADDRESS", then for
 * every frame, innermost first, " FUNCTION@FILE:LINE", tabs between them.  With -d the place
 * is that of the function's declaration.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/image.h"
#include "elf/lineinfo_apart.h"

struct asked {
	VEC(uint64_t) addrs;
	VEC(uint64_t) offsets;
};

static void read_addresses(const struct elf_image *img, struct asked *asked)
{
	char line[64];

	while (fgets(line, sizeof(line), stdin)) {
		uint64_t addr = strtoull(line, NULL, 16), offset;

		if (!elf_image_offset(img, addr, &offset))
			continue;
		*vec_push(&asked->addrs) = addr;
		*vec_push(&asked->offsets) = offset;
	}
}

static const char *text(const struct line_answers *answers, uint32_t id)
{
	return id ? strtab_get(&answers->texts, id) : "??";
}

static void print(const struct asked *asked, const struct line_answers *answers,
		  bool declared)
{
	for (size_t i = 0; i < asked->addrs.len; i++) {
		struct line_answer answer = answers->places.data[i];

		printf("%" PRIx64, asked->addrs.data[i]);
		for (uint32_t f = answer.first; f < answer.first + answer.count; f++) {
			const struct line_frame *frame = &answers->frames.data[f];

			printf("\t%s@%s:%" PRIu32, text(answers, frame->function),
			       text(answers, declared ? frame->decl_file : frame->file),
			       declared ? frame->decl_line : frame->line);
		}
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	struct asked asked = { 0 };
	struct line_job job = { 0 };
	struct elf_image img;
	bool declared = argc > 1 && !strcmp(argv[1], "-d");
	int error;

	argv += declared;
	argc -= declared;
	if (argc < 2)
		return 2;
	error = lineinfo_open(
		&(struct object_place){ .path = argv[1],
					.trusted = true,
					.root = argv[2],
					.build_id = argc > 3 ? argv[3] : NULL },
		&job.info);
	if (!error && !elf_image_open(&img, argv[1])) {
		read_addresses(&img, &asked);
		elf_image_release(&img);
	}
	if (!error) {
		job.offsets = asked.offsets.data;
		job.count = asked.offsets.len;
		lineinfo_ask(&job, 1, NULL, NULL);
		lineinfo_free(job.info);
		error = job.error;
	}
	if (error) {
		fprintf(stderr, "linedump: %s: %s\n", argv[1], strerror(-error));
		return 1;
	}
	print(&asked, &job.reply.answers, declared);
	if (job.reply.missing)
		fprintf(stderr, "linedump: missing: %s\n", job.reply.missing);
	line_reply_release(&job.reply);
	vec_release(&asked.addrs);
	vec_release(&asked.offsets);
	return 0;
}
