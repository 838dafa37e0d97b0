/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child_limits.h"
#include "base/confine.h"
#include "base/cursor.h"
#include "base/program.h"
#include "base/file.h"
#include "base/sanitizer.h"
#include "base/xalloc.h"

/*
 * For each object the child writes a sequence of chunks, each a 64-bit length and that
 * many bytes: the reply; for each part its name with its status, and its content, empty
 * if that is too long; and an empty one, without which the reply is incomplete.
 */
enum {
	CHUNK_MAX = 1 << 30,
	PART_HEAD_MAX = 4096, /* a status and a short name */
	REPLY_BASE = 16 << 20,
	REPLY_PER_PLACE = 64 << 10,
};

/* How the child exits without memory, or with too many rights. */
enum { OUT_OF_MEMORY = 2, NO_RIGHTS = 3 };

const char *line_job_failure(int error)
{
	return error == -EPROTO   ? "crashes its reader"
	       : error == -ETIME  ? "takes its reader too much time"
	       : error == -ENOMEM ? "takes its reader too much memory"
	       : error == -EPERM
		       ? "must be read with its owner's rights, which root cannot "
			 "take here (CAP_SETUID)"
		       : NULL;
}

void line_reply_release(struct line_reply *reply)
{
	line_answers_release(&reply->answers);
	free(reply->missing);
}

/* ---- the child ---- */

/* An error cannot be reported: the parent sees an incomplete reply. */
static void send_chunk(int fd, const void *bytes, size_t len)
{
	uint64_t head = len;

	if (file_write(fd, &head, sizeof(head)) || file_write(fd, bytes, len))
		_exit(1);
}

static void put_answers(const struct line_answers *answers, struct strbuf *out)
{
	strbuf_add_varint(out, strtab_count(&answers->texts));
	for (uint32_t i = 0; i < strtab_count(&answers->texts); i++) {
		const char *text = strtab_get(&answers->texts, i);

		strbuf_add(out, text, strlen(text) + 1);
	}
	strbuf_add_varint(out, answers->frames.len);
	vec_for_each(const struct line_frame, f, &answers->frames) {
		strbuf_add_varint(out, f->function);
		strbuf_add_varint(out, f->file);
		strbuf_add_varint(out, f->line);
		strbuf_add_varint(out, f->decl_file);
		strbuf_add_varint(out, f->decl_line);
	}
	vec_for_each(const struct line_answer, place, &answers->places) {
		strbuf_add_varint(out, place->first);
		strbuf_add_varint(out, place->count);
	}
}

static void send_reply(int fd, const struct lineinfo *info, int error,
		       const struct line_answers *answers)
{
	const char *missing = error ? NULL : lineinfo_missing(info);
	struct strbuf bytes = { 0 };

	strbuf_add_varint(&bytes, (uint64_t)-error);
	strbuf_addstr(&bytes, missing ? missing : "");
	strbuf_addch(&bytes, '\0');
	if (!error)
		put_answers(answers, &bytes);
	send_chunk(fd, bytes.data, bytes.len);
	strbuf_release(&bytes);
}

static void send_part(void *ctx, const char *name, const struct stat *like,
		      const void *bytes, size_t len)
{
	const int *fd = ctx;
	struct strbuf head = { 0 };

	strbuf_add(&head, like, sizeof(*like));
	strbuf_add(&head, name, strlen(name) + 1);
	send_chunk(*fd, head.data, head.len);
	send_chunk(*fd, bytes, len < CHUNK_MAX ? len : 0);
	strbuf_release(&head);
}

static void leave(void *ctx)
{
	(void)ctx;
	_exit(OUT_OF_MEMORY);
}

static void answer(int fd, const struct line_job *job, bool parts)
{
	struct line_answers answers = { 0 };
	int error = lineinfo_parse(job->info);

	if (!error)
		lineinfo_find(job->info, job->offsets, job->count, &answers);
	send_reply(fd, job->info, error, &answers);
	if (!error && parts)
		lineinfo_parts(job->info, send_part, &fd);
	send_chunk(fd, NULL, 0);
	line_answers_release(&answers);
}

