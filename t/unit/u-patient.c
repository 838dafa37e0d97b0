/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at processes that hang, as if their mappings were locked. */
#include "process/patient.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/program.h"
#include "base/xalloc.h"
#include "scratch.h"
#include "sparse.h"
#include "tap.h"

/* For answers that come: far more than a busy machine needs, though stuck ones divide it. */
enum { LONG_MS = 3600000 };

static int gate[2];

/* Whether the thread that looked last takes an interrupt. */
static bool takes_signals;

/* Opening a path with "stuck" waits at the gate for a byte. */
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

/* The process in PATH, of our own user, who may take any time. */
static struct patient_process ours(const char *path)
{
	const char *number = strstr(path, "/proc/");

	return (struct patient_process){
		.pid = number ? atoi(number + strlen("/proc/")) : 0,
		.user = geteuid(),
	};
}

static int open_ours(struct patient *p, const char *path)
{
	struct patient_process of = ours(path);

	return patient_open(p, &of, path);
}

static int read_ours(struct patient *p, const char *path, size_t max, struct strbuf *out)
{
	struct patient_process of = ours(path);

	return patient_read(p, &of, path, max, out);
}

static void test_looks(struct patient *p, const char *path)
{
	struct strbuf text = { 0 };

	p->wait_ms = LONG_MS;
	ok(is_text(open_ours(p, path), "hello\n"), "a file that opens at once");
	ok(!takes_signals, "its thread takes no signals");
	is_i64(open_ours(p, "/none"), -ENOENT, "a missing file");
	is_i64(read_ours(p, path, 100, &text), 0, "a file that is read at once");
	is_str(strbuf_str(&text), "hello\n", "its content");
	strbuf_clear(&text);
	is_i64(read_ours(p, path, 2, &text), -EFBIG, "a file that is too large");
	is_str(strbuf_str(&text), "he", "its beginning");
	strbuf_release(&text);
	is_u64(p->stuck.len, 0, "no thread is stuck");
}

static void test_stuck(struct patient *p)
{
	static const char *const paths[] = { "/proc/1/stuck", "/proc/2/stuck",
					     "/proc/3/stuck" };
	struct strbuf text = { 0 };

	p->wait_ms = 1;
	for (int i = 0; i < 3; i++)
		is_i64(open_ours(p, paths[i]), -ETIMEDOUT, "a process that is stuck");
	is_i64(read_ours(p, "/proc/4/stuck", 100, &text), -ETIMEDOUT, "one that is read");
	ok(!text.len, "gives no text");
	is_u64(p->stuck.len, 4, "and its thread is left behind");
	is_i64(open_ours(p, "/proc/4/exe"), -EINPROGRESS, "its process");
	ok(p->stuck.len == 4 && !p->idle, "is not waited for again");
	p->wait_ms = LONG_MS;
	is_i64(open_ours(p, "/proc/1234567/44"), -ENOENT, "but other processes are");
	strbuf_release(&text);
}

/* Threads that come back are used again, or there would be a hundred. */
static void test_back(struct patient *p, const char *path)
{
	bool opened = true;

	if (write(gate[1], "1234", 4) != 4)
		exit(99);
	for (int i = 0; i < 100; i++) {
		opened &= is_text(open_ours(p, path), "hello\n");
		*vec_push(&p->stuck) = p->idle;
		p->idle = NULL;
	}
	ok(opened && p->stuck.len <= 6, "threads that came back serve again: %zu",
	   p->stuck.len);
	for (int i = 0; i < 6000 && p->stuck.len; i++) {
		usleep(10000);
		opened &= is_text(open_ours(p, path), "hello\n");
	}
	ok(opened && !p->stuck.len, "none that is back makes other waits shorter");
}

/* Nobody waits for the caller now, and a thread may only have been given no CPU. */
static void test_leisure(void)
{
	struct patient p = { .open = open_or_wait, .wait_ms = 1 };

	is_i64(open_ours(&p, "/proc/5/stuck"), -ETIMEDOUT, "one that comes back later");
	patient_at_leisure(&p);
	if (write(gate[1], "5", 1) != 1)
		exit(99);
	p.wait_ms = LONG_MS;
	is_i64(open_ours(&p, "/proc/5/none"), -ENOENT, "at leisure it is waited for");
	p.wait_ms = 1;
	is_i64(open_ours(&p, "/proc/6/stuck"), -ETIMEDOUT, "one that does not");
	is_i64(open_ours(&p, "/proc/6/none"), -EINPROGRESS, "... is waited for");
	p.wait_ms = LONG_MS;
	is_i64(open_ours(&p, "/proc/6/none"), -EINPROGRESS, "... once");
	if (write(gate[1], "6", 1) != 1)
		exit(99);
	/* for the thread that was left behind, and no later one */
	for (int left = 1; !ioctl(gate[0], FIONREAD, &left) && left;)
		usleep(1000);
	patient_release(&p);
}

/* A thread that is left behind stops reading, although its file has no end. */
static void test_abandoned(struct patient *p)
{
	int error = -EINPROGRESS;

	for (int i = 0; i < 6000 && error == -EINPROGRESS; i++) {
		usleep(10000);
		error = open_ours(p, "/proc/4/none");
	}
	is_i64(error, -ENOENT, "an abandoned read stops");
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
	int error = read_ours(&p, "/proc/1/maps", SIZE_MAX / 4, &text);

	(void)fd;
	strbuf_release(&text);
	patient_release(&p);
	return error != -ENOMEM;
}

/* ---- files by their names ---- */

static struct namer_of_files seen;
static struct rights seen_rights;

