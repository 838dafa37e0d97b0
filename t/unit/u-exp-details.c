/* SPDX-License-Identifier: Apache-2.0 */
/* Details of some samples are found by number, whatever the blocks; and damaged rows. */
#include "experiment/details.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "experiment/write.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

enum { SAMPLES = 100, CGROUP = 1, NO_STRING = 77 };

static void write_detail(struct exp_writer *w, uint64_t sample, uint64_t page,
			 uint64_t cgroup)
{
	exp_write_row(w, EXP_DETAILS,
		      (uint64_t[EXP_DETAIL_COLUMNS]){ [EXP_DETAIL_SAMPLE] = sample,
						      [EXP_DETAIL_DATA_PAGE] = page,
						      [EXP_DETAIL_CGROUP] = cgroup });
}

static struct exp_writer *begin(const char *dir)
{
	struct exp_log log = { 0 };
	struct exp_writer *w;

	if (exp_log_write(&log, dir) || exp_writer_open(dir, &w))
		exit(99);
	exp_write_string(w, "/a/group");
	return w;
}

static struct experiment *end(const char *dir, struct exp_writer *w)
{
	struct strbuf err = { 0 };
	struct experiment *exp;

	if (exp_writer_close(w) || experiment_open(dir, &exp, &err))
		exit(99);
	strbuf_release(&err);
	return exp;
}

/* Every third sample has details; their blocks end elsewhere than those of samples. */
static void test_found(void)
{
	char *dir = scratch_make();
	struct exp_writer *w = begin(dir);
	struct exp_details details = { 0 };
	struct experiment *exp;
	unsigned wrong = 0;

	for (uint64_t i = 0; i < SAMPLES; i++) {
		wrong += exp_writer_rows(w, EXP_SAMPLES) != i;
		if (i % 3 == 0)
			write_detail(w, i, i + 1, CGROUP);
		if (i % 7 == 0 && exp_writer_flush(w))
			exit(99);
		exp_write_row(w, EXP_SAMPLES, (uint64_t[EXP_SAMPLE_COLUMNS]){ i });
	}
	is_u64(wrong, 0, "the writer knows the number of each sample");
	exp = end(dir, w);
	wrong = 0;
	for (uint64_t i = 0; i < SAMPLES; i++) {
		struct exp_detail d;
		uint64_t want = i % 3 ? 0 : i + 1;

		exp_details_of(&details, exp, i, &d);
		wrong += d.value[EXP_DETAIL_DATA_PAGE] != want ||
			 d.value[EXP_DETAIL_CGROUP] != (want ? CGROUP : 0);
	}
	is_u64(wrong, 0, "each sample has only its own details");
	is_u64(exp->samples, SAMPLES, "samples do not change");
	exp_details_release(&details);
	experiment_free(exp);
	scratch_remove(dir);
}

/* Rows out of order are skipped; a missing string counts as none. */
static void test_damaged(void)
{
	static const uint64_t rows[][2] = { { 5, 50 }, { 3, 30 }, { 6, 60 }, { 9, 90 } };
	char *dir = scratch_make();
	struct exp_writer *w = begin(dir);
	struct exp_details details = { 0 };
	struct experiment *exp;
	struct exp_detail d;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		write_detail(w, rows[i][0], rows[i][1], NO_STRING);
	exp = end(dir, w);
	exp_details_of(&details, exp, 3, &d);
	is_u64(d.value[EXP_DETAIL_DATA_PAGE], 0,
	       "a row that comes too late is not found");
	exp_details_of(&details, exp, 6, &d);
	is_u64(d.value[EXP_DETAIL_DATA_PAGE], 60, "those after it are");
	is_u64(d.value[EXP_DETAIL_CGROUP], 0, "a missing name");
	exp_details_of(&details, exp, 1000, &d);
	is_u64(d.value[EXP_DETAIL_DATA_PAGE], 0, "a sample beyond all rows");
	exp_details_release(&details);
	experiment_free(exp);
	scratch_remove(dir);
}

/* While the file is open its blocks change: strings replace rows. */
static void test_changed(void)
{
	char *dir = scratch_make(), *path = xasprintf("%s/" EXP_DATA_FILE, dir);
	struct exp_writer *w = begin(dir);
	struct exp_details details = { 0 };
	struct exp_walk walk = { 0 };
	struct experiment *exp;
	struct exp_samples samples;
	struct exp_detail d;
	char block[256];
	int fd;

	write_detail(w, 0, 1, CGROUP);
	exp_write_row(w, EXP_SAMPLES, (uint64_t[EXP_SAMPLE_COLUMNS]){ 1 });
	exp = end(dir, w);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (pread(fd, block, sizeof(block), EXP_HEADER_SIZE) < 0 ||
	    pwrite(fd, block, sizeof(block), (off_t)exp->details.data[0]) < 0 ||
	    pwrite(fd, block, sizeof(block), (off_t)exp->extents.data[0].offset) < 0)
		exit(99);
	close(fd);
	exp_details_of(&details, exp, 0, &d);
	is_u64(d.value[EXP_DETAIL_DATA_PAGE], 0, "rows of another table do not count");
	is_i64(experiment_next(exp, &walk, &samples), EXP_BLOCK_DAMAGED,
	       "nor are they samples");
	exp_walk_release(&walk);
	exp_details_release(&details);
	experiment_free(exp);
	scratch_remove(dir);
	free(path);
}

int main(void)
{
	test_found();
	test_damaged();
	test_changed();
	return done_testing();
}
