# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What other people's programs and recordings make us open: each check is an attempt.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc objcopy python3 timeout

cat >work.c <<'END'
#include <time.h>

int main(void)
{
	volatile long n = 0;

	while (clock() < CLOCKS_PER_SEC / 5)
		for (int i = 0; i < 20000; i++)
			n = n + i;
	return 0;
}
END

# alt_of PROGRAM PATH: PROGRAM says that PATH has what dwz moved out of its debug information.
alt_of() {
	{ printf '%s\0' "$2" && printf '0123456789abcdef0123'; } >altlink &&
		objcopy --add-section .gnu_debugaltlink=altlink --set-section-flags \
			.gnu_debugaltlink=readonly "$1"
}

cc -g -O1 -o named work.c && alt_of named "$PWD/fifo" && mkfifo fifo || test_bug 'cannot build'

# The limit is for what hangs; nothing here takes a second.
test_expect_success 'dwz'"'"'s file is a FIFO: nobody waits for a writer' '
	timeout -s KILL 600 collect -A on -o fifo.er ./named && rm -rf fifo.er/archive &&
	timeout -s KILL 600 er_print -lines fifo.er >got && test_grep "work.c" got
'

# ---- targets of other users, recorded by root ----

USER_A=54321
as_user() {
	who=$1
	shift
	setpriv --reuid="$who" --regid="$who" --clear-groups "$@"
}

chmod 755 .
if [ "$(id -u)" -ne 0 ]; then
	test_set_prereq USERS 'only root can become other users'
elif ! as_user $USER_A test -x "$PWD"; then
	test_set_prereq USERS 'other users cannot reach the scratch directory'
else
	test_set_prereq USERS
fi

# claims SOURCE PROGRAM: PROGRAM, whose debug information names SOURCE.
claims() {
	{ echo "#line 1 \"$1\"" && cat work.c; } >claim.c && cc -g -O1 -o "$2" claim.c
}

# archived NAME COMMAND…: NAME.er with the sources of what the user ran.
archived() {
	name=$1
	shift
	timeout -s KILL 600 collect -A src -o "$name.er" setpriv --reuid=$USER_A --regid=$USER_A \
		--clear-groups "$@"
}

test_expect_success USERS 'a source that the user may read is kept, with its owner and mode' '
	mkdir -m 755 own && echo hello >own/a.c && chown $USER_A own/a.c && chmod 640 own/a.c &&
	claims "$PWD/own/a.c" good && archived good ./good &&
	cmp own/a.c "good.er/archive/src$PWD/own/a.c" &&
	[ "$(stat -c "%a %u" "good.er/archive/src$PWD/own/a.c")" = "640 $USER_A" ]
'

test_expect_success USERS 'a secret that the user names is not' '
	echo secret >secret.c && chmod 600 secret.c && claims "$PWD/secret.c" reader &&
	archived reader ./reader && er_print -lines reader.er >got && test_grep secret.c got &&
	! grep -rq secret reader.er/archive/src
'

test_expect_success USERS 'nor through the user'"'"'s link' '
	ln -s "$PWD/secret.c" link.c && claims "$PWD/link.c" linker &&
	archived linker ./linker && ! grep -rq secret linker.er/archive/src
'

for what in /proc/self/maps /proc/self/environ /dev/ptmx /dev/zero "$PWD/fifo"; do
	test_expect_success USERS "$what as a source is not opened" '
		rm -rf odd.er && claims "$what" odd && archived odd ./odd &&
		[ ! -e "odd.er/archive/src$what" ]
	'
done

test_expect_success USERS 'a private program stays private in the archive' '
	cp named private && chown $USER_A private && chmod 700 private &&
	archived private ./private && find private.er/archive -name object -user $USER_A >got &&
	[ "$(wc -l <got)" -ge 1 ] && [ "$(stat -c %a $(head -n 1 got))" = 700 ]
'

