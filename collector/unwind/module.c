/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/module.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "unwind/code.h"
#include "unwind/lookup.h"
#include "unwind/scan.h"
#include "base/xalloc.h"

static struct unwind_module *module_of(const struct elf_file *file)
{
	struct unwind_module *m = xcalloc(1, sizeof(*m));

	m->file = *file;
	m->arch = file->arch;
	return m;
}

int unwind_module_open(int fd, struct unwind_module **module)
{
	struct elf_file file;
	int error = elf_file_init_fd(&file, fd);

	if (!error)
		*module = module_of(&file);
	return error;
}

int unwind_module_open_image(const void *image, size_t len, struct unwind_module **module)
{
	struct elf_file file;
	int error = elf_file_init_image(&file, image, len);

	if (!error)
		*module = module_of(&file);
	return error;
}

struct unwind_module *unwind_module_of_ranges(const struct unwind_arch *arch,
					      const struct unwind_range *ranges, size_t n)
{
	struct unwind_module *m = xcalloc(1, sizeof(*m));

	m->arch = arch;
	m->file.fd = -1;
	m->ranges = ranges;
	m->nranges = n;
	return m;
}

void unwind_module_free(struct unwind_module *m)
{
	if (!m)
		return;
	vec_for_each(struct cfi, cfi, &m->cfis)
		cfi_release(cfi);
	vec_release(&m->cfis);
	vec_for_each(void *, table, &m->tables)
		free(*table);
	vec_release(&m->tables);
	elf_file_release(&m->file);
	free(m);
}

/* ---- its tables ---- */

void unwind_module_set_memory(struct unwind_module *m, struct quota *memory)
{
	m->memory = memory;
}

/* How many bytes its next table may take. */
static size_t memory_for(const struct unwind_module *m)
{
	uint64_t most = m->memory ? quota_most(m->memory, m->file.owner) : ELF_MAX_BYTES;

	return most < ELF_MAX_BYTES ? most : ELF_MAX_BYTES;
}

static bool refuse(struct unwind_module *m)
{
	if (!m->refused && m->memory)
		m->memory->refused++;
	m->refused = true;
	return false;
}

static bool take(struct unwind_module *m, size_t len)
{
	if (len > ELF_MAX_BYTES ||
	    (m->memory && !quota_take(m->memory, m->file.owner, len)))
		return refuse(m);
	return true;
}

static void give_back(struct unwind_module *m, size_t len)
{
	if (m->memory)
		quota_give_back(m->memory, m->file.owner, len);
}

/* Takes BYTES; reserves as many for an index. */
static void add_indexed(struct unwind_module *m, struct cfi *cfi, void *bytes)
{
	cfi_make_index(cfi);
	*vec_push(&m->cfis) = *cfi;
	*vec_push(&m->tables) = bytes;
}

/* The file's LEN bytes from OFFSET; *LEN becomes what there is. */
static void *load(const struct elf_file *f, uint64_t offset, size_t *len)
{
	void *bytes = xmalloc(*len);

	*len = elf_file_read(f, offset, bytes, *len);
	return bytes;
}

/* ---- .eh_frame by its table ---- */

/* Its header, which points to .eh_frame; the table follows. */
enum { HDR_HEAD = 32 };

struct eh_frame {
	uint64_t vaddr, offset;
	size_t len;
};

/*
 * PT_GNU_EH_FRAME does not say how long .eh_frame is.  The section headers do; without
 * these it is the rest of the segment, and the section's terminator ends it.
 */
static size_t eh_frame_len(const struct unwind_module *m, uint64_t vaddr, uint64_t rest)
{
	const struct elf_section *section;
	struct elf_image img;

	if (!elf_file_image(&m->file, &img))
		return rest;
	section = elf_section_named(&img, ".eh_frame");
	if (section && section->vaddr == vaddr && section->size < rest)
		rest = section->size;
	elf_image_release(&img);
	return rest;
}

static bool find_eh_frame(const struct unwind_module *m, struct eh_frame *eh)
{
	const struct elf_segment *hdr = &m->file.eh_frame_hdr, *s;
	unsigned char head[HDR_HEAD];
	size_t len = hdr->filesz < sizeof(head) ? hdr->filesz : sizeof(head);

	len = elf_file_read(&m->file, hdr->offset, head, len);
	if (!cfi_hdr_target(head, len, hdr->vaddr, &eh->vaddr))
		return false;
	s = elf_segment_of(&m->file, eh->vaddr);
	if (!s)
		return false;
	eh->offset = eh->vaddr - s->vaddr + s->offset;
	eh->len = eh_frame_len(m, eh->vaddr, s->filesz - (eh->vaddr - s->vaddr));
	return true;
}

