/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/lineinfo_table.h"

#include <string.h>

#include <dwarf.h>

#include "base/sorted.h"

/* ---- the header ---- */

struct header {
	struct cursor c; /* from behind the unit's length to its end */
	const struct line_sections *sections;
	bool wide; /* DWARF's 64-bit form */
	uint16_t version;
};

static uint64_t get_offset(struct header *h)
{
	return h->wide ? cursor_u64(&h->c) : cursor_u32(&h->c);
}

static void skip(struct cursor *c, uint64_t bytes)
{
	if (bytes > cursor_left(c))
		cursor_fail(c);
	else
		cursor_bytes(c, (size_t)bytes);
}

/* Does not look for the text's end: any number of entries may name one long text. */
static const char *text_at(const struct cursor *section, uint64_t offset)
{
	if (offset >= cursor_left(section) || section->end[-1])
		return NULL;
	return (const char *)section->at + offset;
}

/* Sets C to the unit that begins at OFFSET. */
static bool find_unit(struct header *h, uint64_t offset)
{
	uint64_t len;

	h->c = h->sections->lines;
	skip(&h->c, offset);
	len = cursor_u32(&h->c);
	h->wide = len == UINT32_MAX;
	if (h->wide)
		len = cursor_u64(&h->c);
	if (len > cursor_left(&h->c))
		cursor_fail(&h->c);
	h->c = cursor_sub(&h->c, (size_t)len);
	return cursor_ok(&h->c);
}

/* ---- entries of DWARF 5: directories and files ---- */

enum { FORMATS_MAX = 255 };

struct format {
	uint64_t content, form; /* DW_LNCT_*, DW_FORM_* */
};

struct entry_formats {
	struct format list[FORMATS_MAX];
	unsigned count;
};

/* A text, or a number. */
struct entry_value {
	const char *text;
	uint64_t number;
};

static struct entry_value get_string(struct header *h)
{
	return (struct entry_value){ .text = cursor_str(&h->c) };
}

static struct entry_value get_strp(struct header *h)
{
	return (struct entry_value){ text_at(&h->sections->texts, get_offset(h)), 0 };
}

static struct entry_value get_line_strp(struct header *h)
{
	return (struct entry_value){ text_at(&h->sections->line_texts, get_offset(h)),
				     0 };
}

static struct entry_value get_udata(struct header *h)
{
	return (struct entry_value){ .number = cursor_varint(&h->c) };
}

static struct entry_value get_data1(struct header *h)
{
	return (struct entry_value){ .number = cursor_u8(&h->c) };
}

static struct entry_value get_data2(struct header *h)
{
	return (struct entry_value){ .number = cursor_u16(&h->c) };
}

static struct entry_value get_data4(struct header *h)
{
	return (struct entry_value){ .number = cursor_u32(&h->c) };
}

static struct entry_value get_data8(struct header *h)
{
	return (struct entry_value){ .number = cursor_u64(&h->c) };
}

static struct entry_value get_data16(struct header *h)
{
	skip(&h->c, 16);
	return (struct entry_value){ 0 };
}

static struct entry_value get_block(struct header *h)
{
	skip(&h->c, cursor_varint(&h->c));
	return (struct entry_value){ 0 };
}

static const struct {
	unsigned form;
	struct entry_value (*get)(struct header *h);
} forms[] = {
	{ DW_FORM_string, get_string }, { DW_FORM_line_strp, get_line_strp },
	{ DW_FORM_strp, get_strp },     { DW_FORM_udata, get_udata },
	{ DW_FORM_data1, get_data1 },   { DW_FORM_data2, get_data2 },
	{ DW_FORM_data4, get_data4 },   { DW_FORM_data8, get_data8 },
	{ DW_FORM_data16, get_data16 }, { DW_FORM_block, get_block },
};

static struct entry_value get_value(struct header *h, uint64_t form)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].form == form)
			return forms[i].get(h);
	cursor_fail(&h->c);
	return (struct entry_value){ 0 };
}

