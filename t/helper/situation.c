/* SPDX-License-Identifier: Apache-2.0 */
/*
 * situation FILE exit|kill NUMBER WORD…: writes the situation of a program to FILE,
 * prints a word on standard output and error if these are open, and exits or kills itself
 * with NUMBER.
 */
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* The file is open at a number that no test uses. */
enum { OUT = 900 };

/* Where standard error is, collect's own words have moved. */
static void put_files(FILE *out)
{
	for (int fd = 0; fd < OUT; fd++) {
		struct stat st;
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0 || fstat(fd, &st) < 0)
			continue;
		fprintf(out, "fd %d: %d %#x %llu:%llu at %lld\n", fd, flags,
			(unsigned)fcntl(fd, F_GETFL), (unsigned long long)st.st_dev,
			(unsigned long long)st.st_ino,
			fd == STDERR_FILENO ? 0 : (long long)lseek(fd, 0, SEEK_CUR));
	}
}

static void put_limits(FILE *out)
{
	for (int i = 0; i < RLIM_NLIMITS; i++) {
		struct rlimit limit;

		if (!getrlimit((__rlimit_resource_t)i, &limit))
			fprintf(out, "limit %d: %llu %llu\n", i,
				(unsigned long long)limit.rlim_cur,
				(unsigned long long)limit.rlim_max);
	}
}

static void put_schedule(FILE *out)
{
	struct sched_param param;
	cpu_set_t cpus;

	sched_getparam(0, &param);
	fprintf(out, "policy %d, priority %d, nice %d\n", sched_getscheduler(0),
		param.sched_priority, getpriority(PRIO_PROCESS, 0));
	CPU_ZERO(&cpus);
	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &cpus))
			fprintf(out, "cpu %d\n", cpu);
}

/* The kernel's data about us that is the same in each run. */
static void put_status(FILE *out)
{
	static const char *const fields[] = { "Uid",     "Gid",  "Groups",  "SigP",
					      "SigB",    "SigI", "SigC",    "Shd",
					      "Cap",     "NoN",  "Seccomp", "Umask",
					      "Threads", "Name" };
	FILE *status = fopen("/proc/self/status", "re");
	char line[4096];

	while (status && fgets(line, sizeof(line), status))
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			if (!strncmp(line, fields[i], strlen(fields[i])))
				fputs(line, out);
	if (status)
		fclose(status);
}

static void put_processes(FILE *out)
{
	int death = 0, reaper = 0;
	char tty[8] = "none";
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0)
		snprintf(tty, sizeof(tty), "%s",
			 tcgetpgrp(fd) == getpgrp() ? "ours" : "theirs");
	prctl(PR_GET_PDEATHSIG, &death);
	prctl(PR_GET_CHILD_SUBREAPER, &reaper);
	fprintf(out, "session %d, group %d, terminal %s\n", getsid(0), getpgrp(), tty);
	fprintf(out, "death signal %d, reaper %d, dumpable %d, slack %d, persona %#x\n",
		death, reaper, prctl(PR_GET_DUMPABLE), prctl(PR_GET_TIMERSLACK),
		(unsigned)personality(0xffffffff));
}

static void put_timers(FILE *out)
{
	for (int i = ITIMER_REAL; i <= ITIMER_PROF; i++) {
		struct itimerval timer;

		if (!getitimer((__itimer_which_t)i, &timer))
			fprintf(out, "timer %d: %s\n", i,
				timer.it_value.tv_sec || timer.it_value.tv_usec ? "set"
										: "off");
	}
}

static void put_words(FILE *out, char **argv, char **envp)
{
	char cwd[4096];

	fprintf(out, "in %s\n", getcwd(cwd, sizeof(cwd)) ? cwd : "no folder");
	for (; *argv; argv++)
		fprintf(out, "word %s\n", *argv);
	for (; *envp; envp++)
		fprintf(out, "environment %s\n", *envp);
}

/* The numbers that were closed stay so while FILE is opened. */
static FILE *open_out(const char *path)
{
	struct rlimit limit, large = { OUT + 1, OUT + 1 };
	int fd;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur <= OUT) {
		large.rlim_max = limit.rlim_max > OUT ? limit.rlim_max : OUT + 1;
		setrlimit(RLIMIT_NOFILE, &large);
	}
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || dup3(fd, OUT, O_CLOEXEC) < 0)
		return NULL;
	close(fd);
	setrlimit(RLIMIT_NOFILE, &limit);
	return fdopen(OUT, "w");
}

int main(int argc, char **argv, char **envp)
{
	static const char said[] = "said\n";
	FILE *out = argc > 3 ? open_out(argv[1]) : NULL;
	ssize_t done;

	if (!out)
		return 99;
	put_files(out);
	put_limits(out);
	put_schedule(out);
	put_status(out);
	put_processes(out);
	put_timers(out);
	put_words(out, argv + 4, envp);
	if (fclose(out))
		return 99;
	done = write(STDOUT_FILENO, said, sizeof(said) - 1);
	done += write(STDERR_FILENO, said, sizeof(said) - 1);
	(void)done; /* either may be closed */
	if (!strcmp(argv[2], "kill"))
		raise(atoi(argv[3]));
	return atoi(argv[3]);
}
