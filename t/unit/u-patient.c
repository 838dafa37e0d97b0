/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at processes that do not come back, as if somebody kept their mappings locked. */
#include "process/patient.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"
#include "scratch.h"
#include "sparse.h"
#include "tap.h"

/* For what comes back: divided by those that are stuck, far more than a busy machine takes. */
enum { LONG_MS = 3600000 };

static int gate[2];

/* Whether the thread that looked last takes an interrupt. */
static bool takes_signals;

/* What is called stuck waits at the gate, for each byte that goes through. */
static int open_or_wait(const char *path)
{
	sigset_t blocked;
	char byte;

	if (!strstr(path, "stuck")) {
		pthread_sigmask(SIG_SETMASK, NULL, &blocked);
		takes_signals = !sigismember(&blocked, SIGINT);
		return file_open(path);
	}
	return read(gate[0], &byte, 1) == 1 ? fcntl(gate[0], F_DUPFD_CLOEXEC, 0) : -EIO;
}

static bool is_text(int fd, const char *want)
{
	char text[16] = "";
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	return got >= 0 && !strcmp(text, want);
}

static void test_looks(struct patient *p, const char *path)
{
	struct strbuf text = { 0 };

	p->wait_ms = LONG_MS;
	ok(is_text(patient_open(p, path), "hello\n"), "what is open at once");
	ok(!takes_signals, "by a thread that leaves signals to others");
	is_i64(patient_open(p, "/none"), -ENOENT, "what is not there");
	is_i64(patient_read(p, path, 100, &text), 0, "what is read at once");
	is_str(strbuf_str(&text), "hello\n", "its content");
	strbuf_clear(&text);
	is_i64(patient_read(p, path, 2, &text), -EFBIG, "more than asked for");
	is_str(strbuf_str(&text), "he", "its beginning");
	strbuf_release(&text);
	is_u64(p->stuck.len, 0, "all were waited for");
}

static void test_stuck(struct patient *p)
{
	static const char *const paths[] = { "/proc/1/stuck", "/proc/2/stuck",
					     "/proc/3/stuck" };
	struct strbuf text = { 0 };

	p->wait_ms = 1;
	for (int i = 0; i < 3; i++)
		is_i64(patient_open(p, paths[i]), -ETIMEDOUT, "one that is stuck");
	is_i64(patient_read(p, "/proc/4/stuck", 100, &text), -ETIMEDOUT, "that is read");
	ok(!text.len, "with nothing read");
	is_u64(p->stuck.len, 4, "and its thread left behind");
	is_i64(patient_open(p, "/proc/4/exe"), -EINPROGRESS, "its process");
	ok(p->stuck.len == 4 && !p->idle, "is not waited for again");
	p->wait_ms = LONG_MS;
	is_i64(patient_open(p, "/proc/1234567/44"), -ENOENT, "but others are");
	strbuf_release(&text);
}

/* Each that came back is used again, or there would be a hundred. */
static void test_back(struct patient *p, const char *path)
{
	bool opened = true;

	if (write(gate[1], "1234", 4) != 4)
		exit(99);
	for (int i = 0; i < 100; i++) {
		opened &= is_text(patient_open(p, path), "hello\n");
		*vec_push(&p->stuck) = p->idle;
		p->idle = NULL;
	}
	p->idle = p->stuck.data[--p->stuck.len];
	ok(opened && p->stuck.len <= 6, "threads that came back serve again: %zu",
	   p->stuck.len);
}

/* The thread that was to read stops, although its file has no end. */
static void test_abandoned(struct patient *p)
{
	int error = -EINPROGRESS;

	for (int i = 0; i < 6000 && error == -EINPROGRESS; i++) {
		usleep(10000);
		error = patient_open(p, "/proc/4/none");
	}
	is_i64(error, -ENOENT, "who reads for nobody stops");
}

static int open_endless(const char *path)
{
	(void)path;
	return open("/dev/zero", O_RDONLY | O_CLOEXEC);
}

static int ask_endless(int fd)
{
	struct patient p = { .open = open_endless, .wait_ms = LONG_MS };
	struct strbuf text = { 0 };
	int error = patient_read(&p, "/proc/1/maps", SIZE_MAX / 4, &text);

	(void)fd;
	strbuf_release(&text);
	patient_release(&p);
	return error != -ENOMEM;
}

int main(void)
{
	struct patient p = { .open = open_or_wait };
	char *folder = scratch_make(), *path;

	if (pipe(gate))
		exit(99);
	scratch_text(folder, "file", "hello\n");
	path = xasprintf("%s/file", folder);
	test_looks(&p, path);
	test_stuck(&p);
	test_back(&p, path);
	test_abandoned(&p);
	if (sparse_has_limit())
		is_i64(sparse_use(-1, 96 << 20, ask_endless), 0,
		       "without memory only the answer is lost");
	patient_release(&p);
	free(path);
	scratch_remove(folder);
	return done_testing();
}
