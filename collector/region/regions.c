/* SPDX-License-Identifier: Apache-2.0 */
#include "region/regions.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "experiment/write.h"

#define STEP_NS 100000000

enum {
	NAME_LENGTH = 31,
	QUIET = 16,          /* readings without an event */
	TURNS_MAX = 1 << 20, /* that wait for what other threads said */
	QUIET_ROUNDS = 4,    /* from then on one in so many rounds reads the file */
};

void regions_init(struct regions *r, struct folder *folder, int wake, struct intern *in,
		  struct tasks *tasks, uint64_t start_ns, bool ticks)
{
	*r = (struct regions){
		.folder = folder, .wake = wake, .ticks = ticks, .end_ns = UINT64_MAX
	};
	region_events_init(&r->events, in, tasks, start_ns);
	if (ticks)
		tick_clock_read(&r->clock);
}

/* ---- files ---- */

/* Processes name their files PID-NUMBER. */
static bool parse_name(const char *name, uint64_t *pid, uint32_t *number)
{
	char *end;

	if (strspn(name, "0123456789-") != strlen(name) || strlen(name) > NAME_LENGTH)
		return false;
	*pid = strtoull(name, &end, 10);
	if (end == name || *end != '-' || !end[1])
		return false;
	*number = (uint32_t)strtoul(end + 1, &end, 10);
	return !*end;
}

static void add_file(struct regions *r, const char *name)
{
	const size_t before = r->known.len;
	uint64_t pid;
	uint32_t number;

	if (!parse_name(name, &pid, &number))
		return;
	idmap_intern(&r->known, pid, number, 0);
	if (r->known.len > before)
		*vec_push(&r->files) = (struct region_file){
			.channel.name = xstrdup(name),
			.pid = (uint32_t)pid,
		};
}

/*
 * Whether a file may have appeared since its list was read.  The time of a folder's last change
 * goes on in steps of some ms: more may change at the same time after the list was read.
 */
static bool has_changed(struct regions *r)
{
	struct stat st;
	struct timespec now;
	int64_t changed_ns, now_ns;

	if (fstat(r->folder->fd, &st) < 0)
		return true;
	clock_gettime(CLOCK_REALTIME, &now);
	changed_ns = st.st_mtim.tv_sec * INT64_C(1000000000) + st.st_mtim.tv_nsec;
	now_ns = now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
	if (changed_ns == r->changed_ns && r->listed_ns - changed_ns > STEP_NS)
		return false;
	r->changed_ns = changed_ns;
	r->listed_ns = now_ns;
	return true;
}

/* Adds the files of processes that are new. */
static void find_files(struct regions *r)
{
	struct dirent *entry;
	DIR *dir;
	int fd;

	if (!has_changed(r))
		return;
	fd = folder_enter(r->folder->fd, ".");
	dir = fd < 0 ? NULL : fdopendir(fd);
	while (dir && (entry = readdir(dir)) && r->files.len < REGIONS_FILES_MAX)
		add_file(r, entry->d_name);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
}

static void file_release(struct region_file *file)
{
	region_process_release(&file->process);
	channel_file_release(&file->channel);
}

static void add(uint64_t *sum, uint64_t more)
{
	if (__builtin_add_overflow(*sum, more, sum))
		*sum = UINT64_MAX;
}

/* The name that a request has. */
static bool put_name(const struct channel_file *file,
		     const struct channel_control *control, struct strbuf *out)
{
	uint32_t domain;

	return control->name != CHANNEL_NO_NAME &&
	       !channel_file_name(file, control->name, &domain, out);
}

/* As long as the file is there: a process that has ended has no other call for it. */
static void take_late(void *ctx, struct channel_file *file,
		      const struct channel_control *control)
{
	struct regions *r = ctx;
	struct strbuf name = { 0 };
	const bool named = put_name(file, control, &name);

	*vec_push(&r->late) = (struct region_request){
		(enum channel_request)control->request,
		control->time,
		named ? xstrdup(strbuf_str(&name)) : NULL,
	};
	strbuf_release(&name);
}

/* It is of no more use; its memory is free when its process ends. */
static void remove_file(struct regions *r, struct region_file *file)
{
	uint64_t pid;
	uint32_t number;

	if (!unlinkat(r->folder->fd, file->channel.name, 0) &&
	    parse_name(file->channel.name, &pid, &number))
		idmap_remove(&r->known, pid, number);
	file->over = true;
}

