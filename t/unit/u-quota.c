/* SPDX-License-Identifier: Apache-2.0 */
/* How much owners may take, and leave to others. */
#include "base/quota.h"

#include "tap.h"

/* Takes the most until nothing is left for OWNER; returns the sum. */
static uint64_t take_all(struct quota *s, uid_t owner)
{
	uint64_t all = 0, most;

	while ((most = quota_most(s, owner))) {
		if (!quota_take(s, owner, most))
			return UINT64_MAX;
		all += most;
	}
	return all;
}

static void test_owners(void)
{
	struct quota s;
	uint64_t first, second, root;

	quota_init(&s, 1024);
	is_u64(quota_most(&s, 1), 192, "a quarter of the unreserved part");
	is_u64(quota_most(&s, 0), 256, "root may take a quarter of everything");
	ok(!quota_take(&s, 1, 193) && s.left == 1024, "more is refused");
	ok(quota_take(&s, 1, 95), "some small files");
	is_u64(quota_most(&s, 1), 144, "leave enough for a large one");
	ok(quota_take(&s, 1, 1), "once their owner has used a quarter of his share");
	is_u64(quota_most(&s, 1), 72, "a file may take a quarter of the rest");
	quota_give_back(&s, 1, 96);
	first = take_all(&s, 1);
	ok(first > 368 && first <= 384, "one owner has half: %u", (unsigned)first);
	second = take_all(&s, 2);
	ok(second > 176 && second <= 192 + 8, "the next one half of the rest: %u",
	   (unsigned)second);
	for (uid_t user = 3; user < 40; user++)
		take_all(&s, user);
	ok(s.left >= 256, "the reserve stays: %u", (unsigned)s.left);
	root = take_all(&s, 0);
	ok(root > 112, "root has half of it: %u", (unsigned)root);
	quota_release(&s);
}

static void test_give_back(void)
{
	struct quota s;
	bool taken;

	quota_init(&s, 1024);
	taken = quota_take(&s, 7, 192);
	quota_give_back(&s, 7, 192);
	ok(taken && s.left == 1024 && quota_most(&s, 7) == 192,
	   "released amounts are free again");
	quota_release(&s);
}

/* Beyond that many owners, all further ones count as one. */
static void test_many(void)
{
	const uint64_t all = UINT64_C(1) << 40;
	struct quota s;
	bool taken = true;

	quota_init(&s, all);
	taken = quota_take(&s, 0, 1);
	for (uid_t user = 1; user < 2 * QUOTA_OWNERS_MAX; user++)
		taken &= quota_take(&s, user, 1);
	ok(taken && s.owners.len == QUOTA_OWNERS_MAX, "owners beyond the limit");
	is_u64(s.owners.data[QUOTA_OWNERS_MAX - 1].has, QUOTA_OWNERS_MAX + 1,
	       "share one share");
	is_u64(s.owners.data[0].has, 1, "and not root's");
	quota_release(&s);
}

int main(void)
{
	test_owners();
	test_give_back();
	test_many();
	return done_testing();
}