/*
 * Call after lineinfo_take_rights: the kernel forgets the signal when the user changes.
 */
static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

/* Closes all descriptors that it does not need. */
static void keep_files(int fd, const struct line_job *jobs, size_t count)
{
	VEC(int) keep = { 0 };

	*vec_push(&keep) = fd;
	if (HAS_SANITIZER)
		*vec_push(&keep) = STDERR_FILENO;
	for (size_t i = 0; i < count; i++) {
		vec_reserve(&keep, LINEINFO_FILES_MAX);
		lineinfo_needs(jobs[i].info, keep.data + keep.len);
		keep.len += LINEINFO_FILES_MAX;
	}
	child_keep_files(keep.data, keep.len);
	vec_release(&keep);
}

/* From now on its files can harm only the child. */
static void become_harmless(int fd, pid_t parent, const struct line_job *jobs,
			    size_t count, const struct child_limits *limits)
{
	child_dies_first();
	child_limits_set(limits);
	for (size_t i = 0; i < count; i++)
		if (lineinfo_take_rights(jobs[i].info))
			_exit(NO_RIGHTS);
	if (!lineinfo_join_party(jobs[0].info))
		_exit(NO_RIGHTS);
	rights_keep_files();
	end_with(parent);
	keep_files(fd, jobs, count);
	confine_to_answer(fd);
}

static _Noreturn void serve(int fd, const struct line_job *jobs, size_t count, bool parts)
{
	for (size_t i = 0; i < count; i++) {
		answer(fd, &jobs[i], parts);
		lineinfo_free(jobs[i].info);
	}
	_exit(0);
}

/* ---- its limits ---- */

/*
 * The base is for split units and packages, which are unknown before they are opened.
 * doc/DECISIONS.md has the needs of honest files.
 */
enum {
	CPU_BASE_S = 60,
	CPU_MAX_S = 3600,
	BYTES_PER_CPU_S = 4 << 20,
	MEMORY_PER_BYTE = 16,
	PATIENCE = 2, /* the parent waits for this multiple of its CPU time */
};

#define MEMORY_BASE ((uint64_t)1 << 30)
#define ALL_BYTES   ((uint64_t)1 << 48)

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t machine_memory(void)
{
	long pages = sysconf(_SC_PHYS_PAGES);
	uint64_t bytes = pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE)
				   : 0;

	return bytes > MEMORY_BASE ? bytes : MEMORY_BASE;
}

static struct child_limits limits_for(const struct line_job *jobs, size_t count)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		int files[LINEINFO_FILES_MAX];

		bytes += least(lineinfo_needs(jobs[i].info, files), ALL_BYTES);
	}
	return (struct child_limits){
		.memory = least(MEMORY_BASE + bytes * MEMORY_PER_BYTE, machine_memory()),
		.cpu_s = least(CPU_BASE_S + bytes / BYTES_PER_CPU_S, CPU_MAX_S),
	};
}

/* ---- its parent ---- */

enum { READ_AT_ONCE = 1 << 20 };

#define NS_PER_S 1000000000u

