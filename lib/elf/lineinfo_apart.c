/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_apart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/cursor.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/xalloc.h"

/*
 * What the child writes for each object is a sequence of chunks, each of a 64-bit length
 * and that many bytes: the reply; for each part its name with its status, and its
 * content, empty if that is too long; and an empty one, without which the reply is
 * incomplete.
 */
enum { CHUNK_MAX = 1 << 30 };

void line_reply_release(struct line_reply *reply)
{
	line_answers_release(&reply->answers);
	free(reply->missing);
}

/* ---- the child ---- */

/* Nobody is left to tell: the parent sees an incomplete reply. */
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
	_exit(1);
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

/* Follows lineinfo_take_rights: the kernel forgets the signal when the user changes. */
static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
}

static _Noreturn void serve(int fd, pid_t parent, const struct line_job *jobs,
			    size_t count, bool parts)
{
	diag_on_oom(leave, NULL);
	for (size_t i = 0; i < count; i++)
		if (lineinfo_take_rights(jobs[i].info))
			_exit(1);
	end_with(parent);
	confine_to_answer(fd);
	for (size_t i = 0; i < count; i++) {
		answer(fd, &jobs[i], parts);
		lineinfo_free(jobs[i].info);
	}
	_exit(0);
}

/* ---- its parent ---- */

enum { READ_AT_ONCE = 1 << 20 };

/* Appends LEN bytes to OUT, which grows as they come. */
static bool receive(int fd, uint64_t len, struct strbuf *out)
{
	while (len) {
		size_t room = len < READ_AT_ONCE ? (size_t)len : READ_AT_ONCE;
		size_t before = out->len;
		ssize_t got = read(fd, strbuf_add_room(out, room), room);

		strbuf_truncate(out, before + (got > 0 ? (size_t)got : 0));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		len -= (uint64_t)got;
	}
	return true;
}

static bool receive_chunk(int fd, struct strbuf *out)
{
	struct strbuf head = { 0 };
	uint64_t len = CHUNK_MAX;

	strbuf_clear(out);
	if (receive(fd, sizeof(len), &head))
		memcpy(&len, head.data, sizeof(len));
	strbuf_release(&head);
	return len < CHUNK_MAX && receive(fd, len, out);
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

/* 0, -ENOEXEC as the child says, or -EPROTO for no sense. */
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

/* Up to the empty chunk; each is in memory alone. */
static int receive_parts(int fd, lineinfo_part_fn *fn, void *ctx)
{
	struct strbuf head = { 0 }, content = { 0 };
	int error = -EPROTO;

	while (error && receive_chunk(fd, &head)) {
		struct stat like;

		if (!head.len) {
			error = 0;
		} else if (head.len <= sizeof(like) || head.data[head.len - 1] || !fn ||
			   !receive_chunk(fd, &content)) {
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

static int receive_reply(int fd, struct line_job *job, lineinfo_part_fn *fn, void *ctx)
{
	struct strbuf bytes = { 0 };
	int error;

	strtab_init(&job->reply.answers.texts);
	error = receive_chunk(fd, &bytes) ? decode(&bytes, job->count, &job->reply)
					  : -EPROTO;
	strbuf_release(&bytes);
	if (!error || error == -ENOEXEC)
		error = receive_parts(fd, fn, ctx) ? -EPROTO : error;
	if (!error && lineinfo_is_changed(job->info))
		error = -ESTALE;
	if (error)
		line_reply_release(&job->reply);
	return error;
}

/* Its pid and where it answers, or a negative errno. */
static pid_t start_child(struct line_job *jobs, size_t count, bool parts, int *from)
{
	pid_t child, own = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	child = fork();
	if (!child) {
		close(ends[0]); /* so that writing fails without a reader */
		serve(ends[1], own, jobs, count, parts);
	}
	if (child < 0) {
		child = -errno;
		close(ends[0]);
	}
	close(ends[1]);
	*from = ends[0];
	return child;
}

/* Gives how many jobs are done, one at least. */
static size_t ask_child(struct line_job *jobs, size_t count, lineinfo_part_fn *fn,
			void *ctx)
{
	size_t done = 0;
	pid_t child;
	int from = -1;

	child = start_child(jobs, count, fn, &from);
	if (child < 0) {
		while (done < count)
			jobs[done++].error = child;
		return count;
	}
	do
		jobs[done].error = receive_reply(from, &jobs[done], fn, ctx);
	while (jobs[done++].error != -EPROTO && done < count);
	close(from);
	kill(child, SIGKILL); /* one that was taken over may go on */
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return done;
}

void lineinfo_ask(struct line_job *jobs, size_t count, lineinfo_part_fn *fn, void *ctx)
{
	for (size_t done = 0; done < count;)
		done += ask_child(jobs + done, count - done, fn, ctx);
}
