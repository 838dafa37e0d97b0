/* SPDX-License-Identifier: Apache-2.0 */
#include "process/patient.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/rights.h"
#include "base/served_file.h"
#include "base/xalloc.h"
#include "process/helper.h"
#include "process/mapped_file.h"

enum action { OPEN, OPEN_NAMED, READ, READ_LITTLE };

struct request {
	enum action action;
	const char *path;
	size_t max;                      /* of reads */
	const struct namer_of_files *by; /* OPEN_NAMED */
};

/* A request and its answer. */
struct patient_helper {
	struct helper thread;
	int64_t pid;
	enum action action;
	char *path;
	size_t max;
	/* copies, as the thread may outlive the originals */
	struct namer_of_files by;
	struct rights rights; /* BY's */
	bool has_namer;
	bool own;            /* the process is of our own user */
	bool no_copies;      /* too many children were left behind */
	bool left;           /* one more was */
	bool awaited;        /* once more, at leisure */
	bool has_file;       /* what a copy must be … */
	struct file_id file; /* … is this */
	int (*open)(const char *path);
	int (*open_named)(const struct namer_of_files *by, const char *path);
	int64_t (*now_ns)(void);
	struct strbuf text; /* grown by the thread, which must not end the program */
	int result;
	int64_t took_ns; /* without the time until the thread ran */
	atomic_bool began;
};

enum { CHUNK = 1 << 16 };

static bool is_read(enum action action)
{
	return action == READ || action == READ_LITTLE;
}

static void drop_answer(struct patient_helper *h)
{
	if (!is_read(h->action) && h->result >= 0)
		close(h->result);
	h->result = -ENOENT;
	strbuf_release(&h->text);
}

static void drop_namer(struct patient_helper *h)
{
	rights_release(&h->rights);
	if (h->by.root >= 0)
		close(h->by.root);
	h->by = (struct namer_of_files){ .root = -1 };
	h->has_namer = false;
}

static void drop_late(struct helper *thread)
{
	drop_answer((struct patient_helper *)thread);
}

static void destroy(struct helper *thread)
{
	struct patient_helper *h = (struct patient_helper *)thread;

	drop_answer(h);
	drop_namer(h);
	free(h->path);
	free(h);
}

/* Room for a chunk, at least, or for all that is wanted, a byte more and the NUL. */
static bool has_room(struct patient_helper *h)
{
	struct strbuf *text = &h->text;
	size_t cap = 2 * text->cap + CHUNK, most = h->max + 2;
	char *data;

	if (text->cap - text->len >= 2)
		return true;
	cap = cap < most ? cap : most;
	data = realloc(text->data, cap);
	if (!data)
		return false;
	text->data = data;
	text->cap = cap;
	return true;
}

/* 1: there may be more; else as file_read_fd, or -ENOMEM. */
static int read_chunk(struct patient_helper *h, int fd)
{
	struct strbuf *text = &h->text;
	size_t room;
	ssize_t got;

	if (!has_room(h))
		return -ENOMEM;
	room = text->cap - text->len - 1;
	got = read(fd, text->data + text->len, room < CHUNK ? room : CHUNK);
	if (got < 0)
		return errno == EINTR ? 1 : -errno;
	text->len += (size_t)got;
	if (text->len > h->max) {
		text->len = h->max;
		got = -EFBIG;
	}
	text->data[text->len] = '\0';
	return got > 0 ? 1 : (int)got;
}

static int read_text(struct patient_helper *h, int fd)
{
	int more = 1;

	while (more > 0 && !h->thread.abandoned)
		more = read_chunk(h, fd);
	return more > 0 ? -ETIMEDOUT : more;
}

/* ---- files that the user may serve ---- */

struct served_place {
	const struct patient_helper *h;
	int place;
};

