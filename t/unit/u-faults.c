/* SPDX-License-Identifier: Apache-2.0 */
/* Waits in page faults: for code, for data, or not known. */
#include "wait/faults.h"

#include <string.h>

#include "base/strbuf.h"
#include "tap.h"

/* The waits that came out: tid, from, state. */
static struct strbuf told;

static void tell(void *ctx, const struct switches_wait *wait)
{
	(void)ctx;
	strbuf_addf(&told, "%s%u:%u:%s", told.len ? " " : "", wait->tid,
		    (unsigned)wait->from_ns, exp_states[wait->state].name);
}

static void is_told(const char *want, const char *what)
{
	is_str(strbuf_str(&told), want, "%s", what);
	strbuf_clear(&told);
}

static void wait_in(struct faults *f, uint32_t tid, uint64_t from, enum exp_state state,
		    uint64_t ip)
{
	faults_wait(f, &(struct switches_wait){ .tid = tid,
						.state = state,
						.address = ip,
						.from_ns = from,
						.to_ns = from + 1 });
}

static void page(struct faults *f, uint32_t tid, unsigned from, uint64_t ip)
{
	wait_in(f, tid, from, EXP_STATE_PAGEFAULT, ip);
}

static void test_kinds(void)
{
	static const struct {
		uint64_t ip, address;
		const char *state, *what;
	} cases[] = {
		{ 0x401234, 0x401234, "textfault", "the instruction" },
		{ 0x401ffc, 0x402000, "textfault", "its part in the next page" },
		{ 0x401ff2, 0x402000, "textfault", "… at most 14 bytes behind" },
		{ 0x401ff1, 0x402000, "datafault", "… and no more" },
		{ 0x401ffc, 0x402001, "datafault", "data behind it" },
		{ 0x401234, 0x401235, "datafault", "data in the page of the code" },
		{ 0x401234, 0x401233, "datafault", "data before it" },
		{ 0x401234, 0, "datafault", "the first page" },
		{ UINT64_MAX, 0, "textfault", "addresses wrap" },
	};
	struct faults f;

	faults_init(&f, tell, NULL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf want = { 0 };

		strbuf_addf(&want, "7:1:%s", cases[i].state);
		page(&f, 7, 1, cases[i].ip);
		faults_served(&f, 7, 10, cases[i].ip, cases[i].address);
		is_told(strbuf_str(&want), cases[i].what);
		strbuf_release(&want);
	}
	faults_release(&f);
}

static void test_order(void)
{
	struct faults f;

	faults_init(&f, tell, NULL);
	page(&f, 7, 1, 0x1000);
	is_told("", "a wait is held");
	wait_in(&f, 7, 2, EXP_STATE_WAIT, 0);
	page(&f, 8, 4, 0x1000);
	wait_in(&f, 9, 5, EXP_STATE_LOCK, 0x1000);
	is_told("9:5:lock", "others pass");
	faults_served(&f, 7, 10, 0x1000, 0x1000);
	is_told("7:1:textfault 7:2:wait", "… with what is behind it, in their order");
	faults_served(&f, 7, 10, 0x1000, 0x1000);
	is_told("", "each once");
	faults_served(&f, 8, 10, 0x1004, 0x1004);
	is_told("8:4:pagefault", "another instruction's fault proves nothing");
	page(&f, 7, 1, 0x1000);
	page(&f, 7, 2, 0x1000);
	is_told("7:1:pagefault", "nor does a later wait of the same instruction");
	wait_in(&f, 7, 3, EXP_STATE_SLEEP, 0);
	is_told("7:2:pagefault 7:3:sleep", "… and waits");
	page(&f, 7, 1, 0);
	is_told("7:1:pagefault", "the instruction must be known");
	faults_served(&f, 7, 10, 0, 0);
	is_told("", "… to be held");
	page(&f, 7, 1, 0x1000);
	page(&f, 8, 2, 0x1000);
	faults_pass(&f, 7);
	is_told("7:1:pagefault", "one that goes on");
	page(&f, 9, 3, 0x1000);
	faults_pass_all(&f);
	is_told("9:3:pagefault 8:2:pagefault", "all");
	faults_release(&f);
}

/* An instruction may have another fault, which takes no wait. */
static void test_late(void)
{
	const uint64_t ran = 2; /* behind the wait */
	struct faults f;

	faults_init(&f, tell, NULL);
	page(&f, 7, 1, 0x1000);
	faults_served(&f, 7, ran + FAULTS_SERVED_NS, 0x1000, 0x1000);
	is_told("7:1:textfault", "a report soon after the wait");
	page(&f, 7, 1, 0x1000);
	faults_served(&f, 7, ran + FAULTS_SERVED_NS + 1, 0x1000, 0x1000);
	is_told("7:1:pagefault", "a late one proves nothing");
	page(&f, 7, 1, 0x1000);
	wait_in(&f, 7, 2 * FAULTS_SERVED_NS, EXP_STATE_WAIT, 0);
	faults_served(&f, 7, 3 * FAULTS_SERVED_NS, 0x1000, 0x1000);
	is_told("7:1:textfault 7:200000:wait", "… unless the thread waited for a CPU");
	faults_release(&f);
}

static void test_bound(void)
{
	struct faults f;

	faults_init(&f, tell, NULL);
	page(&f, 7, 0, 0x1000);
	for (unsigned i = 1; i < FAULTS_HELD; i++)
		wait_in(&f, 7, i, EXP_STATE_WAIT, 0);
	is_told("", "as many as there is room for");
	wait_in(&f, 7, FAULTS_HELD, EXP_STATE_WAIT, 0);
	ok(told.len && !strstr(told.data, "textfault"), "beyond, it is not known");
	strbuf_clear(&told);
	faults_served(&f, 7, 10, 0x1000, 0x1000);
	is_told("", "… even if it is served then");
	faults_release(&f);
}

int main(void)
{
	test_kinds();
	test_order();
	test_late();
	test_bound();
	strbuf_release(&told);
	return done_testing();
}
