/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hostile_experiments FIRST ROUNDS DIR SEED.er…: er_print's commands on experiments that
 * are altered in some places, with checksums that are right.  Each command answers or
 * gives the reason, and prints nothing that controls a terminal.  DIR is for output.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/session.h"
#include "base/program.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "experiment/format.h"
#include "session/experiments.h"
#include "shell/command.h"
#include "shell/script.h"
#include "alter_experiment.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#define ALTERED "altered.er"

enum { COMMANDS = 12, BYTES_MAX = 1 << 24 };

/* A good experiment. */
struct seed {
	struct altered_file data, lines; /* no blocks: it has none */
	struct strbuf log;
};

struct attempt {
	VEC(struct seed) seeds;
	char *whole; /* a good one, to be read beside the altered one */
};

/* ---- seeds ---- */

static void read_part(const char *dir, const char *name, struct strbuf *out)
{
	char *path = xasprintf("%s/%s", dir, name);

	strbuf_clear(out);
	if (file_read(path, BYTES_MAX, out) < 0)
		strbuf_clear(out);
	free(path);
}

static void read_blocks(const char *dir, const char *name, struct altered_file *out)
{
	struct strbuf bytes = { 0 };

	*out = (struct altered_file){ 0 };
	read_part(dir, name, &bytes);
	if (bytes.len)
		altered_file_read(out, &bytes);
	strbuf_release(&bytes);
}

static void read_seed(struct attempt *a, const char *dir)
{
	struct seed *seed = vec_push(&a->seeds);

	*seed = (struct seed){ 0 };
	read_blocks(dir, EXP_DATA_FILE, &seed->data);
	read_blocks(dir, EXP_LINES_FILE, &seed->lines);
	read_part(dir, EXP_LOG_FILE, &seed->log);
	if (!seed->data.blocks.len || !seed->log.len)
		campaign_fail("%s: no experiment", dir);
}

static void release_seed(struct seed *seed)
{
	altered_file_release(&seed->data);
	altered_file_release(&seed->lines);
	strbuf_release(&seed->log);
}

/* ---- the altered experiment ---- */

static void write_part(const char *dir, const char *name, const struct strbuf *bytes)
{
	char *path = xasprintf("%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || file_write(fd, strbuf_str(bytes), bytes->len))
		campaign_fail("%s cannot be written", path);
	close(fd);
	free(path);
}

static void alter_blocks(struct altered_file *file, struct draw *d)
{
	for (uint64_t times = 1 + draw_below(d, 4); times; times--)
		altered_file_alter(file, d);
}

/* Blocks are altered in a copy of the file's bytes that was taken apart again. */
static void write_blocks(const char *name, const struct altered_file *seed,
			 uint64_t data_len, bool alter, struct draw *d,
			 struct strbuf *bytes)
{
	struct altered_file file;

	altered_file_write(seed, bytes);
	altered_file_read(&file, bytes);
	if (alter)
		alter_blocks(&file, d);
	/* Lines of other data would be as if they were not there. */
	altered_file_set(&file, EXP_LINE_KEY, EXP_LINE_KEY_BYTES, data_len);
	altered_file_write(&file, bytes);
	if (draw_one_in(d, 20))
		strbuf_truncate(bytes, (size_t)draw_below(d, bytes->len));
	write_part(ALTERED, name, bytes);
	altered_file_release(&file);
}

static void write_experiment(const struct seed *seed, struct draw *d)
{
	struct strbuf bytes = { 0 };
	bool data = !draw_one_in(d, 4);

	write_blocks(EXP_DATA_FILE, &seed->data, 0, data, d, &bytes);
	if (seed->lines.blocks.len)
		write_blocks(EXP_LINES_FILE, &seed->lines, bytes.len, !data, d, &bytes);
	strbuf_clear(&bytes);
	strbuf_add(&bytes, seed->log.data, seed->log.len);
	for (uint64_t times = data ? draw_below(d, 3) : 4; times; times--)
		alter_json(&bytes, d);
	write_part(ALTERED, EXP_LOG_FILE, &bytes);
	strbuf_release(&bytes);
}

static void remove_experiment(void)
{
	static const char *const names[] = { EXP_DATA_FILE, EXP_LINES_FILE,
					     EXP_LOG_FILE };

	for (size_t i = 0; i < LENGTH(names); i++) {
		char *path = xasprintf("%s/%s", ALTERED, names[i]);

		unlink(path);
		free(path);
	}
}

/* ---- commands ---- */

/*
 * Besides all of er_print's, each as its example or its name says: what only finds something
 * in a seed, or is asked for more often.
 */
static const char *const more[] = {
	"functions",
	"functions",
	"callers-callees",
	"callers-callees",
	"calltree 0",
	"calltree",
	"csingle main",
	"csingle f",
	"cprepend main",
	"cappend f",
	"fsingle main",
	"fsingle f 1",
	"source main",
	"disasm f",
	"states",
	"states processes",
	"waits",
	"waits",
	"locks",
	"timeline 1000",
	"concurrency",
	"export collapsed out",
	"export speedscope out",
	"export firefox out",
	"export callgrind out",
	"export csv out",
	"export samples out",
	"export pprof out",
	"metrics all",
	"metrics i.totalcpu:e.%totalcpu:name",
	"metrics a+all:e.all",
	"metrics address:size:e.all",
	"metrics i.total:i.owait:e.lock",
	"sort name",
	"sort e.totalcpu",
	"filters LEAF IN FNAME(\"f\")",
	"filters THRID > 0 && CPUID < 2",
	"filters TSTAMP > 1ms || DEPTH > 1",
	"filters SAMPLE == 1",
	"filters WEIGHT > 0 && ADDRESS > 0",
	"filters 1",
	"thread_select 1",
	"thread_select all",
	"process_select 1-999999",
	"cpu_select 0-3",
	"sample_select 1",
	"object_hide all",
	"object_show all",
	"name short",
	"name mangled:soname",
	"limit 3",
	"limit 0",
	"ci on",
	"inlines off",
	"viewmode machine",
	"compare on",
	"compare delta",
	"compare ratio",
	"compare off",
	"fail-above 5",
	"printmode text",
	"printmode ,",
	"printmode html",
	"printmode json",
	"drop_exp 1",
	"report out",
	"calltree 0 100",
	"calltree inverted 0",
	"processes all",
	"processes sh",
	"filters PRID == 200 || EXPERIMENT == 1",
	"drop_exp altered.er",
	"open_exp altered.er",
	"add_exp altered.er",
};

/*
 * Those that are not asked: their answers would go where nobody looks for controls, or they
 * read other files' lines.
 */
static const char *const unasked[] = { "outfile", "appendfile", "script", "quit" };

static bool is_asked(const struct cmd *cmd)
{
	for (size_t i = 0; i < LENGTH(unasked); i++)
		if (!strcmp(cmd->name, unasked[i]))
			return false;
	return true;
}

static const char *draw_command(struct draw *d)
{
	size_t count = 0;
	const struct cmd *cmd;

	if (draw_one_in(d, 2))
		return more[draw_below(d, LENGTH(more))];
	while (commands[count])
		count++;
	do {
		cmd = commands[draw_below(d, count)];
	} while (!is_asked(cmd));
	return cmd->example ? cmd->example : cmd->name;
}

/* Bytes that no terminal may get; line feeds, and CSV's line ends, are allowed. */
static void look_for_controls(const char *text, size_t len, const char *command)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		bool c1 = c == 0xc2 && i + 1 < len && (unsigned char)text[i + 1] < 0xa0;

		if ((c < 0x20 && c != '\n' && c != '\r') || c == 0x7f || c1)
			campaign_fail("'%s' printed the byte %#x at %zu", command, c, i);
	}
}

