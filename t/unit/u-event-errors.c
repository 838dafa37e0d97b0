/* SPDX-License-Identifier: Apache-2.0 */
/* Invalid operands of -h: each gives a sentence, and no event. */
#include <errno.h>
#include <string.h>

#include "forced.h"
#include "tap.h"

struct row {
	const char *text;
	int error;
	const char *sentence; /* how it begins, or a piece of it after "…" */
};

static const struct row rows[] = {
	{ "cyclse", -ENOENT,
	  "unknown counter `cyclse' on this CPU (skl): did you mean cycles?" },
	{ "cycles,on,insst", -ENOENT,
	  "unknown counter `insst' on this CPU (skl): did you mean insts?" },
	{ "INST_RETIRED:ANYP", -ENOENT, "…did you mean INST_RETIRED:ANY_P" },
	{ "INST-RETIRED.ANY-P", -ENOENT, "…did you mean INST_RETIRED:ANY_P" },
	{ "branch-mises", -ENOENT, "…did you mean branch-misses" },
	{ "qqqqqqqqqqqq", -ENOENT,
	  "unknown counter `qqqqqqqqqqqq' on this CPU (skl): `collect -h' lists them" },
	{ "CPL_CYCLES:RING0", -ENOENT, "unknown counter `CPL_CYCLES:RING0' on this CPU" },
	{ "hsw::INST_RETIRED", -ENOENT, "unknown counter" },
	{ "sched:no_such_event", -ENOENT, "unknown counter `sched:no_such_event'" },
	{ "sched:sched_switch", -ENOENT,
	  "…to see tracepoints: sudo mount -t tracefs tracefs "
	  "/sys/kernel/tracing" },
	{ "r", -ENOENT, "unknown counter `r'" },
	{ "r12345678901234567", -ENOENT, "unknown counter" },

	{ "cycles,0", -EINVAL, "the rate `0' of cycles is zero; give the number" },
	{ "cycles,-5", -EINVAL, "the rate `-5' of cycles is negative" },
	{ "cycles,+5", -EINVAL, "the rate `+5' of cycles is not a number" },
	{ "+", -EINVAL, "expected a counter, not `+'" },
	{ "++cycles", -ENOENT, "unknown counter `+cycles'" },
	{ "cycles,-", -EINVAL, "the rate `-' of cycles is not a number" },
	{ "cycles,12x", -EINVAL, "the rate `12x' of cycles is not a number" },
	{ "cycles,1e6", -EINVAL, "the rate `1e6' of cycles is not a number" },
	{ "cycles,1.5", -EINVAL, "the rate `1.5' of cycles is not a number" },
	{ "cycles,4611686018427387905", -EINVAL, "…is too large" },
	{ "cycles,99999999999999999999999", -EINVAL, "…is too large" },
	{ "cycles,0Hz", -EINVAL, "…is zero" },
	{ "cycles,1000001Hz", -EINVAL, "…is too large" },
	{ "cpu-clock,9999", -EINVAL,
	  "a clock's rate is in nanoseconds, and 9999 are too few for cpu-clock: it "
	  "ticks every 10000 at most" },

	{ "", -EINVAL, "expected a counter, not `'" },
	{ ",cycles", -EINVAL, "expected a counter, not `'" },
	{ "cycles,on,,insts", -EINVAL, "expected a counter, not `'" },
	{ "hi", -EINVAL, "expected a counter, not `hi'" },
	{ "cycles,1,2", -EINVAL, "expected a counter, not `2'" },

	{ "{cycles,insts", -EINVAL, "the group `{cycles,insts' has no } at its end" },
	{ "{}", -EINVAL, "the group {} has no counter" },
	{ "{},7", -EINVAL, "the group {} has no counter" },
	{ "{cycles,1000003,insts}", -EINVAL,
	  "a group has one rate, after its brace: {cycles,…},1000003" },
	{ "{cycles,insts,hi}", -EINVAL, "a group has one rate, after its brace" },
	{ "{cycles,insts}x", -EINVAL, "unexpected `x' after the } of a group" },
	{ "{cycles,insts},0", -EINVAL, "the rate `0' of cycles is zero" },
	{ "{cycles,insts},7,8", -EINVAL, "expected a counter, not `8'" },
	{ "{cycles,insst}", -ENOENT, "unknown counter `insst'" },
	{ "{cycles,insts,cycles}", -EINVAL, "the counter cycles appears twice" },
	{ "cycles,,{cycles,insts}", -EINVAL, "the counter cycles appears twice" },
	{ "{{cycles},insts}", -ENOENT, "unknown counter `{cycles'" },

	{ "page-faults,page-faults~system=0", -EINVAL,
	  "the samples of page-faults and page-faults~system=0 cannot be distinguished" },
	{ "cs,1,context-switches", -EINVAL,
	  "the samples of cs and context-switches cannot be distinguished" },
	{ "cycles,cycles", -EINVAL, "the counter cycles appears twice" },
	{ "cycles:u,7,cycles~system=0", -EINVAL, "the counter cycles.u appears twice" },
	{ "cycles~user=2", -EINVAL, "the attribute ~user of cycles goes from 0 to 1" },
	{ "cycles~precise=4", -EINVAL, "…goes from 0 to 3" },
	{ "cycles~user=", -EINVAL, "…needs a number after the =" },
	{ "cycles~user=x", -EINVAL, "…needs a number after the =" },
	{ "cycles~foo", -EINVAL, "cycles has no attribute ~foo" },
	{ "cycles~", -EINVAL, "cycles has no attribute ~" },
	{ "page-faults~umask=1", -EINVAL, "page-faults has no attribute ~umask" },
	{ "cycles~user=0~system=0", -EINVAL, "cycles would count nothing" },
	{ "ring0:u", -EINVAL, "ring0 would count nothing" },
	{ "cycles:pppp", -EINVAL, "cycles: the most precise is :ppp" },
	{ "cycles/64", -EINVAL, "there is no counter register 64" },
#if defined(__x86_64__)
	{ "cycles~cmask=256", -EINVAL,
	  "the attribute ~cmask of cycles goes from 0 to 255" },
	{ "insts~edge=2", -EINVAL, "the attribute ~edge of insts goes from 0 to 1" },
#endif
	{ "cpu/event=0x3c", -EINVAL, "`cpu/event=0x3c' is invalid" },
	{ "/event=1/", -EINVAL, "`/event=1/' is invalid" },
	{ "../x/event=1/", -EINVAL, "expected a counter, not `../x/event=1/'" },
	{ "cpu/event=0x3c/", -ENOENT, "this machine has no PMU `cpu'" },
};

static bool says(const char *got, const char *want)
{
	static const char piece[] = "…";

	if (!strncmp(want, piece, strlen(piece)))
		return strstr(got, want + strlen(piece));
	return !strncmp(got, want, strlen(want));
}

int main(void)
{
	struct events *events = forced_or_skip("skl");
	struct event_list list = { 0 };
	struct strbuf err = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *row = &rows[i];

		strbuf_clear(&err);
		is_i64(event_list_parse(events, row->text, &list, &err), row->error,
		       "`%s' fails", row->text);
		ok(says(strbuf_str(&err), row->sentence), "`%s': %s", row->text,
		   strbuf_str(&err));
		ok(!strchr(strbuf_str(&err), '\n'), "`%s': one line", row->text);
		is_u64(list.len, 0, "`%s' adds nothing", row->text);
	}
	strbuf_release(&err);
	event_list_release(&list);
	events_close(events);
	return done_testing();
}
