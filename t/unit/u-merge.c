/* SPDX-License-Identifier: Apache-2.0 */
/* Rings that wrap, rings of nonsense, and the order of records from many rings. */
#include "sample/merge.h"

#include <stdlib.h>
#include <unistd.h>

#include "fake.h"
#include "records.h"
#include "tap.h"
#include "base/vec.h"

enum { SIZE = 4096, RINGS_MAX = 16 };

static const struct record_format format = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
};

/* A record of 8 + PAYLOAD + 16 bytes that carries its time, and MARK everywhere else. */
static void put_record(struct ring *ring, uint32_t type, uint64_t time, uint32_t mark,
		       size_t payload)
{
	struct strbuf sb = { 0 };
	size_t start = rec_begin(&sb, type, 0);

	strbuf_pad(&sb, (char)mark, payload);
	rec_end_id(&sb, start, format.sample_type,
		   &(struct record_id){ .time = time, .tid = mark });
	fake_write(ring->page, ring->size, sb.data, sb.len);
	strbuf_release(&sb);
}

static void put(struct ring *ring, uint64_t time, uint32_t mark, size_t payload)
{
	put_record(ring, PERF_RECORD_THROTTLE, time, mark, payload);
}

/* Its two numbers are marks too. */
static void put_loss(struct ring *ring, uint64_t time, uint32_t mark)
{
	put_record(ring, PERF_RECORD_LOST, time, mark, 2 * sizeof(uint64_t));
}

struct seen {
	uint64_t time;
	uint32_t mark;
	bool intact;
};

struct log {
	VEC(struct seen) v;
};

static void see(void *ctx, const void *bytes, size_t len)
{
	struct log *log = ctx;
	struct record r = { 0 };
	struct seen seen = { .intact = !record_decode(&format, bytes, len, &r) };
	const unsigned char *at = bytes;

	seen.time = r.at.time;
	seen.mark = r.at.tid;
	for (size_t i = 8; i < len - 16; i++)
		seen.intact &= at[i] == (unsigned char)seen.mark;
	*vec_push(&log->v) = seen;
}

static void rings_open(struct ring *rings, size_t count)
{
	fake_boot();
	for (size_t i = 0; i < count; i++) {
		struct perf_event_attr attr = { 0 };
		int fd = fake_sys.perf_event_open(&attr, 0, 0, -1, PERF_FLAG_FD_CLOEXEC);

		if (ring_map(&rings[i], &fake_sys, fd, SIZE))
			exit(99);
	}
}

static void rings_close(struct ring *rings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ring_unmap(&rings[i]);
	ok(!fake.maps && !fake.wrong, "every ring is unmapped with its size");
}

/* ---- one ring ---- */

/* Records of three sizes, none a divisor of the ring's: they wrap at many places. */
static void test_wrap(void)
{
	static const size_t payloads[] = { 0, 200, 1000 };
	struct ring ring;
	size_t wrong = 0, len;

	rings_open(&ring, 1);
	for (uint32_t i = 0; i < 1000; i++) {
		size_t payload = payloads[i % 3];
		const void *bytes;
		struct record r = { 0 };

		put(&ring, i, i, payload);
		ring_look(&ring);
		bytes = ring_peek(&ring, &len);
		if (!bytes || len != payload + 24 ||
		    record_decode(&format, bytes, len, &r) || r.at.tid != i ||
		    (payload && ((const unsigned char *)bytes)[7 + payload] != (i & 255)))
			wrong++;
		if (!bytes)
			break;
		ring_step(&ring, len);
		wrong += ring_peek(&ring, &len) != NULL;
		ring_give_back(&ring);
		wrong += ring.page->data_tail != ring.page->data_head;
	}
	is_u64(wrong, 0, "a thousand records, many of them over the end of the ring");
	is_u64(ring.bad_records, 0, "none is bad");
	rings_close(&ring, 1);
}

