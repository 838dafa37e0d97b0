/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An experiment whose data file is arbitrary: opened, and walked to its end.  The
 * blocks' magic, sizes and checksums are put right first, where the bytes have the
 * shape of blocks: else no input would get past them.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "experiment/read.h"
#include "scratch.h"
#include "base/xalloc.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* A folder with a log of one event, and data, which is *FD. */
static const char *make_dir(int *fd)
{
	static char dir[SCRATCH_PATH_MAX];
	struct exp_log log = { 0 };
	char *data;

	scratch_make(dir);
	data = xasprintf("%s/%s", dir, EXP_DATA_FILE);
	*vec_push(&log.events) = (struct exp_event){ 0 };
	*fd = open(data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (exp_log_write(&log, dir) || *fd < 0)
		abort();
	exp_log_release(&log);
	free(data);
	return dir;
}

static void mend(uint8_t *bytes, size_t len)
{
	const size_t head = EXP_BLOCK_HEADER_SIZE;
	size_t at = EXP_HEADER_SIZE;

	if (len < at)
		return;
	memcpy(bytes, EXP_MAGIC "\1\0\0\0", 12);
	while (len - at >= head) {
		uint8_t *block = bytes + at;
		uint32_t stored, crc;

		memcpy(block, EXP_BLOCK_MAGIC, 4);
		memcpy(&stored, block + 16, sizeof(stored));
		if (stored > len - at - head) {
			stored = (uint32_t)(len - at - head);
			memcpy(block + 16, &stored, sizeof(stored));
		}
		crc = (uint32_t)crc32(crc32(0, block, 20), block + head, stored);
		memcpy(block + 20, &crc, sizeof(crc));
		at += head + stored;
	}
}

/* Touches what the reader promises to be in range. */
static uint64_t touch(const struct experiment *e)
{
	uint64_t sum = 0;

	vec_for_each(const struct exp_module, m, &e->modules)
		sum += strlen(experiment_string(e, m->path)) +
		       strlen(experiment_string(e, m->build_id));
	vec_for_each(const struct exp_frame, f, &e->frames)
		sum += e->modules.data[f->module].kind;
	for (size_t n = 1; n < e->nodes.len; n++) {
		sum += e->frames.data[e->nodes.data[n].frame].offset;
		if (e->nodes.data[n].parent >= n)
			abort();
	}
	vec_for_each(const struct exp_thread, t, &e->threads)
		sum += e->processes.data[t->process].name +
		       strlen(experiment_string(e, t->name));
	vec_for_each(const struct exp_symbol, s, &e->symbols)
		sum += e->modules.data[s->module].kind +
		       strlen(experiment_string(e, s->name));
	return sum;
}

/* Who ended the wait that may be sample I. */
static uint64_t touch_waker(const struct experiment *e, const struct exp_samples *s,
			    size_t i)
{
	const struct exp_waker *waker = experiment_waker(e, s->waker[i]);
	const struct exp_thread *thread = &e->threads.data[waker->thread];

	if (waker->kind >= EXP_WAKER_KINDS)
		abort();
	if (waker->kind != EXP_WAKER_OF_RECORDING)
		return 0;
	return e->nodes.data[waker->node].frame + e->threads.data[thread->last].name;
}

static uint64_t walk_all(struct experiment *e)
{
	struct exp_walk walk = { 0 };
	struct exp_samples s;
	uint64_t sum = 0;
	int more;

	while ((more = experiment_next(e, &walk, &s)) != 0)
		for (size_t i = 0; more > 0 && i < s.count; i++)
			sum += e->nodes.data[s.node[i]].frame +
			       e->threads.data[s.thread[i]].name +
			       e->log.events.data[s.event[i]].samples + s.weight[i] +
			       touch_waker(e, &s, i);
	exp_walk_release(&walk);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *dir;
	static int fd;
	static volatile uint64_t sink;
	struct experiment *e;
	struct strbuf err = { 0 }, data = { 0 };

	if (!dir)
		dir = make_dir(&fd);
	strbuf_add(&data, bytes, len);
	mend((uint8_t *)data.data, len);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, data.data, len, 0) != (ssize_t)len)
		abort();
	if (!experiment_open(dir, &e, &err)) {
		sink = touch(e) + walk_all(e);
		experiment_free(e);
	} else if (!err.len) {
		abort();
	}
	strbuf_release(&data);
	strbuf_release(&err);
	return 0;
}
