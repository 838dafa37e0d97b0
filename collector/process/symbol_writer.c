/* SPDX-License-Identifier: Apache-2.0 */
#include "process/symbol_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/kernel_names.h"
#include "elf/objsyms.h"
#include "elf/perfmap.h"
#include "elf/symtab.h"
#include "elf/vdso.h"
#include "base/file.h"
#include "base/idmap.h"

static const enum exp_symbol_source source_of[SYMBOL_SOURCES] = {
	[SYMBOL_NONE] = EXP_SOURCE_NONE,
	[SYMBOL_SYMTAB] = EXP_SOURCE_SYMTAB,
	[SYMBOL_DEBUG_FILE] = EXP_SOURCE_DEBUG_FILE,
	[SYMBOL_MINI] = EXP_SOURCE_MINI,
	[SYMBOL_GO] = EXP_SOURCE_GO,
	[SYMBOL_DYNSYM] = EXP_SOURCE_DYNSYM,
	[SYMBOL_PLT] = EXP_SOURCE_PLT,
	[SYMBOL_FDE] = EXP_SOURCE_UNWIND,
	[SYMBOL_KALLSYMS] = EXP_SOURCE_KALLSYMS,
	[SYMBOL_PERF_MAP] = EXP_SOURCE_PERF_MAP,
	[SYMBOL_CARRIED] = EXP_SOURCE_RECORDING,
};

/* The frames of one module: offsets at which to look, ascending. */
struct job {
	struct module *module;
	const uint64_t *offsets;
	size_t count;
	uid_t owner; /* of the names */
};

struct namer {
	struct intern *in;
	struct module_table *modules;
	const struct kernel_map *kernel;
	const char *root;
	const struct carried_symbols *carried; /* NULL: nothing */
	struct kernel_names names;
	bool names_read;
	uint64_t map_budget; /* for perf maps */
	struct quota symbols, labels;
	struct symbols_left_out left_out;
	struct idmap refused; /* files that are counted in LEFT_OUT.symbols */
};

static bool may_name(struct namer *n, const struct job *job, size_t len)
{
	return len <= LABEL_MAX &&
	       (job->owner == geteuid() || quota_take(&n->labels, job->owner, len));
}

static void write_row(struct intern *in, const struct module *m, const char *object,
		      const struct symbol *sym, const char *file)
{
	struct strbuf label = { 0 };

	objsyms_label(&label, object, sym);
	exp_write_row(
		in->writer, EXP_SYMBOLS,
		(uint64_t[EXP_SYMBOL_COLUMNS]){ m->id, sym->start, sym->size,
						intern_string(in, strbuf_str(&label)),
						source_of[sym->source],
						intern_string(in, file), sym->twin });
	strbuf_release(&label);
}

static void write_symbol(struct namer *n, const struct job *job, const char *object,
			 const struct symbol *sym)
{
	const char *file = sym->twin && sym->file ? sym->file : "";
	struct symbol bare = *sym;

	if (!sym->name || may_name(n, job, strlen(sym->name) + strlen(file))) {
		write_row(n->in, job->module, object, sym, file);
		return;
	}
	n->left_out.labels++;
	bare.name = NULL;
	bare.twin = 0;
	bare.source = SYMBOL_FDE;
	write_row(n->in, job->module, object, &bare, "");
}

/* Every offset that the last symbol does not cover gets the next one. */
static void name_object(struct namer *n, const struct job *job,
			const struct objsyms *syms)
{
	const char *slash = strrchr(job->module->path, '/');
	struct symbol sym = { 0 };

	for (size_t i = 0; i < job->count; i++) {
		if (!i || job->offsets[i] >= sym.until) {
			objsyms_at(syms, job->offsets[i], &sym);
			write_symbol(n, job, slash ? slash + 1 : job->module->path, &sym);
		}
		if (!sym.name && (!i || job->offsets[i] != job->offsets[i - 1]))
			job->module->nameless += leaves_at(
				&n->modules->leaves, job->module->index, job->offsets[i]);
	}
}

