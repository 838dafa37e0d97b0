/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the line tables of this program, or of the named file, with libdw; and tries
 * some that no compiler makes.
 */
#include "elf/lineinfo_table.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/xalloc.h"
#include "elf/lineinfo_paths.h"
#include "elf/view.h"
#include "tap.h"

/* ---- libdw as the oracle ---- */

struct compared {
	struct line_sections sections;
	struct strtab texts;
	unsigned long addresses, wrong;
};

static int by_number(const void *va, const void *vb)
{
	const uint64_t *a = va, *b = vb;

	return *a < *b ? -1 : *a > *b;
}

/* The addresses of all rows, and those beside them. */
static uint64_t *addresses_of(Dwarf_Lines *lines, size_t count)
{
	uint64_t *addrs = xreallocarray(NULL, 3 * count + 1, sizeof(*addrs));

	for (size_t i = 0; i < count; i++) {
		Dwarf_Addr addr;

		dwarf_lineaddr(dwarf_onesrcline(lines, i), &addr);
		for (unsigned k = 0; k < 3; k++)
			addrs[3 * i + k] = addr + k - 1;
	}
	qsort(addrs, 3 * count, sizeof(*addrs), by_number);
	return addrs;
}

static void compare_one(struct compared *c, Dwarf_Die *unit, uint64_t addr,
			const struct line_row *row, struct line_paths *paths)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, addr);
	const char *path = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
	uint32_t file = path ? line_paths_text(paths, path) : 0;
	int number = 0;

	if (line)
		dwarf_lineno(line, &number);
	c->addresses++;
	if (row->any == (line != NULL) &&
	    (!line ||
	     ((int)row->line == number && line_paths_number(paths, row->file) == file)))
		return;
	if (!c->wrong++)
		printf("# %#llx: %s:%d, not %s:%u\n", (unsigned long long)addr,
		       strtab_get(&c->texts, file), number,
		       strtab_get(&c->texts, line_paths_number(paths, row->file)),
		       row->any ? row->line : 0);
}

static void compare_unit(struct compared *c, Dwarf_Die *unit)
{
	struct line_paths paths = { .texts = &c->texts };
	Dwarf_Attribute dir, list;
	struct line_table table;
	struct line_row *rows;
	Dwarf_Lines *lines;
	Dwarf_Word offset;
	uint64_t *addrs;
	size_t count;

	if (dwarf_getsrclines(unit, &lines, &count) != 0 ||
	    dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &list), &offset) != 0)
		return;
	addrs = addresses_of(lines, count);
	rows = xcalloc(3 * count + 1, sizeof(*rows));
	line_table_read(&table, &c->sections, offset);
	line_paths_begin(&paths, &table,
			 dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &dir)));
	line_table_find(&table, addrs, 3 * count, rows);
	for (size_t i = 0; i < 3 * count; i++)
		compare_one(c, unit, addrs[i], &rows[i], &paths);
	line_paths_release(&paths);
	line_table_release(&table);
	free(rows);
	free(addrs);
}

static void test_oracle(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_version(EV_CURRENT) ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
	struct compared c = { .addresses = 0 };
	Dwarf_CU *unit = NULL;
	uint8_t type;
	Dwarf_Die die;

	strtab_init(&c.texts);
	c.sections = (struct line_sections){
		elf_section_cursor(elf, ".debug_line"),
		elf_section_cursor(elf, ".debug_str"),
		elf_section_cursor(elf, ".debug_line_str"),
		UINT64_MAX,
	};
	while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			compare_unit(&c, &die);
	ok(c.addresses > 1000, "%lu addresses at rows and beside them", c.addresses);
	is_u64(c.wrong, 0, "libdw has the same lines and files");
	strtab_release(&c.texts);
	dwarf_end(dwarf);
	elf_end(elf);
	close(fd);
}

/* ---- made by hand ---- */

