/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/stack.h"

#include <string.h>

#include "stack/beyond.h"
#include "stack/user.h"

/* Where paths begin. */
enum { USER_PATH = 1, KERNEL_PATH };

/* ---- placing an address ---- */

/* A reader knows what has an id. */
static uint32_t id_of(struct stack_builder *b, uint32_t module)
{
	return b->of ? module_known_id(b->modules, module)
		     : module_id(b->modules, module, b->in);
}

static uint32_t unknown_module(struct stack_builder *b)
{
	if (b->of)
		return b->of->unknown;
	if (b->unknown == MODULE_NO_ID)
		b->unknown = intern_module(b->in, "[unknown]", "", EXP_KIND_UNKNOWN);
	return b->unknown;
}

/* The frame of a guest or a hypervisor, whose code is not mapped here. */
static uint32_t elsewhere_frame(struct stack_builder *b, const struct record *r)
{
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool guest = mode == PERF_RECORD_MISC_GUEST_KERNEL ||
		     mode == PERF_RECORD_MISC_GUEST_USER;

	if (guest && b->guest == MODULE_NO_ID)
		b->guest = intern_module(b->in, "[guest]", "", EXP_KIND_UNKNOWN);
	return intern_frame(b->in, guest ? b->guest : unknown_module(b), r->sample.ip, 0);
}

/* A return address may lie one past the last byte of its mapping: look before it. */
static struct intern_frame user_frame(struct stack_builder *b, const struct space *space,
				      const struct stack_step *s)
{
	const struct mapping *m = space_find(space, s->address - s->is_return);
	struct intern_frame f = { .flags = s->is_return ? EXP_FRAME_RETURN : 0 };

	f.offset = m ? s->address - m->start + m->offset : s->address;
	f.module = m ? id_of(b, m->module) : unknown_module(b);
	return f;
}

static struct intern_frame kernel_frame(struct stack_builder *b,
					const struct stack_step *s)
{
	struct intern_frame f = { .flags = s->is_return ? EXP_FRAME_RETURN : 0 };
	uint32_t module;

	kernel_map_find(b->kernel, s->address, &module, &f.offset);
	f.module = id_of(b, module);
	return f;
}

/* ---- following a path ---- */

/* Begins a path under NODE, for addresses of SPACE (NULL: the kernel's). */
static uint64_t begin(struct stack_builder *b, const struct space *space, uint32_t node)
{
	const struct space *of = space ? space : &b->kernel->areas;
	uint64_t whose = space ? USER_PATH : KERNEL_PATH;

	vec_clear(&b->steps);
	return path_on(whose ^ b->paths.key, (uint64_t)node << 32 | of->generation);
}

static uint64_t add_step(struct stack_builder *b, uint64_t path, uint64_t address,
			 bool is_return)
{
	const uint64_t mark = UINT64_C(0x5851f42d4c957f2d);

	path = path_on(path, is_return ? address ^ mark : address);
	*vec_push(&b->steps) = (struct stack_step){
		.address = address,
		.path = path,
		.is_return = is_return,
	};
	return path;
}

/* The number of known steps, from the outermost on; NODE becomes the last one's. */
static size_t known_steps(const struct stack_builder *b, uint32_t *node)
{
	size_t i = b->steps.len;

	for (; i; i--) {
		uint64_t path = b->steps.data[i - 1].path;
		const struct path_entry *e = path_cache_at(&b->paths, path);

		if (e->path != path)
			continue;
		*node = e->node;
		break;
	}
	return i;
}

/* Whether a reader has come to a place that has no node, nor have those below it. */
static bool has_rest(const struct stack_builder *b)
{
	return b->nparts > 0;
}

static void add_rest(struct stack_builder *b, const struct intern_frame *place)
{
	*vec_push(&b->rest) = *place;
	b->unable |= place->module == MODULE_NO_ID;
}

/*
 * The nodes of the places from NODE on; returns how many have one.  A reader adds none, and
 * keeps the rest of the places.
 */
