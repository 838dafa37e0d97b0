/* SPDX-License-Identifier: Apache-2.0 */
/* The confined child that reads debug information: its answers, its limits, its end. */
#include "elf/lineinfo_apart.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sanitizer.h"
#include "base/xalloc.h"
#include "elf/lineinfo_units.h"
#include "line_child.h"
#include "scratch.h"
#include "tap.h"

/* As text, because the ids of texts may differ. */
static void put_answers(const struct line_answers *answers, struct strbuf *out)
{
	vec_for_each(const struct line_answer, place, &answers->places) {
		for (uint32_t f = place->first; f < place->first + place->count; f++) {
			const struct line_frame *frame = &answers->frames.data[f];

			strbuf_addf(out, " %s %s:%u %s:%u",
				    strtab_get(&answers->texts, frame->function),
				    strtab_get(&answers->texts, frame->file), frame->line,
				    strtab_get(&answers->texts, frame->decl_file),
				    frame->decl_line);
		}
		strbuf_addch(out, '\n');
	}
}

static void test_apart(void)
{
	struct strbuf here = { 0 }, there = { 0 };
	struct lineinfo *info = open_self();
	struct line_answers answers;
	struct line_reply reply;
	uint64_t offsets[PLACES];

	fill_offsets(offsets);
	if (lineinfo_parse(info))
		abort();
	lineinfo_find(info, offsets, PLACES, &answers);
	put_answers(&answers, &here);
	is_i64(ask_self(offsets, &reply), 0, "a confined process answers");
	put_answers(&reply.answers, &there);
	ok(here.len > PLACES + 100 && !strcmp(strbuf_str(&here), strbuf_str(&there)),
	   "the same as this one");
	line_answers_release(&answers);
	line_reply_release(&reply);
	lineinfo_free(info);
	strbuf_release(&here);
	strbuf_release(&there);
}

static void crash(int out)
{
	(void)out;
	kill(getpid(), SIGKILL);
}

static void test_crash(void)
{
	uint64_t offsets[PLACES];
	struct line_reply reply;

	fill_offsets(offsets);
	take_over_with(crash);
	is_i64(ask_self(offsets, &reply), -EPROTO, "its crash is an error");
	take_over_with(NULL);
}

/* Only the first of all children crashes. */
static unsigned children;

static void crash_first(void)
{
	take_over_with(++children == 1 ? crash : NULL);
}

static void test_crash_of_one(void)
{
	struct line_job jobs[3];
	uint64_t offsets[PLACES];

	fill_offsets(offsets);
	for (int i = 0; i < 3; i++)
		jobs[i] = (struct line_job){ .info = open_self(),
					     .offsets = offsets,
					     .count = PLACES };
	pthread_atfork(crash_first, NULL, NULL);
	lineinfo_ask(jobs, 3, NULL, NULL);
	is_i64(jobs[0].error, -EPROTO,
	       "the child for the first of three objects crashes");
	ok(!jobs[1].error && !jobs[2].error, "and another child answers for the others");
	is_u64(children, 2, "two children in all");
	for (int i = 0; i < 3; i++) {
		if (!jobs[i].error)
			line_reply_release(&jobs[i].reply);
		lineinfo_free(jobs[i].info);
	}
}

/* ---- its limits of time and memory ---- */

static void spin(int out)
{
	struct rlimit second = { 1, 2 };

	(void)out;
	setrlimit(RLIMIT_CPU, &second);
	for (;;)
		;
}

/* In its parent, every look at the clock finds that a second has passed. */
static uint64_t flown_s;
static bool time_flies;

int clock_gettime(clockid_t clock, struct timespec *out)
{
	int error = (int)syscall(SYS_clock_gettime, clock, out);

	flown_s += time_flies;
	out->tv_sec += (time_t)flown_s;
	return error;
}

