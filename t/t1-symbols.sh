# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Function names of real ELF files: symdump agrees with nm and objdump.
. "$RP_SRC/t/lib.sh"

CC=${CC:-gcc}
symdump=$RP_BUILD/t/unit/symdump
for tool in "$CC" nm objcopy objdump strip; do
	command -v "$tool" >/dev/null || skip_all "no $tool here"
done

cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define KEEP __attribute__((noinline, noclone))
static KEEP int first(const char *s) { return (int)strlen(s) + atoi(s); }
static KEEP int second(int n) { return n > 1 ? second(n - 1) * first("3") : puts("x"); }
KEEP int third(int n) { return second(n) + getpid() + second(n + 1); }
__asm__(".text\n.globl by_hand\nby_hand: ret\nby_hand_too: nop; ret\n");
int main(int argc, char **argv) { return third(argc) + first(argv[0]); }
END
sed -i '1i #include <unistd.h>' prog.c

# functions NM_OPTIONS FILE: "ADDRESS NAME" of what is code and has a size; a mark of
# SystemTap's, which is data, nm shows as what is weak.
functions() {
	nm -S --defined-only "$@" 2>/dev/null | sed 's/@.*//; / _\.stapsdt\./d' |
		awk 'NF == 4 && $3 ~ /^[TtWwi]$/ { sub(/^0+/, "", $1); print $1, $4 }' | sort
}

# agrees FILE WANT [ROOT]: each function of WANT is found at its address by one of the
# names that are there, and begins there.
agrees() {
	cut -d' ' -f1 "$2" | sort -u >addresses &&
		[ -s addresses ] &&
		"$symdump" -a "$1" ${3:+"$3"} <addresses >answers &&
		paste -d' ' addresses answers | awk '
		FILENAME == "-" {
			label = $0
			sub(/^[^ ]* [^ ]* (debug file|unwind table|[^ ]*) /, "", label)
			if ($1 != $2 || !(($1, label) in is)) { print "got", $0; bad = 1 }
			next
		}
		{ is[$1, $2] = 1 }
		END { exit bad }' "$2" -
}

build() {
	out=$1 && shift && $CC -O2 -g -fasynchronous-unwind-tables -o "$out" prog.c "$@"
}

while read -r kind flags; do
	# shellcheck disable=SC2086
	if ! build "$kind" $flags 2>/dev/null; then
		test_skip "$kind: every function has its name" "$CC cannot link $flags"
		continue
	fi
	test_expect_success "$kind: every function has its name" "
		functions $kind >$kind.want &&
		grep -q ' second\$' $kind.want &&
		agrees $kind $kind.want
	"
	test_expect_success "$kind, stripped: each has a label of its own, from its start" "
		strip -o $kind.stripped $kind &&
		grep -E ' (first|second|third|main)\$' $kind.want | cut -d' ' -f1 >at &&
		$symdump -a $kind.stripped <at >got &&
		sed \"s/.*/& unwind table <$kind.stripped>+0x&/\" at >want &&
		test_cmp want got
	"
done <<'END'
pie -pie -fPIE
no-pie -no-pie -fno-pie
static -static
static-pie -static-pie -fPIE
lazy -pie -fPIE -Wl,-z,lazy
ibt -pie -fPIE -fcf-protection -Wl,-z,ibtplt,-z,now
lld -pie -fPIE -fuse-ld=lld
gold -pie -fPIE -fuse-ld=gold
END

test_expect_success 'labels of hand-written assembly extend to the next one' '
	nm pie | awk "\$3 ~ /^by_hand/ { print \$1 }" | sed "s/^0*//" >at &&
	test "$(wc -l <at)" -eq 2 &&
	"$symdump" -a pie <at >got && cut -d" " -f2- got | sort >names &&
	printf "symtab by_hand\nsymtab by_hand_too\n" >want && test_cmp want names
'

