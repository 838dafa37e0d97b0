/* SPDX-License-Identifier: Apache-2.0 */
/* How a program is found, and how its process starts and ends. */
#include "target/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sample/cgroup.h"
#include "scratch.h"
#include "tap.h"
#include "base/xalloc.h"

static void put_program(const char *root, const char *path, const char *text, mode_t mode)
{
	char *full = xasprintf("%s/%s", root, path);

	scratch_text(root, path, text);
	if (chmod(full, mode))
		exit(99);
	free(full);
}

/* ---- PATH ---- */

/*
 * a has prog; b has prog and only; c has plain, without the x bit; d has prog as a folder;
 * "here", the current folder, has local.
 */
static const struct {
	const char *what, *dirs, *name;
	int error;
	const char *want; /* a path below the root, or a part of the message */
} searches[] = {
	{ "the first wins", "R/a:R/b", "prog", 0, "R/a/prog" },
	{ "in the second", "R/a:R/b", "only", 0, "R/b/only" },
	{ "a folder of that name is skipped", "R/d:R/b", "prog", 0, "R/b/prog" },
	{ "a file that is not executable is skipped", "R/c:R/b", "prog", 0, "R/b/prog" },
	{ "folders that do not exist", "R/none:R/a/prog:R/b", "only", 0, "R/b/only" },
	{ "an empty element is the current folder", "R/a:", "local", 0, "local" },
	{ "at the start too", ":R/a", "local", 0, "local" },
	{ "in the middle too", "R/a::R/b", "local", 0, "local" },
	{ "nowhere", "R/a:R/b", "nope", 127, "nope: no such program in PATH" },
	{ "an empty name", "R/a", "", 127, "name is empty" },
	{ "only one that is not executable", "R/c", "plain", 126,
	  "plain cannot be executed: Permission denied" },
	{ "only a folder", "R/d", "prog", 126,
	  "prog cannot be executed: Is a directory" },
	{ "with a slash, PATH does not matter", "R/b", "../a/prog", 0, "../a/prog" },
	{ "with a slash, missing", "R/b", "./only", 127, "./only: no such program" },
	{ "with a slash, a folder", "R/b", "../d", 126, "Is a directory" },
	{ "with a slash, not executable", "R/b", "../c/plain", 126, "Permission denied" },
	{ "below a file", "R/b", "../a/prog/x", 127, "no such program" },
};

/* TEXT with ROOT in place of each R. */
static char *rooted(const char *text, const char *root)
{
	struct strbuf out = { 0 };

	for (; *text; text++)
		if (*text == 'R')
			strbuf_addstr(&out, root);
		else
			strbuf_addch(&out, *text);
	return strbuf_detach(&out);
}

static void test_search(void)
{
	char *root = scratch_make(), *here = xasprintf("%s/here", root);
	struct strbuf err = { 0 };

	put_program(root, "a/prog", "", 0755);
	put_program(root, "b/prog", "", 0755);
	put_program(root, "b/only", "", 0755);
	put_program(root, "c/prog", "", 0644);
	put_program(root, "c/plain", "", 0644);
	put_program(root, "d/prog/file", "", 0644);
	put_program(root, "here/local", "", 0755);
	if (chdir(here))
		exit(99);
	for (size_t i = 0; i < sizeof(searches) / sizeof(*searches); i++) {
		char *dirs = rooted(searches[i].dirs, root), *path = NULL,
		     *want = rooted(searches[i].want, root);

		setenv("PATH", dirs, 1);
		if (is_i64(target_find(searches[i].name, &path, &err), searches[i].error,
			   "%s", searches[i].what) &&
		    !searches[i].error)
			is_str(path, want, "%s: the path", searches[i].what);
		else
			ok(strstr(strbuf_str(&err), searches[i].want), "%s: %s",
			   searches[i].what, strbuf_str(&err));
		free(path);
		free(dirs);
		free(want);
		strbuf_clear(&err);
	}
	if (chdir("/"))
		exit(99);
	strbuf_release(&err);
	free(here);
	scratch_remove(root);
}

/* ---- the child ---- */