/* In the child. */
static int open_served(const void *ctx)
{
	const struct served_place *s = ctx;
	int fd = file_open_place(s->place);

	if (fd < 0 || !s->h->has_file || mapped_file_is(&s->h->file, fd))
		return fd;
	return -ESTALE;
}

static int open_path(const struct patient_helper *h)
{
	struct served_place s = { h, file_place(h->path, 0) };
	const struct served_file file = { open_served, &s, s.place };
	int fd;

	if (s.place < 0 || h->own)
		fd = s.place < 0 ? s.place : file_open_place(s.place);
	else if (served_file_may_be(s.place, h->pid))
		fd = h->no_copies ? -ETIMEDOUT : served_file_copy(&file, SERVED_FILE_MS);
	else
		fd = file_open_place(s.place);
	if (s.place >= 0)
		close(s.place);
	return fd;
}

static int open_any(const struct patient_helper *h)
{
	if (h->action == OPEN_NAMED && h->no_copies && h->by.served)
		return -ETIMEDOUT;
	if (h->action == OPEN_NAMED)
		return h->open_named(h->has_namer ? &h->by : NULL, h->path);
	if (h->open)
		return h->open(h->path);
	return is_read(h->action) ? file_open(h->path) : open_path(h);
}

static void look_at_file(struct patient_helper *h)
{
	int fd = open_any(h);

	h->left = fd == -ETIMEDOUT && !h->no_copies;
	h->result = fd;
	if (fd < 0 || !is_read(h->action))
		return;
	h->result = read_text(h, fd);
	close(fd);
}

static void look(struct helper *thread)
{
	struct patient_helper *h = (struct patient_helper *)thread;
	int64_t began_ns;

	h->began = true;
	began_ns = h->now_ns();
	look_at_file(h);
	h->took_ns = h->now_ns() - began_ns;
}

static struct patient_helper *new_helper(void)
{
	static const struct helper_kind kind = { look, drop_late, destroy };
	struct patient_helper *h = xcalloc(1, sizeof(*h));

	h->result = -ENOENT;
	h->by.root = -1;
	return helper_start(&h->thread, &kind) ? h : NULL;
}

void patient_release(struct patient *p)
{
	if (p->idle)
		helper_end(&p->idle->thread);
	vec_for_each(struct patient_helper *, h, &p->stuck)
		helper_end(&(*h)->thread);
	vec_release(&p->stuck);
	quota_release(&p->waits);
	p->since_ns = 0;
	p->idle = NULL;
}

static void count_left(struct patient *p, struct patient_helper *h)
{
	p->left_behind += h->left;
	h->left = false;
}

/* Threads that are back; one is enough. */
static void take_back(struct patient *p)
{
	for (size_t i = p->stuck.len; i--;) {
		struct patient_helper *h = p->stuck.data[i];

		if (helper_is_busy(&h->thread))
			continue;
		count_left(p, h);
		p->stuck.data[i] = p->stuck.data[--p->stuck.len];
		if (p->idle)
			helper_end(&h->thread);
		else
			p->idle = h;
	}
}

/* One that is not busy; NULL where there can be none. */
static struct patient_helper *find_helper(struct patient *p)
{
	if (!p->idle && p->stuck.len < PATIENT_STUCK_MAX)
		p->idle = new_helper();
	return p->idle;
}

static bool is_stuck(const struct patient *p, int64_t pid)
{
	vec_for_each(struct patient_helper *, h, &p->stuck)
		if ((*h)->pid == pid)
			return true;
	return false;
}

/* ---- how long to wait ---- */

/* The reader of the rings waits; a read of a whole file has more time. */
static unsigned usual_ms(enum action action)
{
	return action == READ ? PATIENT_READ_MS : PATIENT_OPEN_MS;
}

static bool is_free(const struct patient_process *of)
{
	return of->user == geteuid();
}