static void test_look(void)
{
	struct ring ring;
	size_t len;

	rings_open(&ring, 1);
	ok(!ring_peek(&ring, &len), "an empty ring");
	put(&ring, 1, 1, 0);
	ok(!ring_peek(&ring, &len), "records wait for the next look");
	ring_look(&ring);
	put(&ring, 2, 2, 0);
	ok(ring_peek(&ring, &len) && len == 24, "a record from before the look is there");
	ring_step(&ring, len);
	ok(!ring_peek(&ring, &len), "a later one is not");
	is_u64(ring.page->data_tail, 0, "reading frees no room");
	ring_give_back(&ring);
	is_u64(ring.page->data_tail, 24, "the release does");
	rings_close(&ring, 1);
}

static void drain(struct ring *ring)
{
	size_t len;

	ring_look(ring);
	while (ring_peek(ring, &len))
		ring_step(ring, len);
	ring_give_back(ring);
}

/* What finds no room is reported with the next record, if there is one. */
static void test_hidden_losses(void)
{
	struct ring ring;
	size_t len;

	rings_open(&ring, 1);
	for (uint32_t i = 0; i < 3; i++)
		put(&ring, i, i, 1000);
	drain(&ring);
	ok(!ring_may_hide_losses(&ring), "a quarter was free: nothing was lost");
	for (uint32_t i = 0; i < 4; i++)
		put(&ring, i, i, 940);
	drain(&ring);
	ok(ring_may_hide_losses(&ring), "no room for another: it may have been lost");
	put(&ring, 5, 5, 0);
	ok(!ring_may_hide_losses(&ring), "the next record reports them");
	ring_look(&ring);
	ok(ring_peek(&ring, &len), "it is read");
	ring_step(&ring, len);
	ring_give_back(&ring);
	ok(!ring_may_hide_losses(&ring), "there was room since");
	rings_close(&ring, 1);
}

/* A round may take long, so finished parts free room before its end. */
static void test_early_room(void)
{
	struct ring ring;
	size_t len, steps = 0;

	rings_open(&ring, 1);
	for (uint32_t i = 0; i < 20; i++)
		put(&ring, i, i, 40);
	ring_look(&ring);
	while (ring_peek(&ring, &len)) {
		ring_step(&ring, len);
		ring_give_back_part(&ring);
		steps++;
		if (ring.page->data_tail)
			break;
	}
	ok(steps > 1 && steps < 20, "room is freed in parts (after %zu)", steps);
	is_u64(ring.page->data_tail, steps * len, "… up to the last record read");
	rings_close(&ring, 1);
}

static const struct nonsense {
	const char *what;
	uint16_t size; /* of the header */
	uint64_t head; /* how far the kernel claims to have written, from the tail */
} nonsense[] = {
	{ "size 0", 0, 64 },
	{ "size 4", 4, 64 },
	{ "size 12, no multiple of 8", 12, 64 },
	{ "a size beyond the head", 72, 64 },
	{ "a head of more than the ring", 16, SIZE + 8 },
	{ "a head behind the tail", 16, (uint64_t)-8 },
};

/* Nonsense is dropped and counted once, and later records are read. */
static void test_nonsense(void)
{
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(*nonsense); i++) {
		struct perf_event_header *h;
		struct ring ring;
		size_t len;

		rings_open(&ring, 1);
		put(&ring, 1, 1, 0);
		ring_look(&ring);
		if (ring_peek(&ring, &len))
			ring_step(&ring, len);
		h = (void *)((char *)ring.page + sysconf(_SC_PAGESIZE) + 24);
		h->size = nonsense[i].size;
		ring.page->data_head = ring.tail + nonsense[i].head;
		ring_look(&ring);
		ok(!ring_peek(&ring, &len), "%s is no record", nonsense[i].what);
		ok(!ring_peek(&ring, &len) && ring.bad_records == 1, "%s: counted once",
		   nonsense[i].what);
		put(&ring, 2, 2, 0);
		ring_look(&ring);
		ok(ring_peek(&ring, &len) && len == 24, "%s: the next record is found",
		   nonsense[i].what);
		rings_close(&ring, 1);
	}
}