# Assembly without sizes, types and unwind tables; a stripped file exports every fifth
# function.  The code is random: some functions have parts behind their first return, some
# end in another function.  A label names its function and nothing else.  Two neighbours that
# jump into each other would be one function, and are not drawn.
random_code() {
	awk -v seed="$1" -v arm="$2" '
	function r(n) { return int(rand() * n) }
	function op(x86, a64) { print "\t" (arm ? a64 : x86) }
	function fill() { if (r(2)) op("add $1, %eax", "add w0, w0, #1") }
	function on(to) { op("test %eax, %eax\n\tje " to, r(2) ? "cbz w0, " to : "tbz w0, #3, " to) }
	function to(x) { op("jmp " x, "b " x) }
	function leave(f,   other) {
		other = r(count)
		if (r(2) || (other >= f - 1 && other <= f + 1))
			op("ret", "ret")
		else
			to("f" other)
	}
	function piece(f, k,   l) {
		l = ".L" f "_" k
		fill()
		if (k % 4 == 0) { on(l); op("mov %eax, 8(%rsp)", "str w0, [sp, #8]"); print l ":" }
		if (k % 4 == 1) { to(l); print l "b:"; op("vaddps %ymm0, %ymm1, %ymm2", "fadd v0.4s, v1.4s, v2.4s"); print l ":"; on(l "b") }
		if (k % 4 == 2) { on(l); behind = behind "\n" l ":\n\t" (arm ? "mov w0, #7\n\tret" : "mov $7, %eax\n\tret") }
		if (k % 4 == 3) { on(l); print l "b:"; behind = behind "\n" l ":\n\t" (arm ? "sub w0, w0, #7\n\tb " : "sub $7, %eax\n\tjmp ") l "b" }
	}
	BEGIN {
		srand(seed); count = 60
		print ".text"
		for (f = 0; f < count; f++) {
			print ".balign 16"
			if (f % 5 == 0) print ".globl f" f
			print "f" f ":"
			behind = ""
			for (k = r(3); k < 9; k += 1 + r(3)) piece(f, k)
			fill(); leave(f); print behind; print ".set e" f ", . - 1"
		}
	}'
}

# code_of FILE: the first and the last byte of each function, and its name.
code_of() {
	nm "$1" | awk '$3 ~ /^[fe][0-9]+$/ { print $3, $1 }' | sort >places &&
		awk '{ at[$1] = $2 } END { for (n in at) if (n ~ /^f/) print n, at[n], at["e" substr(n, 2)] }' \
			places | while read -r name from end; do
		echo "$(printf %x $((0x$from))) $name"
		echo "$(printf %x $((0x$end))) $name"
	done | sort
}