/* Whether it was overwritten in place since its first sample: its content is another. */
static bool is_overwritten(const struct module *m, const struct elf_image *img)
{
	if (m->build_id.hex[0])
		return !build_id_same(m->build_id.hex, img->build_id.hex);
	return file_mark_is_known(&m->mark) && !file_mark_is(&m->mark, img->fd);
}

/*
 * The file used for unwinding is still open, even if it was deleted or replaced, or its
 * mount namespace is gone.
 */
static int open_module(const struct namer *n, struct module *m, struct elf_image *img)
{
	int fd = m->cfi ? unwind_module_dup(m->cfi) : module_open(n->modules, m);
	int error = fd < 0 ? fd : elf_image_open_fd(img, fd);

	if (!error && is_overwritten(m, img)) {
		elf_image_release(img);
		error = -ESTALE;
	}
	return error;
}

/* The address of offset 0 of the kernel or of one of its modules. */
static uint64_t base_of_kernel_module(const struct namer *n, const struct module *m)
{
	const struct space *areas = &n->kernel->areas;

	for (const struct mapping *area = space_above(areas, 0); area;
	     area = space_above(areas, area->end))
		if (area->module == m->index)
			return area->start - area->offset;
	return 0;
}

static bool find_carried(const struct namer *n, const struct module *m,
			 struct objsyms *out)
{
	return n->carried &&
	       n->carried->find(n->carried->ctx, m, base_of_kernel_module(n, m), out);
}

static uid_t owner_of(const struct elf_image *img)
{
	return img->quota ? img->owner : geteuid();
}

/* One file may be several modules: under two names, or mapped through two mounts. */
static void count_refused(struct namer *n, const struct elf_image *img)
{
	uint32_t next = (uint32_t)n->refused.len;
	struct stat st;

	n->left_out.symbols += fstat(img->fd, &st) ||
			       idmap_intern(&n->refused, st.st_ino, (uint32_t)st.st_dev,
					    next) == next;
}

static int read_symbols(struct namer *n, struct elf_image *img,
			const struct object_place *place, struct objsyms *out)
{
	uint64_t before = n->symbols.refused;
	int error;

	elf_image_charge(img, &n->symbols);
	error = objsyms_read_image(out, img, place);
	if (n->symbols.refused != before)
		count_refused(n, img);
	return error;
}

/* If a file is no longer available, and has no names elsewhere, its pages get labels. */
static void name_file(struct namer *n, const struct job *job)
{
	struct object_place place = {
		.path = job->module->path,
		.build_id = job->module->build_id.hex,
		.by = origin_by(job->module->task.origin),
		.sums = &n->modules->sums,
	};
	struct objsyms syms = { 0 };
	struct job own = *job;
	struct elf_image img;
	uint64_t left = n->symbols.left, taken;
	int error;

	error = open_module(n, job->module, &img);
	if (!error) {
		error = read_symbols(n, &img, &place, &syms);
		own.owner = owner_of(&img);
		elf_image_release(&img);
	} else {
		find_carried(n, job->module, &syms);
	}
	job->module->replaced |= error == -ESTALE;
	name_object(n, &own, &syms);
	if (error)
		job->module->nameless = 0; /* its names are not known, and may be there */
	objsyms_release(&syms);
	/* the memory is free again; a part stays taken for the time that reading took */
	taken = left - n->symbols.left;
	if (taken)
		quota_give_back(&n->symbols, own.owner, taken - taken / SYMBOLS_KEPT);
}

static void name_vdso(struct namer *n, const struct job *job)
{
	struct elf_image img;
	struct objsyms syms = { 0 };
	size_t len;
	const void *image = vdso_image(&len);

	if (!module_is_our_vdso(n->modules, job->module))
		return;
	if (!image || elf_image_memory(&img, image, len) < 0)
		return;
	if (!objsyms_read_image(&syms, &img, NULL))
		name_object(n, job, &syms);
	objsyms_release(&syms);
	elf_image_release(&img);
}

/* A look-up in whatever table has names by absolute address. */
typedef bool find_fn(const void *tab, uint64_t address, struct symbol *out);