/* The last 4 bytes of the ring: a header there would be read past the end. */
static void test_crooked_head(void)
{
	struct ring ring;
	size_t len;

	rings_open(&ring, 1);
	ring.page->data_head = SIZE - 4;
	ring_look(&ring);
	ok(!ring_peek(&ring, &len), "a head between two places is nonsense");
	ring.page->data_head = SIZE + 20;
	ring_look(&ring);
	ok(!ring_peek(&ring, &len), "and nothing is read across the end");
	rings_close(&ring, 1);
}

/* ---- many rings ---- */

/* Ring R holds the times R, R + count, R + 2 count, …: all interleave. */
static void test_interleaved(size_t count)
{
	struct ring rings[RINGS_MAX];
	struct merge m;
	struct log log = { 0 };
	size_t wrong = 0, each = 20;

	rings_open(rings, count);
	for (size_t i = 0; i < each; i++)
		for (size_t r = 0; r < count; r++)
			put(&rings[r], 1000 + i * count + r, (uint32_t)r, 8 * (i % 5));
	merge_init(&m, &format, rings, count);
	merge_round(&m, UINT64_MAX, see, &log);
	is_u64(log.v.len, each * count, "%zu rings: all records", count);
	for (size_t i = 0; i < log.v.len; i++)
		wrong += log.v.data[i].time != 1000 + i || !log.v.data[i].intact;
	is_u64(wrong, 0, "%zu rings: in order of time, intact", count);
	for (size_t r = 0; r < count; r++)
		wrong += rings[r].page->data_tail != rings[r].page->data_head;
	is_u64(wrong, 0, "%zu rings: all room is freed", count);
	merge_release(&m);
	vec_release(&log.v);
	rings_close(rings, count);
}

/* One ring is far behind, one empty, one full: no record comes too early. */
static void test_uneven(void)
{
	struct ring rings[4];
	struct merge m;
	struct log log = { 0 };
	size_t wrong = 0;

	rings_open(rings, 4);
	for (uint32_t i = 0; i < 100; i++)
		put(&rings[0], 500 + i, 0, 0);
	put(&rings[2], 1, 2, 0);
	put(&rings[3], 550, 3, 0);
	put(&rings[3], 9999, 3, 0);
	merge_init(&m, &format, rings, 4);
	merge_round(&m, UINT64_MAX, see, &log);
	is_u64(log.v.len, 103, "uneven rings: all records");
	for (size_t i = 1; i < log.v.len; i++)
		wrong += log.v.data[i].time < log.v.data[i - 1].time;
	is_u64(wrong, 0, "uneven rings: in order");
	merge_release(&m);
	vec_release(&log.v);
	rings_close(rings, 4);
}

/* Equal times: the ring with the lower number first, and within it as written. */
static void test_equal(void)
{
	struct ring rings[3];
	struct merge m;
	struct log log = { 0 };
	static const uint32_t want[] = { 1, 2, 3, 4, 5, 6 };

	rings_open(rings, 3);
	put(&rings[2], 7, 5, 0);
	put(&rings[2], 7, 6, 0);
	put(&rings[0], 7, 1, 0);
	put(&rings[0], 7, 2, 0);
	put(&rings[1], 7, 3, 0);
	put(&rings[1], 7, 4, 0);
	merge_init(&m, &format, rings, 3);
	merge_round(&m, UINT64_MAX, see, &log);
	is_u64(log.v.len, 6, "equal times: all records");
	for (size_t i = 0; i < log.v.len && i < 6; i++)
		is_u64(log.v.data[i].mark, want[i], "equal times: place %zu", i);
	merge_release(&m);
	vec_release(&log.v);
	rings_close(rings, 3);
}

