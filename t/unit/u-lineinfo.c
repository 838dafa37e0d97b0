/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged debug information: any answer, soon, and nothing read that is not there. */
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

#include "elf/image.h"
#include "base/file.h"
#include "base/sanitizer.h"
#include "elf/lineinfo_paths.h"
#include "elf/lineinfo_units.h"
#include "tap.h"

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static bool write_file(const char *path, const struct strbuf *bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool whole = fd >= 0 && write(fd, bytes->data, bytes->len) == (ssize_t)bytes->len;

	if (fd >= 0)
		close(fd);
	return whole;
}

/* How many places of the text segment have a line; -1: the file could not be read. */
static int ask(const char *path, uint64_t from, uint64_t to)
{
	struct line_answers answers;
	struct lineinfo *info;
	uint64_t offsets[512];
	int found = 0;

	if (lineinfo_open(&(struct object_place){ .path = path, .trusted = true }, &info))
		return -1;
	if (lineinfo_parse(info)) {
		lineinfo_free(info);
		return -1;
	}
	for (size_t i = 0; i < 512; i++)
		offsets[i] = from + (to - from) / 512 * i;
	lineinfo_find(info, offsets, 512, &answers);
	for (size_t i = 0; i < answers.places.len; i++) {
		struct line_answer a = answers.places.data[i];

		for (uint32_t f = a.first; f < a.first + a.count; f++)
			strtab_get(&answers.texts, answers.frames.data[f].file);
		found += a.count > 0;
	}
	line_answers_release(&answers);
	lineinfo_free(info);
	return found;
}

/* Changes a few bytes of one debug section. */
static void damage(struct strbuf *bytes, const struct elf_image *img, uint64_t *seed)
{
	static const char *const names[] = {
		".debug_info",     ".debug_abbrev",      ".debug_line", ".debug_ranges",
		".debug_rnglists", ".debug_str_offsets", ".debug_addr", ".debug_line_str",
	};
	size_t count = sizeof(names) / sizeof(names[0]);
	const struct elf_section *section = NULL;

	while (!section || !section->size)
		section = elf_section_named(img, names[next_random(seed) % count]);
	for (unsigned i = 1 + next_random(seed) % 8; i > 0; i--) {
		/* the header of a section's first table decides most */
		uint64_t reach = next_random(seed) % 2 && section->size > 64
					 ? 64
					 : section->size;
		uint64_t at = section->offset + next_random(seed) % reach;

		if (at < bytes->len)
			bytes->data[at] = (char)next_random(seed);
	}
}

static void test_damaged(const char *path, unsigned rounds)
{
	struct strbuf whole = { 0 }, copy = { 0 };
	const struct elf_segment *text;
	uint64_t seed = 88172645463325252u;
	struct elf_image img;
	unsigned answered = 0;
	int before;

	if (elf_image_open(&img, "/proc/self/exe") ||
	    file_read("/proc/self/exe", SIZE_MAX, &whole))
		return;
	text = elf_segment_at_vaddr(&img, img.entry);
	before = ask("/proc/self/exe", text->offset, text->offset + text->filesz);
	ok(before > 20, "the whole file: %d of 512 places have a line", before);
	for (unsigned i = 0; i < rounds; i++) {
		strbuf_clear(&copy);
		strbuf_add(&copy, whole.data, whole.len);
		damage(&copy, &img, &seed);
		if (i % 16 == 0) /* and cut it */
			strbuf_truncate(&copy, next_random(&seed) % copy.len);
		if (!write_file(path, &copy))
			break;
		answered += ask(path, text->offset, text->offset + text->filesz) >= 0;
	}
	ok(answered > rounds / 2, "%u of %u damaged files were read", answered, rounds);
	unlink(path);
	elf_image_release(&img);
	strbuf_release(&whole);
	strbuf_release(&copy);
}

