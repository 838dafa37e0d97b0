/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/beyond.h"

#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/thread_time.h"
#include "stack/watchpoint.h"
#include "base/vec.h"
#include "base/xalloc.h"

enum {
	WORD = 8,
	WORDS_MAX = 1 << 16, /* that are kept of a thread */
	STRAYS_MAX = 8,      /* samples elsewhere, until the anchor is given up */
	PAGE = 4096,
	READ_FIRST = 16384, /* bytes at once, then twice as many */
};

#define DELAY_FIRST_NS 10000000u   /* until an anchor that did not hold is retried */
#define DELAY_MAX_NS   8000000000u /* doubled each time, up to this */
#define IDLE_NS        1000000000u /* an anchor unused for so long gives way */
#define READING_NS     20000000u   /* the longest reading */

struct beyond_known {
	uint64_t address, word, from_ns;
};

struct beyond {
	struct beyond_shared *all;
	int watchpoint; /* -1: none, and no words */
	uint64_t anchor;
	uint64_t armed_ns, intact_ns; /* it was not written between the two */
	uint64_t read_ns;             /* the last reading; 0: none */
	struct idmap places;          /* address → index in words */
	VEC(struct beyond_known) words;
	struct unwind_regs top_regs; /* of its innermost frame, */
	uint64_t top_from;           /* whose stack pointer that is; UINT64_MAX: no top */
	struct beyond_top top;
	bool served;
	unsigned strays;
	uint64_t seen_ns;
	uint64_t delay_ns, next_ns;
};

void beyond_shared_init(struct beyond_shared *all, const struct sys *sys)
{
	*all = (struct beyond_shared){ .sys = sys };
}

void beyond_shared_release(struct beyond_shared *all)
{
	remote_reader_free(all->reader);
	all->reader = NULL;
}

/* Tested with the first stack that needs it: most programs have none. */
static bool is_able(struct beyond_shared *all)
{
	if (all->tried)
		return all->able;
	all->tried = true;
	if (watchpoint_works(all->sys))
		all->reader = remote_reader_new();
	all->able = all->reader;
	return all->able;
}

/* ---- the anchor ---- */

static struct beyond **place_of(struct beyond_shared *all, const struct beyond *u)
{
	for (size_t i = 0; i < BEYOND_WATCHPOINTS; i++)
		if (all->watched[i] == u)
			return &all->watched[i];
	return NULL;
}

/* Forgets all. */
static void disarm(struct beyond *u)
{
	struct beyond **place = place_of(u->all, u);

	if (u->watchpoint < 0)
		return;
	u->all->sys->close(u->watchpoint);
	u->watchpoint = -1;
	if (place)
		*place = NULL;
	u->top_from = UINT64_MAX;
	idmap_release(&u->places);
	vec_release(&u->words);
}

/* It did not hold: one that is never useful is tried less and less often. */
static void give_up(struct beyond *u, uint64_t now)
{
	if (u->served)
		u->delay_ns = 0;
	else
		u->delay_ns = u->delay_ns ? 2 * u->delay_ns : DELAY_FIRST_NS;
	if (u->delay_ns > DELAY_MAX_NS)
		u->delay_ns = DELAY_MAX_NS;
	u->next_ns = now + u->delay_ns;
	disarm(u);
}

void beyond_free(struct beyond *u)
{
	if (!u)
		return;
	disarm(u);
	free(u);
}

/* A free place; if there is none, that of the longest unused. */
static struct beyond **find_place(struct beyond_shared *all, uint64_t now)
{
	struct beyond **place = place_of(all, NULL);
	struct beyond *oldest = all->watched[0];

	if (place)
		return place;
	for (size_t i = 1; i < BEYOND_WATCHPOINTS; i++)
		if (all->watched[i]->seen_ns < oldest->seen_ns)
			oldest = all->watched[i];
	if (now - oldest->seen_ns < IDLE_NS)
		return NULL;
	disarm(oldest);
	return place_of(all, NULL);
}

/* Rests in proportion to the work since WORKED ns of CPU time. */
static void rest(struct beyond_shared *all, uint64_t worked)
{
	all->rest_ns = all->sys->now() + (thread_time_ns() - worked) * BEYOND_REST;
	all->news++;
}

static void arm(struct beyond *u, uint32_t tid, uint64_t anchor, uint64_t now)
{
	struct beyond **place = find_place(u->all, now);
	uint64_t worked = thread_time_ns();

	u->next_ns = now + DELAY_FIRST_NS;
	if (!place || anchor % WORD)
		return;
	u->watchpoint = watchpoint_arm(u->all->sys, (pid_t)tid, anchor);
	u->anchor = anchor;
	u->armed_ns = u->intact_ns = u->all->sys->now();
	u->seen_ns = now;
	u->read_ns = 0;
	u->served = false;
	u->strays = 0;
	if (u->watchpoint < 0)
		give_up(u, now);
	else
		*place = u;
	rest(u->all, worked);
}

