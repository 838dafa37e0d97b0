/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of arbitrary bytes, from the ring to the experiment.  The input's first byte
 * selects how to collect stacks; the rest is a sequence of records, each as long as its
 * header says.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment/write.h"
#include "recording/recording.h"
#include "scratch.h"
#include "sample/sample_attr.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void take_all(struct recording *rec, const uint8_t *bytes, size_t len)
{
	struct perf_event_header header;

	while (len >= sizeof(header)) {
		void *copy;

		memcpy(&header, bytes, sizeof(header));
		if (header.size < sizeof(header) || header.size % 8 || header.size > len)
			return;
		copy = malloc(header.size); /* aligned, and exact for the sanitizer */
		memcpy(copy, bytes, header.size);
		record_time(&rec->format, copy, header.size);
		recording_take(rec, copy, header.size);
		free(copy);
		bytes += header.size;
		len -= header.size;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char dir[SCRATCH_PATH_MAX];
	struct recording_setup setup = { .root = "/nonexistent", .start_ns = 1000 };
	struct recording rec;

	if (!len)
		return 0;
	scratch_make(dir);
	if (exp_writer_open(dir, &setup.writer))
		abort();
	setup.mode = bytes[0] % STACK_MODES;
	setup.everyone = bytes[0] & 0x80;
	setup.format = sample_format(setup.mode);
	recording_init(&rec, &setup);
	recording_expect(&rec, 2);
	sources_add(&rec.sources, 0, 0, -1);
	sources_add(&rec.sources, 1, 1, 2);
	take_all(&rec, bytes + 1, len - 1);
	recording_release(&rec);
	if (exp_writer_close(setup.writer))
		abort();
	scratch_remove(dir, EXP_DATA_FILE);
	return 0;
}
