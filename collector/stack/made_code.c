/* SPDX-License-Identifier: Apache-2.0 */
#include "stack/made_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread_time.h"
#include "base/xalloc.h"

enum { BITS = 64, FIRST_NS = 20000000, RETRY_NS = 1000000000, IS_RETURN = 1 };

struct made_page {
	uint32_t pid;
	uint64_t at;
	uint64_t changed_ns; /* no byte has changed from here … */
	uint64_t read_ns;    /* … to here */
	uint32_t version;    /* changes with a byte that is in use */
	uint64_t used[MADE_PAGE / BITS];
	unsigned char bytes[MADE_PAGE];
};

struct made_rule {
	bool found;
	struct unwind_made_rule made;
	uint64_t from_ns; /* the samples before it have no proof */
	uint8_t npages;
	uint32_t page[MADE_SPAN_PAGES], version[MADE_SPAN_PAGES];
};

void made_code_init(struct made_code *m, const struct sys *sys)
{
	*m = (struct made_code){ .sys = sys };
}

/* Forgets all that was read. */
static void clear(struct made_code *m)
{
	vec_for_each(struct made_page *, page, &m->pages)
		free(*page);
	vec_release(&m->pages);
	vec_release(&m->rules);
	vec_release(&m->refused);
	idmap_release(&m->page_ids);
	idmap_release(&m->rule_ids);
	idmap_release(&m->refused_ids);
}

void made_code_release(struct made_code *m)
{
	clear(m);
	remote_reader_free(m->reader);
	m->reader = NULL;
}

/* ---- reading ---- */

static bool may_read(struct made_code *m)
{
	uint64_t now = m->sys->now();

	if (!m->tried) {
		m->tried = true;
		m->begun_ns = now;
		m->reader = remote_reader_new();
	}
	return m->reader && m->spent_ns < FIRST_NS + (now - m->begun_ns) / MADE_REST;
}

static bool is_used(const struct made_page *page, size_t i)
{
	return page->used[i / BITS] >> i % BITS & 1;
}

/* Whether BYTES differ from PAGE's in a byte that a rule depends on. */
static bool differs_where_used(const struct made_page *page, const unsigned char *bytes)
{
	for (size_t i = 0; i < MADE_PAGE; i++)
		if (page->bytes[i] != bytes[i] && is_used(page, i))
			return true;
	return false;
}

static void take_bytes(struct made_page *page, const unsigned char *bytes,
		       uint64_t begun_ns, uint64_t now)
{
	if (!page->read_ns || memcmp(page->bytes, bytes, MADE_PAGE) != 0) {
		if (differs_where_used(page, bytes)) {
			page->version++;
			memset(page->used, 0, sizeof(page->used));
		}
		memcpy(page->bytes, bytes, MADE_PAGE);
		page->changed_ns = now;
	}
	page->read_ns = begun_ns;
}

/* There is no right to read, or no process any more: a later try does no better. */
static bool is_refusal(ssize_t got)
{
	return got == -EPERM || got == -EACCES || got == -ENOSYS || got == -ESRCH;
}

/* Whether the last reading of PID's memory was refused. */
static bool was_refused(const struct made_code *m, uint32_t pid)
{
	return idmap_get(&m->refused_ids, pid, 0) != IDMAP_NONE;
}

/* A process may get another program, and a pid another process: retry now and then. */
static bool may_retry(const struct made_code *m, uint32_t pid)
{
	uint32_t id = idmap_get(&m->refused_ids, pid, 0);

	return id == IDMAP_NONE || m->sys->now() >= m->refused.data[id];
}

static void note_refusal(struct made_code *m, uint32_t pid, bool refused)
{
	uint32_t next = (uint32_t)m->refused.len, id;

	if (!refused) {
		idmap_remove(&m->refused_ids, pid, 0);
		return;
	}
	id = idmap_intern(&m->refused_ids, pid, 0, next);
	if (id == next)
		(void)vec_push(&m->refused);
	m->refused.data[id] = m->sys->now() + RETRY_NS;
}