/* Names from a table of absolute addresses; BASE is the address of offset 0. */
static void name_absolute(struct namer *n, const struct job *job, find_fn *find,
			  const void *tab, uint64_t base)
{
	struct symbol sym = { 0 };
	bool have = false;

	for (size_t i = 0; i < job->count; i++) {
		if (have && base + job->offsets[i] < sym.until)
			continue;
		have = find(tab, base + job->offsets[i], &sym);
		if (!have)
			continue;
		sym.start -= base;
		write_symbol(n, job, job->module->path, &sym);
	}
}

static bool find_in_kernel(const void *tab, uint64_t address, struct symbol *out)
{
	return kernel_names_find(tab, address, out);
}

/* A module of the kernel, and the names now in its place. */
struct loaded {
	const struct kernel_names *names;
	const char *path; /* "[ext4]", "[bpf_prog_6deef7357e7b4530]" */
};

/* Whether PATH is NAME, in brackets or not; a path lacks the part behind a dot. */
static bool is_called(const char *path, const char *name)
{
	size_t len = strcspn(name + (*name == '['), ".]");

	return !strncmp(path + 1, name + (*name == '['), len) && path[1 + len] == ']';
}

/*
 * Names are read at the end, when a module may have been unloaded and its place reused.
 * For a kernel program (BPF) the symbol itself has its name.
 */
static bool find_loaded(const void *tab, uint64_t address, struct symbol *out)
{
	const struct loaded *l = tab;

	return kernel_names_find(l->names, address, out) && out->object &&
	       (is_called(l->path, out->object) || is_called(l->path, out->name));
}

static bool lacks_names(const struct namer *n, const struct job *job, uint64_t base)
{
	struct symbol sym;

	for (size_t i = 0; i < job->count; i++)
		if (!kernel_names_find(&n->names, base + job->offsets[i], &sym))
			return true;
	return false;
}

static void name_kernel_elsewhere(struct namer *n, const struct job *job)
{
	struct objsyms syms = { 0 };

	if (find_carried(n, job->module, &syms))
		name_object(n, job, &syms);
	objsyms_release(&syms);
}

static void name_kernel(struct namer *n, const struct job *job)
{
	bool core = job->module->kind == EXP_KIND_KERNEL;
	uint64_t base = n->kernel->text;

	/* the places of its modules are unknown */
	if (n->modules->elsewhere && !(core && n->modules->kernel_here)) {
		name_kernel_elsewhere(n, job);
		return;
	}
	if (n->modules->elsewhere)
		base = kernel_text_start(n->root);
	else if (!core)
		base = base_of_kernel_module(n, job->module);
	if (!n->names_read && kernel_names_open(&n->names, n->root) < 0)
		n->names = (struct kernel_names){ 0 };
	n->names_read = true;
	if (n->names.cached && lacks_names(n, job, base) &&
	    kernel_names_refresh(&n->names, n->root) < 0)
		n->names = (struct kernel_names){ 0 };
	if (core)
		name_absolute(n, job, find_in_kernel, &n->names, base);
	else
		name_absolute(n, job, find_loaded,
			      &(struct loaded){ &n->names, job->module->path }, base);
}

/* A map that existed at the time of the recording, and is ours. */
static struct perfmap_place old_map(const struct module_table *modules, int64_t pid)
{
	return (struct perfmap_place){
		.pid = (int)pid,
		.owner = geteuid(),
		.to_ns = modules->before * INT64_C(1000000000) + 999999999,
	};
}

/* Once a process has gone, nothing shows whose map it is. */
static struct perfmap_place live_map(const struct module_table *modules,
				     const struct module *m)
{
	const struct origin *origin = m->task.origin;

	return (struct perfmap_place){
		.by = origin_by(origin),
		.inner_pid = m->task.inner_pid,
		.pid = (int)m->pid,
		.owner = origin ? origin->rights.uid : geteuid(),
		.from_ns = origin ? m->task.born_ns : modules->began_ns,
	};
}

