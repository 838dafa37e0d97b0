/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strbuf.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "tap.h"

static void test_empty(void)
{
	struct strbuf sb = { 0 };
	char *text;

	is_str(strbuf_str(&sb), "", "an all-zero strbuf is an empty text");
	strbuf_add(&sb, NULL, 0);
	is_u64(sb.len, 0, "adding nothing adds nothing");
	strbuf_addf(&sb, "%s", "");
	is_str(strbuf_str(&sb), "", "… nor does an empty format");
	text = strbuf_detach(&sb);
	is_str(text, "", "an empty strbuf detaches an empty text");
	free(text);
	strbuf_release(&sb);
	strbuf_release(&sb);
	is_u64(sb.cap, 0, "release twice is harmless");
}

static void test_text(void)
{
	struct strbuf sb = { 0 };
	char *text;

	strbuf_addstr(&sb, "one");
	strbuf_addch(&sb, ',');
	strbuf_addf(&sb, "%d-%s", 2, "three");
	strbuf_pad(&sb, '.', 3);
	strbuf_pad(&sb, 'x', 0);
	is_str(strbuf_str(&sb), "one,2-three...", "pieces are appended");
	is_u64(sb.len, 14, "len counts them");
	strbuf_clear(&sb);
	is_str(strbuf_str(&sb), "", "clear empties");
	strbuf_addstr(&sb, "next");
	text = strbuf_detach(&sb);
	is_str(text, "next", "detach returns the text");
	ok(!sb.data && !sb.len, "… and leaves the strbuf empty");
	free(text);
}

static void test_bytes(void)
{
	struct strbuf sb = { 0 };
	bool terminated = true;

	strbuf_add(&sb, "a\0b", 3);
	is_u64(sb.len, 3, "a NUL is a byte like any other");
	is_mem(sb.data, "a\0b", 4, "… and another one follows the last byte");
	for (unsigned i = 0; i < 10000; i++) {
		strbuf_addch(&sb, (char)('a' + i % 26));
		terminated = terminated && !sb.data[sb.len];
	}
	ok(terminated, "at every length");
	is_u64(sb.len, 10003, "growth keeps the length");
	is_u64((unsigned char)sb.data[10002], 'a' + 9999 % 26, "… and the bytes");
	strbuf_release(&sb);
}

static void test_varint(void)
{
	static const struct {
		uint64_t value;
		const char *bytes;
		size_t len;
	} cases[] = {
		{ 0, "\x00", 1 },
		{ 127, "\x7f", 1 },
		{ 128, "\x80\x01", 2 },
		{ 624485, "\xe5\x8e\x26", 3 },
		{ UINT64_MAX, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf sb = { 0 };

		strbuf_add_varint(&sb, cases[i].value);
		is_u64(sb.len, cases[i].len, "varint %zu has its length", i);
		is_mem(sb.data, cases[i].bytes, cases[i].len, "… and its bytes");
		strbuf_release(&sb);
	}
}

/*
 * vsnprintf refuses a character that the locale lacks, as it would a text of 2 GiB, which
 * takes seconds to make.  The program ends, so a child tries.
 */
static void test_unformattable(void)
{
	struct strbuf said = { 0 };
	int ends[2], status = 0;

	if (pipe(ends))
		abort();
	fflush(stdout); /* exit() in the child would write it again */
	if (!fork()) {
		struct strbuf sb = { 0 };

		dup2(ends[1], STDERR_FILENO);
		strbuf_addf(&sb, "%ls", L"\x100");
		_exit(0);
	}
	close(ends[1]);
	is_i64(file_read_fd(ends[0], 4096, &said), 0, "its message is read");
	close(ends[0]);
	wait(&status);
	ok(WIFEXITED(status) && WEXITSTATUS(status) == 1,
	   "a text that cannot be formatted ends the program");
	is_str(strbuf_str(&said),
	       "ringprof: error: a text cannot be formatted; it may exceed 2 GiB\n",
	       "… and says so");
	strbuf_release(&said);
}

int main(void)
{
	test_empty();
	test_text();
	test_bytes();
	test_varint();
	test_unformattable();
	return done_testing();
}