static void look_at_output(const char *command)
{
	struct strbuf text = { 0 };

	fflush(stdout);
	if (lseek(STDOUT_FILENO, 0, SEEK_SET) < 0 ||
	    file_read_fd(STDOUT_FILENO, BYTES_MAX, &text) < 0)
		strbuf_clear(&text);
	look_for_controls(text.data, text.len, command);
	strbuf_release(&text);
	if (ftruncate(STDOUT_FILENO, 0) < 0 || lseek(STDOUT_FILENO, 0, SEEK_SET) < 0)
		campaign_fail("standard output cannot be emptied");
}

static void run(struct session *s, const char *command)
{
	struct strbuf err = { 0 };
	const struct cmd *cmd;

	if (script_line(s, command, &cmd, &err) && !err.len)
		campaign_fail("'%s' failed without a word", command);
	look_at_output(command);
	strbuf_release(&err);
}

static void ask(const struct attempt *a, struct draw *d)
{
	struct strbuf err = { 0 };
	struct session s;

	session_init(&s);
	if (experiments_open(&s, ALTERED, 0, &err)) {
		if (!err.len)
			campaign_fail("refused without a word");
	} else {
		if (draw_one_in(d, 3) && experiments_open(&s, a->whole, 1, &err))
			campaign_fail("the good one was refused: %s", strbuf_str(&err));
		for (int i = 0; i < COMMANDS; i++)
			run(&s, draw_command(d));
		if (output_finish(&s.out, &s.model))
			campaign_fail("the output cannot be finished");
	}
	look_at_output("the end");
	session_release(&s);
	strbuf_release(&err);
}

static void attempt_once(void *ctx, struct draw *d)
{
	const struct attempt *a = ctx;

	write_experiment(&a->seeds.data[draw_below(d, a->seeds.len)], d);
	ask(a, d);
	remove_experiment();
}

static int run_in(const char *dir, struct campaign *c)
{
	int status;

	if (chdir(dir) || (mkdir(ALTERED, 0700) && errno != EEXIST))
		campaign_fail("%s/" ALTERED " cannot be made", dir);
	status = campaign_run(c);
	remove_experiment();
	rmdir(ALTERED);
	return status;
}

int main(int argc, char **argv)
{
	struct attempt a = { 0 };
	struct campaign c = { .name = "experiments", .round = attempt_once, .ctx = &a };
	int status;

	if (argc < 5) {
		fputs("usage: hostile_experiments FIRST ROUNDS DIR SEED.er...\n", stderr);
		return 2;
	}
	program_set_name("er_print");
	c.first = strtoull(argv[1], NULL, 0);
	c.rounds = strtoull(argv[2], NULL, 0);
	a.whole = realpath(argv[4], NULL);
	for (int i = 4; i < argc; i++)
		read_seed(&a, argv[i]);
	status = run_in(argv[3], &c);
	vec_for_each(struct seed, seed, &a.seeds)
		release_seed(seed);
	vec_release(&a.seeds);
	free(a.whole);
	return status;
}