static void get_formats(struct header *h, struct entry_formats *out)
{
	out->count = cursor_u8(&h->c);
	for (unsigned i = 0; i < out->count; i++) {
		out->list[i].content = cursor_varint(&h->c);
		out->list[i].form = cursor_varint(&h->c);
	}
}

static struct line_file get_entry(struct header *h, const struct entry_formats *formats)
{
	struct line_file file = { 0 };

	for (unsigned i = 0; i < formats->count; i++) {
		struct entry_value value = get_value(h, formats->list[i].form);

		if (formats->list[i].content == DW_LNCT_path)
			file.name = value.text;
		else if (formats->list[i].content == DW_LNCT_directory_index)
			file.dir = value.number;
	}
	return file;
}

/* How many entries follow: each takes a byte for each of its formats, at least. */
static uint64_t get_count(struct header *h, const struct entry_formats *formats)
{
	uint64_t count = cursor_varint(&h->c);

	if (count && (!formats->count || count > cursor_left(&h->c)))
		cursor_fail(&h->c);
	return count;
}

static void get_entries(struct header *h, struct line_table *table)
{
	struct entry_formats formats;

	get_formats(h, &formats);
	for (uint64_t left = get_count(h, &formats); left && cursor_ok(&h->c); left--)
		*vec_push(&table->dirs) = get_entry(h, &formats).name;
	get_formats(h, &formats);
	for (uint64_t left = get_count(h, &formats); left && cursor_ok(&h->c); left--)
		*vec_push(&table->files) = get_entry(h, &formats);
}

/* ---- those of DWARF 2 to 4 ---- */

static void get_old_file(struct cursor *c, const char *name, struct line_table *table)
{
	uint64_t dir = cursor_varint(c);

	cursor_varint(c); /* when it was changed */
	cursor_varint(c); /* its size */
	if (cursor_ok(c))
		*vec_push(&table->files) = (struct line_file){ name, dir };
}

static void get_old_entries(struct header *h, struct line_table *table)
{
	const char *text;

	*vec_push(&table->dirs) = NULL;
	while (*(text = cursor_str(&h->c)))
		*vec_push(&table->dirs) = text;
	*vec_push(&table->files) = (struct line_file){ 0 };
	while (*(text = cursor_str(&h->c)))
		get_old_file(&h->c, text, table);
}

/* ---- both ---- */

static void get_opcodes(struct header *h, struct line_table *table)
{
	table->min_length = cursor_u8(&h->c);
	table->max_ops = h->version >= 4 ? cursor_u8(&h->c) : 1;
	cursor_u8(&h->c); /* whether rows begin as statements */
	table->line_base = (int8_t)cursor_u8(&h->c);
	table->line_range = cursor_u8(&h->c);
	table->opcode_base = cursor_u8(&h->c);
	for (unsigned i = 1; i < table->opcode_base; i++)
		table->lengths[i] = cursor_u8(&h->c);
	if (!table->max_ops || !table->line_range || !table->opcode_base)
		cursor_fail(&h->c);
}

/* Behind this the header ends with the cursor, and the program begins there. */
static void begin_header(struct header *h, struct line_table *table)
{
	uint64_t length;

	h->version = cursor_u16(&h->c);
	if (h->version >= 5)
		cursor_u16(&h->c); /* sizes of an address and of a segment's number */
	length = get_offset(h);
	table->program = h->c;
	skip(&table->program, length);
	h->c.end = table->program.at;
	if (h->version < 2 || h->version > 5 || !cursor_ok(&table->program))
		cursor_fail(&h->c);
}

static void read_header(struct header *h, struct line_table *table)
{
	get_opcodes(h, table);
	if (h->version >= 5)
		get_entries(h, table);
	else
		get_old_entries(h, table);
}

static void spend(struct header *h, struct line_sections *sections, uint64_t bytes)
{
	if (bytes <= sections->budget)
		sections->budget -= bytes;
	else
		cursor_fail(&h->c);
}