static void begin_minute(struct patient *p)
{
	int64_t now = p->now_ns ? p->now_ns() : helper_now_ns();

	if (p->since_ns && now - p->since_ns < PATIENT_MINUTE_S * INT64_C(1000000000))
		return;
	quota_release(&p->waits);
	quota_init(&p->waits, PATIENT_ALL_MS * 1000);
	p->since_ns = now;
}

/*
 * A wait for a whole file counts as much less as it may be longer.  No wait is part of
 * the minute, or slow answers would fill it and begin the next.
 */
static void charge(struct patient *p, const struct patient_process *of,
		   enum action action, int64_t ns)
{
	int64_t beyond_us = ns / 1000 - PATIENT_FREE_US;
	int64_t us = beyond_us * PATIENT_OPEN_MS / usual_ms(action);
	uint64_t most;

	if (beyond_us <= 0)
		return;
	if (p->at_leisure_us > 0) {
		p->at_leisure_us -= beyond_us;
		return;
	}
	if (us <= 0 || is_free(of))
		return;
	begin_minute(p);
	p->since_ns += ns;
	most = quota_most(&p->waits, of->user);
	quota_take(&p->waits, of->user, (uint64_t)us < most ? (uint64_t)us : most);
}

/* 0: not at all. */
static unsigned wait_ms(struct patient *p, const struct patient_process *of,
			enum action action)
{
	unsigned usual = usual_ms(action), wait = usual / (1 + (unsigned)p->stuck.len);
	uint64_t most = usual;

	if (p->at_leisure_us > 0)
		return p->wait_ms ? p->wait_ms : PATIENT_READ_MS;
	if (!is_free(of)) {
		begin_minute(p);
		most = quota_most(&p->waits, of->user) / 1000 * usual / PATIENT_OPEN_MS;
	}
	if (most < PATIENT_LEAST_MS)
		return 0;
	if (p->wait_ms)
		return p->wait_ms;
	wait = wait < most ? wait : (unsigned)most;
	return wait < PATIENT_LEAST_MS ? PATIENT_LEAST_MS : wait;
}

static int open_named(const struct namer_of_files *by, const char *path)
{
	return named_file_open(by, NULL, path);
}

static int copy_namer(struct patient_helper *h, const struct namer_of_files *by)
{
	int root = by->root < 0 ? -1 : fcntl(by->root, F_DUPFD_CLOEXEC, 0);

	if (by->root >= 0 && root < 0)
		return -errno;
	h->by = (struct namer_of_files){ .root = root,
					 .refused = by->refused,
					 .served = by->served };
	h->has_namer = true;
	if (!by->rights)
		return 0;
	rights_copy(by->rights, &h->rights);
	h->by.rights = &h->rights;
	return 0;
}

static int prepare(struct patient_helper *h, const struct patient *p,
		   const struct patient_process *of, const struct request *r)
{
	drop_answer(h);
	drop_namer(h);
	free(h->path);
	h->open = p->open;
	h->open_named = p->open_named ? p->open_named : open_named;
	h->now_ns = p->now_ns ? p->now_ns : helper_now_ns;
	h->pid = of->pid;
	h->own = is_free(of);
	h->no_copies = p->left_behind >= PATIENT_LEFT_MAX;
	h->has_file = of->file;
	if (of->file)
		h->file = *of->file;
	h->began = false;
	h->awaited = false;
	h->action = r->action;
	h->path = xstrdup(r->path);
	h->max = r->max;
	return r->by ? copy_namer(h, r->by) : 0;
}

/*
 * At leisure each thread that is stuck is waited for once more: on a busy machine it may only
 * have been given no CPU.
 */
static void await_stuck(struct patient *p, int64_t pid)
{
	vec_for_each(struct patient_helper *, stuck, &p->stuck) {
		struct patient_helper *h = *stuck;
		const int64_t from_ns = helper_now_ns();
		unsigned ms = h->began ? PATIENT_OPEN_MS : PATIENT_READ_MS;

		if (h->pid != pid || h->awaited || p->at_leisure_us <= 0)
			continue;
		h->awaited = true;
		ms = p->wait_ms ? p->wait_ms : ms;
		helper_wait(&h->thread, from_ns + ms * INT64_C(1000000));
		p->at_leisure_us -= (helper_now_ns() - from_ns) / 1000;
	}
	take_back(p);
}

