/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of a child that a hostile file controls: dangling references are rejected. */
#include "elf/lineinfo_apart.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "line_child.h"
#include "random.h"
#include "tap.h"

static uint64_t lies_seed = 0x9e3779b97f4a7c15;

/* ---- garbage ---- */

/* Mostly small numbers, as counts, ids and lengths have. */
static void lie(int out)
{
	char bytes[256];
	uint64_t len = 8 + random_next(&lies_seed) % (sizeof(bytes) - 8), chunk = len - 8;

	for (size_t i = 8; i < len; i++)
		bytes[i] = (char)(random_next(&lies_seed) % 4
					  ? random_next(&lies_seed) % 4
					  : random_next(&lies_seed));
	if (lies_seed % 8)
		memcpy(bytes, &chunk, sizeof(chunk));
	_exit(write(out, bytes, len) < 0);
}

static void test_garbage(void)
{
	uint64_t offsets[PLACES];
	struct line_reply reply;
	unsigned refused = 0;

	fill_offsets(offsets);
	take_over_with(lie);
	for (int i = 0; i < 500; i++) {
		int error = ask_self(offsets, &reply);

		refused += error != 0;
		if (!error)
			line_reply_release(&reply);
		random_next(&lies_seed);
	}
	is_u64(refused, 500, "garbage is refused");
	take_over_with(NULL);
}

/* ---- plausible answers ---- */

/* One of so many numbers is wrong: in half of the answers none, in the others few. */
static uint64_t lie_one_in;

static bool lies_here(void)
{
	return lie_one_in && random_next(&lies_seed) % lie_one_in == 0;
}

static void add_number(struct strbuf *out, uint64_t most)
{
	if (lies_here())
		most = UINT64_MAX >> random_next(&lies_seed) % 64;
	strbuf_add_varint(out, most == UINT64_MAX ? most
						  : random_next(&lies_seed) % (most + 1));
}

/* The number of items that follow. */
static uint64_t add_count(struct strbuf *out, uint64_t most)
{
	uint64_t count = random_next(&lies_seed) % (most + 1);

	if (lies_here())
		add_number(out, 2 * most);
	else
		strbuf_add_varint(out, count);
	return count;
}

static void add_reply(struct strbuf *out)
{
	uint64_t texts, frames, places = PLACES - lies_here();

	strbuf_add_varint(out, lies_here() ? ENOEXEC : 0);
	strbuf_add(out, "/missing", 9);
	texts = 1 + add_count(out, 20);
	for (uint64_t i = 1; i < texts; i++)
		strbuf_addf(out, "%llx%c", (unsigned long long)(lies_seed % (i + 4)), 0);
	frames = add_count(out, 3 * PLACES);
	for (uint64_t i = 0; i < 5 * frames; i++)
		add_number(out, i % 5 == 2 || i % 5 == 4 || texts < 2 ? 0 : texts - 2);
	for (uint64_t i = 0; i < places; i++) {
		add_number(out, frames ? frames - 1 : 0);
		add_number(out, frames > PLACES);
	}
}

static void add_chunk(struct strbuf *out, const char *bytes, uint64_t len)
{
	uint64_t said = lies_here() ? random_next(&lies_seed) : len;

	strbuf_add(out, (const char *)&said, sizeof(said));
	strbuf_add(out, bytes, len);
}

/* Cut at a random byte sometimes. */
static void lie_well(int out)
{
	struct strbuf reply = { 0 }, all = { 0 };
	size_t len;

	lie_one_in = random_next(&lies_seed) % 2 ? 0 : 1 << random_next(&lies_seed) % 16;
	add_reply(&reply);
	add_chunk(&all, strbuf_str(&reply), reply.len);
	add_chunk(&all, NULL, 0);
	len = !lie_one_in || random_next(&lies_seed) % 8
		      ? all.len
		      : random_next(&lies_seed) % all.len;
	for (size_t done = 0; done < len;) {
		ssize_t put = write(out, all.data + done, len - done);

		if (put < 0)
			break;
		done += (size_t)put;
	}
	_exit(0);
}

/* Whether every reference in an answer is valid. */
static bool is_sound(const struct line_answers *answers)
{
	size_t frames = 0;

	vec_for_each(const struct line_answer, place, &answers->places) {
		if (place->first > answers->frames.len ||
		    place->count > answers->frames.len - place->first)
			return false;
		frames += place->count;
	}
	vec_for_each(const struct line_frame, f, &answers->frames)
		if (f->function >= strtab_count(&answers->texts) ||
		    f->file >= strtab_count(&answers->texts) ||
		    f->decl_file >= strtab_count(&answers->texts))
			return false;
	return answers->places.len == PLACES && frames <= answers->frames.len;
}

static void test_lies(void)
{
	unsigned believed = 0, refused = 0, unsound = 0;
	uint64_t offsets[PLACES];
	struct line_reply reply;

	fill_offsets(offsets);
	take_over_with(lie_well);
	for (int i = 0; i < 1000; i++) {
		int error = ask_self(offsets, &reply);

		random_next(&lies_seed);
		if (error) {
			refused += error == -EPROTO || error == -ENOEXEC;
			continue;
		}
		believed++;
		unsound += !is_sound(&reply.answers);
		line_reply_release(&reply);
	}
	take_over_with(NULL);
	is_u64(believed + refused, 1000, "each answer is refused or accepted");
	is_u64(unsound, 0, "accepted ones are sound");
	ok(believed > 10 && refused > 100, "%u are accepted, %u refused", believed,
	   refused);
}

int main(void)
{
	test_garbage();
	test_lies();
	return done_testing();
}