/* A record younger than the slack stays until a later round. */
static void test_limit(void)
{
	const uint64_t now = 5000000000;
	struct ring rings[2];
	struct merge m;
	struct log log = { 0 };

	rings_open(rings, 2);
	put(&rings[0], now - MERGE_SLACK_NS, 1, 0);
	put(&rings[0], now - MERGE_SLACK_NS + 1, 3, 0);
	put(&rings[1], now - MERGE_SLACK_NS - 1, 0, 0);
	put(&rings[1], now, 4, 0);
	merge_init(&m, &format, rings, 2);
	merge_round(&m, now, see, &log);
	is_u64(log.v.len, 2, "records older than the slack come");
	is_u64(rings[0].page->data_tail, 24, "the others keep their room");
	put(&rings[1], now + 1, 5, 0);
	merge_round(&m, now + 2 * MERGE_SLACK_NS, see, &log);
	is_u64(log.v.len, 5, "and come in the next round");
	for (uint32_t i = 0; i + 1 < log.v.len; i++)
		ok(log.v.data[i].time < log.v.data[i + 1].time, "in order, %u", i);
	merge_round(&m, UINT64_MAX, see, &log);
	is_u64(log.v.len, 5, "nothing comes twice");
	merge_release(&m);
	vec_release(&log.v);
	rings_close(rings, 2);
}

/* A record with an older stamp than the one before it counts as equally old. */
static void test_out_of_order(void)
{
	static const uint32_t want[] = { 1, 2, 3, 4 };
	struct ring rings[2];
	struct merge m;
	struct log log = { 0 };

	rings_open(rings, 2);
	put(&rings[0], 100, 2, 0);
	put(&rings[0], 40, 3, 0);
	put(&rings[1], 50, 1, 0);
	put(&rings[1], 110, 4, 0);
	merge_init(&m, &format, rings, 2);
	merge_round(&m, UINT64_MAX, see, &log);
	for (size_t i = 0; i < 4 && i < log.v.len; i++)
		is_u64(log.v.data[i].mark, want[i], "out of order: place %zu", i);
	put(&rings[0], 96, 5, 0);
	put(&rings[1], 95, 6, 0);
	merge_round(&m, UINT64_MAX, see, &log);
	if (is_u64(log.v.len, 6, "no record is held back"))
		is_u64(log.v.data[4].mark, 5,
		       "the previous record decides, not the stamp");
	merge_release(&m);
	vec_release(&log.v);
	rings_close(rings, 2);
}

/* A ring's loss comes with the ring's record before it, if the caller wants that. */
static void test_losses_first(void)
{
	for (int first = 0; first < 2; first++) {
		static const uint32_t want[][5] = { { 1, 3, 2, 4, 5 },
						    { 1, 2, 3, 4, 5 } };
		struct ring rings[2];
		struct merge m;
		struct log log = { 0 };

		rings_open(rings, 2);
		put(&rings[0], 100, 1, 0);
		put_loss(&rings[0], 300, 2);
		put(&rings[0], 301, 4, 0);
		put(&rings[1], 200, 3, 0);
		put(&rings[1], 400, 5, 0);
		merge_init(&m, &format, rings, 2);
		m.losses_first = first;
		merge_round(&m, UINT64_MAX, see, &log);
		is_u64(log.v.len, 5, "a loss: all records");
		for (size_t i = 0; i < 5 && i < log.v.len; i++)
			is_u64(log.v.data[i].mark, want[first][i], "a loss: place %zu",
			       i);
		merge_release(&m);
		vec_release(&log.v);
		rings_close(rings, 2);
	}
}

