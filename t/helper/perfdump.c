/* SPDX-License-Identifier: Apache-2.0 */
/*
 * perfdump FILE: a line for each sample of a perf.data file, in the file's order, as
 * collect --import decodes it:
 *
 *	event  ip  entries of the chain, context markers too  branches  bytes of stack
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "import/import.h"
#include "import/perf_read.h"
#include "base/xalloc.h"

struct dump {
	struct import import; /* its file and events alone */
	uint64_t room[RECORD_WORDS_MAX], record[RECORD_WORDS_MAX];
};

static uint64_t on_record(void *ctx, const void *bytes, size_t len)
{
	struct dump *d = ctx;
	struct perf_file *file = d->import.file;
	const struct import_event *e;
	struct record r;

	while (d->import.events.len < file->events.len) {
		const struct perf_attr *attr =
			&file->events.data[d->import.events.len].attr;

		import_event_init(vec_push(&d->import.events), attr,
				  file->swap ? d->room : NULL);
	}
	memcpy(d->record, bytes, len);
	e = import_event_of(&d->import, d->record, len);
	if (!e || record_decode(&e->format, d->record, len, &r) < 0 ||
	    r.type != PERF_RECORD_SAMPLE)
		return 0;
	printf("%td\t%#" PRIx64 "\t%zu\t%zu\t%zu\n", e - d->import.events.data,
	       r.sample.ip, r.sample.chain_len, r.sample.branches.len,
	       r.sample.stack_len);
	return r.at.time;
}

static void on_round(void *ctx)
{
	(void)ctx;
}

int main(int argc, char **argv)
{
	struct dump *d = xcalloc(1, sizeof(*d));
	struct perf_file_sink sink = { on_record, on_round, NULL, d };
	struct strbuf err = { 0 };
	struct perf_file file;
	int fd = argc == 2 ? file_open(argv[1]) : -EINVAL;
	int error = fd < 0 ? fd : perf_file_open(&file, fd, &err);

	if (fd < 0) {
		fprintf(stderr, "usage: perfdump FILE: %s\n", strerror(-error));
		return 2;
	}
	d->import.file = &file;
	d->import.swapped = file.swap ? d->room : NULL;
	if (!error)
		error = perf_file_read(&file, &sink, &err);
	if (error)
		fprintf(stderr, "%s: %s\n", argv[1], strbuf_str(&err));
	vec_release(&d->import.events);
	free(d);
	perf_file_release(&file);
	strbuf_release(&err);
	return error ? 1 : fflush(stdout) == EOF;
}