static void test_paths(void)
{
	static const char *const cases[][2] = {
		{ "/a/b.c", "/a/b.c" },
		{ "//a//b.c", "/a/b.c" },
		{ "/a/./b.c", "/a/b.c" },
		{ "/a/x/../b.c", "/a/b.c" },
		{ "/../a/b.c", "/a/b.c" },
		{ "/a/b/../../c", "/c" },
		{ "./b.c", "b.c" },
		{ "../b.c", "../b.c" },
		{ "../../b.c", "../../b.c" },
		{ "a/../../b.c", "../b.c" },
		{ "a/../b.c", "b.c" },
		{ "/a/...", "/a/..." },
		{ "<built-in>", "<built-in>" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf out = { 0 };

		line_path_clean(cases[i][0], &out);
		is_str(strbuf_str(&out), cases[i][1], "%s", cases[i][0]);
		strbuf_release(&out);
	}
}

/* ---- units that claim the same code ---- */

/* All ranges reach the address, or, but for the first, end before it. */
static void test_overlaps(unsigned others, bool found, const char *what)
{
	struct units units = { 0 };

	*vec_push(&units.ranges) = (struct unit_range){ 100, 2000, 7 };
	for (unsigned i = 0; i < others; i++)
		*vec_push(&units.ranges) = (struct unit_range){ 101 + i, 102 + i, 8 };
	is_u64(units_find(&units, 1999), found ? 7 : UNIT_NONE, "%s", what);
	is_u64(units_find(&units, 101), others ? 8 : 7, "the innermost is taken");
	is_u64(units_find(&units, 99), UNIT_NONE, "nothing lies before all of them");
	is_u64(units_find(&units, 2000), UNIT_NONE, "nor behind");
	units_release(&units);
}

/* As of a file with so many bytes; that of this program has more ranges than one. */
static size_t count_ranges(uint64_t budget)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct units units;
	Dwarf *dwarf;
	size_t count;

	elf_version(EV_CURRENT);
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	if (!dwarf)
		abort();
	units_read(&units, dwarf, budget);
	count = units.ranges.len;
	units_release(&units);
	dwarf_end(dwarf);
	close(fd);
	return count;
}

static void test_units(void)
{
	size_t all = count_ranges(UINT64_MAX);

	test_overlaps(0, true, "one range");
	test_overlaps(63, true, "63 others are looked through");
	test_overlaps(64, false, "more are not");
	ok(all > 2, "there are %zu ranges", all);
	is_u64(count_ranges(all), all, "a budget that suffices");
	is_u64(count_ranges(2), 2, "one of two ranges");
	is_u64(count_ranges(0), 0, "none");
}

/* ---- in a process of its own ---- */

enum { PLACES = 512 };

static void fill_offsets(uint64_t *offsets)
{
	const struct elf_segment *text;
	struct elf_image img;

	if (elf_image_open(&img, "/proc/self/exe"))
		abort();
	text = elf_segment_at_vaddr(&img, img.entry);
	for (uint64_t i = 0; i < PLACES; i++)
		offsets[i] = text->offset + text->filesz / PLACES * i;
	elf_image_release(&img);
}

static struct lineinfo *open_self(void)
{
	struct lineinfo *info;

	if (lineinfo_open(
		    &(struct object_place){ .path = "/proc/self/exe", .trusted = true },
		    &info))
		abort();
	return info;
}

static int ask_self(const uint64_t *offsets, struct line_reply *out)
{
	struct line_job job = { .info = open_self(),
				.offsets = offsets,
				.count = PLACES };

	lineinfo_ask(&job, 1, NULL, NULL);
	*out = job.reply;
	lineinfo_free(job.info);
	return job.error;
}

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
	   "as this one does");
	line_answers_release(&answers);
	line_reply_release(&reply);
	lineinfo_free(info);
	strbuf_release(&here);
	strbuf_release(&there);
}

/* What takes over the child right after its start. */
static void (*taken_over)(int out);

/* The end of the pipe that the child writes to: the last descriptor. */
static void take_over(void)
{
	int out = 3;

	for (int fd = 3; fd < 64; fd++)
		if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY)
			out = fd;
	if (taken_over)
		taken_over(out);
}

static uint64_t lies_seed = 0x9e3779b97f4a7c15;

/* Mostly small numbers, which stand for counts, ids and lengths. */
static void lie(int out)
{
	char bytes[256];
	uint64_t len = 8 + next_random(&lies_seed) % (sizeof(bytes) - 8), chunk = len - 8;

	for (size_t i = 8; i < len; i++)
		bytes[i] = (char)(next_random(&lies_seed) % 4
					  ? next_random(&lies_seed) % 4
					  : next_random(&lies_seed));
	if (lies_seed % 8)
		memcpy(bytes, &chunk, sizeof(chunk));
	_exit(write(out, bytes, len) < 0);
}

static void crash(int out)
{
	(void)out;
	kill(getpid(), SIGKILL);
}