/* A pair of the table has 8 bytes, and an entry of .eh_frame more. */
static size_t hdr_len_of(const struct unwind_module *m, const struct eh_frame *eh)
{
	uint64_t most = HDR_HEAD + (uint64_t)eh->len;

	return m->file.eh_frame_hdr.filesz < most ? m->file.eh_frame_hdr.filesz : most;
}

/* By PT_GNU_EH_FRAME, which stripped files have too. */
static void load_by_hdr(struct unwind_module *m)
{
	const struct elf_segment *hdr = &m->file.eh_frame_hdr;
	struct eh_frame eh;
	size_t hdr_len, hdr_taken, taken;
	void *bytes, *table;
	struct cfi cfi;

	m->hdr_loaded = true;
	if (!hdr->filesz || !find_eh_frame(m, &eh))
		return;
	hdr_len = hdr_len_of(m, &eh);
	hdr_taken = hdr_len;
	taken = eh.len;
	if (!take(m, taken + hdr_taken))
		return;
	m->has_eh_frame = true;
	table = load(&m->file, hdr->offset, &hdr_len);
	bytes = load(&m->file, eh.offset, &eh.len);
	cfi_init(&cfi, bytes, eh.len, eh.vaddr, true);
	cfi_set_table(&cfi, table, hdr_len, hdr->vaddr);
	if (cfi.table) {
		*vec_push(&m->tables) = table;
		*vec_push(&m->tables) = bytes;
		*vec_push(&m->cfis) = cfi;
		return;
	}
	free(table);
	give_back(m, hdr_taken);
	if (take(m, eh.len)) {
		add_indexed(m, &cfi, bytes);
	} else {
		give_back(m, taken);
		free(bytes);
	}
}

/* ---- sections ---- */

/*
 * The section NAME of IMG, decompressed, which will need TIMES its memory; NULL if there
 * is none, or it has no bytes or too many.
 */
static const struct elf_section *load_section(struct unwind_module *m,
					      const struct elf_image *img,
					      const char *name, unsigned times,
					      struct strbuf *bytes)
{
	const struct elf_section *section = elf_section_named(img, name);
	int error;

	if (!section || section->type == SHT_NOBITS)
		return NULL;
	error = elf_section_unpack(img, section, memory_for(m) / times, bytes);
	if (error == -EFBIG)
		refuse(m);
	if (!error && bytes->len && take(m, bytes->len * times))
		return section;
	strbuf_release(bytes);
	return NULL;
}

static void add_section(struct unwind_module *m, const struct elf_image *img,
			const char *name, bool eh)
{
	struct strbuf bytes = { 0 };
	const struct elf_section *section = load_section(m, img, name, 2, &bytes);
	struct cfi cfi;

	if (!section)
		return;
	cfi_init(&cfi, bytes.data, bytes.len, section->vaddr, eh);
	add_indexed(m, &cfi, strbuf_detach(&bytes));
}

static bool add_go(struct unwind_module *m, const struct elf_image *img, const char *name)
{
	struct strbuf bytes = { 0 };

	if (!load_section(m, img, name, 1, &bytes))
		return false;
	if (!go_table_init(&m->go.table, bytes.data, bytes.len)) {
		give_back(m, bytes.len);
		strbuf_release(&bytes);
		return false;
	}
	m->go.file = &m->file;
	*vec_push(&m->tables) = strbuf_detach(&bytes);
	return true;
}

/* Go's table, on the machine with known frames (go_frame.h). */
static void load_go(struct unwind_module *m)
{
	struct elf_image img;

	m->go_loaded = true;
	if (m->arch != &unwind_x86_64 || !elf_file_image(&m->file, &img))
		return;
	if (!add_go(m, &img, ".gopclntab"))
		add_go(m, &img, ".data.rel.ro.gopclntab");
	elf_image_release(&img);
}

bool unwind_module_is_go(struct unwind_module *m)
{
	if (!m->go_loaded && !m->ranges)
		load_go(m);
	return m->go.file;
}

/* Loads tables that only the section headers locate. */
static void load_by_sections(struct unwind_module *m)
{
	struct elf_image img;

	m->sections_loaded = true;
	if (!elf_file_image(&m->file, &img))
		return;
	if (!m->has_eh_frame)
		add_section(m, &img, ".eh_frame", true);
	add_section(m, &img, ".debug_frame", false);
	elf_image_release(&img);
}

static void add_debug(struct unwind_module *m, int fd)
{
	struct elf_file file;
	struct elf_image img;

	if (elf_file_init_fd(&file, fd)) {
		close(fd);
		return;
	}
	if (elf_file_image(&file, &img)) {
		add_section(m, &img, ".debug_frame", false);
		add_section(m, &img, ".eh_frame", true);
		elf_image_release(&img);
	}
	elf_file_release(&file);
}

