/* SPDX-License-Identifier: Apache-2.0 */
#include "recording/crew.h"

#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/program.h"
#include "base/thread_time.h"
#include "base/xalloc.h"
#include "process/detached.h"

/* Stacks of 8 MiB, the default, would take more addresses than all else. */
enum { STACK_BYTES = 512 << 10, NICE = -10 /* the caller waits for all */ };

struct member {
	struct crew *crew;
	size_t number;
	pthread_t thread;
	uint64_t used_ns; /* of its last share */
	bool gone;        /* it ran out of memory */
};

struct crew {
	pthread_mutex_t lock;
	pthread_cond_t begun, done;
	crew_fn *fn;
	void *ctx;
	uint64_t round; /* how often there was something to do */
	size_t working; /* members but the caller that have not done their share */
	size_t gone;    /* members that do no more */
	int policy;     /* the members', as last taken from the caller */
	bool ended;
	struct crew_times times;
	size_t count;
	struct member members[];
};

static void do_share(struct member *m)
{
	const uint64_t from = thread_time_ns();

	m->crew->fn(m->crew->ctx, m->number);
	m->used_ns = thread_time_ns() - from;
}

static void done(struct crew *crew)
{
	if (!--crew->working)
		pthread_cond_signal(&crew->done);
}

/* M's thread never returns from its share. */
static void leave(void *context)
{
	struct member *m = context;
	struct crew *crew = m->crew;

	pthread_mutex_lock(&crew->lock);
	m->gone = true;
	m->used_ns = 0;
	crew->gone++;
	done(crew);
	pthread_mutex_unlock(&crew->lock);
}

static void *serve(void *context)
{
	struct member *m = context;
	struct crew *crew = m->crew;

	setpriority(PRIO_PROCESS, 0, NICE); /* where it may not, all go on as they are */
	program_on_thread_oom(leave, m);
	pthread_mutex_lock(&crew->lock);
	for (uint64_t round = 0;; round++) {
		while (crew->round == round && !crew->ended)
			pthread_cond_wait(&crew->begun, &crew->lock);
		if (crew->ended)
			break;
		pthread_mutex_unlock(&crew->lock);
		do_share(m);
		pthread_mutex_lock(&crew->lock);
		done(crew);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

/* glibc reserves 64 MiB of addresses for each thread that allocates; members seldom do. */
static void share_heap(void)
{
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 1);
#endif
}

static void start_members(struct crew *crew, size_t members)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	for (; crew->count < members; crew->count++) {
		struct member *m = &crew->members[crew->count];

		*m = (struct member){
			.crew = crew,
			.number = crew->count,
		};
		if (crew->count && !detached_start_as(&m->thread, &attr, serve, m))
			break;
	}
	pthread_attr_destroy(&attr);
}

struct crew *crew_start(size_t members)
{
	struct crew *crew = xcalloc(1,
				    sizeof(*crew) + members * sizeof(crew->members[0]));

	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->begun, NULL);
	pthread_cond_init(&crew->done, NULL);
	share_heap();
	crew->policy = SCHED_OTHER;
	start_members(crew, members);
	return crew;
}

size_t crew_members(const struct crew *crew)
{
	return crew->count;
}

struct crew_times crew_times(const struct crew *crew)
{
	return crew->times;
}

static void add_times(struct crew *crew)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < crew->count; i++)
		if (crew->members[i].used_ns > longest)
			longest = crew->members[i].used_ns;
	crew->times.longest_ns += longest;
	crew->times.caller_ns += crew->members[0].used_ns;
}

/*
 * The caller waits for all: while it has real-time priority, a member that waits for a CPU would
 * make it wait for programs that it precedes.  They do not take its priority themselves, as
 * for that they would have to run first.
 */
static void give_priority(struct crew *crew)
{
	const int policy = sched_getscheduler(0);
	struct sched_param priority;

	if (policy == crew->policy || sched_getparam(0, &priority) < 0)
		return;
	crew->policy = policy;
	for (size_t i = 1; i < crew->count; i++)
		if (!crew->members[i].gone)
			pthread_setschedparam(crew->members[i].thread, policy, &priority);
}

void crew_do(struct crew *crew, crew_fn *fn, void *ctx)
{
	pthread_mutex_lock(&crew->lock);
	crew->fn = fn;
	crew->ctx = ctx;
	give_priority(crew);
	crew->working = crew->count - 1 - crew->gone;
	crew->round++;
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
	do_share(&crew->members[0]);
	pthread_mutex_lock(&crew->lock);
	while (crew->working)
		pthread_cond_wait(&crew->done, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
	add_times(crew);
}

void crew_end(struct crew *crew)
{
	if (!crew)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->ended = true;
	pthread_cond_broadcast(&crew->begun);
	pthread_mutex_unlock(&crew->lock);
	for (size_t i = 1; i < crew->count; i++)
		if (!crew->members[i].gone)
			pthread_join(crew->members[i].thread, NULL);
	pthread_cond_destroy(&crew->done);
	pthread_cond_destroy(&crew->begun);
	pthread_mutex_destroy(&crew->lock);
	free(crew);
}
