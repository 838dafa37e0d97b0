/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of each alias, by CPU.  Codes of Intel and AMD are from the event tables
 * that Linux ships (see ../shared/events, if available); those of Arm are the
 * architecture's event numbers.
 */
#include <stdio.h>
#include <string.h>

#include "events/alias.h"
#include "events/pfm.h"
#include "base/file.h"
#include "forced.h"
#include "tap.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define U    0x10000000000000u /* exclude_user */
#define K    0x20000000000000u /* exclude_kernel */
#define NONE UINT64_MAX        /* the CPU has none */

/* In the order of the alias table, up to `stores`. */
static const char *const names[] = {
	"cycles",     "insts",      "ref-cycles", "ring0",  "ring123",
	"usr_time",   "sys_time",   "branches",   "brmisp", "l1d-misses",
	"l2-misses",  "llc-refs",   "llc-misses", "dtlbm",  "itlbm",
	"stalled-fe", "stalled-be", "fp-ops",     "loads",  "stores",
};

#define NAMES (sizeof(names) / sizeof(*names))

/* clang-format off */
static const struct {
	const char *pmu;
	uint64_t config[NAMES];
} cpus[] = {
	{ "ivb", { 0x3c, 0xc0, 0x300, 0x15c, 0x25c, K | 0x3c, U | 0x3c, 0xc4, 0xc5, 0x151,
	           0x7f1, 0x4f2e, 0x412e, 0x8108, 0x185, 0x400019c, 0x1a2, 0xf110,
	           0x81d0, 0x82d0 } },
	{ "hsw", { 0x3c, 0xc0, 0x300, 0x15c, 0x25c, K | 0x3c, U | 0x3c, 0xc4, 0xc5, 0x151,
	           0x2724, 0x4f2e, 0x412e, 0x108, 0x185, 0x400019c, 0x1a2, NONE,
	           0x81d0, 0x82d0 } },
	{ "skl", { 0x3c, 0xc0, 0x300, U | 0x3c, K | 0x3c, K | 0x3c, U | 0x3c, 0xc4, 0xc5,
	           0x151, 0x2724, 0x4f2e, 0x412e, 0x108, 0x185, 0x400019c, 0x1a2, 0xffc7,
	           0x81d0, 0x82d0 } },
	{ "icl", { 0x3c, 0xc0, 0x300, U | 0x3c, K | 0x3c, K | 0x3c, U | 0x3c, 0xc4, 0xc5,
	           0x151, 0x2724, 0x4f2e, 0x412e, 0xe08, 0xe85, 0x500019c, 0x40004a3,
	           0xffc7, 0x81d0, 0x82d0 } },
	{ "spr", { 0x3c, 0xc0, 0x300, U | 0x3c, K | 0x3c, K | 0x3c, U | 0x3c, 0xc4, 0xc5,
	           0x151, 0x2724, 0x4f2e, 0x412e, 0xe12, 0xe11, 0x600019c, 0x40004a3,
	           0xffc7, 0x81d0, 0x82d0 } },
	{ "amd64_fam17h_zen2",
	         { 0x76, 0xc0, NONE, U | 0x76, K | 0x76, K | 0x76, U | 0x76, 0xc2, 0xc3,
	           0x5b43, 0x964, 0x5a43, 0x4843, 0xf045, 0x785, 0xa9, 0xffae, 0xf03,
	           0x529, 0x629 } },
	{ "amd64_fam19h_zen3",
	         { 0x76, 0xc0, NONE, U | 0x76, K | 0x76, K | 0x76, U | 0x76, 0xc2, 0xc3,
	           0x5f44, 0x964, 0x5e44, 0x4844, 0xf045, 0xf85, 0xa9, 0xf7ae, 0xf03,
	           0x529, 0x629 } },
	{ "amd64_fam19h_zen4",
	         { 0x76, 0xc0, 0x100000120, U | 0x76, K | 0x76, K | 0x76, U | 0x76, 0xc2,
	           0xc3, 0xdf44, 0x964, 0xde44, 0x4844, 0xf045, 0xf85, 0xa9, 0xf7ae,
	           0x1f03, 0x529, 0x629 } },
	{ "arm_n1", { 0x11, 0x08, NONE, U | 0x11, K | 0x11, K | 0x11, U | 0x11, 0x21, 0x22,
	           0x03, 0x17, 0x36, 0x37, 0x34, 0x35, 0x23, 0x24, 0x75, 0x70, 0x71 } },
	{ "arm_ac57", { 0x11, 0x08, NONE, U | 0x11, K | 0x11, K | 0x11, U | 0x11, 0x12,
	           0x10, 0x03, 0x17, 0x16, 0x17, 0x05, 0x02, NONE, NONE, 0x75, 0x70,
	           0x71 } },
};
/* clang-format on */

