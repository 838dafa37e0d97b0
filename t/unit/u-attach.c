/* SPDX-License-Identifier: Apache-2.0 */
/* A recording looks up a process in /proc twice at its start. */
#include "recording/attach.h"

#include <signal.h>
#include <stdlib.h>

#include "experiment/read.h"
#include "sample/sample_attr.h"
#include "scratch.h"
#include "tap.h"

static const char *name_of(struct recording *rec, uint32_t tid)
{
	struct thread *th = tasks_find_thread(&rec->tasks, tid);

	return th ? strtab_get(&rec->in.strings,
			       task_name_id(&rec->tasks.names, &th->name))
		  : "";
}

static uint32_t row_of(struct recording *rec, uint32_t tid)
{
	return tasks_thread_id(&rec->tasks, tasks_thread(&rec->tasks, 10, tid));
}

static bool has(struct recording *rec, uint64_t address)
{
	return space_find(&tasks_process(&rec->tasks, 20)->space, address);
}

static uint32_t look(struct recording *rec, const char *root, const char *maps)
{
	scratch_text(root, "proc/20/maps", maps);
	attach_process(rec, root, 20);
	return tasks_process(&rec->tasks, 20)->space.generation;
}

/* Programs executed between the two looks have other mappings. */
static void test_maps(struct recording *rec, const char *root)
{
	static const char shell[] = "1000-3000 r-xp 00000000 08:01 5 /bin/sh\n"
				    "3000-4000 rw-p 00002000 08:01 5 /bin/sh\n"
				    "9000-a000 r-xp 00000000 08:01 6 /lib/a.so\n";
	static const char other[] = "2000-4000 r-xp 00000000 08:01 7 /bin/other\n";
	static const char more[] = "2000-4000 r-xp 00000000 08:01 7 /bin/other\n"
				   "8000-9000 r-xp 00000000 00:00 0\n";
	uint32_t generation;

	scratch_text(root, "proc/20/task/20/comm", "sh\n");
	generation = look(rec, root, shell);
	ok(has(rec, 0x1000) && !has(rec, 0x3000) && has(rec, 0x9000),
	   "code mappings are known");
	is_u64(look(rec, root, shell), generation, "unchanged mappings change nothing");
	look(rec, root, other);
	ok(has(rec, 0x2000) && has(rec, 0x3000), "after an exec the new ones are known");
	ok(!has(rec, 0x1000) && !has(rec, 0x9000), "and the old ones are gone");
	is_u64(rec->tasks.room.held, 1, "and not counted");
	look(rec, root, more);
	ok(has(rec, 0x2000) && has(rec, 0x8000), "a later mapping is added");
	look(rec, root, "");
	ok(has(rec, 0x2000), "without access the old ones stay");
	look(rec, root, shell);
	look(rec, root, "9000-a000 r-xp 00000000 08:01 6 /lib/a.so\n");
	ok(!has(rec, 0x1000) && has(rec, 0x9000), "an unmapped one is gone");
}

/* Ctrl-C arrives while running processes are looked up. */
static void test_interrupted(struct recording *rec, const char *root)
{
	sigset_t interrupt;
	int taken;

	scratch_text(root, "proc/30/task/30/comm", "late\n");
	sigemptyset(&interrupt);
	sigaddset(&interrupt, SIGINT);
	sigprocmask(SIG_BLOCK, &interrupt, NULL);
	raise(SIGINT);
	attach_all(rec, root, true);
	ok(!tasks_know(&rec->tasks, 30), "an interrupt ends the look-up");
	attach_all(rec, root, false);
	ok(tasks_know(&rec->tasks, 30), "not if it is for the program");
	is_i64(sigwait(&interrupt, &taken), 0, "it is still pending");
	scratch_text(root, "proc/31/task/31/comm", "later\n");
	attach_all(rec, root, true);
	ok(tasks_know(&rec->tasks, 31), "without one all are looked up");
}

static void has_words(const char *root, const char *bytes, size_t len, const char *want)
{
	struct exp_log log = { 0 };
	struct strbuf got = { 0 };

	scratch_write(root, "proc/40/cmdline", bytes, len);
	attach_command(root, 40, &log);
	vec_for_each(char *, word, &log.command)
		strbuf_addf(&got, "<%s>", *word);
	is_str(strbuf_str(&got), want, "the command %s", want);
	strbuf_release(&got);
	exp_log_release(&log);
}

static void test_command(const char *root)
{
#define WORDS(bytes, want) has_words(root, bytes, sizeof(bytes) - 1, want)
	WORDS("prog\0a b\0", "<prog><a b>");
	WORDS("prog\0\0x\0", "<prog><><x>");
	WORDS("prog\0\0", "<prog><>");
	WORDS("redis-server *:6379\0\0\0\0\0", "<redis-server *:6379>");
	WORDS("title  ", "<title>");
	WORDS("", "");
}

int main(void)
{
	struct recording_setup setup = { .format = sample_format(STACK_OFF),
					 .mode = STACK_OFF };
	char *root = scratch_make(), *written = scratch_make();
	struct recording rec;
	uint32_t row;

	if (exp_writer_open(written, &setup.writer))
		exit(99);
	setup.root = root;
	recording_init(&rec, &setup);
	scratch_text(root, "proc/10/maps", "");
	scratch_text(root, "proc/10/task/10/comm", "sh\n");
	scratch_text(root, "proc/10/task/11/comm", "worker\n");
	attach_process(&rec, root, 10);
	is_str(name_of(&rec, 10), "sh", "a thread's name");
	row = row_of(&rec, 11);
	scratch_text(root, "proc/10/task/10/comm", "program\n");
	scratch_text(root, "proc/10/task/12/comm", "late\n");
	attach_process(&rec, root, 10);
	is_str(name_of(&rec, 10), "program", "the name of a program executed between");
	is_str(name_of(&rec, 12), "late", "a thread started between");
	is_u64(row_of(&rec, 11), row, "an unchanged name keeps its row");
	is_u64(rec.tasks.threads_seen, 3, "each is one thread");
	is_str(name_of(&rec, 11), "worker", "each has its name");
	test_maps(&rec, root);
	test_interrupted(&rec, root);
	test_command(root);
	recording_release(&rec);
	if (exp_writer_close(setup.writer))
		exit(99);
	scratch_remove(written);
	scratch_remove(root);
	return done_testing();
}
