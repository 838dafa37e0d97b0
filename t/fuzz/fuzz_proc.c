/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any text as what other processes show of themselves: a line of maps, stat, status, their
 * arguments, the name of their control group or of their program.  The first byte chooses;
 * the text is a copy of its own length, so that a read beyond it is seen.
 */
#include <stdlib.h>
#include <string.h>

#include "base/rights.h"
#include "base/runtimes.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "process/command_lines.h"
#include "process/maps_line.h"
#include "process/proc_stat.h"
#include "target/group_match.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void try_maps(char *text, size_t len)
{
	struct maps_line line;

	if (maps_line_parse(text, &line) &&
	    (line.start >= line.end || line.name < text || line.name > text + len))
		abort();
}

static void try_stat(char *text, size_t len)
{
	struct proc_stat stat;

	(void)len;
	if (proc_stat_parse(text, &stat) && !strchr(text, ')'))
		abort();
}

static void try_status(char *text, size_t len)
{
	struct rights rights = { 0 };

	(void)len;
	if (rights_parse(&rights, text) && !strstr(text, "Uid:"))
		abort();
	rights_release(&rights);
}

/* Bytes as they are, without a NUL behind them; nothing but padding goes. */
static void try_arguments(char *text, size_t len)
{
	char *own = xmalloc(len);
	size_t left;

	memcpy(own, text, len);
	left = command_line_trim(own, len);
	if (left > len)
		abort();
	for (size_t i = left; i < len; i++)
		if (own[i] && own[i] != ' ')
			abort();
	free(own);
}

/* What is unescaped is no longer; a name is itself. */
static void try_group(char *text, size_t len)
{
	char *word = strchr(text, '\n');
	struct strbuf plain = { 0 };

	group_unescape(text, &plain);
	if (plain.len > len)
		abort();
	if (word)
		*word++ = '\0';
	if (group_match(text, word ? word : "ab12") > GROUP_KINDS ||
	    group_match(text, text) != GROUP_EXACT)
		abort();
	strbuf_release(&plain);
}

static void try_program(char *text, size_t len)
{
	const struct runtime *runtime = runtime_of_file(text);

	(void)len;
	if (runtime && !runtime->name)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static void (*const tries[])(char *text, size_t len) = {
		try_maps, try_stat, try_status, try_arguments, try_group, try_program,
	};
	char *text;

	if (!len)
		return 0;
	text = xmalloc(len);
	memcpy(text, bytes + 1, len - 1);
	text[len - 1] = '\0';
	tries[*bytes % (sizeof(tries) / sizeof(tries[0]))](text, len - 1);
	free(text);
	return 0;
}