static size_t find_nodes(struct stack_builder *b, uint32_t node)
{
	const struct intern_frame *places = b->places.data;
	const size_t count = b->places.len;
	size_t known = 0;

	vec_clear(&b->nodes);
	vec_reserve(&b->nodes, count);
	if (!b->of) {
		intern_path(b->in, node, places, count, b->nodes.data);
		return count;
	}
	if (!has_rest(b)) {
		intern_find_path(b->in, node, places, count, b->nodes.data);
		while (known < count && b->nodes.data[known] != INTERN_NO_NODE)
			known++;
	}
	if (known < count) {
		for (size_t i = known; i < count; i++)
			add_rest(b, &places[i]);
		b->parts[++b->nparts] = (uint32_t)b->rest.len;
	}
	return known;
}

/* The node at the end of the steps from NODE; a reader's, the last one that there is. */
static uint32_t follow(struct stack_builder *b, const struct space *space, uint32_t node)
{
	const size_t known = has_rest(b) ? 0 : known_steps(b, &node);
	const size_t count = b->steps.len - known;
	const struct stack_step *steps;
	size_t found;

	if (!count)
		return node;
	steps = &b->steps.data[known];
	vec_clear(&b->places);
	for (size_t i = 0; i < count; i++)
		*vec_push(&b->places) = space ? user_frame(b, space, &steps[i])
					      : kernel_frame(b, &steps[i]);
	found = find_nodes(b, node);
	for (size_t i = 0; i < found; i++)
		*path_cache_at(&b->paths, steps[i].path) = (struct path_entry){
			.path = steps[i].path,
			.node = b->nodes.data[i],
		};
	return found ? b->nodes.data[found - 1] : node;
}

/* The node of FRAME below NODE; there is none for a left-out stack. */
static uint32_t below(struct stack_builder *b, uint32_t node, uint32_t frame)
{
	return node == INTERN_NO_NODE ? node : intern_node(b->in, node, frame);
}

/* The node of an artificial frame below NODE. */
static uint32_t add_artificial(struct stack_builder *b, uint32_t node, uint64_t which)
{
	if (!b->of)
		return below(b, node, intern_artificial(b->in, which));
	vec_clear(&b->places);
	*vec_push(&b->places) = (struct intern_frame){
		.offset = which,
		.module = b->in->artificial - 1, /* MODULE_NO_ID: there is none yet */
	};
	return find_nodes(b, node) ? b->nodes.data[0] : node;
}

static uint32_t add_kernel(struct stack_builder *b, const struct record_chain *chain,
			   uint32_t parent)
{
	const struct kernel_entries *entries = &b->kernel->entries;
	uint64_t path;

	if (chain->len && kernel_entries_is_thunk(entries, chain->ips[chain->len - 1]))
		parent = add_artificial(b, parent, EXP_TRUNCATED + EXP_END_NO_RULE);
	path = begin(b, NULL, parent);
	for (size_t i = chain->len; i-- > 0;)
		path = add_step(b, path, chain->ips[i],
				i && !kernel_entries_is_exact(entries, chain->ips[i - 1],
							      chain->ips[i]));
	return follow(b, NULL, parent);
}

/* The frames from FIRST on; the path that they make. */
static uint64_t add_frames(struct stack_builder *b, uint64_t path,
			   const struct unwind_frames *frames, size_t first)
{
	for (size_t i = frames->v.len; i-- > first;) {
		const struct unwind_frame *f = &frames->v.data[i];

		path = add_step(b, path, f->address, f->is_return);
	}
	return path;
}

static uint32_t add_user(struct stack_builder *b, const struct space *space,
			 uint32_t parent)
{
	uint64_t path = begin(b, space, parent);

	if (b->top) {
		path = b->top->path;
		parent = b->top->node;
	}
	add_frames(b, path, &b->frames, 0);
	return follow(b, space, parent);
}

/* What was read beyond the copy is the same for the samples to come. */
static void keep_top(struct stack_builder *b, const struct space *space,
		     struct beyond *beyond)
{
	struct beyond_top top = { .generation = space->generation };

