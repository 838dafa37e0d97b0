/* SPDX-License-Identifier: Apache-2.0 */
/* Writes log.json and reads it back, and reads hostile ones. */
#include "experiment/log.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

static void fill(struct exp_log *log)
{
	*log = (struct exp_log){
		.complete = true,
		.version = xstrdup("1.2"),
		.cwd = xstrdup("/tmp/\"odd\"\\\n\x01 folder \xc3\xa9"),
		.pid = 4000000000,
		.exit_status = -1,
		.signal = 9,
		.rusage_user_ns = UINT64_MAX,
		.usage = { xstrdup(EXP_USAGE_WAITED), 1, 2, 3, 4, 1, 5, 6 },
		.hz = 2.6e9 + 0.125,
		.cpus = 128,
		.started_ns = UINT64_C(1700000000123456789),
		.comment = xstrdup(""),
		.samples = UINT64_C(1) << 63,
		.wakers = 1,
	};
	*vec_push(&log->command) = xstrdup("prog");
	*vec_push(&log->command) = xstrdup("");
	*vec_push(&log->events) = (struct exp_event){
		.asked = xstrdup("cycles"),
		.metric = xstrdup("totalcpu"),
		.reason = xstrdup("no counter"),
		.skid = xstrdup("no skid"),
		.leader = xstrdup("cycles"),
		.precise = 3,
		.scale = 1.5,
		.count = UINT64_MAX - 1,
		.unsampled_why = xstrdup("in switches"),
	};
	log->stack_ends[EXP_END_DEPTH] = 77;
	log->completed_stacks = 78;
	log->bytes = 79;
	exp_log_note(log, "warning", "look out");
}

static void check(const struct exp_log *got, const struct exp_log *want)
{
	ok(got->complete, "complete");
	is_str(got->version, "1.2", "version");
	is_str(got->cwd, want->cwd, "text that needs quoting");
	is_str(got->hostname, "", "text that was NULL is empty");
	is_i64(got->pid, want->pid, "pid");
	ok(got->exit_status == -1 && got->signal == 9, "how it ended");
	is_u64(got->rusage_user_ns, UINT64_MAX, "the largest number");
	is_str(got->usage.of, EXP_USAGE_WAITED, "whose usage it is");
	ok(got->usage.minor_faults == 1 && got->usage.major_faults == 2 &&
		   got->usage.voluntary_switches == 3 &&
		   got->usage.involuntary_switches == 4 && got->usage.blocks == 1 &&
		   got->usage.input_blocks == 5 && got->usage.output_blocks == 6,
	   "page faults, switches, blocks");
	ok(got->hz == want->hz, "a rate, to the last bit");
	is_u64(got->started_ns, want->started_ns, "a time");
	is_u64(got->samples, want->samples, "samples");
	ok(got->wakers == 1, "that wakers were recorded");
	is_u64(got->stack_ends[EXP_END_DEPTH], 77, "ends of stacks");
	is_u64(got->completed_stacks, 78, "stacks that were completed");
	is_u64(got->bytes, 79, "the size of the data");
	if (is_u64(got->command.len, 2, "command")) {
		is_str(got->command.data[0], "prog", "program");
		is_str(got->command.data[1], "", "empty argument");
	}
	if (is_u64(got->events.len, 1, "events")) {
		is_str(got->events.data[0].reason, "no counter", "reason");
		is_str(got->events.data[0].skid, "no skid", "skid");
		is_str(got->events.data[0].leader, "cycles", "the leader of its group");
		is_u64(got->events.data[0].precise, 3, "its precision");
		ok(got->events.data[0].scale == 1.5, "scale");
		is_u64(got->events.data[0].count, UINT64_MAX - 1, "count");
		is_str(got->events.data[0].unsampled_why, "in switches",
		       "why a part has no samples");
	}
	if (is_u64(got->notes.len, 1, "notes"))
		is_str(got->notes.data[0].text, "look out", "note");
}

static void test_round_trip(const char *dir)
{
	struct exp_log log, got;
	struct strbuf err = { 0 };

	fill(&log);
	memset(&got, 0xa5, sizeof(got));
	is_i64(exp_log_write(&log, dir), 0, "is written");
	is_u64(scratch_count(dir, "."), 1, "in one file");
	is_i64(exp_log_read(&got, dir, &err), 0, "is read: %s", strbuf_str(&err));
	check(&got, &log);
	exp_log_release(&got);
	log.complete = false;
	is_i64(exp_log_write(&log, dir), 0, "is written again, while it runs");
	is_i64(exp_log_read(&got, dir, &err), 0, "is read: %s", strbuf_str(&err));
	ok(!got.complete && !got.samples && got.exit_status == -1 &&
		   got.events.data[0].scale == 1,
	   "facts of the end are missing");
	exp_log_release(&got);
	exp_log_release(&log);
	strbuf_release(&err);
}

#define SCHEMA "\"schema\": \"" EXP_LOG_SCHEMA "\""