/* ---- unwinding a sample ---- */

/* The place of the return address of the frame at INDEX, if it was called; 0: unknown. */
static uint64_t return_slot(const struct unwind_arch *arch,
			    const struct unwind_frames *frames, size_t index)
{
	const struct unwind_frame *f = &frames->v.data[index];

	if (arch != &unwind_x86_64 || !f->cfa || index + 1 >= frames->v.len ||
	    !f[1].is_return)
		return 0;
	return f->cfa - WORD;
}

/* Whether the sample's call has written the anchor, as it asks for ADDRESS. */
static bool passes_anchor(const struct beyond_walk *w, uint64_t address)
{
	uint64_t anchor = w->beyond->anchor;

	if (anchor >= w->copied)
		return address == anchor;
	for (size_t i = w->frames->v.len; i-- > 0;)
		if (return_slot(w->arch, w->frames, i) == anchor)
			return true;
	return false;
}

/* Whether the anchor was unwritten from before TIME_NS up to it. */
static bool holds(struct beyond *u, uint64_t time_ns)
{
	uint64_t now;

	if (time_ns <= u->armed_ns)
		return false;
	if (time_ns <= u->intact_ns)
		return true;
	now = u->all->sys->now();
	if (!watchpoint_is_intact(u->all->sys, u->watchpoint)) {
		give_up(u, now);
		return false;
	}
	u->intact_ns = now;
	return time_ns <= now;
}

static void first_ask(struct beyond_walk *w, uint64_t address)
{
	w->first = address;
	if (w->beyond->watchpoint < 0)
		w->state = BEYOND_UNPROVEN;
	else if (!passes_anchor(w, address))
		w->state = BEYOND_ELSEWHERE;
	else
		w->state = holds(w->beyond, w->time_ns) ? BEYOND_PROVEN : BEYOND_UNPROVEN;
}

/*
 * Unwinding asks in the order of the reading, from the copy outwards: the next word is
 * mostly the one after the last.  For 10,000 frames, look-ups by address took a third of
 * the time.
 */
static const struct beyond_known *find_word(struct beyond_walk *w, uint64_t address)
{
	const struct beyond *u = w->beyond;
	uint32_t index = w->next;

	if (index >= u->words.len || u->words.data[index].address != address)
		index = idmap_get(&u->places, address, 0);
	if (index == IDMAP_NONE)
		return NULL;
	w->next = index + 1;
	return &u->words.data[index];
}

bool beyond_word(void *context, uint64_t address, uint64_t *word)
{
	struct beyond_walk *w = context;
	const struct beyond_known *known;

	if (!w->beyond || address < w->copied)
		return false;
	if (w->state == BEYOND_UNASKED)
		first_ask(w, address);
	if (w->state != BEYOND_PROVEN || w->frames->v.len > BEYOND_FRAMES)
		return false;
	known = find_word(w, address);
	if (!known || known->from_ns >= w->time_ns)
		return false;
	if (!w->own)
		w->own = w->frames->v.len;
	*word = known->word;
	return true;
}

/* ---- the top ---- */

uint64_t beyond_top_from(const struct beyond *u)
{
	return u ? u->top_from : UINT64_MAX;
}

/* The caller of W's last frame begins at registers that lead to the same frames. */
static bool lead_alike(const struct unwind_regs *a, const struct unwind_regs *b)
{
	if (a->pc != b->pc || a->known != b->known)
		return false;
	for (unsigned int n = 0; n < UNWIND_REGS; n++)
		if (unwind_reg_known(a, n) && a->reg[n] != b->reg[n])
			return false;
	return true;
}

/* Whether the anchor is the return address of W's last frame, which leads to its caller. */
static bool returns_by_anchor(const struct beyond_walk *w)
{
	const struct unwind_frame *last = &w->frames->v.data[w->frames->v.len - 1];

	return w->arch == &unwind_x86_64 && last->cfa == w->beyond->anchor + WORD;
}

bool beyond_joins_top(void *context, const struct unwind_regs *regs)
{
	struct beyond_walk *w = context;
	struct beyond *u = w->beyond;
	bool proven = w->state == BEYOND_PROVEN;

	if (w->generation != u->top.generation || w->time_ns <= u->read_ns ||
	    !lead_alike(regs, &u->top_regs))
		return false;
	if (w->state == BEYOND_UNASKED && returns_by_anchor(w))
		proven = holds(u, w->time_ns);
	return proven;
}

const struct beyond_top *beyond_top(const struct beyond *u)
{
	return &u->top;
}

void beyond_keep_top(struct beyond *u, const struct beyond_top *top)
{
	u->top = *top;
	u->top_from = u->top_regs.reg[unwind_arch_host()->sp];
}

void beyond_forget_top(struct beyond *u)
{
	if (u)
		u->top_from = UINT64_MAX;
}

