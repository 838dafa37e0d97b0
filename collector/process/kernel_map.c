/* SPDX-License-Identifier: Apache-2.0 */
#include "process/kernel_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/build_id.h"
#include "base/file.h"
#include "process/module.h"
#include "base/xalloc.h"

/*
 * The lowest address in the first lines, which have the linker's _text or _stext.  The
 * kernel takes tens of milliseconds to print the whole file; this takes none.
 */
uint64_t kernel_text_start(const char *root)
{
	FILE *f = file_fopen(root, "/proc/kallsyms");
	char line[512], name[256];
	uint64_t address, found = 0;

	if (!f)
		return 0;
	for (int i = 0; i < 64 && fgets(line, sizeof(line), f); i++) {
		if (sscanf(line, "%" SCNx64 " %*c %255s", &address, name) != 2)
			continue;
		if (!strcmp(name, "_text") || !strcmp(name, "_stext")) {
			found = address;
			break;
		}
	}
	fclose(f);
	return found;
}

static uint32_t add_module(struct module_table *modules, const char *name,
			   enum exp_module_kind kind, const char *notes)
{
	struct module m = { .kind = kind };
	char *path = xstrdup(name);
	uint32_t index;

	if (build_id_read_notes(notes, &m.build_id) < 0)
		m.build_id.hex[0] = '\0';
	m.path = path;
	index = module_table_add(modules, &m);
	free(path);
	return index;
}

/* Lines of /proc/modules: NAME SIZE USES USERS STATE 0xADDRESS. */
static void read_modules(struct kernel_map *k, struct module_table *modules,
			 const char *root)
{
	FILE *f = file_fopen(root, "/proc/modules");
	uint64_t size, start;
	char line[4096], name[128];

	while (f && fgets(line, sizeof(line), f)) {
		char *shown, *notes;

		if (sscanf(line, "%127s %" SCNu64 " %*s %*s %*s %" SCNx64, name, &size,
			   &start) != 3 ||
		    !start)
			continue;
		shown = xasprintf("[%s]", name);
		notes = xasprintf("%s/sys/module/%s/notes/.note.gnu.build-id", root,
				  name);
		space_add(&k->areas,
			  &(struct mapping){
				  .start = start,
				  .end = start + size,
				  .module = add_module(modules, shown,
						       EXP_KIND_KERNEL_MODULE, notes),
			  },
			  0);
		free(notes);
		free(shown);
	}
	if (f)
		fclose(f);
}

/*
 * What is known of the running kernel, whose text the recording has at TEXT.  Its image is in
 * one piece: from its text to the code that it had at boot.
 */
static void learn_running(struct kernel_map *k, const char *root, uint64_t text)
{
	uint64_t here = kernel_text_start(root);

	if (k->is_named || !here)
		return;
	k->is_named = true;
	kernel_entries_open(&k->entries, root);
	if (k->entries.code_end > here)
		k->code = k->entries.code_end - here;
	kernel_entries_move(&k->entries, text - here);
}

void kernel_map_init(struct kernel_map *k, struct module_table *modules, const char *root)
{
	char *notes = xasprintf("%s/sys/kernel/notes", root);

	*k = (struct kernel_map){
		.text = kernel_text_start(root),
		.room.most = SPACE_MAX,
	};
	space_init(&k->areas, &k->room);
	k->kernel = add_module(modules, "[kernel]", EXP_KIND_KERNEL, notes);
	free(notes);
	read_modules(k, modules, root);
	learn_running(k, root, k->text);
}

void kernel_map_init_unknown(struct kernel_map *k, struct module_table *modules)
{
	char name[] = "[unknown kernel]";
	struct module m = { .path = name, .kind = EXP_KIND_KERNEL_MODULE };

	*k = (struct kernel_map){
		.kernel = module_table_add(modules, &m),
		.room.most = SPACE_MAX,
	};
	space_init(&k->areas, &k->room);
}

/* "/lib/modules/6.1/kernel/fs/snd-pcm.ko.xz" as in /proc/modules: "[snd_pcm]". */
static char *module_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	char *name;

	if (path[0] == '[')
		return xstrdup(path);
	name = xasprintf("[%.*s]", (int)strcspn(base, "."), base);
	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

/*
 * Whether the recorded kernel is the running one: by its build-id; without one (perf
 * records none in a pipe), by its address, on the same machine.
 */
static bool runs_here(const struct module_table *modules, uint64_t text,
		      const struct build_id *build_id)
{
	struct build_id running;

	if (!build_id->hex[0])
		return modules->before && text && text == kernel_text_start("");
	return !build_id_read_notes("/sys/kernel/notes", &running) &&
	       build_id_same(running.hex, build_id->hex);
}

unsigned kernel_map_add(struct kernel_map *k, struct module_table *modules,
			const char *name, uint64_t start, uint64_t len, uint64_t text,
			const struct build_id *build_id)
{
	static const char core[] = "[kernel.kallsyms"; /* then "]_text", once "._text]" */
	bool is_core = !strncmp(name, core, sizeof(core) - 1);
	uint64_t end = len && start + len > start ? start + len : UINT64_MAX;
	struct module m = {
		.kind = is_core ? EXP_KIND_KERNEL : EXP_KIND_KERNEL_MODULE,
		.path = is_core ? xstrdup("[kernel]") : module_name(name),
		.build_id = *build_id,
	};
	struct mapping area = {
		.start = start,
		.end = end,
		.offset = is_core && text ? start - text : 0,
	};

	if (is_core && modules->elsewhere) {
		modules->kernel_here = runs_here(modules, text, build_id);
		if (modules->kernel_here && text)
			learn_running(k, "", text);
	}
	if (is_core && area.end < text + k->code)
		area.end = text + k->code;
	area.module = space_takes(&k->areas, &area) ? module_table_add(modules, &m)
						    : MODULE_NO_ID;
	free(m.path);
	if (area.module == MODULE_NO_ID)
		return 1 + space_cut(&k->areas, start, area.end, k->areas.generation + 1);
	return space_add(&k->areas, &area, k->areas.generation + 1);
}

void kernel_map_release(struct kernel_map *k)
{
	space_release(&k->areas);
	kernel_entries_release(&k->entries);
}

void kernel_map_find(const struct kernel_map *k, uint64_t address, uint32_t *module,
		     uint64_t *offset)
{
	const struct mapping *m = space_find(&k->areas, address);

	*module = m ? m->module : k->kernel;
	*offset = m ? address - m->start + m->offset : address - k->text;
}
