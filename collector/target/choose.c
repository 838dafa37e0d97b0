/* SPDX-License-Identifier: Apache-2.0 */
#include "target/choose.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "process/patient.h"
#include "process/proc_stat.h"

enum {
	COMMAND_MAX = 1 << 16, /* bytes of a command line that are looked at */
	LISTED = 12,
};

/* What a process is known by. */
struct candidate {
	pid_t pid;
	char comm[64];
	struct strbuf command; /* words, each with a NUL behind it */
};

static void read_comm(const char *root, struct candidate *c)
{
	FILE *f = file_fopen(root, "/proc/%d/comm", (int)c->pid);

	c->comm[0] = '\0';
	if (f && fgets(c->comm, sizeof(c->comm), f))
		c->comm[strcspn(c->comm, "\n")] = '\0';
	if (f)
		fclose(f);
}

static void read_command(const char *root, struct candidate *c, struct patient *patient)
{
	const struct patient_process of = patient_process_find(root, c->pid);
	char *path = xasprintf("%s/proc/%d/cmdline", root, (int)c->pid);
	int error;

	strbuf_clear(&c->command);
	error = patient_read(patient, &of, path, COMMAND_MAX, &c->command);
	if (error) /* it has ended, or does not answer */
		strbuf_clear(&c->command);
	free(path);
}

static pid_t parent_of(const char *root, pid_t pid)
{
	struct proc_stat stat;

	return proc_stat_read(root, pid, &stat) ? stat.parent : 0;
}

static bool is_named(const char *pattern, const char *text, size_t len)
{
	char *name = xasprintf("%.*s", (int)len, text);
	bool is = *name && !fnmatch(pattern, name, 0);

	free(name);
	return is;
}

/* The last part of a path; all of another word. */
static const char *last_part(const char *word)
{
	const char *slash = strrchr(word, '/');

	return slash && slash[1] ? slash + 1 : word;
}

/* The program's name; a server's title has more behind it: "postgres: checkpointer". */
static const char *program_of(const struct candidate *c, size_t *len)
{
	size_t end = strcspn(strbuf_str(&c->command), " ");
	const char *first = strbuf_str(&c->command), *slash;

	while (end && first[end - 1] == ':')
		end--;
	slash = memrchr(first, '/', end);
	if (slash && slash + 1 < first + end) {
		end -= (size_t)(slash + 1 - first);
		first = slash + 1;
	}
	*len = end;
	return first;
}

static bool has_name(const struct candidate *c, const char *name)
{
	size_t len, comm = strlen(c->comm);
	const char *program = program_of(c, &len);

	/* comm has only 15 characters of a longer name */
	return is_named(name, c->comm, comm) || is_named(name, program, len);
}

/* Whether NAME, of several words, begins a server's title: "nginx: worker process". */
static bool begins_title(const char *name, const char *word)
{
	char *pattern = xasprintf("%s *", name);
	bool begins = strchr(name, ' ') && !fnmatch(pattern, word, 0);

	free(pattern);
	return begins;
}

/* The words of its command line are also what a mistyped name may have meant. */
static bool has_word(const struct candidate *c, const char *name, struct nearest *near)
{
	const char *words = strbuf_str(&c->command);

	for (size_t at = 0; at < c->command.len; at += strlen(words + at) + 1) {
		const char *word = words + at, *part = last_part(word);

		if (is_named(name, word, strlen(word)) ||
		    is_named(name, part, strlen(part)) || begins_title(name, word))
			return true;
		if (!strchr(part, ' ')) /* else it is a title, or a script in itself */
			nearest_offer(near, part);
	}
	return false;
}

bool choose_is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

/* What a process matches by; the first kind that any matches counts. */
enum match { OWN_NAME, OWN_WORD, OTHERS_NAME, OTHERS_WORD, MATCHES };

struct search {
	const char *root, *name;
	bool own;
	pid_vec above; /* collect, and what it was started by */
	pid_vec found[MATCHES];
	struct nearest near;
};

static void find_above(struct search *s)
{
	enum { GENERATIONS = 64 };
	pid_t at = getpid();

	for (int i = 0; at > 0 && i < GENERATIONS; i++, at = parent_of(s->root, at))
		*vec_push(&s->above) = at;
}

static bool is_above_us(const struct search *s, pid_t pid)
{
	vec_for_each(const pid_t, above, &s->above)
		if (*above == pid)
			return true;
	return false;
}

/* Another recording names what it records, and is not that. */
static bool is_collect(const struct candidate *c)
{
	return !strcmp(c->comm, "collect");
}

static void look_at(struct search *s, const struct candidate *c)
{
	bool ours = !s->own || proc_is_own(s->root, c->pid);

	if (has_name(c, s->name)) {
		*vec_push(&s->found[ours ? OWN_NAME : OTHERS_NAME]) = c->pid;
		return;
	}
	nearest_offer(&s->near, c->comm);
	if (!is_above_us(s, c->pid) && !is_collect(c) && has_word(c, s->name, &s->near))
		*vec_push(&s->found[ours ? OWN_WORD : OTHERS_WORD]) = c->pid;
}

static void walk(struct search *s)
{
	struct candidate c = { 0 };
	struct patient patient = { 0 };
	pid_vec pids = { 0 };

	if (!proc_list_processes(s->root, &pids))
		vec_for_each(const pid_t, pid, &pids) {
			if (*pid == getpid())
				continue;
			c.pid = *pid;
			read_comm(s->root, &c);
			read_command(s->root, &c, &patient);
			look_at(s, &c);
		}
	vec_release(&pids);
	patient_release(&patient);
	strbuf_release(&c.command);
}

/* A name that resembles a pattern is no better one. */
static int not_found(const struct search *s, struct strbuf *err)
{
	strbuf_addf(err, "-P %s: no process has that name", s->name);
	if (s->near.count && !strpbrk(s->name, "*?[")) {
		strbuf_addstr(err, "; did you mean ");
		nearest_join(&s->near, err);
		strbuf_addch(err, '?');
	}
	return -ESRCH;
}

int choose_by_name(const char *root, const char *name, bool own, pid_vec *pids,
		   struct strbuf *err)
{
	struct search s = { .root = root, .name = name, .own = own };
	int kind = 0, error = 0;

	nearest_init(&s.near, name);
	find_above(&s);
	walk(&s);
	while (kind < MATCHES && !s.found[kind].len)
		kind++;
	if (kind == MATCHES)
		error = not_found(&s, err);
	else
		vec_for_each(const pid_t, pid, &s.found[kind])
			*vec_push(pids) = *pid;
	for (kind = 0; kind < MATCHES; kind++)
		vec_release(&s.found[kind]);
	nearest_release(&s.near);
	vec_release(&s.above);
	return error;
}

void choose_list(const char *root, const pid_vec *pids, struct strbuf *out)
{
	struct candidate c = { 0 };

	for (size_t i = 0; i < pids->len && i < LISTED; i++) {
		c.pid = pids->data[i];
		read_comm(root, &c);
		strbuf_addf(out, "%s%d%s", i ? ", " : "", (int)c.pid,
			    c.comm[0] ? " " : "");
		utf8_printable(out, c.comm);
	}
	if (pids->len > LISTED)
		strbuf_addf(out, " and %zu more", pids->len - LISTED);
}
