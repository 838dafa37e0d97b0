/* SPDX-License-Identifier: Apache-2.0 */
/* Which processes a name of -P means. */
#include "target/choose.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "scratch.h"
#include "tap.h"

/* Words end with |, which stands for NUL. */
static void add(const char *root, int pid, int parent, const char *comm,
		const char *command)
{
	char *words = xstrdup(command), *path;

	for (char *at = words; *at; at++)
		if (*at == '|')
			*at = '\0';
	path = xasprintf("proc/%d/cmdline", pid);
	scratch_write(root, path, words, strlen(command));
	free(path);
	free(words);
	path = xasprintf("proc/%d/comm", pid);
	words = xasprintf("%s\n", comm);
	scratch_text(root, path, words);
	free(path);
	free(words);
	path = xasprintf("proc/%d/stat", pid);
	words = xasprintf("%d (%s) S %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 1", pid, comm,
			  parent);
	scratch_text(root, path, words);
	free(path);
	free(words);
}

static void make(const char *root)
{
	add(root, 1, 0, "init", "/sbin/init|");
	add(root, 2, 0, "kthreadd", "");
	add(root, 10, 1, "postgres", "/usr/lib/postgresql/15/bin/postgres|-D|/data|");
	add(root, 11, 10, "postgres", "postgres: checkpointer |");
	add(root, 12, 1, "nginx", "nginx: master process /usr/sbin/nginx|");
	add(root, 13, 12, "nginx", "nginx: worker process|");
	add(root, 14, 1, "python3", "/usr/bin/python3|/srv/app.py|--port|80|");
	add(root, 15, 1, "java", "java|-cp|x.jar|com.example.Main|");
	add(root, 16, 1, "a-name-of-many-", "/opt/a-name-of-many-letters|");
	add(root, 17, 1, "s p) R 9 (x", "odd|");
	add(root, 18, 1, "\033[2Jred", "hostile|");
	add(root, 19, 1, "collect", "collect|-P|waited-for|");
	/* collect was started by a shell whose command line has the name */
	add(root, 20, 17, "sh", "sh|-c|collect -P app.py|app.py|");
	add(root, (int)getpid(), 20, "collect", "collect|-P|app.py|");
}

static const struct {
	const char *what, *name, *want; /* sorted; or the sentence */
	int error;
} names[] = {
	{ "a comm", "postgres", "10 11", 0 },
	{ "a program whose title has another word", "nginx", "12 13", 0 },
	{ "a program behind its path", "java", "15", 0 },
	{ "a name that comm has cut", "a-name-of-many-letters", "16", 0 },
	{ "a pattern", "p[oy]*", "10 11 14", 0 },
	{ "a script, but no shell above collect", "app.py", "14", 0 },
	{ "a class", "com.example.Main", "15", 0 },
	{ "a whole path", "/srv/app.py", "14", 0 },
	{ "a title", "postgres: checkpointer ", "11", 0 },
	{ "its begin", "nginx: worker", "13", 0 },
	{ "... with nothing but a blank behind it", "postgres: checkpointer", "11", 0 },
	{ "... as a pattern", "ngin?: [mw]*er", "12 13", 0 },
	{ "but no part of a word", "nginx: work",
	  "-P nginx: work: no process has that name", -ESRCH },
	{ "names before words", "*n*x*", "12 13", 0 },
	{ "collect itself is none, but another one is", "collect", "19", 0 },
	{ "nor is another one that names it", "waited-for",
	  "-P waited-for: no process has that name", -ESRCH },
	{ "part of a name", "post",
	  "-P post: no process has that name; did you mean postgres?", -ESRCH },
	{ "a mistyped one", "postgers",
	  "-P postgers: no process has that name; did you mean postgres?", -ESRCH },
	{ "a mistyped script", "/srv/ap.py", "-P /srv/ap.py: no process has that name",
	  -ESRCH },
	{ "the same without its folder", "ap.py",
	  "-P ap.py: no process has that name; did you mean app.py?", -ESRCH },
	{ "a pattern like a word", "[app].py", "-P [app].py: no process has that name",
	  -ESRCH },
	{ "one with a parenthesis", "s p) R 9 (x", "17", 0 },
};

static int by_number(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void test_names(const char *root)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct strbuf got = { 0 };
		pid_vec pids = { 0 };

		is_i64(choose_by_name(root, names[i].name, false, &pids, &got),
		       names[i].error, "%s", names[i].what);
		if (pids.len)
			qsort(pids.data, pids.len, sizeof(*pids.data), by_number);
		vec_for_each(const pid_t, pid, &pids)
			strbuf_addf(&got, "%s%d", got.len ? " " : "", (int)*pid);
		is_str(strbuf_str(&got), names[i].want, "%s", names[i].what);
		strbuf_release(&got);
		vec_release(&pids);
	}
}

static void test_list(const char *root)
{
	struct strbuf out = { 0 };
	pid_vec pids = { 0 };

	*vec_push(&pids) = 10;
	*vec_push(&pids) = 99;
	choose_list(root, &pids, &out);
	is_str(strbuf_str(&out), "10 postgres, 99", "one that has ended has no name");
	pids.data[0] = 18;
	strbuf_clear(&out);
	choose_list(root, &pids, &out);
	is_str(strbuf_str(&out), "18 ?[2Jred, 99", "no name controls the terminal");
	for (int i = 0; i < 20; i++)
		*vec_push(&pids) = 13;
	strbuf_clear(&out);
	choose_list(root, &pids, &out);
	ok(strstr(strbuf_str(&out), "13 nginx and 10 more"), "not all of many");
	strbuf_release(&out);
	vec_release(&pids);
}

int main(void)
{
	char *root = scratch_make();

	make(root);
	test_names(root);
	test_list(root);
	ok(choose_is_number("12") && !choose_is_number("") && !choose_is_number("1x"),
	   "numbers");
	scratch_remove(root);
	return done_testing();
}
