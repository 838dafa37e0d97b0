/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 by the examples of FIPS 180-4 and at each length around its blocks; base64; base85.
 */
#include "page/base64.h"
#include "page/base85.h"
#include "page/sha256.h"

#include <string.h>

#include "tap.h"

static void hex_of(const void *bytes, size_t len, char out[2 * SHA256_BYTES + 1])
{
	unsigned char digest[SHA256_BYTES];

	sha256(bytes, len, digest);
	for (size_t i = 0; i < SHA256_BYTES; i++)
		snprintf(out + 2 * i, 3, "%02x", digest[i]);
}

static bool has_digest(const char *text, const char *want)
{
	char got[2 * SHA256_BYTES + 1];

	hex_of(text, strlen(text), got);
	return !strcmp(got, want);
}

/* The digest of all digests of 0 to 199 bytes, as sha256sum computes it. */
static bool has_lengths(void)
{
	char bytes[200], all[200 * 2 * SHA256_BYTES + 1], *at = all;

	memset(bytes, 'x', sizeof(bytes));
	for (size_t len = 0; len < sizeof(bytes); len++, at += 2 * SHA256_BYTES)
		hex_of(bytes, len, at);
	return has_digest(
		all, "f61ffcc417e1f0e59eba2da7fa32fbe05b64e478b68c6bacf990455f00248b98");
}

static bool encodes(const char *text, const char *want)
{
	struct strbuf out = { 0 };
	bool same;

	base64_put((const unsigned char *)text, strlen(text), &out);
	same = !strcmp(strbuf_str(&out), want);
	strbuf_release(&out);
	return same;
}

/* In pieces of each size. */
static bool encodes_85(const char *text, size_t len, const char *want)
{
	bool same = true;

	for (size_t piece = 1; piece < 6; piece++) {
		struct stream stream = { 0 };
		struct base85 base85 = { .out = &stream };

		for (size_t at = 0; at < len; at += piece)
			base85_write(&base85, text + at,
				     len - at < piece ? len - at : piece);
		base85_end(&base85);
		same &= !strcmp(strbuf_str(&stream.text), want);
		strbuf_release(&stream.text);
	}
	return same;
}

int main(void)
{
	ok(has_digest("",
		      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
	   "nothing");
	ok(has_digest("abc",
		      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
	   "one block");
	ok(has_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
	   "two blocks");
	ok(has_lengths(), "each length around a block's");
	ok(encodes("", "") && encodes("f", "Zg==") && encodes("fo", "Zm8=") &&
		   encodes("foo", "Zm9v") && encodes("foob", "Zm9vYg==") &&
		   encodes("fooba", "Zm9vYmE=") && encodes("foobar", "Zm9vYmFy"),
	   "the examples of RFC 4648");
	ok(encodes("\377\376\375\003", "//79Aw=="), "bytes above 127");
	/* as Python's base64.b85encode, with ",.[]" for "<&()" */
	ok(encodes_85("", 0, "") && encodes_85("f", 1, "W.") &&
		   encodes_85("fo", 2, "W^V") && encodes_85("foo", 3, "W^Zo") &&
		   encodes_85("foob", 4, "W^Zp|") && encodes_85("fooba", 5, "W^Zp|VE"),
	   "base85");
	ok(encodes_85("\377\376\375\003\0\0\0\0", 8, "|Ni|000000") &&
		   encodes_85("\377\377\377\377\220", 5, "|NsC0kN") &&
		   encodes_85("\345\223\311[\317", 5, ",.[],.j"),
	   "base85 of bytes above 127, and no character with a meaning in HTML");
	return done_testing();
}
