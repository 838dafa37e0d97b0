/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child's share; its leaks show at its end. */
enum { BATCH = 100 };
/* The processor time that a round may take: a thousand times what it needs. */
enum { ROUND_SECONDS = 60 };
enum { SAID_MAX = 6000 };

/* ---- drawing ---- */

uint64_t draw_bits(struct draw *d)
{
	uint64_t z = (d->state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t draw_below(struct draw *d, uint64_t bound)
{
	return bound ? draw_bits(d) % bound : 0;
}

bool draw_one_in(struct draw *d, unsigned n)
{
	return !draw_below(d, n);
}

uint64_t draw_number(struct draw *d, uint64_t old)
{
	static const unsigned char widths[] = { 7, 8, 15, 16, 24, 31, 32, 48, 63, 64 };
	uint64_t limit;

	switch (draw_below(d, 5)) {
	case 0:
		limit = widths[draw_below(d, sizeof(widths))];
		limit = limit == 64 ? 0 : UINT64_C(1) << limit;
		return limit + draw_below(d, 3) - 1;
	case 1:
		return draw_below(d, 20);
	case 2:
		return old + draw_below(d, 17) - 8;
	case 3:
		return old << draw_below(d, 8) >> draw_below(d, 8);
	default:
		return draw_bits(d) >> draw_below(d, 64);
	}
}

void draw_text(struct draw *d, struct strbuf *out)
{
	static const char *const texts[] = {
		"",
		"\x1b[31mred",
		"\302\2332J",
		"\xe2\x80\xaetxet",
		"\xff\xfe",
		"\xed\xa0\x80",
		"%s%n%1000000d",
		"=1+1",
		"</script><!--",
		"../../../etc/passwd",
		"/proc/self/environ",
		"/dev/zero",
		"a\nb\tc\rd",
		"\"'\\u0000",
		"_ZN1aIJLi1ELi2EEE1fEv",
		"_ZSt1aIS_IS_IS_IS_IS_IS_EEEEEE",
		"<Total>",
	};
	size_t bytes;

	strbuf_addstr(out, texts[draw_below(d, sizeof(texts) / sizeof(texts[0]))]);
	if (!draw_one_in(d, 4))
		return;
	for (bytes = draw_below(d, 200); bytes; bytes--)
		strbuf_addch(out, (char)draw_bits(d));
}

/* ---- running ---- */

void campaign_fail(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	fflush(stderr);
	_exit(70);
}

static void empty(int fd)
{
	if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
		_exit(71);
}

/* Runs rounds from *NEXT on; the parent shares that counter. */
static _Noreturn void run_batch(const struct campaign *c, volatile uint64_t *next,
				int out, int err)
{
	const struct itimerval limit = { .it_value = { .tv_sec = ROUND_SECONDS } };
	uint64_t end = c->first + c->rounds;

	if (end > *next + BATCH)
		end = *next + BATCH;
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	for (; *next < end; ++*next) {
		struct draw d = { *next };

		setitimer(ITIMER_PROF, &limit, NULL);
		c->round(c->ctx, &d);
		fflush(stdout);
		empty(STDOUT_FILENO);
		empty(STDERR_FILENO);
	}
	exit(0);
}

static void show(int fd)
{
	char *text = calloc(1, SAID_MAX + 1);

	if (!text || pread(fd, text, SAID_MAX, 0) < 0)
		exit(99);
	printf("%s\n", text);
	free(text);
}

static void report(const struct campaign *c, uint64_t round, int status, int err)
{
	printf("%s, round %" PRIu64 ": ", c->name, round);
	if (WIFSIGNALED(status))
		printf("signal %d\n", WTERMSIG(status));
	else
		printf("status %d\n", WEXITSTATUS(status));
	show(err);
	fflush(stdout);
}

int campaign_run(const struct campaign *c)
{
	int out = memfd_create("stdout", MFD_CLOEXEC),
	    err = memfd_create("stderr", MFD_CLOEXEC), status;
	volatile uint64_t *next = mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	uint64_t failures = 0;

	if (out < 0 || err < 0 || next == MAP_FAILED)
		exit(99);
	for (*next = c->first; *next < c->first + c->rounds;) {
		pid_t pid = (empty(out), empty(err), fflush(stdout), fork());

		if (!pid)
			run_batch(c, next, out, err);
		if (pid < 0 || waitpid(pid, &status, 0) < 0)
			exit(99);
		if (!status)
			continue;
		failures++;
		report(c, *next, status, err);
		++*next;
	}
	printf("%s: %" PRIu64 " rounds from %" PRIu64 ", %" PRIu64 " failed\n", c->name,
	       c->rounds, c->first, failures);
	return failures ? 1 : 0;
}
