# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Object files of forms that no tool makes, each by itself: a program that runs code of such a
# file is recorded, with an archive; attached to; imported; and every command reads the result.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc objcopy python3

# The whole file is mapped by itself, since the dynamic linker would refuse most.
cat >runs.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
int main(int argc, char **argv)
{
	struct stat st;
	int fd = open(argv[1], O_RDONLY);
	clock_t end = clock() + CLOCKS_PER_SEC / 20;
	char *file;
	if (argc < 3 || fd < 0 || fstat(fd, &st))
		return 1;
	file = mmap(NULL, st.st_size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return 2;
	while (clock() < end)
		((long (*)(long))(file + strtoull(argv[2], NULL, 16)))(20000);
	return 7;
}
END
cat >base.c <<'END'
static inline long twice(long n) { return n + n; }
long work(long n)
{
	volatile long s = 0;
	while (n--)
		s += twice(n);
	return s;
}
END

# What objcopy adds is empty; the forms fill it.
test_expect_success 'the forms' '
	cc=${CC:-cc} && $cc -O1 -o runs runs.c &&
	$cc -g -O1 -fPIC -shared -nostdlib -Wl,-z,noseparate-code,--build-id,--hash-style=both -o plain base.c &&
	printf x >x && set -- && for name in .gnu_debuglink .gnu_debugaltlink .gopclntab .gnu_debugdata; do
		set -- "$@" --add-section "$name=x"
	done &&
	objcopy "$@" plain base && mkdir forms && "$RP_SRC/t/hostile-elf" base forms >list &&
	test "$(wc -l <list)" -gt 30 && nm base | sed -n "s/ T work$//p" >at && test -s at
'

# sound COMMAND…: it ends by itself, with 0, 1, or, of a program, 7; no sanitizer has a word.
# shellcheck disable=SC3045 # dash and bash have ulimit -t
sound() {
	(ulimit -t 300 && exec "$@") >out 2>err </dev/null
	status=$?
	case $status in 0 | 1 | 7) ;; *) echo "status $status: $*" && cat err && return 1 ;; esac
	! grep "Sanitizer\|runtime error\|its reader" err || { echo "$*" && return 1; }
}

# Some have no function "work" or no lines, which ends er_print: these are asked one by one.
read_all() {
	views='-header -functions -lines -pcs -objects -calltree -symbols -breaks -fsummary'
	# shellcheck disable=SC2086 # views are words
	{ sound er_print --no-rc $views -source work -disasm work "$1" &&
		{ test "$status" -eq 0 || {
			sound er_print --no-rc -disasm work "$1" && sound er_print --no-rc -source work "$1" &&
				sound er_print --no-rc $views "$1" && test "$status" -eq 0; }; }; } ||
		{ cat err && return 1; }
}

# What the file ran is there, whatever it is called.
as_is() {
	er_print --no-rc -json -objects "$1" >json && grep -q "forms/$form" json || {
		echo "no time in forms/$form: $1" && cat json && return 1
	}
}

started() {
	sound collect -p hi -A on -O started.er ./runs "forms/$form" "$(cat at)" && test $status -eq 7 &&
		read_all started.er && as_is started.er
}

# Stopped until it is recorded, as in t2-attach.sh.
attached() {
	sh -c 'kill -STOP $$; exec "$@"' sh ./runs "forms/$form" "$(cat at)" &
	pid=$!
	until grep -q "^State:.*stopped" "/proc/$pid/status"; do moment; done
	: >said
	collect -p hi -O attached.er -P $pid >said 2>&1 &
	collector=$!
	until grep -q "recording the process\|error" said || ! kill -0 $collector; do moment; done
	kill -CONT $pid
	wait $pid
	wait $collector && test_no_grep "Sanitizer\|runtime error" said && read_all attached.er &&
		as_is attached.er
}

imported() {
	"$RP_SRC/t/mkperf" form.data "path=$PWD/forms/$form" &&
		sound collect --import form.data --trust-paths -O imported.er && test $status -eq 0 &&
		read_all imported.er
}

while read -r form; do
	test_expect_success "$form" '
		started && attached && imported
	'
done <list

test_done
