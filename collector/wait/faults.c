/* SPDX-License-Identifier: Apache-2.0 */
#include "wait/faults.h"

#include <stdbool.h>

enum {
	INSTRUCTION_MAX = 15, /* bytes, of x86 */
	PAGE_LEAST = 4096,
};

void faults_init(struct faults *f, void (*wait)(void *, const struct switches_wait *),
		 void *ctx)
{
	*f = (struct faults){ .wait = wait, .ctx = ctx };
}

void faults_release(struct faults *f)
{
	idmap_release(&f->by_tid);
	vec_release(&f->threads);
}

static struct faults_thread *find(const struct faults *f, uint32_t tid)
{
	uint32_t index = idmap_get(&f->by_tid, tid, 0);

	return index == IDMAP_NONE ? NULL : &f->threads.data[index];
}

static struct faults_thread *add(struct faults *f, uint32_t tid)
{
	struct faults_thread *th = vec_push(&f->threads);

	th->tid = tid;
	th->len = 0;
	idmap_set(&f->by_tid, tid, 0, (uint32_t)(th - f->threads.data));
	return th;
}

/* Passes on all that TH has; the last thread takes its place. */
static void empty(struct faults *f, struct faults_thread *th)
{
	const struct faults_thread *last = &f->threads.data[f->threads.len - 1];

	for (uint32_t i = 0; i < th->len; i++)
		f->wait(f->ctx, &th->held[i]);
	idmap_remove(&f->by_tid, th->tid, 0);
	if (th != last) {
		*th = *last;
		idmap_set(&f->by_tid, th->tid, 0, (uint32_t)(th - f->threads.data));
	}
	f->threads.len--;
}

static bool is_open(const struct switches_wait *wait)
{
	return wait->state == EXP_STATE_PAGEFAULT && wait->address;
}

/* Whether TH may still be in its fault after WAIT: it waited for a CPU on the way. */
static bool goes_on(const struct faults_thread *th, const struct switches_wait *wait)
{
	return th->len < FAULTS_HELD && wait->state == EXP_STATE_WAIT;
}

void faults_wait(struct faults *f, const struct switches_wait *wait)
{
	struct faults_thread *th = find(f, wait->tid);

	if (th && !goes_on(th, wait)) {
		empty(f, th);
		th = NULL;
	}
	if (!th && is_open(wait))
		th = add(f, wait->tid);
	if (th)
		th->held[th->len++] = *wait;
	else
		f->wait(f->ctx, wait);
}

/* The end of an instruction may lie in the next page. */
static bool is_of_code(uint64_t ip, uint64_t address)
{
	return address == ip ||
	       (address - ip < INSTRUCTION_MAX && !(address % PAGE_LEAST));
}

/* Whether the thread has not run for long since its last wait. */
static bool is_at_once(const struct faults_thread *th, uint64_t at_ns)
{
	const uint64_t ran_ns = th->held[th->len - 1].to_ns;

	return at_ns < ran_ns || at_ns - ran_ns <= FAULTS_SERVED_NS;
}

void faults_served(struct faults *f, uint32_t tid, uint64_t at_ns, uint64_t ip,
		   uint64_t address)
{
	struct faults_thread *th = find(f, tid);

	if (!th)
		return;
	if (th->held[0].address == ip && is_at_once(th, at_ns))
		th->held[0].state = is_of_code(ip, address) ? EXP_STATE_TEXTFAULT
							    : EXP_STATE_DATAFAULT;
	empty(f, th);
}

void faults_pass(struct faults *f, uint32_t tid)
{
	struct faults_thread *th = find(f, tid);

	if (th)
		empty(f, th);
}

void faults_pass_all(struct faults *f)
{
	while (f->threads.len)
		empty(f, &f->threads.data[f->threads.len - 1]);
}
