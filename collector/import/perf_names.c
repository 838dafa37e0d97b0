/* SPDX-License-Identifier: Apache-2.0 */
#include "import/perf_names.h"

#include <string.h>

void perf_names_release(struct perf_names *names)
{
	symtab_release(&names->table);
}

static void add(struct perf_names *names, uint64_t vaddr, uint64_t size, const char *name,
		size_t len)
{
	if (!len || !size)
		return;
	symtab_add(&names->table, &(struct symbol_entry){
					  .start = vaddr,
					  .size = size,
					  .name = symtab_keep(&names->table, name, len),
					  .source = SYMBOL_CARRIED,
				  });
}

/* ---- "file": one field after the other ---- */

static void decode_symbols(struct cursor *c, struct perf_names *out)
{
	uint32_t count = cursor_u32(c);

	for (uint32_t i = 0; i < count && cursor_ok(c); i++) {
		uint64_t vaddr = cursor_u64(c);
		uint32_t size = cursor_u32(c);
		const char *name = cursor_str(c);

		if (name)
			add(out, vaddr, size, name, strlen(name));
	}
}

static void decode_plain(struct cursor *c, struct perf_names *out)
{
	uint64_t count;

	cursor_str(c); /* the path */
	out->kind = cursor_u32(c);
	out->vaddr = cursor_u64(c);
	decode_symbols(c, out);
	if (out->kind == PERF_NAMES_DEX) {
		count = cursor_u32(c);
		cursor_bytes(c, count <= cursor_left(c) / 8 ? count * 8 : SIZE_MAX);
	}
	if (cursor_left(c) < 8)
		return;
	out->placed = true;
	out->place = cursor_u64(c);
}

/* ---- "file2": fields by number, in any order, unknown ones among them ---- */

enum wire { WIRE_VARINT, WIRE_8_BYTES, WIRE_BYTES, WIRE_4_BYTES = 5 };

struct field {
	uint64_t number, value;
	struct cursor bytes; /* of WIRE_BYTES */
};

/* False at the end, and if C fails. */
static bool next_field(struct cursor *c, struct field *f)
{
	uint64_t tag, len;

	*f = (struct field){ 0 };
	if (!cursor_left(c))
		return false;
	tag = cursor_varint(c);
	f->number = tag >> 3;
	switch (tag & 7) {
	case WIRE_VARINT:
		f->value = cursor_varint(c);
		break;
	case WIRE_8_BYTES:
		cursor_bytes(c, 8);
		break;
	case WIRE_4_BYTES:
		cursor_bytes(c, 4);
		break;
	case WIRE_BYTES:
		len = cursor_varint(c);
		f->bytes = cursor_sub(c, len < SIZE_MAX ? len : SIZE_MAX);
		break;
	default:
		cursor_fail(c);
	}
	return cursor_ok(c);
}

static void take_symbol(struct cursor *c, struct perf_names *out)
{
	enum { VADDR = 1, SIZE = 2, NAME = 3 };
	uint64_t vaddr = 0, size = 0;
	struct cursor name = { 0 };
	struct field f;

	while (next_field(c, &f)) {
		if (f.number == VADDR)
			vaddr = f.value;
		else if (f.number == SIZE)
			size = f.value;
		else if (f.number == NAME)
			name = f.bytes;
	}
	if (cursor_ok(c) && cursor_left(&name))
		add(out, vaddr, size, (const char *)name.at,
		    strnlen((const char *)name.at, cursor_left(&name)));
}

static void take_place(struct cursor *c, struct perf_names *out)
{
	enum { PLACE = 1 };
	struct field f;

	out->placed = true;
	while (next_field(c, &f))
		if (f.number == PLACE)
			out->place = f.value;
}

enum { PATH = 1, KIND = 2, FIRST_VADDR = 3, SYMBOL = 4, ELF_FILE = 6, KERNEL_MODULE = 7 };

static void decode_packed(struct cursor *c, struct perf_names *out)
{
	struct field f;

	while (next_field(c, &f)) {
		if (f.number == KIND)
			out->kind = f.value;
		else if (f.number == FIRST_VADDR)
			out->vaddr = f.value;
		else if (f.number == SYMBOL)
			take_symbol(&f.bytes, out);
		else if (f.number == ELF_FILE || f.number == KERNEL_MODULE)
			take_place(&f.bytes, out);
		if (!cursor_ok(&f.bytes))
			cursor_fail(c);
	}
}

bool perf_names_decode(struct cursor *c, bool packed, struct perf_names *out)
{
	*out = (struct perf_names){ 0 };
	symtab_init(&out->table);
	if (packed)
		decode_packed(c, out);
	else
		decode_plain(c, out);
	symtab_finish(&out->table, NULL);
	symtab_number_twins(&out->table);
	return cursor_ok(c);
}

bool perf_names_path(struct cursor c, bool packed, struct strbuf *out)
{
	struct field f = { 0 };

	if (!packed) {
		strbuf_addstr(out, cursor_str(&c));
		return cursor_ok(&c);
	}
	while (f.number != PATH && next_field(&c, &f))
		continue;
	if (f.number == PATH)
		strbuf_add(out, f.bytes.at, cursor_left(&f.bytes));
	return cursor_ok(&c);
}
