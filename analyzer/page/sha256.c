/* SPDX-License-Identifier: Apache-2.0 */
#include "page/sha256.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, LENGTH_BYTES = 8 };

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int by)
{
	return x >> by | x << (32 - by);
}

static void fill_schedule(uint32_t w[ROUNDS], const unsigned char *block)
{
	for (int i = 0; i < 16; i++, block += 4)
		w[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
		       (uint32_t)block[2] << 8 | block[3];
	for (int i = 16; i < ROUNDS; i++) {
		uint32_t a = w[i - 15], b = w[i - 2];

		w[i] = w[i - 16] + w[i - 7] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) +
		       (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

static void add_block(uint32_t state[8], const unsigned char *block)
{
	uint32_t w[ROUNDS], s[8];

	fill_schedule(w, block);
	memcpy(s, state, sizeof(s));
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t sum1 = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
		uint32_t sum0 = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
		uint32_t choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		uint32_t t = s[7] + sum1 + choice + constants[i] + w[i];

		memmove(s + 1, s, 7 * sizeof(*s));
		s[4] += t;
		s[0] = t + sum0 + majority;
	}
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

/* The rest of the text, the bit 1, zeros, and the length in bits. */
static void add_end(uint32_t state[8], const unsigned char *rest, size_t len,
		    uint64_t all)
{
	unsigned char blocks[2 * BLOCK] = { 0 };
	size_t end = len < BLOCK - LENGTH_BYTES ? BLOCK : 2 * BLOCK;

	if (len)
		memcpy(blocks, rest, len);
	blocks[len] = 0x80;
	for (int i = 0; i < LENGTH_BYTES; i++)
		blocks[end - 1 - (size_t)i] = (unsigned char)(all * 8 >> 8 * i);
	for (size_t at = 0; at < end; at += BLOCK)
		add_block(state, blocks + at);
}

void sha256(const void *bytes, size_t len, unsigned char out[SHA256_BYTES])
{
	/* the same of the square roots of the first eight */
	uint32_t state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
			      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
	const unsigned char *at = bytes;
	size_t left = len;

	for (; left >= BLOCK; left -= BLOCK, at += BLOCK)
		add_block(state, at);
	add_end(state, at, left, len);
	for (int i = 0; i < SHA256_BYTES; i++)
		out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
