/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks as text: their frames, nodes and samples. */
#include "mkexp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

enum { FUNCTION_SIZE = 64, BASE = 0x1000, SITE_STEP = 5 };

/*
 * The text given for MODULE behind MARK ('=' its path, '#' its build-id), or OTHERWISE.
 */
static const char *said_of(const struct maker *m, const char *module, char mark,
			   const char *otherwise)
{
	size_t len = strlen(module);

	for (uint32_t i = 1; i < strtab_count(&m->paths); i++) {
		const char *text = strtab_get(&m->paths, i);

		if (!strncmp(text, module, len) && text[len] == mark)
			return text + len + 1;
	}
	return otherwise;
}

/* As collect does with the file that ran. */
static void look_at(const char *path, struct file_mark *mark)
{
	int fd = file_open(path);

	if (fd < 0)
		return;
	file_mark_of(fd, mark);
	close(fd);
}

static uint32_t module_id(struct maker *m, const char *name, enum exp_module_kind kind)
{
	uint64_t key = mkexp_string(m, name);
	uint32_t id = idmap_get(&m->modules, key, kind);
	const char *path = said_of(m, name, '=', name);
	const char *build = said_of(m, name, '#', "");
	struct file_mark mark = { 0 };

	if (id != IDMAP_NONE)
		return id;
	if (kind == EXP_KIND_FILE && !*build)
		look_at(path, &mark);
	id = mkexp_row(m, EXP_MODULES,
		       (uint64_t[EXP_MODULE_COLUMNS]){
			       mkexp_string(m, path), mkexp_string(m, build), kind,
			       mark.inode, mark.size, mark.mtime_ns });
	idmap_set(&m->modules, key, kind, id);
	return id;
}

static uint64_t function_start(struct maker *m, const char *module, const char *function)
{
	char *text = xasprintf("%s!%s", module, function);
	uint32_t id = strtab_intern(&m->functions, text);

	free(text);
	return BASE + (uint64_t)id * FUNCTION_SIZE;
}

static uint32_t frame_id(struct maker *m, uint32_t module, uint64_t offset, bool leaf)
{
	uint32_t flags = leaf ? 0 : EXP_FRAME_RETURN;
	uint32_t next = m->counts[EXP_FRAMES];
	uint32_t id = idmap_intern(&m->frames, offset,
				   module << EXP_FRAME_FLAG_BITS | flags, next);

	if (id == next)
		mkexp_row(m, EXP_FRAMES, (uint64_t[]){ module, offset, flags });
	return id;
}

static uint64_t truncated_offset(const char *text)
{
	if (!strcmp(text, "<unsampled>"))
		return EXP_UNSAMPLED;
	for (unsigned i = 0; i < EXP_ENDS; i++)
		if (!strncmp(exp_stack_end_names[i], text + 1, strlen(text) - 2))
			return EXP_TRUNCATED + i;
	mkexp_fail("no such reason", text);
}

static enum exp_module_kind kind_of(const char *module)
{
	if (!strncmp(module, "[anon", 5))
		return EXP_KIND_ANON;
	if (!strncmp(module, "[vdso]", 6))
		return EXP_KIND_VDSO;
	return *module == '[' ? EXP_KIND_KERNEL : EXP_KIND_FILE;
}

/* TEXT is cut up. */
static uint32_t frame_of(struct maker *m, char *text, bool leaf)
{
	char *bang = strchr(text, '!'), *site = strrchr(text, '@');
	const char *module = bang ? text : "a.out", *function = bang ? bang + 1 : text;
	enum exp_module_kind kind = kind_of(module);
	uint64_t offset = leaf ? 4 : SITE_STEP;

	if (*text == '<')
		return frame_id(m, module_id(m, "", EXP_KIND_ARTIFICIAL),
				truncated_offset(text), true);
	if (!strcmp(text, "?"))
		return frame_id(m, module_id(m, "", EXP_KIND_UNKNOWN), BASE, true);
	if (bang)
		*bang = '\0';
	if (*function == '+')
		return frame_id(m, module_id(m, module, kind),
				strtoull(function, NULL, 16), true);
	if (site) {
		offset += SITE_STEP * strtoull(site + 1, NULL, 10);
		*site = '\0';
	}
	return frame_id(m, module_id(m, module, kind),
			function_start(m, module, function) + offset, leaf);
}

/* TEXT is cut up. */
uint32_t mkexp_node(struct maker *m, char *text)
{
	uint32_t node = 0;
	char *save = NULL;

	if (!strcmp(text, "."))
		return 0;
	for (char *at = strtok_r(text, ";", &save); at; at = strtok_r(NULL, ";", &save)) {
		uint32_t frame = frame_of(m, at, !*save);
		uint32_t next = m->counts[EXP_NODES] + 1;
		uint32_t id = idmap_intern(&m->nodes, node, frame, next);

		if (id == next)
			mkexp_row(m, EXP_NODES, (uint64_t[]){ node, frame });
		node = id;
	}
	return node;
}

/* "main;f 3" */
void mkexp_take_stack(struct maker *m, char *line)
{
	char *space = strrchr(line, ' ');
	uint64_t count;
	uint32_t node;
	bool sampled, is_wait;

	if (!space)
		mkexp_fail("neither a stack nor a directive", line);
	*space = '\0';
	count = strtoull(space + 1, NULL, 10);
	if (!m->log.events.len) {
		mkexp_add_event(m, "totalcpu", "ns", "Total CPU Time");
		m->log.events.data[0].period = MKEXP_PERIOD_NS;
		m->weight = MKEXP_PERIOD_NS;
	}
	if (!m->counts[EXP_THREADS])
		mkexp_set_thread(m, 100, 100, "a.out");
	is_wait = m->log.events.data[m->event].state != NULL;
	sampled = strcmp(line, "<unsampled>") != 0;
	node = mkexp_node(m, line);
	for (; count; count--) {
		m->time_ns += m->step_ns;
		m->log.events.data[m->event].samples += sampled;
		m->log.samples += sampled && !is_wait;
		mkexp_row(m, EXP_SAMPLES,
			  (uint64_t[EXP_SAMPLE_COLUMNS]){
				  m->time_ns, m->thread, m->cpu, m->event, m->weight,
				  node, m->address, [EXP_SAMPLE_WAKER] = m->waker });
	}
}

/* "f~a.c#2" */
static void cut_twin(char *function, const char **file, uint64_t *twin)
{
	char *tilde = strchr(function, '~'), *number = strrchr(function, '#');

	*twin = 0;
	*file = "";
	if (!tilde || !number)
		return;
	*tilde = *number = '\0';
	*file = tilde + 1;
	*twin = strtoull(number + 1, NULL, 10);
}

void mkexp_write_symbols(struct maker *m)
{
	for (uint32_t i = 1; i < strtab_count(&m->functions); i++) {
		char *module = xstrdup(strtab_get(&m->functions, i));
		char *bang = strchr(module, '!');
		enum exp_module_kind kind;
		const char *file;
		uint64_t twin;

		*bang = '\0';
		kind = kind_of(module);
		cut_twin(bang + 1, &file, &twin);
		mkexp_row(m, EXP_SYMBOLS,
			  (uint64_t[EXP_SYMBOL_COLUMNS]){
				  module_id(m, module, kind),
				  BASE + (uint64_t)i * FUNCTION_SIZE, FUNCTION_SIZE,
				  mkexp_string(m, bang + 1), EXP_SOURCE_SYMTAB,
				  twin ? mkexp_string(m, file) : 0, twin });
		free(module);
	}
}