	top.path = add_frames(b, begin(b, space, 0), &b->beyond, b->read_top);
	top.node = follow(b, space, 0);
	if (top.node != INTERN_NO_NODE)
		beyond_keep_top(beyond, &top);
}

/* ---- the place of the event ---- */

/* The start of the chain, the place of the interrupt; false: there is none. */
static bool chain_begin(const struct stack_builder *b, const struct record *r,
			uint64_t *address)
{
	if (r->sample.kernel.len)
		*address = r->sample.kernel.ips[0];
	else if (b->frames.v.len)
		*address = b->frames.v.data[0].address;
	else
		return false;
	return true;
}

/*
 * Whether the chain lacks the kernel's way to the sample's ip: it was not requested, or
 * there is none.  The ip then follows the user part, which entered the kernel.
 */
static bool enters_kernel(const struct stack_builder *b, const struct record *r)
{
	return stack_in_kernel(r) && !r->sample.kernel.len &&
	       (b->chains_lack_kernel || !r->sample.user.len);
}

/* Adds the sample's ip if the chain does not begin with it. */
static uint32_t add_place(struct stack_builder *b, const struct record *r,
			  const struct space *space, uint32_t node)
{
	const struct space *of = stack_in_kernel(r) ? NULL : space;
	uint64_t chain;
	bool has_chain = chain_begin(b, r, &chain);

	if (has_chain && chain == r->sample.ip)
		return node;
	if (has_chain && !enters_kernel(b, r))
		node = add_artificial(b, node, EXP_SKID);
	add_step(b, begin(b, of, node), r->sample.ip, false);
	return follow(b, of, node);
}

static uint32_t whole_stack(struct stack_builder *b, const struct record *r,
			    const struct process *process, enum exp_stack_end end)
{
	uint32_t node = 0;

	if (end != EXP_END_ROOT && end != EXP_END_NONE)
		node = add_artificial(b, 0, EXP_TRUNCATED + end);
	node = add_user(b, &process->space, node);
	if (node == INTERN_NO_NODE)
		return node;
	if (stack_elsewhere(r))
		return below(b, node, elsewhere_frame(b, r));
	node = add_kernel(b, &r->sample.kernel, node);
	return add_place(b, r, &process->space, node);
}

static uint32_t innermost_frame(struct stack_builder *b, const struct record *r,
				const struct process *process)
{
	const struct stack_step s = { .address = r->sample.ip };
	struct intern_frame f;

	if (stack_elsewhere(r))
		return elsewhere_frame(b, r);
	f = stack_in_kernel(r) ? kernel_frame(b, &s) : user_frame(b, &process->space, &s);
	return intern_frame(b->in, f.module, f.offset, f.flags);
}

/* Keeps the innermost frame of a stack for which there is no more room. */
static uint32_t innermost_alone(struct stack_builder *b, const struct record *r,
				const struct process *process)
{
	uint32_t node = intern_node(
		b->in, 0, intern_artificial(b->in, EXP_TRUNCATED + EXP_END_UNKNOWN));

	return intern_node(b->in, node, innermost_frame(b, r, process));
}

static bool look_ahead(struct stack_builder *b, const struct record *r,
		       const struct process *process, const struct thread *thread,
		       struct stack_ahead *out)
{
	b->parts[0] = (uint32_t)b->rest.len;
	b->nparts = 0;
	b->unable = false;
	if (!stack_known_user_part(b, r, process, thread, out))
		return false;
	out->node = whole_stack(b, r, process, out->end);
	out->nparts = b->nparts;
	memcpy(out->parts, b->parts, sizeof(out->parts));
	return !b->unable;
}

static void keep_frames(struct stack_builder *b, struct stack_ahead *out)
{
	const size_t count = b->frames.v.len;

	out->first = (uint32_t)b->kept.len;
	out->count = (uint32_t)count;
	vec_reserve(&b->kept, count);
	memcpy(b->kept.data + b->kept.len, b->frames.v.data,
	       count * sizeof(*b->kept.data));
	b->kept.len += count;
}

