/* SPDX-License-Identifier: Apache-2.0 */
/*
 * extremes DIR TABLE COLUMN VALUE: a small experiment in which one number is VALUE: that
 * COLUMN, counted from 0, of the second row of TABLE, a number of experiment/format.h.  All
 * samples but the first refer to that row.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "experiment/log.h"
#include "experiment/write.h"
#include "base/xalloc.h"

enum { ROWS = 2, SAMPLES = 5 };

struct maker {
	struct exp_writer *out;
	unsigned table, column;
	uint64_t value;
	unsigned rows[EXP_TABLES];
};

static void add(struct maker *m, unsigned table, const uint64_t *values, size_t count)
{
	uint64_t row[EXP_COLUMNS_MAX] = { 0 };

	memcpy(row, values, count * sizeof(*values));
	if (table == m->table && m->rows[table] == 1)
		row[m->column] = m->value;
	m->rows[table]++;
	exp_write_row(m->out, table, row);
}

#define ADD(m, table, ...)                                                               \
	add((m), (table), (uint64_t[]){ __VA_ARGS__ },                                   \
	    sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

/* Strings: 1 the object, 2 the program, 3 and 4 functions. */
static void write_rows(struct maker *m)
{
	static const char *const texts[] = { "/bin/a", "a", "one", "two" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		exp_write_string(m->out, texts[i]);
	for (uint64_t i = 0; i < ROWS; i++) {
		ADD(m, EXP_MODULES, 1, 0, EXP_KIND_FILE, 10 + i, 20, 30);
		ADD(m, EXP_FRAMES, i, 0x1000 + 0x100 * i, 0);
		ADD(m, EXP_NODES, i, i);
		ADD(m, EXP_PROCESSES, 100 + i, 0, 2, 1000 * i);
		ADD(m, EXP_THREADS, i, 200 + i, 2, 1000 * i);
		ADD(m, EXP_SYMBOLS, i, 0x1000 + 0x100 * i, 0x100, 3 + i,
		    EXP_SOURCE_SYMTAB, 0, 0);
		ADD(m, EXP_LOSSES, 5000000 * i, i, i, 1);
	}
	for (uint64_t i = 0; i < SAMPLES; i++) {
		uint64_t second = i > 0;

		ADD(m, EXP_DETAILS, i, 1, 2, 3, 0, 5, 6, 7, 8, 9, 10, 11);
		ADD(m, EXP_SAMPLES, 1000000 * i, second, second, 0, 1000000, 1 + second,
		    0x7000 + i, 5, 0);
	}
}

static int write_log(const char *dir)
{
	struct exp_log log = { .complete = true,
			       .samples = SAMPLES,
			       .duration_ns = 5000000 };
	int error;

	*vec_push(&log.events) = (struct exp_event){
		.asked = xstrdup("cpu-clock"),
		.got = xstrdup("cpu-clock"),
		.reason = xstrdup(""),
		.leader = xstrdup(""),
		.metric = xstrdup("totalcpu"),
		.label = xstrdup("Total CPU Time"),
		.unit = xstrdup("ns"),
		.skid = xstrdup(""),
		.period = 1000000,
		.scale = 1,
		.samples = SAMPLES,
		.addressed = SAMPLES,
	};
	error = exp_log_write(&log, dir);
	exp_log_release(&log);
	return error;
}

int main(int argc, char **argv)
{
	struct maker m = { 0 };

	if (argc != 5)
		return 2;
	m.table = (unsigned)strtoul(argv[2], NULL, 10);
	m.column = (unsigned)strtoul(argv[3], NULL, 10);
	m.value = strtoull(argv[4], NULL, 10);
	if (m.table >= EXP_TABLES || m.column >= exp_tables[m.table].columns)
		return 2;
	if (mkdir(argv[1], 0777) || exp_writer_open(argv[1], &m.out))
		return 1;
	write_rows(&m);
	return exp_writer_close(m.out) || write_log(argv[1]);
}
