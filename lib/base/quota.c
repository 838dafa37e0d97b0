/* SPDX-License-Identifier: Apache-2.0 */
#include "base/quota.h"

void quota_init(struct quota *q, uint64_t all)
{
	*q = (struct quota){ .left = all, .reserve = all / QUOTA_RESERVE };
}

void quota_release(struct quota *q)
{
	vec_release(&q->owners);
}

static const struct quota_share *find(const struct quota *q, uid_t owner)
{
	vec_for_each(const struct quota_share, share, &q->owners)
		if (share->owner == owner)
			return share;
	return q->owners.len < QUOTA_OWNERS_MAX ? NULL
						: q->owners.data + q->owners.len - 1;
}

static struct quota_share *share_of(struct quota *q, uid_t owner)
{
	const struct quota_share *known = find(q, owner);

	if (known)
		return q->owners.data + (known - q->owners.data);
	*vec_push(&q->owners) = (struct quota_share){ .owner = owner };
	return &q->owners.data[q->owners.len - 1];
}

uint64_t quota_most(const struct quota *q, uid_t owner)
{
	const struct quota_share *share = find(q, owner);
	uint64_t has = share ? share->has : 0, reserve = owner ? q->reserve : 0;
	uint64_t free = q->left > reserve ? q->left - reserve : 0;
	uint64_t half = (free + has) / QUOTA_OF_OWNER;
	bool plenty = has < half / QUOTA_PLENTY;

	if (half <= has)
		return 0;
	return (half - has) / (plenty ? QUOTA_OF_FIRST : QUOTA_OF_FILE);
}

bool quota_take(struct quota *q, uid_t owner, uint64_t len)
{
	if (len > quota_most(q, owner))
		return false;
	q->left -= len;
	share_of(q, owner)->has += len;
	return true;
}

void quota_give_back(struct quota *q, uid_t owner, uint64_t len)
{
	q->left += len;
	share_of(q, owner)->has -= len;
}
