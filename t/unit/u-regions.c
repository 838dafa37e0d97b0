/* SPDX-License-Identifier: Apache-2.0 */
/* Files of processes that live, execute other programs and end: to instances of regions. */
#include "region/regions.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "t/unit/scratch.h"
#include "t/unit/tap.h"
#include "t/unit/tasks_world.h"

enum { START = 1000 };

struct place {
	struct world w;
	struct folder folder;
	struct regions regions;
};

static void open_place(struct place *p)
{
	world_open(&p->w);
	p->folder.path = scratch_make();
	p->folder.fd = folder_open(p->folder.path);
	regions_init(&p->regions, &p->folder, -1, &p->w.in, &p->w.tasks, START, false);
}

static void close_place(struct place *p)
{
	regions_release(&p->regions);
	close(p->folder.fd);
	scratch_remove(p->folder.path);
	world_close(&p->w);
}

/* A file of a process, as it writes it; fields at 0 are what nothing was written to. */
struct said {
	struct place *place;
	char name[32];
	int fd;
	uint32_t names; /* units of 8 bytes */
	struct channel_head head;
	struct channel_slot slots[2];
};

static void put(const struct said *said, uint64_t at, const void *bytes, size_t len)
{
	if (pwrite(said->fd, bytes, len, (off_t)at) != (ssize_t)len)
		exit(99);
}

/* Its file number NUMBER, whose thread of slot 0 is TID. */
static struct said begin_file(struct place *p, uint32_t pid, unsigned number)
{
	struct said said = { .place = p, .names = 1 };