static const struct process *process_of(const struct regions *r,
					const struct region_file *file)
{
	if (file->channel.foreign)
		return NULL;
	return tasks_known_process(r->events.tasks,
				   file->channel.pid ? file->channel.pid : file->pid);
}

/* Whether its process is one that shall not be recorded. */
static bool is_left_out(const struct regions *r, const struct region_file *file)
{
	return r->alone && !process_of(r, file);
}

static void count_faults(struct regions *r, const struct region_file *file)
{
	const struct channel_file *channel = &file->channel;
	uint64_t *faults = r->events.faults;

	add(&faults[EXP_FAULT_LOST], channel_file_lost(channel));
	add(&faults[EXP_FAULT_TOO_DEEP], channel_file_deep(channel));
	add(&faults[EXP_FAULT_UNNAMED], channel->unnamed);
	add(&faults[EXP_FAULT_NO_FILE], channel->fileless);
	add(&faults[EXP_FAULT_REQUEST], channel->forgotten);
}

/* What is open stays so until NOW_NS. */
static void finish_file(struct regions *r, struct region_file *file, uint64_t now_ns)
{
	region_events_finish(&r->events, &file->process, &file->channel, now_ns);
	if (channel_file_requests(&file->channel, r->folder->fd, &r->clock, take_late,
				  r) &&
	    !file->over)
		r->events.faults[EXP_FAULT_BAD_FILE]++;
	if (!is_left_out(r, file))
		count_faults(r, file);
	remove_file(r, file);
}

/* What the reading of a file needs. */
struct taking {
	struct regions *regions;
	struct region_file *file;
};

static int take_event(void *ctx, struct channel_file *channel, uint32_t slot,
		      const struct channel_event *event)
{
	const struct taking *taking = ctx;
	struct region_file *file = taking->file;

	file->has_begun = true;
	file->quiet = 0;
	return region_events_take(&taking->regions->events, &file->process, channel, slot,
				  event);
}

static void read_file(struct regions *r, struct region_file *file, uint64_t until_ns)
{
	struct taking taking = { r, file };

	file->quiet++;
	if (channel_file_read(&file->channel, r->folder->fd, &r->clock, until_ns,
			      take_event, &taking)) {
		r->events.faults[EXP_FAULT_BAD_FILE]++;
		file->over = true;
	}
	if (!file->channel.behind || file->process.turns.len > TURNS_MAX)
		region_events_settle(&r->events, &file->process, &file->channel);
}

/* Reads it to its end: as much as it has room for, even if it is written meanwhile. */
static void read_rest(struct regions *r, struct region_file *file, uint64_t until_ns)
{
	const int most = (int)((uint64_t)CHANNEL_SLOTS * CHANNEL_EVENTS /
			       CHANNEL_FILE_READ_MAX);
	int readings = 0;

	do
		read_file(r, file, until_ns);
	while (!file->over && file->channel.behind && ++readings < most);
}

static void forget_files(struct regions *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->files.len; i++)
		if (r->files.data[i].over)
			file_release(&r->files.data[i]);
		else
			r->files.data[kept++] = r->files.data[i];
	r->files.len = kept;
}

/* ---- requests ---- */

struct asking {
	region_request_fn *take;
	void *ctx;
};

static void take_request(void *ctx, struct channel_file *file,
			 const struct channel_control *control)
{
	const struct asking *asking = ctx;
	struct strbuf name = { 0 };
	const bool named = put_name(file, control, &name);

	asking->take(asking->ctx, (enum channel_request)control->request, control->time,
		     named ? strbuf_str(&name) : NULL);
	strbuf_release(&name);
}

static void forget_late(struct regions *r)
{
	vec_for_each(struct region_request, late, &r->late)
		free(late->name);
	r->late.len = 0;
}