/* ---- what it may take ---- */

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
	taken_over = spin;
	is_i64(ask_self(offsets, &reply), -ETIME, "it may not calculate for ever");
	time_flies = true;
	taken_over = wait_for_ever;
	is_i64(ask_self(offsets, &reply), -ETIME, "nor do nothing");
	taken_over = answer_partly;
	is_i64(ask_self(offsets, &reply), -ETIME, "nor stop in its answer");
	time_flies = false;
	taken_over = claim_much;
	is_i64(ask_self(offsets, &reply), -EPROTO, "nor answer more than can be true");
	taken_over = NULL;
	is_str(line_job_failure(-ETIME), "takes its reader too much time",
	       "the limit is named");
	ok(!line_job_failure(-ESTALE), "and no other error");
}

/* ---- a child that lies ---- */

/* One of so many numbers is a lie: in half of the answers none, in the others few. */
static uint64_t lie_one_in;

static bool lies_here(void)
{
	return lie_one_in && next_random(&lies_seed) % lie_one_in == 0;
}

static void add_number(struct strbuf *out, uint64_t most)
{
	if (lies_here())
		most = UINT64_MAX >> next_random(&lies_seed) % 64;
	strbuf_add_varint(out, most == UINT64_MAX ? most
						  : next_random(&lies_seed) % (most + 1));
}

/* A number of something that follows. */
static uint64_t add_count(struct strbuf *out, uint64_t most)
{
	uint64_t count = next_random(&lies_seed) % (most + 1);

	if (lies_here())
		add_number(out, 2 * most);
	else
		strbuf_add_varint(out, count);
	return count;
}

static void add_reply(struct strbuf *out)
{
	uint64_t texts, frames, places = PLACES - lies_here();

	strbuf_add_varint(out, lies_here() ? ENOEXEC : 0);
	strbuf_add(out, "/missing", 9);
	texts = 1 + add_count(out, 20);
	for (uint64_t i = 1; i < texts; i++)
		strbuf_addf(out, "%llx%c", (unsigned long long)(lies_seed % (i + 4)), 0);
	frames = add_count(out, 3 * PLACES);
	for (uint64_t i = 0; i < 5 * frames; i++)
		add_number(out, i % 5 == 2 || i % 5 == 4 || texts < 2 ? 0 : texts - 2);
	for (uint64_t i = 0; i < places; i++) {
		add_number(out, frames ? frames - 1 : 0);
		add_number(out, frames > PLACES);
	}
}

static void add_chunk(struct strbuf *out, const char *bytes, uint64_t len)
{
	uint64_t said = lies_here() ? next_random(&lies_seed) : len;

	strbuf_add(out, (const char *)&said, sizeof(said));
	strbuf_add(out, bytes, len);
}

/* Cut at a random byte sometimes. */
static void lie_well(int out)
{
	struct strbuf reply = { 0 }, all = { 0 };
	size_t len;

	lie_one_in = next_random(&lies_seed) % 2 ? 0 : 1 << next_random(&lies_seed) % 16;
	add_reply(&reply);
	add_chunk(&all, strbuf_str(&reply), reply.len);
	add_chunk(&all, NULL, 0);
	len = !lie_one_in || next_random(&lies_seed) % 8
		      ? all.len
		      : next_random(&lies_seed) % all.len;
	for (size_t done = 0; done < len;) {
		ssize_t put = write(out, all.data + done, len - done);

		if (put < 0)
			break;
		done += (size_t)put;
	}
	_exit(0);
}

/* Everything in an answer leads to something. */
static bool is_sound(const struct line_answers *answers)
{
	size_t frames = 0;

	vec_for_each(const struct line_answer, place, &answers->places) {
		if (place->first > answers->frames.len ||
		    place->count > answers->frames.len - place->first)
			return false;
		frames += place->count;
	}
	vec_for_each(const struct line_frame, f, &answers->frames)
		if (f->function >= strtab_count(&answers->texts) ||
		    f->file >= strtab_count(&answers->texts) ||
		    f->decl_file >= strtab_count(&answers->texts))
			return false;
	return answers->places.len == PLACES && frames <= answers->frames.len;
}

static void test_lies(void)
{
	unsigned believed = 0, refused = 0, unsound = 0;
	uint64_t offsets[PLACES];
	struct line_reply reply;

	fill_offsets(offsets);
	taken_over = lie_well;
	for (int i = 0; i < 1000; i++) {
		int error = ask_self(offsets, &reply);

		next_random(&lies_seed);
		if (error) {
			refused += error == -EPROTO || error == -ENOEXEC;
			continue;
		}
		believed++;
		unsound += !is_sound(&reply.answers);
		line_reply_release(&reply);
	}
	taken_over = NULL;
	is_u64(believed + refused, 1000, "lies are refused, or are answers");
	is_u64(unsound, 0, "what is believed is sound");
	ok(believed > 10 && refused > 100, "%u are believed, %u not", believed, refused);
}