for with in "$CC" aarch64-linux-gnu-gcc; do
	case $($with -dumpmachine 2>/dev/null) in
	x86_64-*) arm=0 ;;
	aarch64-*) arm=1 ;;
	*) arm= ;;
	esac
	if [ -z "$arm" ] || ! echo 'int x;' | $with -shared -nostdlib -x c -o bare.so - 2>/dev/null; then
		test_skip "$with: a label of a stripped file ends with its code" "no $with for it here"
		continue
	fi
	test_expect_success "$with: a label of a stripped file ends with its code" '
		for seed in 1 2 3 4 5 6 7 8; do
			random_code $seed $arm >code.s &&
			$with -shared -nostdlib -Wl,--build-id=none -o code.so code.s &&
			code_of code.so >truth && test "$(wc -l <truth)" -eq 120 &&
			$with -s -shared -nostdlib -Wl,--build-id=none -o code.so code.s &&
			cut -d" " -f1 truth | "$symdump" -a code.so >got &&
			awk "{ print \$2, \$NF }" got | paste -d" " truth - | awk "
			{
				exported = substr(\$2, 2) % 5 == 0
				good = exported ? \$3 == \"dynsym\" && \$4 == \$2 : \$3 == \"none\"
				if (!good) { print \"seed $seed:\", \$0; bad = 1 }
			}
			END { exit bad }" || return 1
		done
	'
done

# Not every objdump can name gold's.
for kind in pie no-pie static lazy ibt lld gold; do
	[ -e $kind ] || continue
	test_expect_success "$kind: PLT stubs have objdump's names" "
		objdump -d $kind | sed -n 's/^0*\([0-9a-f]*\) <\([^*+]*@plt\)>:\$/\1 \2/p' |
			sort >want.plt &&
		{ [ $kind = static ] || [ $kind = gold ] || [ -s want.plt ]; } &&
		{ [ ! -s want.plt ] || agrees $kind want.plt; }
	"
done

# The other machine, where its compiler is installed; with BTI each stub is longer.
cross=aarch64-linux-gnu
for flags in '' '-Wl,-z,force-bti'; do
	if ! command -v $cross-objdump >/dev/null ||
		! echo 'int main(void) { return 0; }' | $cross-gcc -x c -o arm - 2>/dev/null; then
		test_skip "aarch64 $flags: functions and PLT stubs" "no $cross-gcc that links here"
		continue
	fi
	test_expect_success "aarch64 $flags: functions and PLT stubs" "
		$cross-gcc -O2 -o arm prog.c $flags 2>/dev/null &&
		functions arm >want && agrees arm want &&
		$cross-objdump -d arm |
			sed -n 's/^0*\([0-9a-f]*\) <\([^*+]*@plt\)>:\$/\1 \2/p' | sort >want &&
		[ -s want ] && agrees arm want
	"
done

test_expect_success 'static: stubs of local resolvers have their names' '
	"$symdump" static | grep " plt memcpy@plt$\| plt strlen@plt$"
'

# debug_of FILE: its debug information in FILE.debug, itself stripped.
debug_of() {
	objcopy --only-keep-debug "$1" "$1.debug" && strip "$1"
}

test_expect_success 'a debug file in the build-id directory below a root' '
	build by-id -Wl,--build-id=0x0123456789abcdef && functions by-id >want &&
	debug_of by-id && mkdir -p root/usr/lib/debug/.build-id/01 &&
	mv by-id.debug root/usr/lib/debug/.build-id/01/23456789abcdef.debug &&
	agrees by-id want root && grep -q "debug file second" answers
'

test_expect_success '… an absolute link there stays below the root' '
	mkdir -p root/store && cd root/usr/lib/debug/.build-id/01 &&
	mv 23456789abcdef.debug ../../../../../store/d &&
	ln -s /store/d 23456789abcdef.debug && cd "$test_dir" &&
	agrees by-id want root && grep -q "debug file second" answers
'

test_expect_success '… and one of another build-id is not used' '
	build other -Wl,--build-id=0xfedcba9876543210 &&
	objcopy --only-keep-debug other root/store/d &&
	cut -d" " -f1 want | "$symdump" -a by-id root >answers &&
	test_no_grep "debug file" answers && test_grep "unwind table" answers
'

for folder in '' .debug/; do
	test_expect_success "a debug file by its link, in ./$folder" "
		mkdir -p link/$folder && build linked -Wl,--build-id=none &&
		functions linked >want && debug_of linked &&
		mv linked.debug link/$folder && rm -f link/linked &&
		objcopy --add-gnu-debuglink=link/${folder}linked.debug linked link/linked &&
		agrees ./link/linked want && grep -q 'debug file second' answers
	"
	test_expect_success '… is not used if its CRC differs' "
		echo >>link/${folder}linked.debug &&
		cut -d' ' -f1 want | $symdump -a ./link/linked >answers &&
		test_no_grep 'debug file' answers && rm -rf link
	"
done

# mini_of FILE: stripped, with the functions that are not in .dynsym in .gnu_debugdata.
mini_of() {
	nm -D --defined-only "$1" | awk '{ print $3 }' | sort >exported &&
		nm --defined-only --format=posix "$1" | awk '$2 ~ /^[Tt]$/ { print $1 }' |
			sort | comm -13 exported - >own &&
		objcopy --only-keep-debug "$1" "$1.own" &&
		objcopy -S --keep-symbols=own "$1.own" &&
		strip "$1" && xz -k "$1.own" &&
		objcopy --add-section .gnu_debugdata="$1.own.xz" "$1"
}

if command -v xz >/dev/null; then
	test_expect_success 'minidebuginfo names functions that no other table has' '
		build mini -rdynamic && functions mini | grep -E " (first|second|third|main)$" >want &&
		mini_of mini && agrees mini want &&
		grep -q " minidebuginfo second$" answers && grep -q " dynsym third$" answers
	'
	test_expect_success '… a debug file has more' '
		build by-id -Wl,--build-id=0x0123456789abcdef &&
		functions by-id | grep -E " (first|second|third|main)$" >want &&
		objcopy --only-keep-debug by-id root/store/d && mini_of by-id &&
		agrees by-id want root && grep -q "debug file second" answers
	'
	test_expect_success '… that is damaged, cut or a bomb is ignored' '
		build plain -rdynamic && functions plain | sed -n "s/ second$//p" >at &&
		strip plain && head -c 500 mini.own.xz >cut.xz &&
		{ cat mini.own && head -c 70000000 /dev/zero; } | xz -1 >bomb.xz &&
		for packed in mini.own.xz bomb.xz cut.xz prog.c; do
			objcopy --add-section .gnu_debugdata=$packed plain bad &&
			"$symdump" -a bad <at >>got.bad || return 1
		done &&
		{ sed "s/$/ minidebuginfo second/" at &&
			for i in 1 2 3; do sed "s/.*/& unwind table <bad>+0x&/" at; done
		} >want.bad && test_cmp want.bad got.bad
	'
else
	test_skip minidebuginfo 'xz is not installed'
fi

test_expect_success 'without section headers .dynsym and the unwind table are still found' '
	build lib.so -shared -fPIC &&
	functions lib.so | sed -n "s/ second$//p" >second && test -s second &&
	strip lib.so && cp lib.so bare.so &&
	head -c 8 /dev/zero | dd of=bare.so bs=1 seek=40 conv=notrunc 2>/dev/null &&
	head -c 4 /dev/zero | dd of=bare.so bs=1 seek=60 conv=notrunc 2>/dev/null &&
	nm -D lib.so | sed -n "s/^0*\([0-9a-f]*\) T third$/\1/p" >at &&
	test -s at && "$symdump" -a bare.so <at >got &&
	echo "$(cat at) dynsym third" >want && test_cmp want got &&
	"$symdump" -a bare.so <second >got &&
	sed "s/.*/& unwind table <bare.so>+0x&/" second >want && test_cmp want got
'

echo 'int f(int a) { return a; } int g(int x) { return f(x) + 1; }' >word.c
if $CC -m32 -nostdlib -shared -fPIC -o word.so word.c 2>/dev/null; then
	test_expect_success '32 bits: functions have their names' '
		functions word.so >want && grep -q " g$" want && agrees word.so want
	'
else
	test_skip '32 bits: functions have their names' "$CC has no -m32 here"
fi

# The C library, by its debug file where that is installed, and a program in C++.
for file in $(ldd pie | awk '/libc\.so/ { print $3 }') \
	"$(command -v g++ >/dev/null && g++ -print-file-name=libstdc++.so)"; do
	[ -f "$file" ] || continue
	test_expect_success "$(basename "$file"): every function of nm -D" "
		functions -D $file >want && test \$(wc -l <want) -gt 1000 &&
		agrees $file want
	"
done

if command -v g++ >/dev/null; then
	test_expect_success 'C++: every function of nm' '
		cat >prog.cc <<-\END &&
		#include <map>
		#include <string>
		#include <vector>
		int main(int n, char **v)
		{
			std::map<std::string, std::vector<int>> m;
			for (int i = 0; i < n; i++)
				m[v[i]].push_back(i);
			return m.size();
		}
		END
		g++ -O0 -o cxx prog.cc && functions cxx >want &&
		test "$(wc -l <want)" -gt 100 && agrees cxx want
	'
fi

test_done