int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
	struct timespec timeout = { timeout_ms / 1000, timeout_ms % 1000 * 1000000L };

	if (time_flies)
		timeout = (struct timespec){ 0 };
	return (int)syscall(SYS_ppoll, fds, count, &timeout, NULL, 0);
}

static void wait_for_ever(int out)
{
	(void)out;
	for (;;)
		pause();
}

static void answer_partly(int out)
{
	uint64_t len = 1 << 20;

	if (write(out, &len, sizeof(len)) < 0)
		_exit(1);
	wait_for_ever(out);
}

static void claim_much(int out)
{
	static char some[1 << 16];
	uint64_t len = 512 << 20;

	if (write(out, &len, sizeof(len)) < 0)
		_exit(1);
	while (write(out, some, sizeof(some)) > 0)
		;
	_exit(0);
}

static void test_limits(void)
{
	uint64_t offsets[PLACES];
	struct line_reply reply;

	fill_offsets(offsets);
	take_over_with(spin);
	is_i64(ask_self(offsets, &reply), -ETIME, "it may not calculate for ever");
	time_flies = true;
	take_over_with(wait_for_ever);
	is_i64(ask_self(offsets, &reply), -ETIME, "nor idle");
	take_over_with(answer_partly);
	is_i64(ask_self(offsets, &reply), -ETIME, "nor stop in its answer");
	time_flies = false;
	take_over_with(claim_much);
	is_i64(ask_self(offsets, &reply), -EPROTO, "nor answer more than is possible");
	take_over_with(NULL);
	is_str(line_job_failure(-ETIME), "takes its reader too much time",
	       "the limit is named");
	ok(!line_job_failure(-ESTALE), "and no other error");
}

/* ---- a file that is cut while it is mapped ---- */

/* The child writes its pid to a pipe. */
static bool waits_for_cut;
static int pid_ends[2];

/* Replaces libelf's: once the child has mapped the file, it waits until that is cut. */
Elf *elf_begin(int fd, Elf_Cmd cmd, Elf *ref)
{
	static Elf *(*real)(int fd, Elf_Cmd cmd, Elf *ref);
	struct stat st;
	Elf *elf;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "elf_begin");
	elf = real(fd, cmd, ref);
	while (waits_for_cut && !fstat(fd, &st) && st.st_size)
		sched_yield();
	return elf;
}

static void say_who(int out)
{
	pid_t own = getpid();

	(void)out;
	if (write(pid_ends[1], &own, sizeof(own)) != sizeof(own))
		_exit(1);
}

static bool has_mapped(pid_t pid, const char *path)
{
	struct strbuf maps = { 0 };
	char name[64];
	bool has;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)pid);
	has = !file_read(name, SIZE_MAX / 2, &maps) && strstr(strbuf_str(&maps), path);
	strbuf_release(&maps);
	return has;
}

static void *cut_when_mapped(void *path)
{
	pid_t child = 0;

	if (read(pid_ends[0], &child, sizeof(child)) != sizeof(child))
		abort();
	while (!has_mapped(child, path) && !kill(child, 0))
		sched_yield();
	if (truncate(path, 0))
		abort();
	return NULL;
}

