/* SPDX-License-Identifier: Apache-2.0 */
/* disasm: the instructions of a function with their metrics. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rows/annotated.h"
#include "model/disassembly.h"
#include "rows/function_code.h"
#include "rows/function_match.h"
#include "rows/source_file.h"
#include "rows/source_open.h"
#include "model/pcs.h"
#include "views/views.h"
#include "base/xalloc.h"

/* ---- the code ---- */

#define VDSO_BY_GDB                                                                      \
	"on the machine that ran it, \"gdb -batch -ex starti -ex 'disassemble NAME' "    \
	"/bin/true\" shows it"

/* Where else the code is, by the kind of its object. */
static const char *const elsewhere[] = {
	[EXP_KIND_FILE] =
		": if it was inlined, disassemble the function that contains it",
	[EXP_KIND_KERNEL] = "; install the kernel's debug package, or name the directory "
			    "that has boot/vmlinux-RELEASE by 'symfs DIR'",
	[EXP_KIND_KERNEL_MODULE] =
		"; 'objdump -d --disassemble=NAME' of the module's .ko "
		"shows it",
	[EXP_KIND_VDSO] = ", but in memory that the kernel maps; " VDSO_BY_GDB,
	[EXP_KIND_ANON] = "; it was generated while the program ran, and is not kept",
	[EXP_KIND_ARTIFICIAL] = "",
};

static int no_code_of(struct session *s, uint32_t function, struct strbuf *err)
{
	uint32_t object = s->model.functions.data[function].object;
	enum exp_module_kind kind = s->model.objects.data[object].kind;
	const char *where = kind < sizeof(elsewhere) / sizeof(elsewhere[0])
				    ? elsewhere[kind]
				    : NULL;

	if (kind == EXP_KIND_FILE)
		strbuf_addf(err, "'%s' has no code of its own in a file",
			    session_function(s, function));
	else
		strbuf_addf(err, "'%s' is in %s, which is not a readable file",
			    session_function(s, function),
			    object_name(&s->model, object));
	strbuf_addstr(err, where ? where : "");
	return CMD_FAILED;
}

static const struct {
	int error;
	const char *text;
} troubles[] = {
	{ -ESTALE, "the file differs from the recorded one, and so do its "
		   "instructions; restore that build, or record again" },
	{ -ENOKEY, "nothing shows that the file here is the one that ran; symfs DIR says "
		   "where that is" },
	{ -ENOENT, "the file no longer exists; restore it" },
	{ -ENOTSUP, "disasm does not know its machine, only x86-64 and aarch64" },
	{ -ENODATA, "the file has no code there" },
	{ -ENOEXEC, "the file is damaged, or not an ELF file" },
};

static int no_code(const struct code_range *range, int error, struct strbuf *err)
{
	const char *text = strerror(-error);

	if (range->vdso && (error == -ESTALE || error == -ENOENT)) {
		strbuf_addf(err, "the kernel here has %s; " VDSO_BY_GDB,
			    error == -ENOENT ? "no vDSO"
					     : "another vDSO than the recorded one");
		return CMD_FAILED;
	}
	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++)
		if (troubles[i].error == error)
			text = troubles[i].text;
	strbuf_addf(err, "%s: %s", range->place.path, text);
	return CMD_FAILED;
}

static int no_kernel_code(struct session *s, uint32_t function, int error,
			  struct strbuf *err)
{
	if (error == -ENOENT)
		return no_code_of(s, function, err);
	strbuf_addf(err, "'%s' is in the kernel, and vmlinux here %s",
		    session_function(s, function),
		    error == -ESTALE   ? "is of another one, by its build-id"
		    : error == -ENOKEY ? "has no function of that name at that place"
				       : strerror(-error));
	return CMD_FAILED;
}

/* ---- its instructions ---- */

/* Which of the functions are FUNCTION, on either side.  The caller frees it. */
static bool *same_functions(const struct session *s, uint32_t function)
{
	bool *same = xcalloc(s->model.functions.len + 1, sizeof(*same));
	struct counterparts parts;

	same[function] = true;
	if (!s->set.compare)
		return same;
	counterparts_functions(&parts, &s->model);
	for (size_t f = 0; f < s->model.functions.len; f++)
		same[f] = parts.row.data[f] == parts.row.data[function];
	counterparts_release(&parts);
	return same;
}

