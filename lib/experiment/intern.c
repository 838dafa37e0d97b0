/* SPDX-License-Identifier: Apache-2.0 */
#include "experiment/intern.h"

void intern_init(struct intern *in, struct exp_writer *writer)
{
	*in = (struct intern){
		.writer = writer,
		.nodes = 1,
		.nodes_max = INTERN_NODES_MAX,
	};
	strtab_init(&in->strings);
}

void intern_release(struct intern *in)
{
	strtab_release(&in->strings);
	idmap_release(&in->module_ids);
	idmap_release(&in->frame_ids);
	node_index_release(&in->node_ids);
	vec_release(&in->frames);
}

/* Ids of the table and of the file are the same: both count from "" = 0. */
uint32_t intern_string(struct intern *in, const char *text)
{
	uint32_t next = strtab_count(&in->strings);
	uint32_t id = strtab_intern(&in->strings, text);

	if (id == next)
		exp_write_string(in->writer, text);
	return id;
}

uint32_t intern_module(struct intern *in, const char *path, const char *build_id,
		       enum exp_module_kind kind)
{
	uint32_t name = intern_string(in, path), bits = intern_string(in, build_id);
	uint32_t id = idmap_intern(&in->module_ids, (uint64_t)name << 32 | bits, kind,
				   in->modules);

	if (id == in->modules) {
		exp_write_row(in->writer, EXP_MODULES,
			      (uint64_t[EXP_MODULE_COLUMNS]){ name, bits, kind });
		in->modules++;
	}
	return id;
}

uint32_t intern_new_module(struct intern *in, const char *path,
			   const struct file_mark *mark)
{
	uint32_t name = intern_string(in, path), none = intern_string(in, "");

	exp_write_row(in->writer, EXP_MODULES,
		      (uint64_t[EXP_MODULE_COLUMNS]){ name, none, EXP_KIND_FILE,
						      mark->inode, mark->size,
						      mark->mtime_ns });
	return in->modules++;
}

static uint32_t frame_key(uint32_t module, uint32_t flags)
{
	return module << EXP_FRAME_FLAG_BITS | flags;
}

uint32_t intern_frame(struct intern *in, uint32_t module, uint64_t offset, uint32_t flags)
{
	uint32_t next = (uint32_t)in->frames.len;
	uint32_t id = idmap_intern(&in->frame_ids, offset, frame_key(module, flags),
				   next);

	if (id == next) {
		exp_write_row(in->writer, EXP_FRAMES,
			      (uint64_t[]){ module, offset, flags });
		*vec_push(&in->frames) = (struct intern_frame){
			.offset = offset,
			.module = module,
			.flags = flags,
		};
	}
	return id;
}

uint32_t intern_artificial(struct intern *in, uint64_t which)
{
	if (!in->artificial)
		in->artificial =
			intern_module(in, "[ringprof]", "", EXP_KIND_ARTIFICIAL) + 1;
	return intern_frame(in, in->artificial - 1, which, 0);
}

uint32_t intern_node(struct intern *in, uint32_t parent, uint32_t frame)
{
	uint32_t id = node_index_intern(&in->node_ids, parent, frame, in->nodes);

	if (id == in->nodes) {
		exp_write_row(in->writer, EXP_NODES, (uint64_t[]){ parent, frame });
		in->nodes++;
	}
	return id;
}

/* What is unknown has no id, nor have the nodes below it. */
void intern_find_path(const struct intern *in, uint32_t parent,
		      const struct intern_frame *frames, size_t count, uint32_t *nodes)
{
	for (size_t i = 0; i < count; i++)
		idmap_prefetch(&in->frame_ids, frames[i].offset,
			       frame_key(frames[i].module, frames[i].flags));
	for (size_t i = 0; i < count; i++) {
		uint32_t frame = idmap_get(&in->frame_ids, frames[i].offset,
					   frame_key(frames[i].module, frames[i].flags));

		parent = nodes[i] = node_index_get(&in->node_ids, parent, frame);
	}
}

void intern_path(struct intern *in, uint32_t parent, const struct intern_frame *frames,
		 size_t count, uint32_t *nodes)
{
	if (in->nodes >= in->nodes_max) {
		intern_find_path(in, parent, frames, count, nodes);
		return;
	}
	for (size_t i = 0; i < count; i++)
		idmap_prefetch(&in->frame_ids, frames[i].offset,
			       frame_key(frames[i].module, frames[i].flags));
	for (size_t i = 0; i < count; i++)
		nodes[i] = intern_frame(in, frames[i].module, frames[i].offset,
					frames[i].flags);
	if (count)
		node_index_prefetch(&in->node_ids, parent, nodes[0]);
	for (size_t i = 0; i < count; i++)
		parent = nodes[i] = intern_node(in, parent, nodes[i]);
}