/* DWARF 3: special opcodes from 13 on, lines -5 to 8; one file, a.c, in the unit's folder. */
static void put_table(struct strbuf *out, const void *program, size_t len)
{
	static const unsigned char header[] = { 1, 1, (unsigned char)-5, 14, 13,
						/* operands of the standard opcodes */
						0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1,
						/* directories, files */
						0, 'a', '.', 'c', 0, 0, 0, 0, 0 };
	uint32_t header_len = sizeof(header);
	uint32_t unit_len = (uint32_t)(2 + sizeof(header_len) + sizeof(header) + len);
	uint16_t version = 3;

	strbuf_add(out, &unit_len, sizeof(unit_len));
	strbuf_add(out, &version, sizeof(version));
	strbuf_add(out, &header_len, sizeof(header_len));
	strbuf_add(out, header, sizeof(header));
	strbuf_add(out, program, len);
}

#define ADDRESS(n) 0, 5, DW_LNE_set_address, (n), 0, 0, 0
#define LINE(n)    DW_LNS_advance_line, (n), DW_LNS_copy
#define ADVANCE(n) DW_LNS_advance_pc, (n)
#define END        0, 1, DW_LNE_end_sequence

/* The line of an address; 0: none. */
static uint32_t line_at(const struct strbuf *bytes, uint64_t addr)
{
	struct line_sections sections = { .budget = UINT64_MAX };
	uint64_t addrs[] = { addr, addr };
	struct line_table table;
	struct line_row rows[3];

	memset(rows, 0xaa, sizeof(rows));
	cursor_init(&sections.lines, bytes->data, bytes->len);
	line_table_read(&table, &sections, 0);
	line_table_find(&table, addrs, 2, rows);
	line_table_release(&table);
	return rows[1].any ? rows[1].line : 0;
}

static void test_order(void)
{
	/* line 2 at 16, 4 at 20, up to 24; then 9 at 8, 10 at 16 again, up to 18 */
	static const unsigned char program[] = {
		ADDRESS(16), LINE(1), ADVANCE(4), LINE(2), ADVANCE(4), END,
		ADDRESS(8),  LINE(8), ADVANCE(8), LINE(1), ADVANCE(2), END,
	};
	static const struct {
		uint64_t addr;
		uint32_t line;
		const char *what;
	} cases[] = {
		{ 7, 0, "nothing lies before the first row" },
		{ 8, 9, "a later sequence may lie before" },
		{ 15, 9, "a row reaches to the next" },
		{ 16, 10, "the later of two rows at one address counts" },
		{ 17, 10, "up to the end of its sequence" },
		{ 18, 0, "an end may be the last row below" },
		{ 20, 4, "and another row above it" },
		{ 23, 4, "that row reaches to its end" },
		{ 24, 0, "nothing lies behind" },
	};
	struct strbuf bytes = { 0 };

	put_table(&bytes, program, sizeof(program));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_u64(line_at(&bytes, cases[i].addr), cases[i].line, "%s",
		       cases[i].what);
	strbuf_release(&bytes);
}

static void test_no_end(void)
{
	static const unsigned char program[] = { ADDRESS(16), LINE(1), ADVANCE(4),
						 LINE(1) };
	struct strbuf bytes = { 0 };

	put_table(&bytes, program, sizeof(program));
	is_u64(line_at(&bytes, 19), 2, "a table that does not end");
	is_u64(line_at(&bytes, 20), 0, "its last row is the end");
	strbuf_release(&bytes);
}

/* The unit's length is that of the remaining bytes. */
static void test_cut(void)
{
	static const unsigned char program[] = { ADDRESS(16), LINE(1), ADVANCE(4), END };
	struct strbuf bytes = { 0 };
	unsigned answers = 0, whole;

	put_table(&bytes, program, sizeof(program));
	whole = (unsigned)bytes.len;
	for (; bytes.len >= 4; strbuf_truncate(&bytes, bytes.len - 1)) {
		uint32_t len = (uint32_t)bytes.len - 4;
		/* behind it there is nothing, for the sanitizer to see */
		struct strbuf copy = { 0 };

		memcpy(bytes.data, &len, sizeof(len));
		copy.data = xmalloc(bytes.len);
		copy.len = bytes.len;
		memcpy(copy.data, bytes.data, bytes.len);
		answers += line_at(&copy, 17) > 0;
		strbuf_release(&copy);
	}
	is_u64(answers, 1, "only the complete one of %u tables answers", whole);
	strbuf_release(&bytes);
}