static bool read_page(struct made_code *m, struct made_page *page)
{
	unsigned char bytes[MADE_PAGE];
	uint64_t begun = m->sys->now(), worked = thread_time_ns();
	ssize_t got = remote_read(m->reader, (pid_t)page->pid, page->at, bytes,
				  sizeof(bytes));

	if (got == (ssize_t)sizeof(bytes))
		take_bytes(page, bytes, begun, m->sys->now());
	if (got != -EAGAIN)
		note_refusal(m, page->pid, is_refusal(got));
	m->spent_ns += thread_time_ns() - worked;
	return got == (ssize_t)sizeof(bytes);
}

/* Reads PAGE for V; false, and noted, if that is not possible now. */
static bool read_for(struct made_view *v, struct made_page *page)
{
	struct made_code *m = v->all;
	bool done = may_retry(m, v->pid) && may_read(m) && read_page(m, page);

	v->unread |= !done;
	v->refused |= !done && (was_refused(m, v->pid) || !m->reader);
	return done;
}

static struct made_page *new_page(struct made_view *v, uint64_t at, uint32_t *id)
{
	struct made_code *m = v->all;
	uint32_t next = (uint32_t)m->pages.len;
	struct made_page *page;

	if (next == MADE_PAGES || !v->is_code(v->context, at))
		return NULL;
	page = xcalloc(1, sizeof(*page));
	page->pid = v->pid;
	page->at = at;
	if (!read_for(v, page)) {
		free(page);
		return NULL;
	}
	*vec_push(&m->pages) = page;
	*id = idmap_intern(&m->page_ids, at, v->pid, next);
	return page;
}

/* The page at AT as V's sample may use it, read again if need be; NULL: none. */
static struct made_page *page_at(struct made_view *v, uint64_t at, uint32_t *id)
{
	struct made_code *m = v->all;
	struct made_page *page;

	*id = idmap_get(&m->page_ids, at, v->pid);
	if (*id == IDMAP_NONE)
		return new_page(v, at, id);
	page = m->pages.data[*id];
	return page->read_ns >= v->time_ns || read_for(v, page) ? page : NULL;
}

/* Notes that the rule that is being proven depends on the page ID; false: on too many. */
static bool depends_on(struct made_view *v, uint32_t id)
{
	for (unsigned int i = 0; i < v->npages; i++)
		if (v->on[i] == id)
			return true;
	if (v->npages == MADE_SPAN_PAGES)
		return false;
	v->on[v->npages++] = id;
	return true;
}

/* The part of one page. */
static size_t read_part(struct made_view *v, uint64_t address, unsigned char *to,
			size_t len)
{
	size_t offset = address % MADE_PAGE, part = MADE_PAGE - offset;
	uint32_t id;
	const struct made_page *page = page_at(v, address - offset, &id);

	if (part > len)
		part = len;
	if (!page || !depends_on(v, id))
		return 0;
	memcpy(to, page->bytes + offset, part);
	return part;
}

/* A prove_code's. */
static size_t read_code(void *context, uint64_t address, void *bytes, size_t len)
{
	size_t first = read_part(context, address, bytes, len);

	if (!first || first == len || address + first < address)
		return first;
	return first + read_part(context, address + first, (unsigned char *)bytes + first,
				 len - first);
}

static void use_code(void *context, uint64_t address, size_t len)
{
	struct made_view *v = context;

	for (size_t i = 0; i < len; i++) {
		uint64_t offset = (address + i) % MADE_PAGE;
		uint32_t id = idmap_get(&v->all->page_ids, address + i - offset, v->pid);

		if (id != IDMAP_NONE)
			v->all->pages.data[id]->used[offset / BITS] |= UINT64_C(1)
								       << offset % BITS;
	}
}