static int see(const struct namer_of_files *by, const char *path)
{
	char byte;

	if (read(gate[0], &byte, 1) != 1 || !by || strcmp(path, "/name") != 0)
		return -EIO;
	rights_copy(by->rights, &seen_rights);
	seen = *by;
	seen.root = fcntl(by->root, F_DUPFD_CLOEXEC, 0);
	return -EPERM;
}

/* The namer of a file may be released while the thread that opens it hangs. */
static void test_named(const char *folder)
{
	struct patient p = { .open_named = see, .wait_ms = 1 };
	struct patient_process of = { .pid = 1, .user = geteuid() };
	struct rights rights = { .uid = 7 };
	struct namer_of_files by = { .rights = &rights,
				     .root = open(folder, O_PATH | O_CLOEXEC) };
	int error = -EINPROGRESS;

	*vec_push(&rights.groups) = 9;
	is_i64(patient_open_named(&p, &of, &by, "/name"), -ETIMEDOUT, "a name hangs");
	close(by.root);
	rights.groups.data[0] = 0;
	rights_release(&rights);
	if (write(gate[1], "12", 2) != 2)
		exit(99);
	for (int i = 0; i < 6000 && error == -EINPROGRESS; i++) {
		usleep(10000);
		p.wait_ms = LONG_MS;
		error = patient_open_named(&p, &of, NULL, "/name");
	}
	is_i64(error, -EIO, "until its thread is back");
	ok(seen.root >= 0 && seen_rights.uid == 7 && seen_rights.groups.len == 1 &&
		   seen_rights.groups.data[0] == 9,
	   "the thread had the rights and root of the namer");
	close(seen.root);
	rights_release(&seen_rights);
	patient_release(&p);
}

/* ---- processes that answer, but slowly ---- */

static int64_t clock_ns, slow_ns;

static int64_t fake_ns(void)
{
	return clock_ns;
}

static int open_slowly(const char *path)
{
	(void)path;
	clock_ns += slow_ns;
	return -ENOENT;
}

/* How many of 1,000 processes, each taking NS, are waited for. */
static unsigned answered(struct patient *p, uid_t user, int64_t ns)
{
	unsigned count = 0;

	slow_ns = ns;
	for (int i = 1; i <= 1000; i++) {
		struct patient_process of = { .pid = i, .user = user };

		count += patient_open(p, &of, "/proc/1/maps") == -ENOENT;
	}
	return count;
}

static unsigned read_slowly(struct patient *p, uid_t user, int64_t ns)
{
	struct strbuf text = { 0 };
	unsigned count = 0;

	slow_ns = ns;
	for (int i = 1; i <= 1000; i++) {
		struct patient_process of = { .pid = i, .user = user };

		count += patient_read(p, &of, "/proc/1/maps", 9, &text) == -ENOENT;
	}
	strbuf_release(&text);
	return count;
}

static void test_slow(void)
{
	const int64_t ms = 1000000, minute = 60000 * ms;
	struct patient p = { .open = open_slowly, .wait_ms = LONG_MS, .now_ns = fake_ns };
	uid_t one = geteuid() + 1, other = geteuid() + 2;
	unsigned count;

	clock_ns = minute;
	count = answered(&p, one, 20 * ms);
	ok(count >= 30 && count <= 50, "a user whose processes answer late: %u times",
	   count);
	is_u64(answered(&p, one, 0), 0, "is left alone afterwards");
	count = answered(&p, other, 20 * ms);
	ok(count >= 15 && count <= 25, "another user has his own share: %u", count);
	is_u64(answered(&p, geteuid(), 20 * ms), 1000, "our own user takes any time");
	clock_ns += minute;
	is_u64(answered(&p, one, ms), 1000, "a minute later; fast answers cost nothing");
	count = read_slowly(&p, one, 761 * ms);
	ok(count >= 30 && count <= 60, "reads wait longer, and as often: %u", count);
	clock_ns += minute;
	count = 0;
	for (uid_t i = 0; i < 1000; i++)
		count += answered(&p, geteuid() + 1 + i, 20 * ms);
	ok(count >= 60 && count <= 90, "all users of a namespace together: %u", count);
	patient_at_leisure(&p);
	is_u64(answered(&p, one, 20 * ms), 1000, "at leisure no user's share counts");
	count = answered(&p, one, 100 * ms);
	ok(count >= 110 && count <= 130, "but the time of all has an end: %u", count);
	patient_release(&p);
}

/* ---- a thread without memory ---- */

static int open_without_memory(const char *path)
{
	if (strstr(path, "large"))
		program_die_oom();
	return file_open(path);
}

static void end_program(void *ctx)
{
	(void)ctx;
	ok(false, "the recording goes on");
	_exit(1);
}

/* Only its answer is lost. */
static void test_memory(const char *path)
{
	struct patient p = { .open = open_without_memory };

	program_on_oom(end_program, NULL);
	p.wait_ms = 100;
	is_i64(open_ours(&p, "/proc/7/large"), -ETIMEDOUT, "a thread without memory");
	is_u64(p.stuck.len, 1, "... is left behind");
	p.wait_ms = LONG_MS;
	ok(is_text(open_ours(&p, path), "hello\n"), "... and another one opens files");
	patient_release(&p);
	program_on_oom(NULL, NULL);
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
	test_leisure();
	test_abandoned(&p);
	if (sparse_has_limit())
		is_i64(sparse_use(-1, 96 << 20, ask_endless), 0,
		       "without memory only the answer is lost");
	patient_release(&p);
	test_named(folder);
	test_slow();
	test_memory(path);
	free(path);
	scratch_remove(folder);
	return done_testing();
}