static void name_anon(struct namer *n, const struct job *job)
{
	struct perfmap_place place = n->modules->elsewhere
					     ? old_map(n->modules, job->module->pid)
					     : live_map(n->modules, job->module);
	struct job own = *job;
	uint64_t share = n->map_budget / PERF_MAP_SHARE;
	struct perfmap_query query = { job->offsets, job->count, share };
	struct perfmap map;
	int error = perfmap_find(&map, &place, &query);

	n->map_budget -= share - query.budget;
	if (error < 0)
		return;
	own.owner = place.owner;
	n->left_out.jit += map.unread;
	job->module->named = map.pieces.len > 0;
	vec_for_each(const struct perfmap_piece, piece, &map.pieces)
		write_symbol(n, &own, job->module->path,
			     &(struct symbol){
				     .start = piece->start,
				     .size = piece->end - piece->start,
				     .name = piece->name,
				     .source = SYMBOL_PERF_MAP,
			     });
	perfmap_release(&map);
}

static void (*const namers[])(struct namer *, const struct job *) = {
	[EXP_KIND_FILE] = name_file,
	[EXP_KIND_KERNEL] = name_kernel,
	[EXP_KIND_KERNEL_MODULE] = name_kernel,
	[EXP_KIND_VDSO] = name_vdso,
	[EXP_KIND_ANON] = name_anon,
	[EXP_KIND_ARTIFICIAL] = NULL,
};

/* A place to look up; sorted, those of a module are adjacent. */
struct place {
	uint32_t module; /* id in the experiment */
	uint64_t offset;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->module != y->module)
		return x->module < y->module ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* By their ids in the experiment, which count from 0: the first that has it, or NULL. */
typedef VEC(struct module *) module_vec;

static void order_modules(struct module_table *modules, module_vec *out)
{
	vec_for_each(struct module, m, &modules->v) {
		if (m->id == MODULE_NO_ID)
			continue;
		while (out->len <= m->id)
			*vec_push(out) = NULL;
		if (!out->data[m->id])
			out->data[m->id] = m;
	}
}

static void name_places(struct namer *n, const struct place *places, size_t count)
{
	VEC(uint64_t) offsets = { 0 };
	module_vec modules = { 0 };

	order_modules(n->modules, &modules);
	for (size_t i = 0; i < count;) {
		uint32_t id = places[i].module;
		struct module *m = id < modules.len ? modules.data[id] : NULL;

		vec_clear(&offsets);
		for (; i < count && places[i].module == id; i++)
			*vec_push(&offsets) = places[i].offset;
		if (m && namers[m->kind])
			namers[m->kind](n, &(struct job){ m, offsets.data, offsets.len,
							  geteuid() });
	}
	vec_release(&modules);
	vec_release(&offsets);
}

struct symbols_left_out symbol_writer_run(struct intern *in, struct module_table *modules,
					  const struct kernel_map *kernel,
					  const char *root,
					  const struct carried_symbols *carried)
{
	struct namer n = { .in = in,
			   .modules = modules,
			   .kernel = kernel,
			   .root = root,
			   .carried = carried,
			   .map_budget = (uint64_t)PERF_MAPS_MIB << 20 };
	VEC(struct place) places = { 0 };

	quota_init(&n.symbols, (uint64_t)SYMBOLS_MIB << 20);
	quota_init(&n.labels, (uint64_t)LABELS_MIB << 20);
	modules->sums.largest = DEBUG_SUM_MAX; /* rings are empty */
	patient_at_leisure(&modules->patient);
	vec_for_each(const struct intern_frame, f, &in->frames)
		*vec_push(&places) = (struct place){
			.module = f->module,
			.offset = f->offset - (f->flags & EXP_FRAME_RETURN ? 1 : 0),
		};
	if (places.len)
		qsort(places.data, places.len, sizeof(*places.data), compare_places);
	name_places(&n, places.data, places.len);
	vec_release(&places);
	kernel_names_release(&n.names);
	quota_release(&n.symbols);
	quota_release(&n.labels);
	idmap_release(&n.refused);
	return n.left_out;
}