/* Where it answers, and how much longer to wait. */
struct source {
	int fd;
	uint64_t left_ns;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/*
 * Waits at most a second.  If more time passed, this process was stopped or the machine
 * slept: it counts as one second.  False: the patience is used up.
 */
static bool wait_for(struct source *from, bool *ready)
{
	struct pollfd p = { .fd = from->fd, .events = POLLIN };
	uint64_t before = now_ns(), took;

	*ready = poll(&p, 1, 1000) > 0;
	took = least(now_ns() - before, NS_PER_S);
	from->left_ns -= least(from->left_ns, took);
	return from->left_ns > 0;
}

/* Appends LEN bytes to OUT, which grows as they arrive. */
static bool receive(struct source *from, uint64_t len, struct strbuf *out)
{
	bool ready = false;

	while (len && wait_for(from, &ready)) {
		size_t room = len < READ_AT_ONCE ? (size_t)len : READ_AT_ONCE;
		size_t before = out->len;
		ssize_t got;

		if (!ready)
			continue;
		got = read(from->fd, strbuf_add_room(out, room), room);
		strbuf_truncate(out, before + (got > 0 ? (size_t)got : 0));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		len -= (uint64_t)got;
	}
	return !len;
}

/* False for MAX bytes or more. */
static bool receive_chunk(struct source *from, uint64_t max, struct strbuf *out)
{
	struct strbuf head = { 0 };
	uint64_t len = max;

	strbuf_clear(out);
	if (receive(from, sizeof(len), &head))
		memcpy(&len, head.data, sizeof(len));
	strbuf_release(&head);
	return len < max && receive(from, len, out);
}

/* An id of the child's texts, as one of ours. */
static uint32_t get_text(struct cursor *c, const uint32_t *ids, uint64_t count)
{
	uint64_t id = cursor_varint(c);

	if (id < count)
		return ids[id];
	cursor_fail(c);
	return 0;
}

static uint32_t get_number(struct cursor *c)
{
	uint64_t number = cursor_varint(c);

	if (number > UINT32_MAX)
		cursor_fail(c);
	return (uint32_t)number;
}

static void get_frames(struct cursor *c, const uint32_t *ids, uint64_t texts,
		       struct line_answers *out)
{
	for (uint64_t left = cursor_varint(c); left && cursor_ok(c); left--) {
		struct line_frame frame = { .function = get_text(c, ids, texts) };

		frame.file = get_text(c, ids, texts);
		frame.line = get_number(c);
		frame.decl_file = get_text(c, ids, texts);
		frame.decl_line = get_number(c);
		*vec_push(&out->frames) = frame;
	}
}

static void get_places(struct cursor *c, size_t count, struct line_answers *out)
{
	size_t left = out->frames.len; /* each is of one place */

	while (count-- && cursor_ok(c)) {
		struct line_answer place = { .first = get_number(c) };

		place.count = get_number(c);
		if (place.first > out->frames.len ||
		    place.count > out->frames.len - place.first || place.count > left)
			cursor_fail(c);
		else
			left -= place.count;
		*vec_push(&out->places) = place;
	}
}

static void get_answers(struct cursor *c, size_t count, struct line_answers *out)
{
	VEC(uint32_t) ids = { 0 };

	for (uint64_t left = cursor_varint(c); left && cursor_ok(c); left--)
		*vec_push(&ids) = strtab_intern(&out->texts, cursor_str(c));
	get_frames(c, ids.data, ids.len, out);
	get_places(c, count, out);
	vec_release(&ids);
}

/* 0, -ENOEXEC if the child says so, or -EPROTO for a malformed reply. */
static int decode(const struct strbuf *bytes, size_t count, struct line_reply *out)
{
	const char *missing;
	struct cursor c;
	uint64_t error;

	cursor_init(&c, strbuf_str(bytes), bytes->len);
	error = cursor_varint(&c);
	missing = cursor_str(&c);
	if (cursor_ok(&c) && *missing)
		out->missing = xstrdup(missing);
	if (!error)
		get_answers(&c, count, &out->answers);
	if (!cursor_ok(&c) || (error && error != ENOEXEC))
		return -EPROTO;
	return -(int)error;
}

/* Up to the empty chunk; only one part is in memory at a time. */
static int receive_parts(struct source *from, object_part_fn *fn, void *ctx)
{
	struct strbuf head = { 0 }, content = { 0 };
	int error = -EPROTO;

	while (error && receive_chunk(from, PART_HEAD_MAX, &head)) {
		struct stat like;

		if (!head.len) {
			error = 0;
		} else if (head.len <= sizeof(like) || head.data[head.len - 1] || !fn ||
			   !receive_chunk(from, CHUNK_MAX, &content)) {
			break;
		} else {
			memcpy(&like, head.data, sizeof(like));
			fn(ctx, head.data + sizeof(like), &like, strbuf_str(&content),
			   content.len);
		}
	}
	strbuf_release(&head);
	strbuf_release(&content);
	return error;
}

/*
 * More than all functions that may be inlined at each place, with names of the largest
 * templates.  Our memory must grow with the questions, not with the answers.
 */
static uint64_t reply_max(const struct line_job *job)
{
	return least(REPLY_BASE + (uint64_t)job->count * REPLY_PER_PLACE, CHUNK_MAX);
}

static int receive_reply(struct source *from, struct line_job *job, object_part_fn *fn,
			 void *ctx)
{
	struct strbuf bytes = { 0 };
	int error;

	strtab_init(&job->reply.answers.texts);
	error = receive_chunk(from, reply_max(job), &bytes)
			? decode(&bytes, job->count, &job->reply)
			: -EPROTO;
	strbuf_release(&bytes);
	if (!error || error == -ENOEXEC)
		error = receive_parts(from, fn, ctx) ? -EPROTO : error;
	if (!error && lineinfo_is_changed(job->info))
		error = -ESTALE;
	if (error)
		line_reply_release(&job->reply);
	return error;
}

/* Its pid, and the pipe for its answer, or a negative errno. */
static pid_t start_child(struct line_job *jobs, size_t count, bool parts,
			 const struct child_limits *limits, int *from)
{
	pid_t child, own = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	child = fork();
	if (!child) {
		program_on_oom(leave, NULL);
		close(ends[0]); /* so that writing fails without a reader */
		become_harmless(ends[1], own, jobs, count, limits);
		serve(ends[1], jobs, count, parts);
	}
	if (child < 0) {
		child = -errno;
		close(ends[0]);
	}
	close(ends[1]);
	*from = ends[0];
	return child;
}

/*
 * Kills it, as a child that was taken over may continue.  Returns why it did not answer.
 */
static int end_child(pid_t child, const struct source *from)
{
	int status = 0;

	kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!from->left_ns || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
		return -ETIME;
	if (WIFEXITED(status) && WEXITSTATUS(status) == OUT_OF_MEMORY)
		return -ENOMEM;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_RIGHTS)
		return -EPERM;
	return -EPROTO;
}

