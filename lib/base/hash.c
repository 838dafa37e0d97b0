/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>

uint64_t hash_key(void)
{
	const unsigned char *random;
	uint64_t words[2] = { 0 };
	unsigned long at = getauxval(AT_RANDOM);

	memcpy(&random, &at, sizeof(random));
	if (random)
		memcpy(words, random, sizeof(words));
	return hash_fold(words[0] ^ 0x9e3779b97f4a7c15u, words[1] ^ 0xd6e8feb86659fd93u);
}

uint64_t hash_bytes(uint64_t key, const void *bytes, size_t len)
{
	const unsigned char *at = bytes;
	uint64_t h = key ^ len, word;

	for (; len > sizeof(word); len -= sizeof(word), at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		h = hash_fold(h ^ word, 0x9e3779b97f4a7c15u);
	}
	word = 0;
	memcpy(&word, at, len);
	return hash_fold(h ^ word, 0xd6e8feb86659fd93u);
}
