/* SPDX-License-Identifier: Apache-2.0 */
/* The data of tracepoints, by their formats: collector/sample/trace_format. */
#include "sample/trace_format.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tap.h"

/* As Linux 3.10 and 6.18 write them, but for the offsets. */
static const char old_format[] =
	"name: sched_switch\nID: 273\nformat:\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
	"\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\nprint fmt: \"prev_state=%s\", REC->prev_state & (1024-1) ? "
	"__print_flags(REC->prev_state & (1024-1), \"|\", { 1, \"S\"} , { 2, \"D\" }, "
	"{ 4, \"T\" }, { 8, \"t\" }, { 16, \"Z\" }, { 32, \"X\" }, { 64, \"x\" }, "
	"{ 128, \"K\" }, { 256, \"W\" }, { 512, \"P\" }) : \"R\"\n";
static const char new_format[] =
	"print fmt: \"%s\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }, "
	"{ 0x00000004, \"T\" }, { 0x00000008, \"t\" }, { 0x00000010, \"X\" }, "
	"{ 0x00000020, \"Z\" }, { 0x00000040, \"P\" }, { 0x00000080, \"I\" }";

static void test_flags(void)
{
	ok(trace_format_flags(old_format, "Tt") == 12, "stopped");
	ok(trace_format_flags(old_format, "XxZ") == 112, "dead, in decimal");
	ok(trace_format_flags(new_format, "XxZ") == 0x30, "dead, in hexadecimal");
	ok(trace_format_flags(new_format, "SDPI") == 0xc3, "asleep");
	ok(!trace_format_flags("print fmt: \"{ 1\", { , \"S\" }, {", "S"), "no numbers");
	ok(!trace_format_flags("{ 1, \"S\" }", "S"), "nothing is printed");
}

static void test_fields(void)
{
	struct trace_field f;

	ok(trace_format_field(old_format, "prev_state", &f) && f.offset == 32 &&
		   f.size == 8 && f.is_signed,
	   "a field");
	ok(!trace_format_field(old_format, "state", &f), "part of a name is no name");
	ok(!trace_format_field(old_format, "prev_comm", &f) &&
		   !trace_format_field(old_format, "prev_comm[16]", &f),
	   "text is no number");
	ok(!trace_format_field("field:int a;\toffset:-1", "a", &f), "no size");
	ok(!trace_format_field("field:int a;\toffset:0;\tsize:3;", "a", &f),
	   "a size that no number has");
	ok(trace_format_field("field:int a;\toffset:9;\tsize:4;", "a", &f) &&
		   !f.is_signed,
	   "a kernel that does not say signed");
}

/* Every end of the format, and then of the data. */
static void test_cut(void)
{
	const unsigned char bytes[] = { 1, 2, 3, 4, 0xfe, 0xff, 0xff, 0xff, 9 };
	struct trace_field f = { .offset = 4, .size = 4, .is_signed = true };
	int64_t value = 0;
	bool whole = true;

	for (size_t len = 0; len < sizeof(old_format); len++) {
		char *cut = xstrndup(old_format, len);
		struct trace_field found;

		if (trace_format_field(cut, "prev_state", &found))
			whole = whole && found.offset == 32 && found.size == 8;
		trace_format_flags(cut, "SDT");
		free(cut);
	}
	ok(whole, "a format that ends early");
	whole = true;
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		void *data = xmalloc(len + !len);

		memcpy(data, bytes, len);
		whole = whole &&
			trace_field_read(&f, data, len, false, &value) == (len >= 8);
		free(data);
	}
	ok(whole && value == -2, "data that ends early, a negative number");
	ok(trace_field_read(&f, bytes, sizeof(bytes), true, &value) &&
		   value == (int32_t)0xfeffffff,
	   "the other byte order");
	f = (struct trace_field){ .offset = UINT32_MAX, .size = 8 };
	ok(!trace_field_read(&f, bytes, sizeof(bytes), false, &value), "far outside");
	f = (struct trace_field){ .offset = 8, .size = 1 };
	ok(trace_field_read(&f, bytes, sizeof(bytes), false, &value) && value == 9,
	   "a byte");
	f.size = 0;
	ok(!trace_field_read(&f, bytes, sizeof(bytes), false, &value) &&
		   !trace_field_read(&f, NULL, 0, false, &value),
	   "no field, no data");
}

int main(void)
{
	test_flags();
	test_fields();
	test_cut();
	return done_testing();
}