static void test_budget(void)
{
	static const unsigned char program[] = { ADDRESS(16), LINE(1), ADVANCE(4), END };
	struct line_sections sections = { .budget = 0 };
	struct strbuf bytes = { 0 };
	struct line_table table;

	put_table(&bytes, program, sizeof(program));
	sections.budget = bytes.len;
	cursor_init(&sections.lines, bytes.data, bytes.len);
	line_table_read(&table, &sections, 0);
	ok(table.files.len == 2, "a table within the budget");
	line_table_release(&table);
	line_table_read(&table, &sections, 0);
	ok(!table.files.len, "and a second look beyond it");
	line_table_release(&table);
	strbuf_release(&bytes);
}

/* Linkers leave dropped code at 0, which must not cover the code that runs there. */
static void test_dropped(void)
{
	static const unsigned char program[] = { ADDRESS(16), LINE(1),     ADVANCE(4),
						 END,         ADDRESS(0),  LINE(6),
						 ADVANCE(17), LINE(1),     ADVANCE(9),
						 END,         ADDRESS(32), LINE(2),
						 ADVANCE(4),  END };
	static const unsigned char last[] = { 0,       5,          DW_LNE_set_address,
					      0xff,    0xff,       0xff,
					      0xff,    LINE(6),    ADVANCE(20),
					      LINE(1), ADVANCE(9), END };
	struct strbuf bytes = { 0 };

	put_table(&bytes, program, sizeof(program));
	is_u64(line_at(&bytes, 18), 2, "a sequence at 0 does not cover another");
	is_u64(line_at(&bytes, 8), 0, "and has no lines of its own");
	is_u64(line_at(&bytes, 33), 3, "the next sequence counts again");
	strbuf_clear(&bytes);
	put_table(&bytes, last, sizeof(last));
	is_u64(line_at(&bytes, 20), 0, "nor has one at the last address");
	strbuf_release(&bytes);
}

/* A file among the rows has the next number. */
static void test_define_file(void)
{
	static const unsigned char program[] = {
		0, 6,           DW_LNE_define_file, 'd', 0,       0,          0,
		0, ADDRESS(16), DW_LNS_set_file,    2,   LINE(1), ADVANCE(4), END,
	};
	struct line_sections sections = { .budget = UINT64_MAX };
	struct strbuf bytes = { 0 }, work = { 0 };
	uint64_t addr = 17;
	struct line_table table;
	struct line_row rows[2];
	const char *path;

	put_table(&bytes, program, sizeof(program));
	cursor_init(&sections.lines, bytes.data, bytes.len);
	line_table_read(&table, &sections, 0);
	line_table_find(&table, &addr, 1, rows);
	path = line_table_path(&table, rows[0].file, &work);
	ok(rows[0].file == 2 && path && !strcmp(path, "d"), "a file among the rows");
	line_table_release(&table);
	bytes.data[bytes.len - sizeof(program) + 1] = 4;
	line_table_read(&table, &sections, 0);
	line_table_find(&table, &addr, 1, rows);
	ok(!rows[0].any, "that does not fit in its opcode: a damaged table");
	line_table_release(&table);
	strbuf_release(&bytes);
	strbuf_release(&work);
}

/* Zeros where an extended opcode's length belongs say nothing. */
static void test_padding(void)
{
	static const unsigned char program[] = { ADDRESS(16), LINE(1), 0, 0,
						 ADVANCE(4),  END,     0, 0 };
	struct strbuf bytes = { 0 };

	put_table(&bytes, program, sizeof(program));
	is_u64(line_at(&bytes, 17), 2, "zeros in a table, and behind it");
	strbuf_release(&bytes);
}