/* ---- rules ---- */

static struct prove_code code_of(struct made_view *v)
{
	v->npages = 0;
	v->unread = v->refused = false;
	return (struct prove_code){ .read = read_code, .used = use_code, .context = v };
}

/* The moment from which the bytes of the view's rule are known to be unchanged. */
static uint64_t known_from(const struct made_view *v)
{
	uint64_t from = 0;

	for (unsigned int i = 0; i < v->npages; i++) {
		uint64_t changed = v->all->pages.data[v->on[i]]->changed_ns;

		from = changed > from ? changed : from;
	}
	return from;
}

static void prove(struct made_view *v, uint64_t address, bool is_return,
		  struct made_rule *rule)
{
	const struct prove_code code = code_of(v);

	*rule = (struct made_rule){ 0 };
	rule->found = unwind_prove(&code, address, is_return, &rule->made);
	rule->from_ns = known_from(v);
	rule->npages = (uint8_t)v->npages;
	for (unsigned int i = 0; i < v->npages; i++) {
		rule->page[i] = v->on[i];
		rule->version[i] = v->all->pages.data[v->on[i]]->version;
	}
}

/* Whether a rule's bytes are the same until after the sample of a view. */
enum standing { HOLDS, CHANGED, UNREAD };

static enum standing standing_of(struct made_view *v, const struct made_rule *rule)
{
	for (unsigned int i = 0; i < rule->npages; i++) {
		struct made_page *page = v->all->pages.data[rule->page[i]];
		uint32_t id;

		if (!page_at(v, page->at, &id))
			return UNREAD;
		if (page->version != rule->version[i])
			return CHANGED;
	}
	return HOLDS;
}

/* A process may make code for ever: then all is read again. */
static void make_room(struct made_code *m)
{
	if (m->pages.len == MADE_PAGES || m->rules.len == MADE_RULES ||
	    m->refused.len >= MADE_PAGES)
		clear(m);
}

/* Proves the rule now.  Its index, or IDMAP_NONE if some of its code was not read. */
static uint32_t prove_now(struct made_view *v, uint64_t address, uint32_t key)
{
	struct made_code *m = v->all;
	uint32_t next = (uint32_t)m->rules.len, id;
	uint64_t before = m->spent_ns, worked = thread_time_ns();
	struct made_rule made;

	prove(v, address, key & IS_RETURN, &made);
	m->spent_ns = before + thread_time_ns() - worked;
	if (v->unread && !made.found)
		return IDMAP_NONE;
	id = idmap_intern(&m->rule_ids, address, key, next);
	if (id == next)
		(void)vec_push(&m->rules);
	m->rules.data[id] = made;
	return id;
}

enum unwind_made_answer made_code_rule(void *context, uint64_t address, bool is_return,
				       struct unwind_made_rule *out)
{
	struct made_view *v = context;
	struct made_code *m = v->all;
	const uint32_t key = v->pid << 1 | (is_return ? IS_RETURN : 0);
	enum standing standing = CHANGED;
	const struct made_rule *rule;
	uint32_t id;

	make_room(m);
	id = idmap_get(&m->rule_ids, address, key);
	if (id != IDMAP_NONE)
		standing = standing_of(v, &m->rules.data[id]);
	if (standing == CHANGED)
		id = prove_now(v, address, key);
	if (id == IDMAP_NONE)
		return v->refused ? MADE_UNPROVEN : MADE_UNREAD;
	rule = &m->rules.data[id];
	*out = rule->made;
	if (!rule->found)
		return MADE_UNPROVEN;
	return standing == UNREAD || rule->from_ns > v->time_ns ? MADE_UNTIMELY
								: MADE_PROVEN;
}

bool made_code_is_behind_call(void *context, uint64_t address)
{
	struct made_view *v = context;
	const struct prove_code code = code_of(v);

	return unwind_prove_call(&code, address) && known_from(v) <= v->time_ns;
}
