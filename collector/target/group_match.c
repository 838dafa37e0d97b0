/* SPDX-License-Identifier: Apache-2.0 */
#include "target/group_match.h"

#include <string.h>

enum { ID_LEN = 64, ID_LEAST = 4, UID_LEN = 36 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* systemd puts _ before names that a file of the kernel could have. */
void group_unescape(const char *name, struct strbuf *out)
{
	for (const char *at = name + (*name == '_'); *at; at++) {
		int high = at[0] == '\\' && at[1] == 'x' ? hex_digit(at[2]) : -1;
		int low = high >= 0 ? hex_digit(at[3]) : -1;

		if (low >= 0 && high + low) {
			strbuf_addch(out, (char)(high << 4 | low));
			at += 3;
		} else {
			strbuf_addch(out, *at);
		}
	}
}

static bool is_exact(const char *name, const char *word)
{
	return !strcmp(name, word);
}

/* Whether NAME is BEFORE, WORD and BEHIND. */
static bool is_within(const char *name, const char *before, const char *word,
		      const char *behind)
{
	size_t len = strlen(before), word_len = strlen(word);

	return !strncmp(name, before, len) && !strncmp(name + len, word, word_len) &&
	       !strcmp(name + len + word_len, behind);
}

static bool is_unit(const char *name, const char *word)
{
	static const char *const kinds[] = { ".service", ".scope", ".slice",
					     ".socket",  ".mount", ".swap" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (is_within(name, "", word, kinds[i]))
			return true;
	return false;
}

/* What only watches a container is another group: lxc.monitor.web. */
static bool is_machine(const char *name, const char *word)
{
	static const struct {
		const char *before, *behind;
	} forms[] = {
		{ "machine-", ".scope" },
		{ "systemd-nspawn@", ".service" },
		{ "lxc.payload.", "" },
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (is_within(name, forms[i].before, word, forms[i].behind))
			return true;
	return false;
}

static bool is_hex(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (hex_digit(text[i]) < 0)
			return false;
	return true;
}

/* "docker-ID.scope", "ID"; but not that of a monitor, "libpod-conmon-ID.scope". */
static bool is_container(const char *name, const char *word)
{
	const char *end = strrchr(name, '.');
	size_t len = end && !strcmp(end, ".scope") ? (size_t)(end - name) : strlen(name);
	size_t word_len = strlen(word);
	const char *id = name + len - ID_LEN;

	if (len < ID_LEN || word_len < ID_LEAST || word_len > ID_LEN ||
	    strstr(name, "conmon-"))
		return false;
	if (len > ID_LEN && id[-1] != '-' && id[-1] != ':')
		return false;
	return is_hex(id, ID_LEN) && !strncmp(id, word, word_len);
}

/* "pod1a2b-…", "kubepods-burstable-pod1a2b_….slice" */
static bool is_pod(const char *name, const char *word)
{
	const char *end = strrchr(name, '.');
	size_t len = end && !strcmp(end, ".slice") ? (size_t)(end - name) : strlen(name);
	const char *uid = name + len - UID_LEN;

	if (strlen(word) != UID_LEN || len < UID_LEN + 3 || strncmp(uid - 3, "pod", 3))
		return false;
	for (size_t i = 0; i < UID_LEN; i++)
		if ((uid[i] == '_' ? '-' : uid[i]) != word[i])
			return false;
	return true;
}

static bool (*const kinds[GROUP_KINDS])(const char *name, const char *word) = {
	[GROUP_EXACT] = is_exact,     [GROUP_UNIT] = is_unit,
	[GROUP_MACHINE] = is_machine, [GROUP_CONTAINER] = is_container,
	[GROUP_POD] = is_pod,
};

enum group_kind group_match(const char *name, const char *word)
{
	struct strbuf plain = { 0 };
	enum group_kind kind = 0;

	group_unescape(name, &plain);
	while (kind < GROUP_KINDS && !kinds[kind](name, word) &&
	       !kinds[kind](strbuf_str(&plain), word))
		kind++;
	strbuf_release(&plain);
	return kind;
}