/* The first of two files is cut; the other one is complete. */
static void test_cut(void)
{
	char *root = scratch_make(), *path = xasprintf("%s/cut", root);
	struct strbuf whole = { 0 };
	struct line_job jobs[2];
	uint64_t offsets[PLACES];
	pthread_t cutter;

	fill_offsets(offsets);
	if (file_read("/proc/self/exe", SIZE_MAX / 2, &whole) || pipe(pid_ends))
		abort();
	scratch_write(root, "cut", whole.data, whole.len);
	for (int i = 0; i < 2; i++)
		jobs[i] = (struct line_job){ .info = open_self(),
					     .offsets = offsets,
					     .count = PLACES };
	lineinfo_free(jobs[0].info);
	if (lineinfo_open(&(struct object_place){ .path = path, .trusted = true },
			  &jobs[0].info) ||
	    pthread_create(&cutter, NULL, cut_when_mapped, path))
		abort();
	waits_for_cut = true;
	take_over_with(say_who);
	lineinfo_ask(jobs, 1, NULL, NULL);
	pthread_join(cutter, NULL);
	waits_for_cut = false;
	take_over_with(NULL);
	lineinfo_ask(jobs + 1, 1, NULL, NULL);
	is_i64(jobs[0].error, -EPROTO,
	       "a file that is cut while it is mapped has no lines");
	is_i64(jobs[1].error, 0, "and does not affect other files");
	line_reply_release(&jobs[1].reply);
	for (int i = 0; i < 2; i++)
		lineinfo_free(jobs[i].info);
	close(pid_ends[0]);
	close(pid_ends[1]);
	scratch_remove(root);
	free(path);
	strbuf_release(&whole);
}

/* ---- its end ---- */

/* Used by the child when it asks for its parent: where to report that, and to wait. */
static int waits_on = -1;

/* Whether the child has the reading end of the pipe for its answers. */
static bool can_read_own_answer(int out)
{
	struct stat own, other;

	for (int fd = 3; fd < 64 && !fstat(out, &own); fd++)
		if (!fstat(fd, &other) && other.st_ino == own.st_ino &&
		    other.st_dev == own.st_dev &&
		    (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
			return true;
	return false;
}

static int answers_on;

static void note_answer(int out)
{
	answers_on = out;
}

static bool is_orphan;

/* Replaces the C library's. */
pid_t getppid(void)
{
	char reads = waits_on >= 0 && can_read_own_answer(answers_on);

	if (waits_on >= 0 && write(waits_on, &reads, 1) == 1) {
		close(STDOUT_FILENO); /* nobody must wait for an orphan */
		close(STDERR_FILENO);
		for (;;)
			pause();
	}
	return is_orphan ? 1 : (pid_t)syscall(SYS_getppid);
}

static _Noreturn void ask_as_another(int on)
{
	struct rights rights = { .uid = 65534, .gid = 65534 };
	struct namer_of_files by = { &rights, -1 };
	struct line_job job = { .count = PLACES };
	uint64_t offsets[PLACES];

	fill_offsets(offsets);
	take_over_with(note_answer);
	if (lineinfo_open_fd(&(struct object_place){ .path = "/none", .by = &by },
			     open("/proc/self/exe", O_RDONLY | O_CLOEXEC), &job.info))
		_exit(1);
	job.offsets = offsets;
	waits_on = on;
	lineinfo_ask(&job, 1, NULL, NULL);
	_exit(1);
}

/* The parent is killed while its child, which changed its user, is at work. */
static void test_outlives(void)
{
	struct pollfd end;
	int ends[2];
	char reads = 2;
	pid_t asks;

	if (pipe(ends))
		abort();
	asks = fork();
	if (!asks)
		ask_as_another(ends[1]);
	close(ends[1]);
	ok(read(ends[0], &reads, 1) == 1 && !reads, "a child cannot read its own answer");
	kill(asks, SIGKILL);
	waitpid(asks, NULL, 0);
	end = (struct pollfd){ .fd = ends[0] };
	is_i64(poll(&end, 1, 60000), 1, "and does not outlive its parent");
	close(ends[0]);
}

static void test_orphan(void)
{
	uint64_t offsets[PLACES];
	struct line_reply reply;

	fill_offsets(offsets);
	is_orphan = true;
	is_i64(ask_self(offsets, &reply), -EPROTO, "a child whose parent has ended ends");
	is_orphan = false;
}

int main(void)
{
	test_apart();
	test_crash();
	test_limits();
	if (HAS_SANITIZER)
		skip(2, "AddressSanitizer takes the signal, and cannot report there");
	else
		test_cut();
	test_outlives();
	test_orphan();
	test_crash_of_one();
	return done_testing();
}