/* ---- garbage ---- */

static void test_taken_over(void)
{
	uint64_t offsets[PLACES];
	struct line_reply reply;
	unsigned refused = 0;

	fill_offsets(offsets);
	taken_over = crash;
	is_i64(ask_self(offsets, &reply), -EPROTO, "its crash is an error");
	taken_over = lie;
	for (int i = 0; i < 500; i++) {
		int error = ask_self(offsets, &reply);

		refused += error != 0;
		if (!error)
			line_reply_release(&reply);
		next_random(&lies_seed);
	}
	is_u64(refused, 500, "its lies are refused");
	taken_over = NULL;
}

/* Only the first of all children crashes. */
static unsigned children;

static void crash_first(void)
{
	if (++children == 1)
		taken_over = crash;
	else
		taken_over = NULL;
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
	is_i64(jobs[0].error, -EPROTO, "of three objects the first one's child crashes");
	ok(!jobs[1].error && !jobs[2].error, "and another child answers for the others");
	is_u64(children, 2, "both of them");
	for (int i = 0; i < 3; i++) {
		if (!jobs[i].error)
			line_reply_release(&jobs[i].reply);
		lineinfo_free(jobs[i].info);
	}
}

/* ---- a file that is cut while it is mapped ---- */

/* By the pipe the child says who it is. */
static bool waits_for_cut;
static int pid_ends[2];

/* Instead of libelf's: once the child has mapped the file, it goes on when that is cut. */
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

/* It is the first of two; the other one is whole. */
static void test_cut(char *path)
{
	struct strbuf whole = { 0 };
	struct line_job jobs[2];
	uint64_t offsets[PLACES];
	pthread_t cutter;

	fill_offsets(offsets);
	if (file_read("/proc/self/exe", SIZE_MAX / 2, &whole) ||
	    !write_file(path, &whole) || pipe(pid_ends))
		abort();
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
	taken_over = say_who;
	lineinfo_ask(jobs, 1, NULL, NULL);
	pthread_join(cutter, NULL);
	waits_for_cut = false;
	taken_over = NULL;
	lineinfo_ask(jobs + 1, 1, NULL, NULL);
	is_i64(jobs[0].error, -EPROTO,
	       "a file that is cut while it is mapped has no lines");
	is_i64(jobs[1].error, 0, "and costs no other file anything");
	line_reply_release(&jobs[1].reply);
	for (int i = 0; i < 2; i++)
		lineinfo_free(jobs[i].info);
	close(pid_ends[0]);
	close(pid_ends[1]);
	unlink(path);
	strbuf_release(&whole);
}

/* ---- its end ---- */

/* In the child, when it asks who its parent is: where to say so, and to wait. */
static int waits_on = -1;

/* Whether there is a reading end of the pipe that the child answers by. */
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

/* Instead of the C library's. */
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
	taken_over = note_answer;
	if (lineinfo_open_fd(&(struct object_place){ .path = "/none", .by = &by },
			     open("/proc/self/exe", O_RDONLY | O_CLOEXEC), &job.info))
		_exit(1);
	job.offsets = offsets;
	waits_on = on;
	lineinfo_ask(&job, 1, NULL, NULL);
	_exit(1);
}

/* The process that asks is killed while its child, which changed its user, is at work. */
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
	is_i64(ask_self(offsets, &reply), -EPROTO, "one whose parent is gone ends");
	is_orphan = false;
}

int main(void)
{
	struct lineinfo *info;
	char path[] = "/tmp/u-lineinfo.XXXXXX";
	int fd = mkstemp(path);

	test_paths();
	is_u64((uint64_t)-lineinfo_open(&(struct object_place){ .path = "/none" }, &info),
	       ENOENT, "a file that is not there");
	is_u64((uint64_t)-lineinfo_open(
		       &(struct object_place){ .path = path, .trusted = true }, &info),
	       ENOEXEC, "an empty file");
	if (fd >= 0)
		close(fd);
	test_damaged(path, 400);
	test_units();
	pthread_atfork(NULL, NULL, take_over);
	test_apart();
	test_taken_over();
	test_limits();
	test_lies();
	if (HAS_SANITIZER)
		skip(2, "AddressSanitizer takes the signal, and cannot report there");
	else
		test_cut(path);
	test_outlives();
	test_orphan();
	test_crash_of_one();
	return done_testing();
}