static void sum_instructions(struct session *s, const struct disassembly *code,
			     uint32_t function, struct sums *out)
{
	struct pcs pcs;
	uint32_t *insn_of;
	bool *same;

	pcs_build(&pcs, &s->model);
	insn_of = xcalloc(pcs.pcs.len + 1, sizeof(*insn_of));
	same = same_functions(s, function);
	for (size_t i = 0; i < pcs.pcs.len; i++)
		if (same[pcs.pcs.data[i].function])
			insn_of[i] = disassembly_at(code, pcs.pcs.data[i].offset);
	sums_build_grouped(out, &s->model, &pcs.map, insn_of, code->list.len + 1,
			   s->set.compare != COMPARE_OFF);
	pcs_release(&pcs);
	free(insn_of);
	free(same);
}

/* ---- one build on both sides ---- */

/* The build of FUNCTION's frames in a source; NULL: there are none. */
static const char *build_of(const struct source *source, const bool *same)
{
	const struct experiment *exp = source->exp;

	for (size_t i = 0; i < exp->frames.len; i++)
		if (same[source->function[i]])
			return experiment_string(
				exp,
				exp->modules.data[exp->frames.data[i].module].build_id);
	return NULL;
}

/* Two builds have instructions of their own, which do not correspond. */
static int check_builds(struct session *s, uint32_t function, struct strbuf *err)
{
	bool *same = same_functions(s, function), differ = false;
	const char *first = NULL;

	vec_for_each(const struct source, source, &s->model.sources) {
		const char *build = build_of(source, same);

		differ |= first && build && strcmp(first, build) != 0;
		first = first ? first : build;
	}
	free(same);
	if (!differ)
		return 0;
	strbuf_addf(err,
		    "disasm cannot compare '%s': the runs had different builds of it, "
		    "whose instructions do not correspond; source and lines compare "
		    "them by line",
		    session_function(s, function));
	return CMD_FAILED;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "[14]", with the name of a file that is not the function's own. */
static void add_line_cells(struct annotated *a, const struct disassembly *code, size_t i,
			   uint32_t own_file)
{
	const struct line_frame *frame = disassembly_line(code, i);
	struct strbuf text = { 0 };

	if (!frame) {
		table_add_text(a->table, "[?]");
		table_add_absent(a->table);
		table_add_absent(a->table);
		return;
	}
	if (frame->file == own_file)
		strbuf_addf(&text, "[%u]", frame->line);
	else
		strbuf_addf(&text, "[%s:%u]",
			    base_name(strtab_get(&code->lines.texts, frame->file)),
			    frame->line);
	table_add_text(a->table, text.data);
	table_add_text(a->table, strtab_get(&code->lines.texts, frame->file));
	table_add_number(a->table, frame->line);
	strbuf_release(&text);
}

/* The file in which the function begins. */
static uint32_t own_file(const struct disassembly *code)
{
	struct line_answer answer = { 0 };

	if (code->lines.places.len)
		answer = code->lines.places.data[0];
	return answer.count
		       ? code->lines.frames.data[answer.first + answer.count - 1].file
		       : 0;
}

/* The headings of a table, which borrows them. */
struct headings {
	VEC(char *) texts;
	struct source_lines lines;
};

static void headings_release(struct headings *h)
{
	vec_for_each(char *, text, &h->texts)
		free(*text);
	vec_release(&h->texts);
	source_lines_release(&h->lines);
}

/* Above the first instruction of a line, and wherever the line changes, its text. */
static void put_heading(struct table *table, struct headings *h,
			const struct disassembly *code, size_t i)
{
	const struct line_frame *line = disassembly_line(code, i);
	const struct line_frame *last = i ? disassembly_line(code, i - 1) : NULL;
	struct strbuf text = { 0 };
	const char *file;

	if (!line || (last && last->file == line->file && last->line == line->line))
		return;
	file = strtab_get(&code->lines.texts, line->file);
	if (source_lines_get(&h->lines, file, line->line, &text)) {
		*vec_push(&h->texts) = xasprintf("%s:%u  %s", base_name(file), line->line,
						 strbuf_str(&text));
		table_break(table, h->texts.data[h->texts.len - 1]);
	}
	strbuf_release(&text);
}

static void add_notes(struct strbuf *note, const struct disassembly *code,
		      const struct code_range *range, bool newer)
{
	size_t unknown = disassembly_unknown(code, 0, code->list.len);

	if (newer)
		strbuf_addstr(note, "a source file was changed after the "
				    "recording began: its lines may be wrong");
	if (range->release)
		strbuf_addf(note,
			    "%sthe code is vmlinux's; a kernel changes some "
			    "instructions when it starts",
			    note->len ? "; " : "");
	if (unknown)
		strbuf_addf(note,
			    "%sthe disassembler does not know %zu of %zu "
			    "instructions: .byte",
			    note->len ? "; " : "", unknown, code->list.len);
}

static int show_disasm(struct session *s, const struct disassembly *code,
		       const struct code_range *range, const struct sums *sums,
		       const char *name, struct strbuf *err)
{
	static const struct annotated_kind kind = { "disasm", "compare_disasm" };
	struct headings headings = {
		.lines = { .session = s, .build_id = range->place.build_id },
	};
	struct annotated a;
	int status = annotated_init(&a, s, &kind, sums, s->set.disasm_threshold, err);

	if (status)
		return status;
	table_column(a.table, "where", "Line", COLUMN_TEXT);
	table_machine_column(a.table, "file", COLUMN_TEXT);
	table_machine_column(a.table, "line", COLUMN_NUMBER);
	table_column(a.table, "address", "Address", COLUMN_HEX);
	table_code_column(a.table, "instruction", "Instruction");
	annotated_end_columns(&a);
	table_set_title(a.table, xasprintf("Instructions of %s", name));
	for (size_t i = 0; i < code->list.len; i++) {
		const struct instruction *insn = &code->list.data[i];

		put_heading(a.table, &headings, code, i);
		annotated_begin(&a, (uint32_t)i + 1);
		add_line_cells(&a, code, i, own_file(code));
		table_add_number(a.table, insn->vaddr);
		table_add_text(a.table, code->text.data + insn->text);
		annotated_end(&a, (uint32_t)i + 1);
	}
	add_notes(&a.table->note, code, range, headings.lines.newer);
	status = annotated_show(&a, err);
	headings_release(&headings);
	return status;
}

static int disassemble_function(struct session *s, uint32_t function, struct strbuf *err)
{
	struct code_range range;
	struct disassembly code;
	struct sums sums;
	int error, status = s->set.compare ? check_builds(s, function, err) : 0;

	if (status)
		return status;
	if (!function_code(s, function, &range) &&
	    !function_kernel_code(s, function, &range))
		return no_code_of(s, function, err);
	error = disassemble(&code, &range, 1);
	if (error && range.release) {
		status = no_kernel_code(s, function, error, err);
	} else if (error) {
		status = no_code(&range, error, err);
	} else {
		sum_instructions(s, &code, function, &sums);
		status = show_disasm(s, &code, &range, &sums,
				     session_function(s, function), err);
		sums_release(&sums);
	}
	disassembly_release(&code);
	return status;
}

/* One table for each function of the file that has samples, low addresses first. */
static int disassemble_file(struct session *s, uint32_t file, struct strbuf *err)
{
	struct source_functions functions;
	struct code_range ignored;
	int status = CMD_FAILED;

	strbuf_addf(err, "no function of %s has code of its own in the recording",
		    model_string(&s->model, file));
	source_file_functions(s, file, &functions);
	for (size_t i = 0; i < functions.len; i++) {
		if (!function_code(s, functions.data[i], &ignored))
			continue;
		strbuf_clear(err);
		status = disassemble_function(s, functions.data[i], err);
		if (status)
			break;
	}
	vec_release(&functions);
	return status;
}

static int run_disasm(struct session *s, int argc, char **argv, struct strbuf *err)
{
	uint32_t function, file = 0;
	int status = 0;

	if (argc < 2)
		status = source_file_named(s, &session_analysis(s, ANALYSIS_SITES)->sites,
					   argv[0], &file, &function, err);
	if (status)
		return CMD_FAILED;
	if (file)
		return disassemble_file(s, file, err);
	status = function_argument(s, argc, argv, &function, err);
	return status ? status : disassemble_function(s, function, err);
}

const struct cmd cmd_disasm = {
	.name = "disasm",
	.args = "F [N]",
	.help = "the instructions of F, or of all functions of a file F",
	.group = GROUP_FIND,
	.example = "disasm main",
	.run = run_disasm,
};