/* 0, and the helper with the answer, or patient_open's errors. */
static int ask(struct patient *p, const struct patient_process *of,
	       const struct request *r, struct patient_helper **out)
{
	struct patient_helper *h;
	int64_t until_ns;
	unsigned ms;
	int error;

	take_back(p);
	if (p->at_leisure_us > 0)
		await_stuck(p, of->pid);
	ms = is_stuck(p, of->pid) ? 0 : wait_ms(p, of, r->action);
	until_ns = helper_now_ns() + ms * INT64_C(1000000);
	h = ms ? find_helper(p) : NULL;
	if (!h)
		return ms ? -ETIMEDOUT : -EINPROGRESS;
	error = prepare(h, p, of, r);
	if (error)
		return error;
	*out = h;
	if (r->action != READ) /* nobody reads the rings meanwhile */
		helper_hurry(&h->thread);
	if (helper_ask(&h->thread, until_ns)) {
		count_left(p, h);
		charge(p, of, r->action, h->took_ns);
		return 0;
	}
	if (h->began || p->at_leisure_us > 0) /* else the thread was given no CPU */
		charge(p, of, r->action, ms * INT64_C(1000000));
	*vec_push(&p->stuck) = h;
	p->idle = NULL;
	return -ETIMEDOUT;
}

static int ask_to_open(struct patient *p, const struct patient_process *of,
		       const struct request *r)
{
	struct patient_helper *h;
	int fd = ask(p, of, r, &h);

	if (fd)
		return fd;
	fd = h->result;
	h->result = -ENOENT;
	return fd;
}

void patient_at_leisure(struct patient *p)
{
	p->at_leisure_us = PATIENT_LEISURE_MS * INT64_C(1000);
}

int patient_open(struct patient *p, const struct patient_process *of, const char *path)
{
	return ask_to_open(p, of, &(struct request){ .action = OPEN, .path = path });
}

int patient_open_named(struct patient *p, const struct patient_process *of,
		       const struct namer_of_files *by, const char *path)
{
	return ask_to_open(
		p, of, &(struct request){ .action = OPEN_NAMED, .path = path, .by = by });
}

static int ask_to_read(struct patient *p, const struct patient_process *of,
		       const struct request *r, struct strbuf *out)
{
	struct patient_helper *h;
	int error = ask(p, of, r, &h);

	if (error)
		return error;
	strbuf_release(out);
	*out = h->text;
	h->text = (struct strbuf){ 0 };
	return h->result;
}

int patient_read(struct patient *p, const struct patient_process *of, const char *path,
		 size_t max, struct strbuf *out)
{
	return ask_to_read(p, of,
			   &(struct request){ .action = READ, .path = path, .max = max },
			   out);
}

int patient_read_little(struct patient *p, const struct patient_process *of,
			const char *path, size_t max, struct strbuf *out)
{
	return ask_to_read(
		p, of,
		&(struct request){ .action = READ_LITTLE, .path = path, .max = max },
		out);
}

/* The status can be read even while the process keeps its mappings locked. */
struct patient_process patient_process_find(const char *root, pid_t pid)
{
	enum { STATUS_MAX = 1 << 16 };
	struct patient_process of = { .pid = pid, .user = PATIENT_NO_USER };
	char *path = xasprintf("%s/proc/%d/status", root, (int)pid);
	struct strbuf text = { 0 };
	struct rights rights = { 0 };

	if (!file_read(path, STATUS_MAX, &text) &&
	    rights_parse(&rights, strbuf_str(&text)))
		of.user = rights.uid;
	rights_release(&rights);
	strbuf_release(&text);
	free(path);
	return of;
}