/* Loads tables from the debug file. */
static void load_by_debug(struct unwind_module *m)
{
	int fd = m->find_debug(m->find_context, m->file.fd);

	m->find_debug = NULL;
	if (fd >= 0)
		add_debug(m, fd);
}

void unwind_module_set_debug(struct unwind_module *m, unwind_find_debug *find,
			     const void *context)
{
	m->find_debug = find;
	m->find_context = context;
}

int unwind_module_dup(const struct unwind_module *m)
{
	return m->file.fd < 0 ? -1 : fcntl(m->file.fd, F_DUPFD_CLOEXEC, 0);
}

bool unwind_module_vaddr(const struct unwind_module *m, uint64_t file_offset,
			 uint64_t *vaddr)
{
	const struct elf_segment *s;

	*vaddr = file_offset;
	if (m->ranges)
		return true;
	s = elf_segment_at(&m->file, file_offset);
	if (s)
		*vaddr = file_offset - s->offset + s->vaddr;
	return s;
}

static bool row_from(const struct unwind_module *m, size_t first, uint64_t vaddr,
		     uint32_t *fuel, struct cfi_row *row)
{
	struct cfi_fde fde;

	for (size_t i = first; i < m->cfis.len && *fuel; i++)
		if (cfi_find(&m->cfis.data[i], vaddr, &fde))
			return cfi_row_at(&m->cfis.data[i], &fde, vaddr, fuel, row);
	return false;
}

static bool row_from_go(const struct unwind_module *m, uint64_t vaddr, uint32_t *fuel,
			struct cfi_row *row)
{
	return m->go.file && go_row_at(&m->go, vaddr, fuel, row);
}

/* Whether all its tables were loaded that there are. */
static bool is_settled(const struct unwind_module *m)
{
	return m->hdr_loaded && m->go_loaded && m->sections_loaded && !m->find_debug;
}

/* By the tables that are loaded; Go's precedes .debug_frame, which lacks frame pointers. */
static bool row_now(const struct unwind_module *m, uint64_t vaddr, uint32_t *fuel,
		    struct cfi_row *row)
{
	return row_from_go(m, vaddr, fuel, row) || row_from(m, 0, vaddr, fuel, row);
}

bool unwind_module_row(struct unwind_module *m, uint64_t vaddr, uint32_t *fuel,
		       struct cfi_row *row)
{
	size_t asked;

	if (m->ranges)
		return false;
	if (!m->hdr_loaded)
		load_by_hdr(m);
	if (row_now(m, vaddr, fuel, row))
		return true;
	if (!m->go_loaded) {
		load_go(m);
		if (row_from_go(m, vaddr, fuel, row))
			return true;
	}
	asked = m->cfis.len;
	if (!m->sections_loaded)
		load_by_sections(m);
	if (row_from(m, asked, vaddr, fuel, row))
		return true;
	asked = m->cfis.len;
	if (m->find_debug)
		load_by_debug(m);
	return row_from(m, asked, vaddr, fuel, row);
}

bool unwind_module_known_row(const struct unwind_module *m, uint64_t vaddr,
			     uint32_t *fuel, struct cfi_row *row)
{
	if (m->ranges)
		return false;
	if (row_now(m, vaddr, fuel, row))
		return true;
	if (!is_settled(m))
		*fuel = 0;
	return false;
}

static bool find_fde(const struct unwind_module *m, uint64_t vaddr, struct cfi_fde *fde,
		     const struct cfi **cfi)
{
	for (size_t i = 0; i < m->cfis.len; i++) {
		*cfi = &m->cfis.data[i];
		if (cfi_find(*cfi, vaddr, fde))
			return true;
	}
	return false;
}

/* Whether a call led to where ROW begins: the return address is on top of the stack. */
static bool begins_function(const struct unwind_module *m, const struct cfi_row *row)
{
	return row->cfa.how == CFI_REGISTER && row->cfa.reg == m->arch->sp &&
	       row->cfa.number == 8;
}

/* Another part of a function, which the compiler moved away, begins with a deeper stack. */
bool unwind_module_fp(struct unwind_module *m, uint64_t vaddr, uint32_t *fuel,
		      int64_t *above)
{
	enum { FUEL = 4096 };
	struct effect_place sp, fp;
	const struct cfi *cfi;
	struct cfi_row row;
	struct cfi_fde fde;

	if (m->ranges || *fuel < FUEL || !find_fde(m, vaddr, &fde, &cfi) ||
	    !cfi_row_at(cfi, &fde, fde.start, fuel, &row) || !begins_function(m, &row))
		return false;
	*fuel -= *fuel < FUEL ? *fuel : FUEL;
	if (!unwind_scan_from_entry(&m->file, fde.start, vaddr, &sp, &fp) || sp.by_fp ||
	    fp.by_fp)
		return false;
	*above = fp.at - sp.at;
	return true;
}