bool beyond_settle(const struct beyond_walk *w, struct unwind_frames *frames)
{
	if (frames->joined) {
		w->beyond->served = true;
		return true;
	}
	if (!w->own)
		return false;
	if (frames->end == UNWIND_END_ROOT) {
		w->beyond->served = true;
		return true;
	}
	if (frames->v.len < w->own)
		return false; /* unwinding dropped some, for doubt */
	frames->v.len = w->own;
	frames->end = UNWIND_END_TRUNCATED;
	frames->missing = w->first;
	return false;
}

/* ---- missing words ---- */

/* In the outer quarter of the copy deeper and shallower recursion still agree. */
static uint64_t choose_anchor(const struct beyond_walk *w)
{
	const struct unwind_frames *frames = w->frames;
	uint64_t outer = w->copied - (w->copied - w->start) / 4;

	for (size_t i = 0; i < frames->v.len; i++) {
		uint64_t slot = return_slot(w->arch, frames, i);

		if (slot >= outer && slot < w->copied)
			return slot;
	}
	return frames->missing;
}

static struct beyond *get_beyond(struct beyond_shared *all,
				 const struct beyond_task *task)
{
	if (!*task->beyond) {
		*task->beyond = xmalloc(sizeof(**task->beyond));
		**task->beyond = (struct beyond){
			.all = all,
			.watchpoint = -1,
			.top_from = UINT64_MAX,
		};
	}
	return *task->beyond;
}

bool beyond_lack(struct beyond_shared *all, const struct beyond_task *task,
		 const struct beyond_walk *w)
{
	uint64_t now = all->sys->now();
	struct beyond *u;

	if (!all->wanted || now < all->rest_ns || !is_able(all))
		return false;
	u = get_beyond(all, task);
	if (u->watchpoint >= 0 && w->state == BEYOND_ELSEWHERE &&
	    ++u->strays >= STRAYS_MAX)
		disarm(u);
	if (u->watchpoint < 0 && now >= u->next_ns)
		arm(u, task->tid, choose_anchor(w), now);
	if (u->watchpoint < 0 || w->state != BEYOND_PROVEN)
		return false;
	u->strays = 0;
	u->seen_ns = now;
	return w->time_ns > u->read_ns;
}

uint64_t beyond_anchor(const struct beyond *u)
{
	return u->anchor;
}

/* ---- reading ---- */

void beyond_begin(struct beyond_reading *r, struct beyond *u, uint32_t pid,
		  uint64_t copied, const struct unwind_frames *frames)
{
	struct beyond_shared *all = u->all;

	r->all = all;
	r->beyond = u;
	r->pid = pid;
	r->copied = copied;
	r->begun_ns = all->sys->now();
	r->worked_ns = thread_time_ns();
	r->len = 0;
	r->next = READ_FIRST;
	r->unable = false;
	r->frames = frames;
	r->top = 0;
}

/* Reads from the page of ADDRESS on: the next words lie above, mostly nearby. */
static bool fill(struct beyond_reading *r, uint64_t address)
{
	ssize_t got;

	r->unable = r->unable || r->all->sys->now() - r->begun_ns > READING_NS;
	if (r->unable)
		return false;
	r->at = address & ~(uint64_t)(PAGE - 1);
	got = remote_read(r->all->reader, (pid_t)r->pid, r->at, r->bytes, r->next);
	if (r->next < sizeof(r->bytes))
		r->next *= 2;
	r->len = got > 0 ? (size_t)got : 0;
	r->read_ns = r->all->sys->now();
	r->unable = address - r->at + WORD > r->len;
	return !r->unable;
}

/* For samples that do not join the top. */
static void keep_word(struct beyond *u, uint64_t address, uint64_t word, uint64_t read_ns)
{
	uint32_t next = (uint32_t)u->words.len, index;

	if (next == WORDS_MAX)
		return;
	index = idmap_intern(&u->places, address, 0, next);
	if (index == next)
		(void)vec_push(&u->words);
	u->words.data[index] = (struct beyond_known){ address, word, read_ns };
}

bool beyond_read(void *context, uint64_t address, uint64_t *word)
{
	struct beyond_reading *r = context;

	if (r->unable || address < r->copied)
		return false;
	if (r->len < WORD || address - r->at > r->len - WORD)
		if (!fill(r, address))
			return false;
	memcpy(word, r->bytes + (address - r->at), WORD);
	keep_word(r->beyond, address, *word, r->read_ns);
	return true;
}

bool beyond_passes_anchor(void *context, const struct unwind_regs *regs)
{
	struct beyond_reading *r = context;

	r->beyond->top_regs = *regs;
	r->beyond->top_from = UINT64_MAX;
	r->top = r->frames->v.len;
	return false;
}

void beyond_end(struct beyond_reading *r, bool root)
{
	struct beyond *u = r->beyond;

	u->read_ns = r->all->sys->now();
	if (!root)
		give_up(u, u->read_ns);
	rest(r->all, r->worked_ns);
}