void stack_look_ahead(struct stack_builder *reader, const struct record *r,
		      const struct process *process, const struct thread *thread,
		      struct stack_ahead *out)
{
	*out = (struct stack_ahead){
		.space = process->space.generation,
		.kernel = reader->kernel->areas.generation,
	};
	if (!look_ahead(reader, r, process, thread, out))
		return;
	if (reader->splice && out->copied)
		keep_frames(reader, out);
	out->reader = reader;
}

/* The nodes that a reader found, and those that it did not. */
static uint32_t node_ahead(struct stack_builder *b, const struct stack_ahead *ahead)
{
	const struct intern_frame *rest = ahead->reader->rest.data;
	uint32_t node = ahead->node;

	for (uint32_t i = 0; i < ahead->nparts; i++) {
		const uint32_t from = ahead->parts[i], count = ahead->parts[i + 1] - from;

		vec_clear(&b->nodes);
		vec_reserve(&b->nodes, count);
		intern_path(b->in, node, rest + from, count, b->nodes.data);
		node = b->nodes.data[count - 1];
	}
	return node;
}

/* It becomes the thread's last one. */
static enum exp_stack_end user_part_ahead(struct stack_builder *b, const struct record *r,
					  struct thread *thread,
					  const struct stack_ahead *ahead)
{
	const struct unwind_frame *frames = ahead->reader->kept.data;

	if (ahead->count)
		splice_remember(&thread->splice, frames + ahead->first, ahead->count);
	return stack_user_part_ahead(b, r, ahead);
}

/* Whether all nodes that it lacks have room. */
static bool has_room(const struct intern *in, const struct stack_ahead *ahead)
{
	const uint32_t more = ahead->parts[ahead->nparts] - ahead->parts[0];

	return !more || in->nodes + more < in->nodes_max;
}

/* Whether it was found with the mappings of now; what is beyond the copy was not looked at. */
static bool holds(const struct stack_builder *b, const struct stack_ahead *ahead,
		  const struct process *process, const struct thread *thread)
{
	return ahead && ahead->reader && ahead->space == process->space.generation &&
	       ahead->kernel == b->kernel->areas.generation && !thread->beyond &&
	       has_room(b->in, ahead);
}

uint32_t stack_node(struct stack_builder *b, const struct record *r,
		    struct process *process, struct thread *thread,
		    const struct stack_ahead *ahead)
{
	const bool known = holds(b, ahead, process, thread);
	enum exp_stack_end end = known ? user_part_ahead(b, r, thread, ahead)
				       : stack_user_part(b, r, process, thread);
	uint32_t node = known ? node_ahead(b, ahead) : whole_stack(b, r, process, end);

	if (node == INTERN_NO_NODE) {
		node = innermost_alone(b, r, process);
		end = EXP_END_UNKNOWN;
		b->left_out++;
	}
	if (b->read_top)
		keep_top(b, &process->space, thread->beyond);
	b->ends[end]++;
	return node;
}

/* Like a sample of its place in the program. */
uint32_t stack_node_of_sleeper(struct stack_builder *b, const struct sleeper *s,
			       struct process *process, struct thread *thread, bool *cut)
{
	const struct record r = { .misc = PERF_RECORD_MISC_USER, .sample.ip = s->pc };
	enum exp_stack_end end = stack_user_part_of_sleeper(b, s, process, thread);
	uint32_t node = whole_stack(b, &r, process, end);

	*cut = end == EXP_END_TRUNCATED && s->len == s->room;
	if (node == INTERN_NO_NODE) {
		node = innermost_alone(b, &r, process);
		end = EXP_END_UNKNOWN;
		b->left_out++;
	}
	b->ends[end]++;
	return node;
}

uint32_t stack_node_of_kernel(struct stack_builder *b, const uint64_t *returns,
			      size_t count)
{
	uint64_t path = begin(b, NULL, 0);
	uint32_t node;

	if (b->mode == STACK_OFF && count)
		count = 1;
	for (size_t i = count; i-- > 0;)
		path = add_step(b, path, returns[i], true);
	node = follow(b, NULL, 0);
	b->left_out += node == INTERN_NO_NODE;
	b->ends[EXP_END_ROOT] += node != INTERN_NO_NODE;
	return node;
}