static void read_table(struct line_table *table, struct line_sections *sections,
		       uint64_t offset, bool rows)
{
	struct header h = { .sections = sections };
	uint64_t all;

	*table = (struct line_table){ .max_ops = 1 };
	if (!find_unit(&h, offset))
		return;
	all = cursor_left(&h.c);
	begin_header(&h, table);
	spend(&h, sections, rows ? all : cursor_left(&h.c));
	if (cursor_ok(&h.c))
		read_header(&h, table);
	if (!cursor_ok(&h.c))
		line_table_release(table);
}

void line_table_read(struct line_table *table, struct line_sections *sections,
		     uint64_t offset)
{
	read_table(table, sections, offset, true);
}

void line_table_read_files(struct line_table *table, struct line_sections *sections,
			   uint64_t offset)
{
	read_table(table, sections, offset, false);
}

void line_table_release(struct line_table *table)
{
	vec_release(&table->dirs);
	vec_release(&table->files);
	*table = (struct line_table){ .max_ops = 1 };
}

/* No system opens such a path, and to copy it for each file could take hours. */
static bool is_too_long(const char *text)
{
	enum { PATH_BYTES_MAX = 1 << 16 };

	return strnlen(text, PATH_BYTES_MAX) == PATH_BYTES_MAX;
}

const char *line_table_path(const struct line_table *table, uint64_t number,
			    struct strbuf *work)
{
	const struct line_file *file = NULL;
	const char *dir = NULL;

	if (number < table->files.len)
		file = &table->files.data[number];
	if (!file || !file->name || is_too_long(file->name))
		return NULL;
	if (file->dir < table->dirs.len)
		dir = table->dirs.data[file->dir];
	strbuf_clear(work);
	if (dir && is_too_long(dir))
		return NULL;
	if (file->name[0] != '/' && dir && (file->dir || dir[0] == '/'))
		strbuf_addf(work, "%s/", dir);
	strbuf_addstr(work, file->name);
	return strbuf_str(work);
}

/* ---- the program ---- */

/*
 * Rows go by in the order of the table.  Each answers the addresses from its own on, up to
 * the next row's by address; of rows at one address the last does, unless it ends a
 * sequence and others do not.  So the best row of those between an address and the one
 * before is kept with it, and rows[count] is for what lies behind all of them.
 */
struct finder {
	const uint64_t *addrs;
	size_t count;
	struct line_row *rows;
	size_t at; /* the last row's */
};

static bool lies_at(const struct finder *f, uint64_t addr)
{
	return (f->at == f->count || addr <= f->addrs[f->at]) &&
	       (!f->at || addr > f->addrs[f->at - 1]);
}

static void add_row(struct finder *f, const struct line_row *row)
{
	struct line_row *best;

	if (!lies_at(f, row->addr))
		f->at = sorted_below(f->addrs, f->count, row->addr);
	best = &f->rows[f->at];
	if (!best->any || row->addr > best->addr ||
	    (row->addr == best->addr && (!row->end || best->end)))
		*best = *row;
}

/* The last row of all ends a sequence even where the table does not say so. */
static void settle(struct finder *f)
{
	size_t last = f->count + 1;

	while (last && !f->rows[last - 1].any)
		last--;
	if (last)
		f->rows[last - 1].end = true;
	for (size_t i = 1; i < f->count; i++)
		if (!f->rows[i].any)
			f->rows[i] = f->rows[i - 1];
	for (size_t i = 0; i < f->count; i++)
		f->rows[i].any &= !f->rows[i].end;
}

struct machine {
	struct line_table *table;
	struct cursor c;
	struct finder *out;
	struct line_row row;
	uint64_t op; /* which operation of a long instruction word */
	bool dropped;
};

static void reset(struct machine *m)
{
	m->row = (struct line_row){ .file = 1, .line = 1, .any = true };
	m->op = 0;
	m->dropped = false;
}

static void advance(struct machine *m, uint64_t ops)
{
	const struct line_table *t = m->table;

	m->op += ops;
	if (t->max_ops == 1) {
		m->row.addr += m->op * t->min_length;
		m->op = 0;
	} else {
		m->row.addr += m->op / t->max_ops * t->min_length;
		m->op %= t->max_ops;
	}
}

