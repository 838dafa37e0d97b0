# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Programs and libraries that change while collect or er_print reads them, at times and in
# ways that are drawn: RP_CHANGES is how many, from the number RP_FIRST on.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc python3

RP_MOUNTS=
if mkdir mounted && mount -t tmpfs none mounted 2>/dev/null; then
	umount mounted && RP_MOUNTS=yes
fi
export RP_MOUNTS

test_expect_success "no crash, no name of another file, ${RP_CHANGES:-12} times" '
	"$RP_SRC/t/changing" "${RP_FIRST:-0}" "${RP_CHANGES:-12}"
'

# A library without a build-id, while it runs.
test_expect_success 'an overwritten file does not enter the archive' '
	RP_MOUNTS= "$RP_SRC/t/changing" 60 1 >drawn && test_grep "written over, running" drawn
'

# ---- a file that is cut while its debug information is read ----

# Replaces libelf's: a process that mapped $HELD continues once that is cut.
cat >hold.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <libelf.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
Elf *elf_begin(int fd, Elf_Cmd cmd, Elf *ref)
{
	Elf *(*real)(int, Elf_Cmd, Elf *) = (Elf * (*)(int, Elf_Cmd, Elf *)) dlsym(RTLD_NEXT, "elf_begin");
	Elf *elf = real(fd, cmd, ref);
	struct stat held, st;
	if (cmd != ELF_C_READ_MMAP || stat(getenv("HELD"), &held) || fstat(fd, &st) || st.st_ino != held.st_ino)
		return elf;
	while (!fstat(fd, &st) && st.st_size)
		sched_yield();
	return elf;
}
END
cat >cut.py <<'END'
"""cut.py FILE COMMAND…: cuts FILE when a child of the command has mapped it."""
import os
import subprocess
import sys
import time

path = os.path.abspath(sys.argv[1])
env = dict(os.environ, LD_PRELOAD=os.path.abspath("hold.so"), HELD=path)
# AddressSanitizer's report of SIGBUS needs what the confined child may not do.
env["ASAN_OPTIONS"] = "verify_asan_link_order=0:handle_sigbus=0:" + env.get("ASAN_OPTIONS", "")


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as f:
        return int(f.read().rsplit(")", 1)[1].split()[1])


def has_mapped(pid):
    try:
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as f:
            return path in f.read() and os.readlink(f"/proc/{pid}/exe") != path
    except OSError:
        return False


def is_child(pid):
    try:
        return parent_of(pid) == command.pid
    except (OSError, IndexError):
        return False


with subprocess.Popen(sys.argv[2:], env=env) as command:
    cut = False
    while command.poll() is None:
        if not cut and any(is_child(int(p)) and has_mapped(int(p)) for p in os.listdir("/proc") if p.isdigit()):
            os.truncate(path, 0)
            cut = True
        time.sleep(0.01)
sys.exit(command.returncode if cut else 99)
END

# Its own function is recorded; nothing but the lines of that file may be missing then.
test_expect_success 'cut while er_print has it mapped: no lines of it, and why' '
	cc=${CC:-cc} && $cc -shared -fPIC -o hold.so hold.c -ldl &&
	cp "$RP_BUILD/t/progs/burn" cut && collect -p hi -o cut.er ./cut one=50 &&
	python3 cut.py cut er_print --no-rc -lines -functions -objects cut.er >shown 2>err &&
	test_grep "/cut has debug information that crashes its reader, and no lines" err &&
	test_grep " one$" shown && test_grep "/cut$" shown && test_no_grep "\"burn.c\"" shown &&
	test_grep "in \"" shown
'

test_expect_success 'cut while collect -A has it mapped: the recording is whole, and says so' '
	cp "$RP_BUILD/t/progs/burn" cut &&
	python3 cut.py cut collect -p hi -A on -O cut.er ./cut one=50 2>err &&
	er_print --no-rc -header -functions cut.er >shown &&
	test_grep "the archive lacks .*/cut.*: its debug information crashes its reader" shown &&
	test_grep " one$" shown
'

# ---- a library that is written over before collect opens it ----

cat >late.c <<'END'
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	void *lib;
	long (*outer)(long);
	sigset_t set;
	int sig;
	(void)argc;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, 0);
	printf("%d\n", (int)getpid());
	fflush(stdout);
	sigwait(&set, &sig);
	lib = dlopen(argv[1], RTLD_NOW);
	outer = lib ? (long (*)(long))dlsym(lib, "outer") : 0;
	while (outer && clock() < CLOCKS_PER_SEC / 10)
		outer(20000);
	puts("done");
	fflush(stdout);
	sigwait(&set, &sig);
	return outer ? 7 : 1;
}
END
# late.py LIBRARY OTHER WORD…: collect sleeps while the program works in LIBRARY, and wakes
# up when that has OTHER's content.
cat >late.py <<'END'
import os
import signal
import subprocess
import sys

library, other = sys.argv[1:3]
with subprocess.Popen(sys.argv[3:], stdout=subprocess.PIPE, text=True) as collect:
    target = int(collect.stdout.readline())
    os.kill(collect.pid, signal.SIGSTOP)
    os.kill(target, signal.SIGUSR1)
    assert collect.stdout.readline() == "done\n"
    if other != "none":
        with open(library, "r+b") as f, open(other, "rb") as new:
            f.write(new.read())
    os.kill(collect.pid, signal.SIGCONT)
    os.kill(target, signal.SIGUSR1)
sys.exit(collect.returncode)
END

# late OTHER EXPERIMENT
late() {
	cp alpha.so late.so &&
		test_expect_code 7 python3 late.py late.so "$1" collect -p hi -O "$2" ./late "$PWD/late.so" 2>err &&
		er_print --no-rc -functions -lines "$2" >shown
}

test_expect_success 'written over before collect opens it: no names of the new content, and why' '
	${CC:-cc} -O1 -g -o late late.c -ldl &&
	for name in alpha beta; do
		printf "long ${name}_inner(long n) { volatile long s = 0; while (n--) s += n; return s; }\n" >$name.c &&
		printf "long outer(long n) { return ${name}_inner(n) + 1; }\n" >>$name.c &&
		${CC:-cc} -O1 -g -fPIC -shared -Wl,--build-id=none -o $name.so $name.c || return 1
	done &&
	late none same.er && test_grep alpha shown && test_no_grep "replaced" err &&
	late beta.so other.er && test_no_grep "alpha\|beta" shown &&
	test_grep "late.so was replaced or written over before collect could read it" err &&
	test_no_grep "stripped" err
'

test_done