/*
 * Returns how many jobs are done, at least one.  Jobs share the child's time and memory:
 * a job that ran out of them becomes the next child's first, unless it was the first
 * already; but no part is passed twice.
 */
static size_t ask_child(struct line_job *jobs, size_t count, object_part_fn *fn,
			void *ctx)
{
	struct child_limits limits = limits_for(jobs, count);
	struct source from = { -1, limits.cpu_s * PATIENCE * NS_PER_S };
	size_t done = 0;
	pid_t child;
	int failure;

	child = start_child(jobs, count, fn, &limits, &from.fd);
	if (child < 0) {
		while (done < count)
			jobs[done++].error = child;
		return count;
	}
	do
		jobs[done].error = receive_reply(&from, &jobs[done], fn, ctx);
	while (jobs[done++].error != -EPROTO && done < count);
	close(from.fd);
	failure = end_child(child, &from);
	if (jobs[done - 1].error != -EPROTO)
		return done;
	jobs[done - 1].error = failure;
	return failure != -EPROTO && done > 1 && !fn ? done - 1 : done;
}

/* How many, from the first on, one child may serve: those of one party. */
static size_t together(const struct line_job *jobs, size_t count)
{
	uint64_t party = lineinfo_party(jobs[0].info);
	size_t len = 1;

	while (len < count && lineinfo_party(jobs[len].info) == party)
		len++;
	return len;
}

void lineinfo_ask(struct line_job *jobs, size_t count, object_part_fn *fn, void *ctx)
{
	for (size_t done = 0; done < count;)
		done += ask_child(jobs + done, together(jobs + done, count - done), fn,
				  ctx);
}