/* Runs PATH to its end; returns target_go's result. */
static int run(struct target *t, const char *path, char *const argv[])
{
	sigset_t mask;
	int error;

	sigemptyset(&mask);
	if (target_fork(t, path, argv, &(struct target_birth){ &mask, -1 }))
		exit(99);
	error = target_go(t);
	target_wait(t);
	return error;
}

/* Daemons ignore SIGCHLD, and their children inherit that. */
static void test_ignored(void)
{
	char grep[] = "grep", q[] = "-q", bit[] = "^SigIgn:.*[13579bdf]....$",
	     status[] = "/proc/self/status";
	char *argv[] = { grep, q, bit, status, NULL };
	struct target t;

	signal(SIGCHLD, SIG_IGN);
	run(&t, "/bin/grep", argv);
	ok(t.ended, "a program ends although SIGCHLD was ignored");
	is_u64((uint64_t)target_exit_status(&t), 0, "… and SIGCHLD is ignored in it");
	target_release(&t);
	signal(SIGCHLD, SIG_DFL);
}

static const struct {
	const char *script;
	int status;
} ends[] = {
	{ "exit 0", 0 },       { "exit 7", 7 },          { "exit 255", 255 },
	{ "kill -9 $$", 137 }, { "kill -TERM $$", 143 }, { "kill -INT $$", 130 },
};

static void test_ends(void)
{
	char sh[] = "sh", c[] = "-c", script[64];
	char *argv[] = { sh, c, script, NULL };
	struct target t;

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		snprintf(script, sizeof(script), "%s", ends[i].script);
		is_i64(run(&t, "/bin/sh", argv), 0, "sh -c '%s'", script);
		ok(t.ended, "ends");
		is_i64(target_exit_status(&t), ends[i].status, "with that status");
		target_release(&t);
	}
}

/* The child waits at the gate, and runs with its own mask behind it. */
static void test_gate(void)
{
	char *root = scratch_make(), *mark = xasprintf("%s/mark", root);
	char cp[] = "cp", status[] = "/proc/self/status";
	char *argv[] = { cp, status, mark, NULL };
	struct strbuf text = { 0 };
	struct target t;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	if (target_fork(&t, "/bin/cp", argv, &(struct target_birth){ &mask, -1 }))
		exit(99);
	ok(target_is_child(&t), "a child");
	target_poll(&t);
	ok(!t.ended && access(mark, F_OK) < 0, "waits at the gate");
	is_i64(target_go(&t), 0, "passes it");
	target_wait(&t);
	scratch_read(root, "mark", &text);
	ok(strstr(strbuf_str(&text), "SigBlk:\t0000000000000200\n"),
	   "and has the given signal mask");
	target_release(&t);

	unlink(mark);
	if (target_fork(&t, "/bin/cp", argv, &(struct target_birth){ &mask, -1 }))
		exit(99);
	target_release(&t);
	ok(access(mark, F_OK) < 0 && waitpid(-1, NULL, WNOHANG) < 0,
	   "a child that is given up at the gate ends without running");
	strbuf_release(&text);
	free(mark);
	scratch_remove(root);
}

/* Whether the child is in a group of that name, or below it. */
static bool is_in(pid_t pid, const char *name)
{
	char *path = xasprintf("%d/cgroup", (int)pid);
	struct strbuf text = { 0 };
	bool in;

	scratch_read("/proc", path, &text);
	in = strstr(strbuf_str(&text), name) != NULL;
	strbuf_release(&text);
	free(path);
	return in;
}

/* A child starts in its group if that is possible, else in ours. */
static void test_group(void)
{
	char sh[] = "true";
	char *argv[] = { sh, NULL };
	struct cgroup group;
	int error = cgroup_make(&group, ""), other;
	struct target t;
	sigset_t mask;

	sigemptyset(&mask);
	if (!error) {
		if (target_fork(&t, "/bin/true", argv,
				&(struct target_birth){ &mask, group.fd }))
			exit(99);
		ok(t.in_group == is_in(t.pid, "/ringprof-"), "a child is %s group",
		   t.in_group ? "born in its" : "not born in a");
		is_i64(target_go(&t), 0, "and passes the gate");
		target_wait(&t);
		is_i64(target_exit_status(&t), 0, "to its end");
		target_release(&t);
	}
	cgroup_release(&group);
	other = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (target_fork(&t, "/bin/true", argv, &(struct target_birth){ &mask, other }))
		exit(99);
	ok(!t.in_group && !is_in(t.pid, "/ringprof-"),
	   "a folder that is no group gets no child");
	is_i64(target_go(&t), 0, "the child starts in our group");
	target_release(&t);
	close(other);
}