/* What others did after a full ring's last record waits for the next round. */
static void test_full_ring(void)
{
	struct ring rings[2];
	struct merge m;
	struct log log = { 0 };
	uint64_t time = 100;

	rings_open(rings, 2);
	for (; rings[0].page->data_head < SIZE; time++)
		put(&rings[0], time, 1, 1000);
	put(&rings[1], time - 1, 1, 0);
	put(&rings[1], time + 10, 3, 0);
	merge_init(&m, &format, rings, 2);
	m.losses_first = true;
	merge_round(&m, 1000 + MERGE_SLACK_NS, see, &log);
	is_u64(log.v.len, SIZE / 1024 + 1, "a full ring: only what is before its end");
	put_loss(&rings[0], time + 20, 2);
	put(&rings[0], time + 21, 4, 0);
	vec_clear(&log.v);
	merge_round(&m, 1000 + MERGE_SLACK_NS, see, &log);
	if (is_u64(log.v.len, 3, "then the rest"))
		ok(log.v.data[0].mark == 2 && log.v.data[1].mark == 3 &&
			   log.v.data[2].mark == 4,
		   "with the loss before it");
	is_u64(rings[0].bad_records, 0, "no record is bad");
	merge_release(&m);
	vec_release(&log.v);
	rings_close(rings, 2);
}

enum { HIDDEN = 1000 }; /* a mark, more than a ring's number */

static void see_hidden(void *ctx, size_t ring, uint64_t until)
{
	struct log *log = ctx;

	*vec_push(&log->v) = (struct seen){ until, HIDDEN + (uint32_t)ring, true };
}

/* A full ring has no record that says what it lost, as all went on on other CPUs. */
static void test_hidden(void)
{
	struct ring rings[2];
	struct merge m;
	struct log log = { 0 };
	uint64_t time = 100;

	rings_open(rings, 2);
	for (; rings[1].page->data_head < SIZE; time++)
		put(&rings[1], time, 1, 1000);
	put(&rings[0], time + 10, 3, 0);
	merge_init(&m, &format, rings, 2);
	m.losses_first = true;
	m.hidden = see_hidden;
	m.hidden_ctx = &log;
	merge_round(&m, 1000 + MERGE_SLACK_NS, see, &log);
	is_u64(log.v.len, SIZE / 1024, "while it is full, nothing is hidden");
	vec_clear(&log.v);
	merge_round(&m, 2000 + MERGE_SLACK_NS, see, &log);
	if (is_u64(log.v.len, 2, "once it is not, it may hide what it lost"))
		ok(log.v.data[0].mark == HIDDEN + 1 &&
			   log.v.data[0].time == 2000 + MERGE_SLACK_NS &&
			   log.v.data[1].mark == 3,
		   "until now, before what others have");
	vec_clear(&log.v);
	merge_round(&m, 3000 + MERGE_SLACK_NS, see, &log);
	is_u64(log.v.len, 0, "once");
	for (time = 4000; rings[1].page->data_head < 2 * SIZE; time++)
		put(&rings[1], time, 1, 1000);
	merge_round(&m, 5000 + MERGE_SLACK_NS, see, &log);
	vec_clear(&log.v);
	merge_round(&m, 6000 + MERGE_SLACK_NS, see, &log);
	ok(log.v.len == 1 && log.v.data[0].mark == HIDDEN + 1,
	   "and when it is full again");
	merge_release(&m);
	vec_release(&log.v);
	rings_close(rings, 2);
}

struct filled {
	struct log log;
	struct ring rings[2];
};

/* The kernel fills the ring while its records are passed on. */
static void see_and_fill(void *ctx, const void *bytes, size_t len)
{
	struct filled *f = ctx;

	see(&f->log, bytes, len);
	if (f->rings[0].page->data_head < SIZE)
		put(&f->rings[0], 200, 1, 1000);
}