struct answer {
	char cpu[64];
	struct {
		uint64_t config; /* NONE if only the kernel might have it */
		char raw[512];
		bool typed; /* the raw name can stand in the alias' place */
	} names[NAMES];
};

static bool is_same(const struct event *a, const struct event *b)
{
	return !strcmp(a->raw, b->raw) && a->type == b->type && a->config == b->config &&
	       a->config1 == b->config1 && a->exclude_user == b->exclude_user &&
	       a->exclude_kernel == b->exclude_kernel;
}

static void name_ask(const struct events *events, const char *name, struct answer *to,
		     size_t i)
{
	struct event_list list = { 0 }, again = { 0 };
	struct strbuf err = { 0 };
	const struct event *e;

	to->names[i].config = NONE;
	if (event_list_parse(events, name, &list, &err))
		goto out;
	e = &list.data[0];
	if (!strstr(e->raw, "::"))
		goto out;
	snprintf(to->names[i].raw, sizeof(to->names[i].raw), "%s", e->raw);
	to->names[i].config = e->config | (e->exclude_user ? U : 0) |
			      (e->exclude_kernel ? K : 0);
	to->names[i].typed = !event_list_parse(events, e->raw, &again, &err) &&
			     is_same(e, &again.data[0]);
out:
	strbuf_release(&err);
	event_list_release(&list);
	event_list_release(&again);
}

static void cpu_ask(const struct events *events, void *arg)
{
	struct answer *answer = arg;

	if (!pfm_cpu())
		return;
	snprintf(answer->cpu, sizeof(answer->cpu), "%s", pfm_cpu());
	for (size_t i = 0; i < NAMES; i++)
		name_ask(events, names[i], answer, i);
}

static void cpu_test(size_t cpu)
{
	struct answer *answer = forced_answer(sizeof(*answer));
	const char *pmu = cpus[cpu].pmu;

	ok(forced_ask(pmu, cpu_ask, answer), "%s: asked", pmu);
	if (!*answer->cpu) {
		skip(NAMES, "this build of libpfm4 has no table for the CPU");
		goto out;
	}
	is_str(answer->cpu, pmu, "%s is forced", pmu);
	for (size_t i = 0; i < NAMES; i++) {
		is_u64(answer->names[i].config, cpus[cpu].config[i], "%s: %s", pmu,
		       names[i]);
		ok(answer->names[i].config == NONE || answer->names[i].typed,
		   "%s: %s may be typed as %s", pmu, names[i], answer->names[i].raw);
	}
out:
	munmap(answer, sizeof(*answer));
}

static bool is_prime(uint64_t n)
{
	for (uint64_t d = 2; d * d <= n; d++)
		if (n % d == 0)
			return false;
	return true;
}

static void table_test(void)
{
	const struct alias *alias;
	size_t n;

	for (n = 0; (alias = alias_nth(n)); n++) {
		ok(alias->overflow && is_prime(alias->overflow),
		   "%s: the overflow is a prime, or 1", alias->name);
		ok(alias_find(alias->name) == alias, "%s is there once", alias->name);
		ok(n >= NAMES || !strcmp(names[n], alias->name), "%s: its place",
		   alias->name);
	}
	is_u64(n, NAMES + 3, "no alias is untested");
}

/* ringprof-events(7) has a row for each alias, with its default. */
static void manual_test(void)
{
	const char *src = getenv("RP_SRC");
	char *path = xasprintf("%s/man/ringprof-events.7", src ? src : ".");
	struct strbuf text = { 0 };
	const struct alias *alias;

	if (file_read(path, 1 << 20, &text)) {
		skip(1, "RP_SRC does not name the source tree");
		goto out;
	}
	for (size_t n = 0; (alias = alias_nth(n)); n++) {
		char *row = xasprintf("\n%s|", alias->name);
		const char *at = strstr(strbuf_str(&text), row);
		const char *end = at ? strchr(at + 1, '\n') : NULL;
		const char *last = end ? memrchr(at, '|', (size_t)(end - at)) : NULL;

		ok(last && strtoull(last + 1, NULL, 10) == alias->overflow,
		   "%s: the manual has it, with %llu", alias->name,
		   (unsigned long long)alias->overflow);
		free(row);
	}
out:
	strbuf_release(&text);
	free(path);
}

int main(void)
{
	table_test();
	manual_test();
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++)
		cpu_test(i);
	return done_testing();
}