	snprintf(said.name, sizeof(said.name), "%" PRIu32 "-%u", pid, number);
	said.fd = openat(p->folder.fd, said.name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	said.head =
		(struct channel_head){ .magic = CHANNEL_MAGIC, .pid = pid, .slots = 1 };
	if (said.fd < 0 || ftruncate(said.fd, CHANNEL_EVENTS_AT + CHANNEL_SLOT_BYTES))
		exit(99);
	put(&said, 0, &said.head, sizeof(said.head));
	return said;
}

static void say(struct said *said, enum channel_kind kind, uint64_t time, uint32_t value)
{
	const struct channel_event event = { time, kind, value };
	struct channel_slot *slot = &said->slots[0];

	put(said, CHANNEL_EVENTS_AT + slot->head++ % CHANNEL_EVENTS * sizeof(event),
	    &event, sizeof(event));
	put(said, CHANNEL_SLOTS_AT, slot, sizeof(*slot));
}

static uint32_t name(struct said *said, const char *text)
{
	const struct channel_name head = { .len = (uint32_t)strlen(text) };
	const uint32_t id = said->names;

	put(said, CHANNEL_NAMES_AT + (uint64_t)id * 8, &head, sizeof(head));
	put(said, CHANNEL_NAMES_AT + (uint64_t)id * 8 + sizeof(head), text, head.len + 1);
	said->names += (uint32_t)(sizeof(head) + head.len + 8) / 8;
	return id;
}

static void expect_faults(const struct place *p, const uint64_t *want, const char *what)
{
	static const uint64_t none[EXP_REGION_FAULTS_COUNT];

	ok(!memcmp(p->regions.events.faults, want ? want : none, sizeof(none)),
	   "%s: faults", what);
}

struct instance {
	const char *name;
	uint32_t tid;
	uint64_t born_ns, begin_ns, end_ns;
	unsigned flags;
};

static void expect_instances(struct place *p, const struct instance *want, size_t count)
{
	const struct experiment *exp;

	world_read(&p->w);
	exp = p->w.exp;
	is_u64(exp->regions.len, count, "instances of regions");
	for (size_t i = 0; i < count && i < exp->regions.len; i++) {
		const struct exp_region *region = &exp->regions.data[i];
		const struct exp_thread *th = &exp->threads.data[region->thread];
		const char *text = name_of(&p->w,
					   exp->region_paths.data[region->path].name);

		ok(!strcmp(text, want[i].name) && th->tid == want[i].tid &&
			   th->born_ns == want[i].born_ns &&
			   region->begin_ns == want[i].begin_ns &&
			   region->end_ns == want[i].end_ns &&
			   region->flags == want[i].flags,
		   "%s of thread %" PRIu32 " born at %" PRIu64 ": %" PRIu64 " to %" PRIu64
		   ", %u",
		   text, (uint32_t)th->tid, th->born_ns, region->begin_ns, region->end_ns,
		   region->flags);
	}
}

#define INSTANCES(P, ...)                                                                \
	expect_instances(P, (const struct instance[]){ __VA_ARGS__ },                    \
			 sizeof((const struct instance[]){ __VA_ARGS__ }) /              \
				 sizeof(struct instance))

/* What both programs said is read at once, after the exec was. */
static void test_exec(bool sampled)
{
	struct place p = { 0 };
	struct said old, new;

	open_place(&p);
	tasks_fork(&p.w.tasks, 7, 1, 7, 10);
	tasks_fork(&p.w.tasks, 7, 7, 8, 20);
	if (sampled)
		hit(&p.w, 7, 7);
	old = begin_file(&p, 7, 0);
	say(&old, CHANNEL_THREAD, START + 30, 7);
	say(&old, CHANNEL_BEGIN, START + 30, name(&old, "open"));
	say(&old, CHANNEL_BEGIN, START + 40, name(&old, "whole"));
	say(&old, CHANNEL_END, START + 50, CHANNEL_INNERMOST);
	new = begin_file(&p, 7, 1);
	say(&new, CHANNEL_THREAD, START + 200, 7);
	say(&new, CHANNEL_BEGIN, START + 200, name(&new, "new"));
	say(&new, CHANNEL_END, START + 300, CHANNEL_INNERMOST);
	regions_leave(&p.regions, 7, START + 100);
	tasks_exec(&p.w.tasks, 7, "other", 100);
	ok(faccessat(p.folder.fd, "7-0", F_OK, 0) &&
		   !faccessat(p.folder.fd, "7-1", F_OK, 0),
	   "the old program's file is done, the new one's is not");
	regions_read(&p.regions, START + 400, START + 400);
	regions_finish(&p.regions, START + 500);
	expect_faults(&p, (uint64_t[EXP_REGION_FAULTS_COUNT]){ [EXP_FAULT_UNENDED] = 1 },
		      "exec");
	INSTANCES(&p, { "whole", 7, 10, 40, 50, 0 },
		  { "open", 7, 10, 30, 100, EXP_REGION_UNENDED },
		  { "new", 7, 100, 200, 300, 0 });
	is_u64(p.w.exp->processes.len, 3, "each program has its row");
	close(old.fd);
	close(new.fd);
	close_place(&p);
}

/* The recording ends before the program, which goes on and loses much. */
static void test_stop(void)
{
	struct place p = { 0 };
	struct said said, late;

	open_place(&p);
	tasks_fork(&p.w.tasks, 7, 1, 7, 10);
	said = begin_file(&p, 7, 0);
	say(&said, CHANNEL_THREAD, START + 20, 7);
	say(&said, CHANNEL_BEGIN, START + 20, name(&said, "outer"));
	say(&said, CHANNEL_BEGIN, START + 30, name(&said, "whole"));
	say(&said, CHANNEL_END, START + 40, CHANNEL_INNERMOST);
	say(&said, CHANNEL_BEGIN, START + 110, name(&said, "late"));
	say(&said, CHANNEL_END, START + 120, CHANNEL_INNERMOST);
	say(&said, CHANNEL_END, START + 130, CHANNEL_INNERMOST);
	regions_stop(&p.regions, START + 100);
	regions_stop(&p.regions, START + 105);
	regions_read(&p.regions, START + 90, START + 150);
	ok(!p.regions.over, "what was said just before the end is still to come");
	regions_read(&p.regions, START + 150, START + 200);
	ok(p.regions.over, "then all is there");
	said.slots[0].lost = 1000;
	say(&said, CHANNEL_END, START + 300, CHANNEL_INNERMOST);
	late = begin_file(&p, 8, 0);
	late.slots[0].lost = 1000;
	say(&late, CHANNEL_BEGIN, START + 300, name(&late, "late"));
	regions_leave(&p.regions, 8, START + 310);
	regions_read(&p.regions, START + 350, START + 400);
	is_u64(scratch_count(p.folder.path, "."), 0, "later files do not stay");
	regions_finish(&p.regions, START + 500);
	expect_faults(&p, (uint64_t[EXP_REGION_FAULTS_COUNT]){ [EXP_FAULT_UNENDED] = 1 },
		      "stop");
	INSTANCES(&p, { "whole", 7, 10, 30, 40, 0 },
		  { "outer", 7, 10, 20, 100, EXP_REGION_UNENDED });
	close(said.fd);
	close(late.fd);
	close_place(&p);
}

static bool has_file(const struct place *p, const char *file)
{
	return !faccessat(p->folder.fd, file, F_OK, 0);
}

static struct said say_whole(struct place *p, uint32_t pid, const char *text)
{
	struct said said = begin_file(p, pid, 0);