/* The child dies at the gate; SIGPIPE is blocked, as in collect. */
static void test_dead_at_gate(void)
{
	char sh[] = "sh";
	char *argv[] = { sh, NULL };
	struct target t;
	sigset_t mask, pipe;

	sigemptyset(&mask);
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe, NULL);
	if (target_fork(&t, "/bin/sh", argv, &(struct target_birth){ &mask, -1 }))
		exit(99);
	kill(t.pid, SIGKILL);
	target_wait(&t);
	ok(target_go(&t) < 0, "a child that died at the gate cannot start");
	is_i64(target_exit_status(&t), 137, "and its status names the signal");
	target_release(&t);
}

static void test_exec_fails(void)
{
	char *root = scratch_make(), *path = xasprintf("%s/prog", root);
	char *argv[] = { path, NULL };
	struct target t;

	is_i64(run(&t, path, argv), -ENOENT, "a file that is gone");
	is_i64(target_exit_status(&t), 126, "the child does not continue");
	target_release(&t);
	put_program(root, "prog", "x", 0644);
	is_i64(run(&t, path, argv), -EACCES, "a file that is no longer executable");
	target_release(&t);
	put_program(root, "prog", "#!/nonexistent/interpreter\n", 0755);
	is_i64(run(&t, path, argv), -ENOENT, "a script without its interpreter");
	target_release(&t);
	free(path);
	scratch_remove(root);
}

/* The shell runs a file that the kernel does not recognize, as execvp does. */
static void test_bare_script(void)
{
	char *root = scratch_make(), *path = xasprintf("%s/script", root);
	char one[] = "one", three[] = "3";
	char *argv[] = { path, one, three, NULL };
	struct target t;

	put_program(root, "script", "test \"$1\" = one && exit $2\n", 0755);
	is_i64(run(&t, path, argv), 0, "a script without #!");
	is_i64(target_exit_status(&t), 3, "gets its arguments");
	target_release(&t);
	free(path);
	scratch_remove(root);
}

/* Many successful and failed starts leave no descriptor open. */
static void test_descriptors(void)
{
	char sh[] = "true";
	char *argv[] = { sh, NULL };
	int before = dup(0), after;

	close(before);
	for (int i = 0; i < 20; i++) {
		struct target t;

		run(&t, i & 1 ? "/bin/true" : "/nonexistent", argv);
		target_release(&t);
		target_release(&t);
	}
	after = dup(0);
	close(after);
	is_i64(after, before, "no descriptor stays open");
}

/* Attaching to a running process does not affect it. */
static void test_attach(void)
{
	struct target t = TARGET_NONE;
	pid_t pid = fork();

	if (!pid) {
		pause();
		_exit(0);
	}
	is_i64(target_attach(&t, pid), 0, "a running process is attached");
	is_i64(target_attach(&t, pid), -EEXIST, "once");
	ok(target_has(&t, pid), "and known by its number");
	is_i64(target_attach(&t, getpid()), -EDEADLK, "but not collect itself");
	ok(!target_is_child(&t), "it does not count as a child");
	target_poll(&t);
	ok(!t.ended, "it runs");
	target_release(&t);
	ok(!kill(pid, 0), "and continues after the release");
	is_i64(target_attach(&t, pid), 0, "again");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	target_poll(&t);
	ok(t.ended, "its end is noticed");
	ok(!target_has(&t, pid), "from then on the number may be another's");
	target_release(&t);
	is_i64(target_attach(&t, pid), -ESRCH, "a process that has ended");
	target_release(&t);
}

int main(void)
{
	test_ends();
	test_ignored();
	test_gate();
	test_group();
	test_dead_at_gate();
	test_exec_fails();
	test_bare_script();
	test_descriptors();
	test_attach();
	test_search();
	return done_testing();
}