static void copy(struct machine *m)
{
	if (!m->dropped)
		add_row(m->out, &m->row);
}

static void advance_pc(struct machine *m)
{
	advance(m, cursor_varint(&m->c));
}

static void advance_line(struct machine *m)
{
	m->row.line += (uint32_t)cursor_sleb(&m->c);
}

static void set_file(struct machine *m)
{
	m->row.file = (uint32_t)cursor_varint(&m->c);
}

static void const_add_pc(struct machine *m)
{
	advance(m, (255 - m->table->opcode_base) / m->table->line_range);
}

static void fixed_advance_pc(struct machine *m)
{
	m->row.addr += cursor_u16(&m->c);
	m->op = 0;
}

static void (*const standard[])(struct machine *) = {
	[DW_LNS_copy] = copy,
	[DW_LNS_advance_pc] = advance_pc,
	[DW_LNS_advance_line] = advance_line,
	[DW_LNS_set_file] = set_file,
	[DW_LNS_const_add_pc] = const_add_pc,
	[DW_LNS_fixed_advance_pc] = fixed_advance_pc,
};

/*
 * Linkers set the addresses of functions that they drop to 0, -1 or -2, and leave the rest
 * of the sequence, which would otherwise lie over that of other functions.
 */
static void set_address(struct machine *m, struct cursor operand)
{
	bool narrow = cursor_left(&operand) == 4;

	m->row.addr = narrow ? cursor_u32(&operand) : cursor_u64(&operand);
	m->op = 0;
	m->dropped = !m->row.addr ||
		     m->row.addr >= (narrow ? UINT32_MAX : UINT64_MAX) - 1;
	if (!cursor_ok(&operand))
		cursor_fail(&m->c);
}

static void define_file(struct machine *m, struct cursor operand)
{
	const char *name = cursor_str(&operand);

	get_old_file(&operand, name, m->table);
	if (!cursor_ok(&operand))
		cursor_fail(&m->c);
}

static void extended(struct machine *m)
{
	uint64_t len = cursor_varint(&m->c);
	struct cursor operand;
	uint8_t opcode;

	if (len > cursor_left(&m->c))
		cursor_fail(&m->c);
	if (!len || !cursor_ok(&m->c)) /* zeros fill tables up */
		return;
	operand = cursor_sub(&m->c, (size_t)len);
	opcode = cursor_u8(&operand);
	if (opcode == DW_LNE_set_address) {
		set_address(m, operand);
	} else if (opcode == DW_LNE_define_file) {
		define_file(m, operand);
	} else if (opcode == DW_LNE_end_sequence) {
		m->row.end = true;
		copy(m);
		reset(m);
	}
}

/* One that is not known, or says nothing of lines. */
static void skip_operands(struct machine *m, uint8_t opcode)
{
	for (unsigned i = m->table->lengths[opcode]; i > 0 && cursor_ok(&m->c); i--)
		cursor_varint(&m->c);
}

static void special(struct machine *m, uint8_t opcode)
{
	uint8_t adjusted = opcode - m->table->opcode_base;

	m->row.line += (uint32_t)(m->table->line_base + adjusted % m->table->line_range);
	advance(m, adjusted / m->table->line_range);
	copy(m);
}

static void step(struct machine *m)
{
	uint8_t opcode = cursor_u8(&m->c);

	if (opcode >= m->table->opcode_base)
		special(m, opcode);
	else if (!opcode)
		extended(m);
	else if (opcode < sizeof(standard) / sizeof(standard[0]) && standard[opcode])
		standard[opcode](m);
	else
		skip_operands(m, opcode);
}

void line_table_find(struct line_table *table, const uint64_t *addrs, size_t count,
		     struct line_row *rows)
{
	struct finder finder = { addrs, count, rows, 0 };
	struct machine m = { .table = table, .c = table->program, .out = &finder };

	memset(rows, 0, (count + 1) * sizeof(*rows));
	reset(&m);
	while (cursor_left(&m.c))
		step(&m);
	if (!cursor_ok(&m.c))
		memset(rows, 0, (count + 1) * sizeof(*rows));
	settle(&finder);
}
