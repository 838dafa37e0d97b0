/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strtab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "base/xalloc.h"

enum { MANY = 20000, LARGE = 1 << 22 };

static void test_few(void)
{
	struct strtab tab;

	memset(&tab, 0xff, sizeof(tab));
	strtab_init(&tab);
	is_u64(strtab_count(&tab), 1, "a new table holds one text");
	is_str(strtab_get(&tab, 0), "", "… the empty one");
	is_u64(strtab_find(&tab, ""), 0, "it is found");
	is_u64(strtab_find(&tab, "absent"), STRTAB_NONE, "another text is not");
	is_u64(strtab_count(&tab), 1, "and not added");
	is_u64(strtab_intern(&tab, ""), 0, "the empty text has id 0");
	is_u64(strtab_intern(&tab, "main"), 1, "ids count up");
	is_u64(strtab_intern(&tab, "mainly"), 2, "a longer text is another one");
	is_u64(strtab_intern(&tab, "mai"), 3, "a shorter one too");
	is_u64(strtab_intern(&tab, "main"), 1, "an equal text has the same id");
	is_u64(strtab_intern_len(&tab, "mainframe", 4), 1, "… also as a part of another");
	is_u64(strtab_intern_len(&tab, "x", 0), 0, "no bytes make the empty text");
	is_u64(strtab_count(&tab), 4, "distinct texts are counted");
	strtab_release(&tab);
	strtab_release(&tab);
}

static void test_many(void)
{
	struct strtab tab;
	uint32_t wrong = 0;
	char text[32];

	strtab_init(&tab);
	for (uint32_t i = 1; i <= MANY; i++) {
		snprintf(text, sizeof(text), "function_%u", i);
		wrong += strtab_intern(&tab, text) != i;
	}
	is_u64(wrong, 0, "%d texts get ids in order", MANY);
	for (uint32_t i = 1; i <= MANY; i++) {
		snprintf(text, sizeof(text), "function_%u", i);
		wrong += strcmp(strtab_get(&tab, i), text) != 0;
		wrong += strtab_intern(&tab, text) != i;
	}
	is_u64(wrong, 0, "… and keep both through every growth");
	is_u64(strtab_count(&tab), MANY + 1, "… and nothing was added twice");
	strtab_release(&tab);
}

/* Two texts of one FNV-1a hash.  With a known hash a file could bring thousands. */
static void test_chosen(void)
{
	struct strtab tab;
	unsigned same = 0;

	strtab_init(&tab);
	is_u64(strtab_intern(&tab, "8yn0iYCKYHlIj4-BwPqk"), 1, "a text");
	is_u64(strtab_intern(&tab, "GReLUrM4wMqfg9yzV3KQ"), 2, "another one");
	for (size_t i = 0; i <= tab.ids.now.mask; i++)
		same += tab.ids.now.slots[i].b > 0;
	is_u64(same, 0, "that was chosen for its hash has a hash of its own");
	strtab_release(&tab);
}

/* Pointers to a text stay valid, even if a part of it is interned later. */
static void test_stable(void)
{
	struct strtab tab;
	const char *first;
	char *large = xmalloc(LARGE + 1);

	strtab_init(&tab);
	memset(large, 'x', LARGE);
	large[LARGE] = '\0';
	first = strtab_get(&tab, strtab_intern(&tab, "main.cold"));
	for (uint32_t len = 1; len <= LARGE; len *= 2)
		strtab_intern_len(&tab, large, len);
	is_str(strtab_get(&tab, strtab_intern_len(&tab, first, 4)), "main",
	       "a part of a text is interned");
	is_str(first, "main.cold", "a text stays where it is");
	is_u64(strtab_get(&tab, 1) == first, 1, "… and is returned from there");
	is_u64(strtab_get(&tab, strtab_intern(&tab, large))[LARGE - 1], 'x',
	       "a text may be larger than all earlier ones");
	strtab_release(&tab);
	free(large);
}

int main(void)
{
	test_few();
	test_chosen();
	test_many();
	test_stable();
	return done_testing();
}