test_expect_success USERS 'in a root of its own: its files, not those with the same paths here' '
	mkdir -p jail/src && chmod 755 jail jail/src && mkdir -p "$PWD/src" &&
	echo ours >"$PWD/src/x.c" && mkdir -p "jail$PWD/src" && echo theirs >"jail$PWD/src/x.c" &&
	{ echo "#line 1 \"$PWD/src/x.c\"" && cat work.c; } >claim.c &&
	cc -g -O1 -static -o jail/prog claim.c &&
	timeout -s KILL 600 collect -A src -o jail.er chroot jail /prog &&
	test_grep theirs "jail.er/archive/src$PWD/src/x.c"
'

# A table of symbols as large as a share of all; it is nearly all hole.
cat >swell.py <<'END'
import struct, sys
path = sys.argv[1]
f = open(path, "r+b")
head = f.read(64)
shoff, = struct.unpack_from("<Q", head, 40)
shentsize, shnum = struct.unpack_from("<HH", head, 58)
for i in range(shnum):
    at = shoff + i * shentsize
    f.seek(at)
    section = bytearray(f.read(shentsize))
    if struct.unpack_from("<I", section, 4)[0] == 2:
        f.seek(0, 2)
        struct.pack_into("<QQ", section, 24, f.tell() // 8 * 8 + 8, 900 << 20)
        f.truncate(f.tell() + (901 << 20))
        f.seek(at)
        f.write(section)
END

test_expect_success USERS 'a file of two names whose symbols are too large is counted once' '
	cc -O1 -Wl,--build-id=none -o swollen work.c && python3 swell.py swollen && chown $USER_A swollen &&
	ln swollen twin && collect -o swollen.er sh -c "./swollen && ./twin" 2>err && cat err &&
	er_print -json -statistics swollen.er >got.json && rm swollen twin &&
	holds got.json "e[\"left_out\"][\"symbols\"] == 1"
'

# ---- recordings by others: sources that they name ----

# recorded_of SOURCE: a recording of a program that names SOURCE.
recorded_of() {
	rm -rf named.er && claims "$1" claimer && collect -o named.er ./claimer
}

test_expect_success USERS 'root: er_print shows only world-readable sources' '
	recorded_of "$PWD/secret.c" && test_expect_code 1 er_print -source main named.er >out 2>err &&
	test_no_grep "secret$" out && test_grep "not everybody may read it.*--trust" err &&
	er_print --trust -source main named.er >out && test_grep "secret$" out &&
	mkdir -p "mirror$PWD" && cp -p secret.c "mirror$PWD" &&
	test_expect_code 1 er_print --symfs mirror -source main named.er >out 2>err &&
	test_no_grep "secret$" out && rm -r mirror
'

test_expect_success USERS 'an ordinary owner of a file may see it' '
	recorded_of "$PWD/own/mine.c" && echo mine >own/mine.c && chown $USER_A own/mine.c &&
	chmod 600 own/mine.c && cp "$(command -v er_print)" er_print.copy && chmod 755 er_print.copy &&
	chmod -R a+rX named.er claimer &&
	as_user $USER_A ./er_print.copy -source main named.er >out && test_grep "mine$" out
'

for what in /proc/self/environ /proc/self/maps /dev/zero "$PWD/fifo" "$PWD/claimer"; do
	test_expect_success "er_print shows no $what as a source, nor with --trust" '
		recorded_of "$what" &&
		test_expect_code 1 timeout -s KILL 600 er_print --trust -source main named.er >out 2>err &&
		cat err && test_cmp /dev/null out
	'
done

# ---- split units that an object names, which root's child opens ----

# named_by MODE-OF-OBJECT OWNER OWNER-OF-DWO: whether er_print reads the .dwo, mode 0600.
named_by() {
	chmod "$1" split/prog && chown "$2" split/prog && chown "$3" split/*.dwo &&
		chmod 600 split/*.dwo && rm -f split.er/lines &&
		er_print --no-rc -functions split.er 2>err | grep -q inlined_work
}

test_expect_success USERS 'root reads the split units of an object only if its owner can' '
	mkdir -p split && chmod 755 split &&
	(cd split && cc -g -O1 -gsplit-dwarf -Wl,--build-id -o prog "$RP_SRC/t/progs/inlined.c") &&
	test -n "$(ls split/*.dwo)" && collect -A on -o kept.er ./split/prog &&
	cp -r kept.er split.er && rm -r split.er/archive &&
	named_by 700 0 0 && ! named_by 700 $USER_A 0 &&
	named_by 700 $USER_A $USER_A && ! named_by 777 0 0 && ! named_by 700 54322 $USER_A
'

test_expect_success USERS 'of an object of an archive, only those in there' '
	chown 0 split/prog split/*.dwo && chmod 700 kept.er kept.er/archive &&
	rm -f kept.er/lines && er_print --no-rc -functions kept.er | grep -q inlined_work &&
	rm -r kept.er/lines kept.er/archive/*/dwo &&
	er_print --no-rc -functions kept.er >got 2>err && test_no_grep inlined_work got
'

# ---- maps of code that was compiled at run time ----

cat >jit.c <<'END'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static long spin(long n)
{
	volatile long sum = 0;

	while (n--)
		sum += n;
	return sum;
}

/*
 * jit [MAP|- [OWNER|- [before|after]]]: writes its map, by a link to MAP, for that owner, with
 * 300 MiB of nothing before or after its line; and works in code of its own.
 */
int main(int argc, char **argv)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	memcpy(code, (void *)spin, 256);
	__builtin___clear_cache(code, (char *)code + 256);
	if (unlink(path) && !access(path, F_OK))
		return 77; /* another user's, of an earlier process with this number */
	if (argc > 1 && argv[1][0] != '-' && symlink(argv[1], path))
		return 1;
	f = fopen(path, "w");
	if (f && argc > 3 && !strcmp(argv[3], "before"))
		fseek(f, 300L << 20, SEEK_SET);
	if (f)
		fprintf(f, "\n%lx 100 compiled\n", (unsigned long)code);
	if (!f || fclose(f))
		return 2;
	if (argc > 2 && argv[2][0] != '-' && chown(path, atoi(argv[2]), -1))
		return 3;
	if (argc > 3 && !strcmp(argv[3], "after") && truncate(path, 300L << 20))
		return 4;
	while (clock() < CLOCKS_PER_SEC / 5)
		((long (*)(long))code)(20000);
	printf("%s\n", path);
	return 0;
}
END
cc -O1 -include stdlib.h -o jit jit.c || test_bug 'cannot build jit'

# mapped NAME WORDS…: er_print's names of a run of jit, whose map is removed.
mapped() {
	name=$1
	shift
	collect -o "$name.er" "$@" >"$name.out" || {
		status=$?
		[ $status -ne 77 ] || echo "another user has a map in /tmp"
		return $status
	}
	rm -f "$(cat "$name.out")" && er_print -functions "$name.er" >"$name.txt" && cat "$name.txt"
}

test_expect_success 'the map of the program itself is taken' '
	mapped plain ./jit && test_grep " compiled$" plain.txt
'

test_expect_success 'one through a link is not' '
	mapped linked ./jit "$PWD/elsewhere.map" && [ -s elsewhere.map ] &&
	test_no_grep " compiled$" linked.txt
'

test_expect_success 'the end of one that is too long is' '
	mapped end ./jit - - before 2>end.said && test_grep " compiled$" end.txt &&
	test_no_grep "JIT" end.said
'

test_expect_success 'and the omission of the rest is reported' '
	mapped cut ./jit - - after 2>cut.said && test_no_grep " compiled$" cut.txt &&
	test_grep "addresses in JIT code have no name: of a perf map" cut.said &&
	er_print -header cut.er >got && test_grep "addresses in JIT code" got &&
	er_print -statistics cut.er >got && test_grep "^Left out: names of addresses in JIT" got &&
	er_print -json -statistics cut.er >cut.json && holds cut.json "e[\"left_out\"][\"jit_names\"] > 0"
'

test_expect_success USERS "another user's is not" '
	mapped others ./jit - 54322 && test_no_grep " compiled$" others.txt
'

test_expect_success USERS 'root uses a user'"'"'s for that user'"'"'s process' '
	mapped users setpriv --reuid=$USER_A --regid=$USER_A --clear-groups ./jit &&
	test_grep " compiled$" users.txt
'

test_done