void regions_requests(struct regions *r, region_request_fn *take, void *ctx)
{
	struct asking asking = { take, ctx };
	char bytes[4096];
	ssize_t got;

	do {
		got = read(r->wake, bytes, sizeof(bytes));
		for (ssize_t i = 0; i < got; i++)
			r->events.faults[EXP_FAULT_NO_FILE] +=
				bytes[i] == CHANNEL_HAS_NO_FILE && !r->over;
	} while (got == (ssize_t)sizeof(bytes));
	if (r->ticks)
		tick_clock_read(&r->clock);
	vec_for_each(struct region_request, late, &r->late)
		take(ctx, late->request, late->time_ns, late->name);
	forget_late(r);
	find_files(r);
	vec_for_each(struct region_file, file, &r->files)
		if (!file->over &&
		    channel_file_requests(&file->channel, r->folder->fd, &r->clock,
					  take_request, &asking))
			file->over = true;
}

/* ---- rounds ---- */

/* Files of processes that say nothing are read more rarely, in turns. */
static bool is_due(const struct regions *r, const struct region_file *file)
{
	const size_t index = (size_t)(file - r->files.data);

	return file->quiet < QUIET || (r->rounds + index) % QUIET_ROUNDS == 0;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Processes may say what they like when the recording has ended: nobody reads it. */
static void drop_files(struct regions *r)
{
	find_files(r);
	vec_for_each(struct region_file, file, &r->files)
		remove_file(r, file);
	forget_files(r);
}

/*
 * Whether its process has ended, by the records.  If they do not know it, nothing must use
 * its file any more; and they must be complete until then, as they may come later.
 */
static bool has_ended(const struct regions *r, struct region_file *file,
		      uint64_t until_ns, uint64_t now_ns)
{
	const struct process *process = process_of(r, file);

	if (process)
		return !process->live;
	if (!file->unused_ns && is_due(r, file) &&
	    !channel_file_is_used(&file->channel, r->folder->fd))
		file->unused_ns = now_ns;
	return file->unused_ns && file->unused_ns <= until_ns;
}

/* Reads a file that is due, or the last time. */
static void take_file(struct regions *r, struct region_file *file, uint64_t until_ns,
		      uint64_t now_ns)
{
	const bool last = until_ns >= r->end_ns || has_ended(r, file, until_ns, now_ns);

	if (is_left_out(r, file))
		file->quiet++;
	else if (last)
		read_rest(r, file, r->end_ns);
	else if (is_due(r, file))
		read_file(r, file, until_ns);
	if (last || file->over)
		finish_file(r, file, earlier(now_ns, r->end_ns));
}

bool regions_read(struct regions *r, uint64_t until_ns, uint64_t now_ns)
{
	bool asked = false;

	if (r->over) {
		drop_files(r);
		return false;
	}
	r->rounds++;
	if (r->ticks)
		tick_clock_read(&r->clock);
	find_files(r);
	vec_for_each(struct region_file, file, &r->files) {
		take_file(r, file, until_ns, now_ns);
		asked |= file->channel.asks;
	}
	forget_files(r);
	r->over = until_ns >= r->end_ns;
	return asked || r->late.len;
}

void regions_stop(struct regions *r, uint64_t at_ns)
{
	r->end_ns = earlier(r->end_ns, at_ns);
}

/*
 * A file with an event from before that is the old program's; the new one has its own.  One of
 * another PID namespace is that of a process that has the same number there.
 */
void regions_leave(struct regions *r, uint32_t pid, uint64_t at_ns)
{
	if (r->over)
		return;
	at_ns = earlier(at_ns, r->end_ns);
	find_files(r);
	vec_for_each(struct region_file, file, &r->files) {
		if (file->pid != pid)
			continue;
		if (r->ticks)
			tick_clock_read(&r->clock);
		read_rest(r, file, at_ns);
		if (!file->channel.foreign && (file->has_begun || file->over))
			finish_file(r, file, at_ns);
	}
	forget_files(r);
}

static void write_faults(const struct regions *r)
{
	for (unsigned f = 0; f < EXP_REGION_FAULTS_COUNT; f++)
		if (r->events.faults[f])
			exp_write_row(r->events.in->writer, EXP_REGION_FAULTS,
				      (uint64_t[]){ f, r->events.faults[f] });
}

void regions_finish(struct regions *r, uint64_t now_ns)
{
	regions_read(r, UINT64_MAX, now_ns);
	write_faults(r);
}

void regions_release(struct regions *r)
{
	vec_for_each(struct region_file, file, &r->files)
		file_release(file);
	vec_release(&r->files);
	idmap_release(&r->known);
	region_events_release(&r->events);
	forget_late(r);
	vec_release(&r->late);
}