/* It was full in the middle of a round, which gave back space: so it is not at the next one's begin. */
static void test_full_in_between(void)
{
	struct filled f = { 0 };
	struct merge m;

	rings_open(f.rings, 2);
	for (uint32_t i = 0; i < 3; i++)
		put(&f.rings[0], 100 + i, 1, 1000);
	put(&f.rings[1], 900, 3, 0);
	merge_init(&m, &format, f.rings, 2);
	m.losses_first = true;
	m.hidden = see_hidden;
	m.hidden_ctx = &f.log;
	merge_round(&m, 200 + MERGE_SLACK_NS, see_and_fill, &f);
	is_u64(f.log.v.len, 3, "full in the middle of a round: what it had at its begin");
	vec_clear(&f.log.v);
	merge_round(&m, 1000 + MERGE_SLACK_NS, see, &f.log);
	is_u64(f.log.v.len, 1, "then only what is before its end");
	is_u64(m.until_ns, 200, "and no more is known");
	vec_clear(&f.log.v);
	merge_round(&m, 2000 + MERGE_SLACK_NS, see, &f.log);
	if (is_u64(f.log.v.len, 2, "then what it may hide"))
		ok(f.log.v.data[0].mark == HIDDEN && f.log.v.data[1].mark == 3,
		   "before what others have");
	merge_release(&m);
	vec_release(&f.log.v);
	rings_close(f.rings, 2);
}

/* ---- records that are held ---- */

enum { HELD_MAX = 7, HELD_ROUNDS = 200 };

struct held {
	struct log log; /* of those that were settled */
	struct ring rings[2];
	uint32_t written;
	struct {
		const void *bytes;
		size_t len;
	} v[HELD_MAX];
	size_t len, most, too_many, early;
};

/* The kernel fills what it got back. */
static void fill(struct held *h)
{
	enum { LARGE_ONE_IN = 16 };
	static const size_t payloads[] = { 0, 40, 1000 };

	for (struct ring *r = h->rings; r < h->rings + 2; r++)
		while (SIZE - (r->page->data_head - r->page->data_tail) > 1100) {
			const uint32_t n = h->written++;

			put(r, 1000 + n, n, payloads[n % LARGE_ONE_IN ? n % 2 : 2]);
		}
}

static void hold(void *ctx, const void *bytes, size_t len)
{
	struct held *h = ctx;

	h->too_many += h->len == HELD_MAX;
	h->v[h->len % HELD_MAX].bytes = bytes;
	h->v[h->len++ % HELD_MAX].len = len;
	fill(h);
}

/* Only now are they looked at: their bytes must be those that were written. */
static void settle_all(void *ctx)
{
	struct held *h = ctx;

	for (size_t i = 0; i < h->len && i < HELD_MAX; i++)
		see(&h->log, h->v[i].bytes, h->v[i].len);
	for (size_t i = 0; i < 2; i++)
		h->early += ring_holds_much(&h->rings[i]);
	if (h->len > h->most)
		h->most = h->len;
	h->len = 0;
}

/* Sizes that are no divisor of the ring's: many records wrap. */
static void test_held(void)
{
	struct merge m;
	struct held h = { 0 };
	size_t wrong = 0;

	rings_open(h.rings, 2);
	merge_init(&m, &format, h.rings, 2);
	m.held_max = HELD_MAX;
	m.settle = settle_all;
	for (size_t round = 0; round < HELD_ROUNDS; round++) {
		fill(&h);
		merge_round(&m, UINT64_MAX, hold, &h);
		wrong += h.len || h.too_many;
	}
	is_u64(wrong, 0, "held: at most so many, and none after a round");
	ok(h.log.v.len + 2 * SIZE / 24 >= h.written && h.log.v.len <= h.written,
	   "held: all records but those of the last moment");
	for (size_t i = 0; i < h.log.v.len; i++)
		wrong += !h.log.v.data[i].intact;
	is_u64(wrong, 0, "held: intact until they are settled");
	ok(h.most == HELD_MAX && h.early,
	   "held: up to %zu, fewer %zu times as a ring needed its room", h.most, h.early);
	merge_release(&m);
	vec_release(&h.log.v);
	rings_close(h.rings, 2);
}

int main(void)
{
	test_held();
	test_losses_first();
	test_hidden();
	test_full_ring();
	test_full_in_between();
	test_wrap();
	test_look();
	test_hidden_losses();
	test_early_room();
	test_nonsense();
	test_crooked_head();
	test_interleaved(1);
	test_interleaved(2);
	test_interleaved(16);
	test_uneven();
	test_equal();
	test_limit();
	test_out_of_order();
	return done_testing();
}