/* DWARF 5: one directory, one file, both by their place in .debug_line_str. */
static const unsigned char by_place[] = {
	30,
	0,
	0,
	0,
	5,
	0,
	8,
	0,
	22,
	0,
	0,
	0, /* lengths, version, sizes */
	1,
	1,
	1,
	(unsigned char)-5,
	14,
	1, /* opcodes */
	1,
	DW_LNCT_path,
	DW_FORM_line_strp,
	1,
	0,
	0,
	0,
	0, /* directories */
	1,
	DW_LNCT_path,
	DW_FORM_line_strp,
	1,
	0,
	0,
	0,
	0, /* files */
};

/* The path of the table's file, its text being TEXTS. */
static bool has_path(const char *texts, size_t len)
{
	struct line_sections sections = { .budget = UINT64_MAX };
	struct strbuf work = { 0 };
	struct line_table table;
	bool has;

	cursor_init(&sections.lines, by_place, sizeof(by_place));
	cursor_init(&sections.line_texts, texts, len);
	line_table_read(&table, &sections, 0);
	ok(table.files.len == 1, "a table of one file");
	has = line_table_path(&table, 0, &work) != NULL;
	line_table_release(&table);
	strbuf_release(&work);
	return has;
}

static void test_texts(void)
{
	struct strbuf text = { 0 };

	ok(has_path("/a", 3), "a path that a zero ends");
	ok(!has_path("/a", 2), "texts that no zero ends are none");
	ok(!has_path("", 0), "nor are those of an empty section");
	for (size_t i = 0; i < 1 << 16; i++)
		strbuf_addch(&text, '/');
	ok(!has_path(strbuf_str(&text), text.len + 1), "a path of 64 KiB is none");
	strbuf_truncate(&text, text.len - 1);
	ok(has_path(strbuf_str(&text), text.len + 1), "one byte less is a path");
	strbuf_release(&text);
}

/* The id of the path of the table's file where BUDGET bytes may still be copied. */
static uint32_t path_within(uint64_t budget)
{
	struct line_sections sections = { .budget = UINT64_MAX };
	struct line_table table;
	struct strtab texts;
	struct line_paths paths = { .texts = &texts, .budget = &budget };
	uint32_t id;

	strtab_init(&texts);
	cursor_init(&sections.lines, by_place, sizeof(by_place));
	cursor_init(&sections.line_texts, "/a/b.c", 7);
	line_table_read(&table, &sections, 0);
	line_paths_begin(&paths, &table, "/dir");
	id = line_paths_number(&paths, 0);
	line_table_release(&table);
	line_paths_release(&paths);
	strtab_release(&texts);
	return id;
}

static void test_path_budget(void)
{
	ok(path_within(11), "a path within the budget");
	ok(!path_within(10), "none beyond it: it and its directory have 10 bytes");
	ok(!path_within(0), "none without one");
}

/* A million files can name one long text: reading the table must not pass it each time. */
static void test_far_end(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct line_sections sections = { .budget = UINT64_MAX };
	char *texts = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct line_table table;

	memset(texts, 'a', 3 * page - 1);
	cursor_init(&sections.lines, by_place, sizeof(by_place));
	cursor_init(&sections.line_texts, texts, 3 * page);
	mprotect(texts, 2 * page, PROT_NONE);
	line_table_read(&table, &sections, 0);
	ok(table.files.len == 1 && table.files.data[0].name == texts,
	   "a table is read without passing its texts");
	line_table_release(&table);
	munmap(texts, 3 * page);
}

int main(int argc, char **argv)
{
	test_padding();
	test_dropped();
	test_define_file();
	test_texts();
	test_far_end();
	test_path_budget();
	test_order();
	test_no_end();
	test_cut();
	test_budget();
	test_oracle(argc > 1 ? argv[1] : "/proc/self/exe");
	return done_testing();
}