	say(&said, CHANNEL_THREAD, START + 20, pid);
	say(&said, CHANNEL_BEGIN, START + 20, name(&said, text));
	say(&said, CHANNEL_END, START + 30, CHANNEL_INNERMOST);
	return said;
}

/* Processes that the records do not know; the second one they know later. */
static void test_unknown(bool alone)
{
	struct place p = { 0 };
	struct said never, later;

	open_place(&p);
	p.regions.alone = alone;
	never = say_whole(&p, 7, "never");
	never.slots[0].lost = 5;
	say(&never, CHANNEL_END, START + 30, CHANNEL_INNERMOST);
	later = say_whole(&p, 8, "later");
	regions_read(&p.regions, START + 15, START + 100);
	regions_read(&p.regions, START + 15, START + 200);
	ok(has_file(&p, "7-0") && has_file(&p, "8-0"), "files that are used stay");
	close(never.fd);
	close(later.fd);
	regions_read(&p.regions, START + 15, START + 300);
	regions_read(&p.regions, START + 15, START + 400);
	ok(has_file(&p, "7-0") && has_file(&p, "8-0"),
	   "so do unused ones whose process may yet be known");
	tasks_fork(&p.w.tasks, 8, 1, 8, 10);
	regions_read(&p.regions, START + 350, START + 500);
	ok(!has_file(&p, "7-0") && has_file(&p, "8-0"),
	   "what is not known then is of no use");
	regions_finish(&p.regions, START + 600);
	expect_faults(
		&p,
		alone ? NULL
		      : (uint64_t[EXP_REGION_FAULTS_COUNT]){ [EXP_FAULT_NO_THREAD] = 1,
							     [EXP_FAULT_LOST] = 5,
							     [EXP_FAULT_STRAY_END] = 1 },
		"unknown");
	INSTANCES(&p, { "later", 8, 10, 20, 30, 0 });
	close_place(&p);
}

/* Regions of these names in one another, of thread PID. */
static void say_nest(struct said *said, uint32_t pid, uint64_t time,
		     const char *const *names)
{
	uint32_t ids[4], count = 0;

	say(said, CHANNEL_THREAD, START + time, pid);
	for (; names[count]; count++) {
		ids[count] = name(said, names[count]);
		say(said, CHANNEL_BEGIN, START + time++, ids[count]);
	}
	while (count)
		say(said, CHANNEL_END, START + time++, ids[--count]);
}

/* Names from before a limit keep their meaning, in other processes too. */
static void test_limits(size_t labels, uint64_t texts)
{
	struct place p = { 0 };
	struct said first, second;

	open_place(&p);
	p.regions.events.labels_max = labels;
	p.regions.events.texts_max = texts;
	tasks_fork(&p.w.tasks, 7, 1, 7, 10);
	tasks_fork(&p.w.tasks, 8, 1, 8, 10);
	first = begin_file(&p, 7, 0);
	say_nest(&first, 7, 20, (const char *const[]){ "a", "b", "c", NULL });
	regions_read(&p.regions, START + 30, START + 30);
	second = begin_file(&p, 8, 0);
	say_nest(&second, 8, 40, (const char *const[]){ "b", "d", "a", NULL });
	regions_read(&p.regions, START + 50, START + 50);
	regions_finish(&p.regions, START + 60);
	expect_faults(&p, (uint64_t[EXP_REGION_FAULTS_COUNT]){ [EXP_FAULT_UNNAMED] = 2 },
		      "limits");
	INSTANCES(&p, { "<Other names>", 7, 10, 22, 23, 0 }, { "b", 7, 10, 21, 24, 0 },
		  { "a", 7, 10, 20, 25, 0 }, { "a", 8, 10, 42, 43, 0 },
		  { "<Other names>", 8, 10, 41, 44, 0 }, { "b", 8, 10, 40, 45, 0 });
	close(first.fd);
	close(second.fd);
	close_place(&p);
}

/* The names of a branch, outermost first. */
static void add_branch(const struct place *p, uint32_t path, struct strbuf *out)
{
	const struct exp_region_path *of = &p->w.exp->region_paths.data[path];

	if (of->parent)
		add_branch(p, of->parent, out);
	strbuf_addf(out, " %s", name_of(&p->w, of->name));
}

/* Three branches have names; the others go by <Other names>, below the last one that has. */
static void test_many_branches(void)
{
	static const char *const want[] = {
		" a b",
		" a",
		" c",
		" a b",
		" a <Other names>",
		" a",
		" <Other names>",
		" <Other names>",
		" c <Other names>",
		" c",
		" <Other names>",
	};
	struct place p = { 0 };
	struct said said;

	open_place(&p);
	p.regions.events.branches_max = 3;
	tasks_fork(&p.w.tasks, 7, 1, 7, 10);
	said = begin_file(&p, 7, 0);
	say_nest(&said, 7, 20, (const char *const[]){ "a", "b", NULL });
	say_nest(&said, 7, 25, (const char *const[]){ "c", NULL });
	say(&said, CHANNEL_BEGIN, START + 30, name(&said, "a"));
	say(&said, CHANNEL_BEGIN, START + 31, name(&said, "b"));
	say(&said, CHANNEL_END, START + 32, CHANNEL_INNERMOST);
	say(&said, CHANNEL_BEGIN, START + 33, name(&said, "c"));
	say(&said, CHANNEL_END, START + 34, CHANNEL_INNERMOST);
	say(&said, CHANNEL_END, START + 35, CHANNEL_INNERMOST);
	say_nest(&said, 7, 50, (const char *const[]){ "d", "a", NULL });
	say_nest(&said, 7, 60, (const char *const[]){ "c", "d", NULL });
	say(&said, CHANNEL_SINCE, START + 70, 0);
	say(&said, CHANNEL_WHOLE, START + 71, name(&said, "a"));
	regions_read(&p.regions, START + 90, START + 90);
	regions_finish(&p.regions, START + 100);
	expect_faults(&p, (uint64_t[EXP_REGION_FAULTS_COUNT]){ [EXP_FAULT_UNNAMED] = 5 },
		      "branches");
	world_read(&p.w);
	is_u64(p.w.exp->regions.len, sizeof(want) / sizeof(*want), "instances");
	for (size_t i = 0; i < p.w.exp->regions.len && i < sizeof(want) / sizeof(*want);
	     i++) {
		struct strbuf text = { 0 };

		add_branch(&p, p.w.exp->regions.data[i].path, &text);
		is_str(strbuf_str(&text), want[i], "the branch of instance %zu", i);
		strbuf_release(&text);
	}
	close(said.fd);
	close_place(&p);
}

/* A program may give its threads a new name as often as it likes. */
static void test_long_names(void)
{
	static const struct {
		size_t ascii; /* bytes, before letters of two bytes */
		size_t kept;
	} names[] = { { 0, 62 }, { 1, 63 }, { 63, 63 }, { 200, 63 } };
	struct place p = { 0 };

	open_place(&p);
	for (uint32_t i = 0; i < 4; i++) {
		const uint32_t pid = 10 + i;
		struct said said = begin_file(&p, pid, 0);
		struct strbuf text = { 0 };

		tasks_fork(&p.w.tasks, pid, 1, pid, 10);
		strbuf_pad(&text, 'x', names[i].ascii);
		for (int letter = 0; letter < 100; letter++)
			strbuf_addstr(&text, "\u00e9");
		say(&said, CHANNEL_THREAD, START + 20, pid);
		say(&said, CHANNEL_RENAME, START + 20, name(&said, strbuf_str(&text)));
		close(said.fd);
		strbuf_release(&text);
	}
	regions_finish(&p.regions, START + 30);
	for (uint32_t i = 0; i < 4; i++)
		hit(&p.w, 10 + i, 10 + i);
	world_read(&p.w);
	for (uint32_t i = 0; i < 4 && i < p.w.exp->threads.len; i++)
		is_u64(strlen(name_of(&p.w, p.w.exp->threads.data[i].name)),
		       names[i].kept, "a long name of a thread is cut");
	close_place(&p);
}

/* Its process says that all of its room is full, which costs it nothing. */
static void test_nothing(void)
{
	struct place p = { 0 };
	struct said said;

	open_place(&p);
	tasks_fork(&p.w.tasks, 7, 1, 7, 10);
	said = say_whole(&p, 7, "whole");
	said.slots[0].head = CHANNEL_EVENTS;
	put(&said, CHANNEL_SLOTS_AT, said.slots, sizeof(*said.slots));
	regions_read(&p.regions, START + 50, START + 50);
	ok(!has_file(&p, said.name), "a damaged file goes");
	regions_finish(&p.regions, START + 60);
	expect_faults(&p, (uint64_t[EXP_REGION_FAULTS_COUNT]){ [EXP_FAULT_BAD_FILE] = 1 },
		      "nothing");
	INSTANCES(&p, { "whole", 7, 10, 20, 30, 0 });
	close(said.fd);
	close_place(&p);
}

/* One thread closes what another one opened, in a slot that is read before. */
static void test_behind(void)
{
	struct place p = { 0 };
	struct said said;
	const struct channel_event open[] = { { START + 20, CHANNEL_THREAD, 7 },
					      { 5, CHANNEL_DATA, CHANNEL_UNSIGNED },
					      { START + 20, CHANNEL_OPEN, 1 } };

	open_place(&p);
	tasks_fork(&p.w.tasks, 7, 1, 7, 10);
	said = begin_file(&p, 7, 0);
	name(&said, "apart");
	say(&said, CHANNEL_DATA, 5, CHANNEL_UNSIGNED);
	say(&said, CHANNEL_CLOSE, START + 30, 0);
	put(&said, CHANNEL_EVENTS_AT + CHANNEL_SLOT_BYTES, open, sizeof(open));
	said.slots[1].head = 3;
	said.head.slots = 2;
	put(&said, 0, &said.head, sizeof(said.head));
	put(&said, CHANNEL_SLOTS_AT, said.slots, sizeof(said.slots));
	regions_requests(&p.regions, NULL, NULL); /* finds it */
	for (size_t i = 0; i < p.regions.files.len; i++)
		p.regions.files.data[i].channel.most = 2;
	for (int i = 0; i < 3; i++)
		regions_read(&p.regions, START + 50, START + 50);
	regions_finish(&p.regions, START + 60);
	expect_faults(&p, NULL, "behind");
	INSTANCES(&p, { "apart", 7, 10, 20, 30, 0 });
	close(said.fd);
	close_place(&p);
}

/* A process of another namespace has the number of one that executes a program here. */
static void test_namesake(void)
{
	struct place p = { 0 };
	struct said said;

	open_place(&p);
	tasks_fork(&p.w.tasks, 7, 1, 7, 10);
	said = say_whole(&p, 7, "inside");
	said.head.foreign = 1;
	put(&said, 0, &said.head, sizeof(said.head));
	regions_leave(&p.regions, 7, START + 100);
	ok(has_file(&p, "7-0"), "the file of a process in another namespace goes on");
	regions_read(&p.regions, START + 200, START + 200);
	ok(has_file(&p, "7-0"), "and is read on");
	regions_finish(&p.regions, START + 500);
	expect_faults(&p,
		      (uint64_t[EXP_REGION_FAULTS_COUNT]){ [EXP_FAULT_NO_THREAD] = 1 },
		      "another namespace");
	close(said.fd);
	close_place(&p);
}

static int64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void set_changed(const struct place *p, int64_t ns)
{
	const struct timespec at = { .tv_sec = ns / 1000000000,
				     .tv_nsec = ns % 1000000000 };

	if (utimensat(AT_FDCWD, p->folder.path, (struct timespec[]){ at, at }, 0))
		exit(99);
}

/* How many are found; 0: the list was not read before that time. */
static size_t found_at_one_time(void)
{
	enum { AHEAD_NS = 300000000, LATER_NS = 200000000 };
	const int64_t changed_ns = clock_now_ns() + AHEAD_NS;
	struct place p = { 0 };
	size_t found;
	bool early;

	open_place(&p);
	close(begin_file(&p, 7, 0).fd);
	set_changed(&p, changed_ns);
	regions_requests(&p.regions, NULL, NULL);
	early = p.regions.files.len && clock_now_ns() < changed_ns;
	close(begin_file(&p, 7, 1).fd);
	set_changed(&p, changed_ns);
	while (clock_now_ns() < changed_ns + LATER_NS)
		usleep(10000);
	regions_requests(&p.regions, NULL, NULL);
	found = p.regions.files.len;
	close_place(&p);
	return early ? found : 0;
}

/* The folder's time of change is the same before and after its list is read. */
static void test_one_time(void)
{
	size_t found = 0;

	for (int i = 0; !found && i < 100; i++)
		found = found_at_one_time();
	is_u64(found, 2,
	       "files that appear at one time, before and after the list is read");
}

int main(void)
{
	test_namesake();
	test_one_time();
	test_exec(true);
	test_exec(false);
	test_stop();
	test_unknown(false);
	test_unknown(true);
	test_nothing();
	test_behind();
	test_long_names();
	test_many_branches();
	test_limits(2, 1000);
	test_limits(1000, 2);
	return done_testing();
}