static const struct {
	const char *what, *text;
	int error;
} hostile[] = {
	{ "an empty file", "", -EBADMSG },
	{ "not JSON", "hello", -EBADMSG },
	{ "half of it", "{ " SCHEMA ", \"events\": [", -EBADMSG },
	{ "an array", "[]", -EBADMSG },
	{ "null", "null", -EBADMSG },
	{ "another schema", "{ \"schema\": \"perf/1\" }", -EBADMSG },
	{ "a schema that is a number", "{ \"schema\": 1 }", -EBADMSG },
	{ "a later schema", "{ \"schema\": \"ringprof-experiment/2\" }",
	  -EPROTONOSUPPORT },
	{ "only the schema", "{ " SCHEMA " }", 0 },
	{ "all of another type",
	  "{ " SCHEMA
	  ", \"state\": [], \"target\": 5, \"machine\": [], \"totals\": \"x\", "
	  "\"collector\": null, \"events\": {}, \"notes\": 7, \"stack_ends\": 3, "
	  "\"comment\": {} }",
	  0 },
	{ "arrays of another type",
	  "{ " SCHEMA ", \"target\": { \"command\": [1, null, {}] }, "
	  "\"events\": [1, null, []], \"notes\": [\"x\"] }",
	  0 },
	{ "numbers out of range",
	  "{ " SCHEMA ", \"duration_ns\": -5, \"target\": { \"pid\": 1e300, "
	  "\"exit_status\": 99999999999999999999 }, \"machine\": { \"cpus\": -1, "
	  "\"hz\": 1e999 } }",
	  0 },
	{ "no number",
	  "{ " SCHEMA ", \"machine\": { \"hz\": NaN }, \"events\": [ { \"scale\": "
	  "Infinity, \"hz\": NaN } ] }",
	  0 },
};

/* Every text is readable; every rate is 0 or a possible divisor. */
static bool sane(const struct exp_log *log)
{
	bool yes = log->comment && log->cpu && log->cwd && isfinite(log->hz) &&
		   log->hz >= 0;

	vec_for_each(char *const, arg, &log->command)
		yes = yes && *arg;
	vec_for_each(const struct exp_event, e, &log->events)
		yes = yes && e->metric && e->reason && isfinite(e->hz) && e->hz >= 0 &&
		      isfinite(e->scale) && e->scale >= 1;
	vec_for_each(const struct exp_note, n, &log->notes)
		yes = yes && n->severity && n->text;
	return yes;
}

static void test_hostile(const char *dir)
{
	for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
		struct strbuf err = { 0 };
		struct exp_log got;

		memset(&got, 0xa5, sizeof(got));
		scratch_text(dir, EXP_LOG_FILE, hostile[i].text);
		if (is_i64(exp_log_read(&got, dir, &err), hostile[i].error, "%s",
			   hostile[i].what) &&
		    !hostile[i].error)
			ok(sane(&got), "%s: can be worked with", hostile[i].what);
		else
			ok(strstr(strbuf_str(&err), dir), "%s: %s", hostile[i].what,
			   strbuf_str(&err));
		exp_log_release(&got);
		strbuf_release(&err);
	}
}

/* A log that is cut anywhere is refused with a sentence, or as good as complete. */
static void test_cut(const char *dir)
{
	struct strbuf text = { 0 }, err = { 0 };
	struct exp_log log;
	size_t wrong = 0;

	fill(&log);
	if (exp_log_write(&log, dir))
		exit(99);
	exp_log_release(&log);
	scratch_read(dir, EXP_LOG_FILE, &text);
	for (size_t len = 0; len + 2 < text.len; len++) {
		scratch_write(dir, EXP_LOG_FILE, text.data, len);
		wrong += exp_log_read(&log, dir, &err) != -EBADMSG || !err.len;
		exp_log_release(&log);
		strbuf_clear(&err);
	}
	is_u64(wrong, 0, "cut at each of %zu bytes", text.len);
	strbuf_release(&text);
	strbuf_release(&err);
}

static void test_no_file(const char *dir)
{
	char *path = xasprintf("%s/%s", dir, EXP_LOG_FILE);
	struct strbuf err = { 0 };
	struct exp_log log;

	remove(path);
	is_i64(exp_log_read(&log, dir, &err), -ENOENT, "no log: %s", strbuf_str(&err));
	exp_log_release(&log);
	if (mkfifo(path, 0600))
		exit(99);
	is_i64(exp_log_read(&log, dir, &err), -EINVAL, "a FIFO does not block");
	exp_log_release(&log);
	is_i64(exp_log_write(&log, "/nonexistent"), -ENOENT, "no folder to write to");
	free(path);
	strbuf_release(&err);
}

int main(void)
{
	char *dir = scratch_make();

	test_round_trip(dir);
	test_hostile(dir);
	test_cut(dir);
	test_no_file(dir);
	scratch_remove(dir);
	return done_testing();
}
