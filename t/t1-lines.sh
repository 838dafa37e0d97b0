# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Lines and inlined functions of real ELF files: lineinfo agrees with addr2line and
# llvm-symbolizer on 1,000 random addresses of each.
. "$RP_SRC/t/lib.sh"

need nm python3 readelf objcopy strip
linedump=$RP_BUILD/t/unit/linedump

cat >c.c <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline int twice(int x) { return x + x; }
static inline int four(int x) { return twice(twice(x)); }
struct list { struct list *next; int n; };
static struct list *push(struct list *l, int n)
{
	struct list *e = malloc(sizeof(*e));

	e->next = l;
	e->n = four(n);
	return e;
}
static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
static __attribute__((noinline)) int total(const struct list *l)
{
	int sum = 0;

	for (; l; l = l->next) {
		sum += twice(l->n);
		if (sum > 1000)
			sum -= four(sum) / 3;
	}
	return sum;
}
int main(int argc, char **argv)
{
	struct list *l = NULL;
	char *s = strdup(argv[0]);
	int a[64];

	for (int i = 0; i < 64; i++) {
		a[i] = (i * 7919) % 64;
		l = push(l, a[i] * argc);
	}
	qsort(a, 64, sizeof(*a), compare);
	for (size_t i = 0; s[i]; i++)
		s[i] = (char)four(s[i]);
	return printf("%d %d %s\n", total(l), a[3], s) < 0;
}
END_OF_C

cat >cc.cc <<'END_OF_CC'
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>
namespace shapes {
struct shape { virtual double area() const = 0; virtual ~shape() {} };
struct square : shape {
	double a;
	square(double x) : a(x) {}
	double area() const override { return a * a; }
};
inline namespace v1 { template <class T> T twice(T x) { return x + x; } }
}
static int sum(const std::vector<int> &v)
{
	struct local { static int add(int a, int b) { return a + shapes::twice(b); } };
	int s = 0;
	for (int x : v)
		s = local::add(s, x);
	return s;
}
int main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> m;
	for (int i = 0; i < 100 * argc; i++) {
		std::ostringstream o;
		o << i << argv[0];
		m[o.str()].push_back(i);
	}
	std::vector<int> v;
	for (auto &p : m)
		v.insert(v.end(), p.second.begin(), p.second.end());
	std::sort(v.begin(), v.end(), [](int a, int b) { return a % 7 < b % 7; });
	std::function<double(const shapes::shape &)> f = [&](const shapes::shape &s) {
		return s.area() + v.size();
	};
	try {
		std::cout << sum(v) << f(*std::make_unique<shapes::square>(argc)) << "\n";
	} catch (const std::exception &e) {
		std::cerr << e.what();
	}
}
END_OF_CC

cat >rust.rs <<'END_OF_RUST'
use std::collections::HashMap;
trait Shape { fn area(&self) -> f64; }
struct Square(f64);
impl Shape for Square { fn area(&self) -> f64 { self.0 * self.0 } }
fn twice<T: Copy + std::ops::Add<Output = T>>(x: T) -> T { x + x }
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut m: HashMap<String, Vec<u32>> = HashMap::new();
    for (i, a) in args.iter().cycle().take(100).enumerate() {
        m.entry(format!("{}{}", a, i)).or_default().push(twice(i as u32));
    }
    let mut v: Vec<u32> = m.values().flatten().copied().collect();
    v.sort_by_key(|x| x % 7);
    let s: Box<dyn Shape> = Box::new(Square(v.len() as f64));
    println!("{} {}", v.iter().map(|x| twice(*x)).sum::<u32>(), s.area());
}
END_OF_RUST

# rustup's rustc is of the user's own home.
rustc() {
	HOME=$(getent passwd "$(id -u)" | cut -d: -f6) command rustc "$@"
}

# build NAME COMPILER FLAG…: false where that cannot be built here.  With the first flag of=OTHER
# it is linked of OTHER.o.
build() {
	name=$1 object=$1.o compiler=$2 && shift 2
	case $compiler in *++) source=cc.cc ;; *) source=c.c ;; esac
	case $1 in of=*) object=${1#of=}.o && shift ;; esac
	command -v "$compiler" >/dev/null || return
	if [ "$compiler" = rustc ]; then
		rustc "$@" -o "$name" rust.rs 2>"$name.err"
	else
		{ [ -e "$object" ] || "$compiler" -O2 "$@" -c -o "$object" $source; } 2>"$name.err" &&
			"$compiler" -O2 "$@" -o "$name" "$object" 2>>"$name.err"
	fi
}

# agree TOOL NAME: skips where the tool is not there.
agree() {
	if command -v "$1" >/dev/null; then
		test_expect_success "$2: 1,000 addresses agree with $1" "
			'$RP_SRC/t/lines-agree' $1 '$linedump' ./$2"
	else
		test_skip "$2: 1,000 addresses agree with $1" "$1 is not installed"
	fi
}

# Cases that binutils' addr2line (2.40) gets wrong are compared only with the other: file
# numbers of clang's DWARF 5, <artificial> in the places of LTO, split units.
while read -r name compiler also flags; do
	# shellcheck disable=SC2086
	if ! build $name $compiler $flags; then
		test_skip "$name" "$compiler cannot build with $flags"
		continue
	fi
	agree llvm-symbolizer "$name"
	[ "$also" = - ] || agree "$also" "$name"
done <<'END'
gcc-c-4 gcc addr2line -gdwarf-4
gcc-c-5 gcc addr2line -gdwarf-5
clang-c-4 clang addr2line -gdwarf-4
clang-c-5 clang - -gdwarf-5
gcc-cc-4 g++ addr2line -gdwarf-4
gcc-cc-5 g++ addr2line -gdwarf-5
clang-cc-4 clang++ addr2line -gdwarf-4
clang-cc-5 clang++ - -gdwarf-5
compressed g++ addr2line of=gcc-cc-5 -gz
lto g++ - -g -flto=1
sections clang++ - -g -ffunction-sections -Wl,--gc-sections
templates-gcc g++ addr2line -g -O3 -funroll-loops
templates-clang clang++ - -g -O3
lto-clang clang++ - -g -flto -fuse-ld=lld
rust rustc addr2line -g -C opt-level=3
split-gcc-4 g++ - -gdwarf-4 -gsplit-dwarf
split-gcc-5 g++ - -gdwarf-5 -gsplit-dwarf
split-clang-4 clang++ - -gdwarf-4 -gsplit-dwarf
split-clang-5 clang++ - -gdwarf-5 -gsplit-dwarf
split-compressed clang++ - -gdwarf-5 -gsplit-dwarf -gz
split-types-gcc-4 g++ - -gdwarf-4 -gsplit-dwarf -fdebug-types-section
split-types-gcc-5 g++ - -gdwarf-5 -gsplit-dwarf -fdebug-types-section
split-types-packed g++ - -gdwarf-5 -gsplit-dwarf -fdebug-types-section -gz
END

# What the others are to answer like: the same program, debug information in one piece.
nm -S --defined-only gcc-cc-5 | awk 'NF == 4 && $3 ~ /[tTwW]/ { print $1 }' >addresses
"$linedump" gcc-cc-5 <addresses >want 2>&1

# The linker leaves the ranges of what it drops at 0.  Here they would reach beyond all code.
test_expect_success 'a function that the linker dropped names no other' '
	{ echo "void dropped(volatile int *a) {" && yes "a[0] += 1;" | head -n 4000 && echo "}" &&
	echo "int main(int argc, char **argv) { (void)argv; return argc - 1; }"; } >dropped.c &&
	for version in 4 5; do
		${CC:-cc} -O1 -gdwarf-$version -ffunction-sections -Wl,--gc-sections -o dropped dropped.c &&
		! nm dropped | grep -q " dropped$" && at=$(nm dropped | sed -n "s/ T main$//p") &&
		echo "$at" | "$linedump" "$PWD/dropped" >got &&
		test_grep "main@.*dropped.c:4003$" got || return 1
	done
'

test_expect_success 'a stripped file: its debug file by build-id, but no other build' '
	id=$(readelf -n gcc-cc-5 | sed -n "s/ *Build ID: //p") &&
	dir=root/usr/lib/debug/.build-id/$(echo "$id" | cut -c-2) &&
	mkdir -p "$dir" "root$PWD" &&
	strip -o prog gcc-cc-5 && cp prog "root$PWD" &&
	test_expect_code 1 "$linedump" "$PWD/prog" root 2>err && test_grep "No data" err &&
	objcopy --only-keep-debug gcc-cc-5 "$dir/$(echo "$id" | cut -c3-).debug" &&
	"$linedump" "$PWD/prog" root "$id" <addresses >got && test_cmp want got &&
	test_expect_code 1 "$linedump" gcc-cc-5 "" 0123456789 2>err &&
	test_grep "Stale" err
'

test_expect_success '… by its link, if it has the CRC that the link names' '
	mkdir -p link && g++ -O2 -gdwarf-5 -Wl,--build-id=none -o whole gcc-cc-5.o &&
	nm -S --defined-only whole | awk "NF == 4 && \$3 ~ /[tTwW]/ { print \$1 }" >there &&
	"$linedump" whole <there >want.link && test_grep "/cc.cc:[1-9]" want.link &&
	objcopy --only-keep-debug whole link/whole.debug && strip whole &&
	objcopy --add-gnu-debuglink=link/whole.debug whole link/prog &&
	"$linedump" "$PWD/link/prog" <there >got && test_cmp want.link got &&
	echo >>link/whole.debug &&
	test_expect_code 1 "$linedump" "$PWD/link/prog" <there 2>err && test_grep "No data" err
'

if ! command -v dwz >/dev/null; then
	test_skip 'dwz: data in the alternate file' 'dwz is not installed'
else
	test_expect_success 'dwz: data in the alternate file' '
		cp gcc-cc-5 one && cp gcc-cc-5 two && dwz -m both -r one two &&
		"$linedump" one <addresses >got && test_cmp want got
	'
fi

# texts_without_end FILE SECTION [WHAT]: the section, without a NUL or what else WHAT is, at
# the end of the file and of a page, behind which nothing is.
texts_without_end() {
	python3 -c '
import struct, sys
path, wanted, what = (sys.argv[1:] + ["\0"])[:3]
elf = bytearray(open(path, "rb").read())
table, = struct.unpack_from("<Q", elf, 0x28)
count, names = struct.unpack_from("<HH", elf, 0x3c)
names, = struct.unpack_from("<Q", elf, table + 64 * names + 24)
for at in range(table, table + 64 * count, 64):
    name, _, _, _, offset, size = struct.unpack_from("<IIQQQQ", elf, at)
    start = names + name
    if elf[start:elf.index(0, start)].decode() == wanted:
        texts = bytes(elf[offset:offset + size]).replace(what.encode(), b"A")
        elf += bytes(-(len(elf) + len(texts)) % 4096)
        struct.pack_into("<Q", elf, at + 24, len(elf))
        elf += texts
open(path, "wb").write(elf)' "$@"
}

if [ "$(uname -m)" = x86_64 ]; then
	test_expect_success 'unterminated texts are ignored' '
		cp gcc-cc-5 endless && texts_without_end endless .debug_str &&
		"$linedump" endless <addresses >got && test_grep "??@.*/cc.cc:[1-9]" got &&
		test_no_grep "main@" got && texts_without_end endless .debug_line_str &&
		"$linedump" endless <addresses >got && test_no_grep "cc.cc" got
	'

	# A unit with one function, whose name ends with the section.
	cat >inline.s <<-'END'
	f:	ret
	.globl f
	.type f, @function
	.size f, 1
	.section .debug_abbrev
	.byte 1, 0x11, 1, 0x11, 1, 0x12, 7, 3, 8, 0, 0
	.byte 2, 0x2e, 0, 0x11, 1, 0x12, 7, 3, 8, 0, 0, 0
	.section .debug_info
	.long end - begin
	begin:
	.value 4
	.long 0
	.byte 8, 1
	.quad f, 1
	.asciz "x.c"
	.byte 2
	.quad f, 1
	.ascii "endless_name"
	end:
	END
	test_expect_success 'a text among other bytes ends with its section' '
		gcc -nostdlib -shared -o inline inline.s &&
		texts_without_end inline .debug_info "(nothing)" &&
		nm inline | sed -n "s/ T f$//p" >place && "$linedump" inline <place >got &&
		test_grep "	endless_name@" got
	'
else
	test_skip 'unterminated texts are ignored' 'written for the layout of x86-64'
	test_skip 'a text among other bytes ends with its section' 'written in that of x86-64'
fi

# A name for each of the places from f on: in a struct, a struct in it, a union, an enumeration
# and a class.  rustc before 1.71 and Zig describe functions like that.
cat >types.s <<'END'
	.text
	.globl f
f:	.zero 16
	.section .debug_abbrev,"",%progbits
	.byte 1, 0x11, 1, 0x11, 1, 0x12, 7, 3, 8, 0, 0
	.byte 2, 0x2e, 0, 0x11, 1, 0x12, 7, 3, 8, 0, 0
	.byte 3, 0x13, 1, 0, 0, 4, 0x17, 1, 0, 0, 5, 4, 1, 0, 0, 6, 2, 1, 0, 0, 7, 0x39, 1, 0, 0, 0
	.section .debug_info,"",%progbits
	.4byte end - begin
begin:	.2byte 4
	.4byte 0
	.byte 8, 1
	.8byte f, 16
	.asciz "x.rs"
	.macro function at, name
	.byte 2
	.8byte f + \at, 1
	.asciz "\name"
	.endm
	.byte 7, 3
	function 0, in_struct
	.byte 3
	function 1, in_inner
	.byte 0, 0, 4
	function 2, in_union
	.byte 0, 0, 5
	function 3, in_enumeration
	.byte 0, 6
	function 4, in_class
	.byte 0
	function 5, in_unit
	.byte 0
end:
END
test_expect_success 'functions in types that lie in no function' '
	${CC:-cc} -nostdlib -shared -o types types.s && at=$(nm types | sed -n "s/ T f$//p") &&
	for i in 0 1 2 3 4 5; do printf "%x\n" $((0x$at + i)); done >places &&
	"$linedump" "$PWD/types" <places >got && cut -f 2- got | tr "\n" " " >names &&
	echo "in_struct@??:0 in_inner@??:0 in_union@??:0 in_enumeration@??:0 in_class@??:0 in_unit@??:0 " |
		tr -d "\n" >want.types && test_cmp want.types names
'

# f, with the code of a function of the second unit, declared in that one's first file.
cat >origin.s <<'END'
	.text
	.globl f
f:	.zero 16
	.section .debug_line,"",%progbits
	.4byte line_end - line_begin
line_begin: .2byte 5
	.byte 8, 0
	.4byte header_end - header_begin
header_begin: .byte 1, 1, 1, -5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.byte 1, 1, 8, 1
	.asciz "/src"
	.byte 2, 1, 8, 2, 11, 2
	.asciz "origin.c"
	.byte 0
	.asciz "other.c"
	.byte 0
header_end: .byte 0, 9, 2
	.8byte f
	.byte 1, 2, 16, 0, 1, 1
line_end:
	.section .debug_abbrev,"",%progbits
	.byte 1, 0x11, 1, 0x10, 0x17, 0x1b, 8, 0x11, 1, 0x12, 7, 0, 0
	.byte 2, 0x2e, 1, 0x11, 1, 0x12, 7, 3, 8, 0x3a, 11, 0x3b, 11, 0, 0
	.byte 3, 0x1d, 0, 0x31, 16, 0x11, 1, 0x12, 7, 0x58, 11, 0x59, 11, 0, 0
	.byte 4, 0x11, 1, 0x10, 0x17, 0x1b, 8, 0, 0
	.byte 5, 0x2e, 0, 3, 8, 0x3a, 11, 0x3b, 11, 0, 0, 0
	.section .debug_info,"",%progbits
info:	.4byte one_end - one
one:	.2byte 5
	.byte 1, 8
	.4byte 0
	.byte 1
	.4byte 0
	.asciz "/here"
	.8byte f, 16
	.byte 2
	.8byte f, 16
	.asciz "outer"
	.byte 1, 3, 3
	.4byte origin - info
	.8byte f, 16
	.byte 1, 4, 0, 0
one_end: .4byte two_end - two
two:	.2byte 5
	.byte 1, 8
	.4byte 0
	.byte 4
	.4byte 0
	.asciz "/there"
origin:	.byte 5
	.asciz "inner"
	.byte 0, 7, 0
two_end:
END
test_expect_success 'a declaration in the first file of another unit' '
	${CC:-cc} -nostdlib -shared -o origin origin.s && nm origin | sed -n "s/ T f$//p" >places &&
	"$linedump" -d "$PWD/origin" <places | cut -f 2- >got &&
	printf "inner@/src/origin.c:7\touter@/src/other.c:3\n" >want.origin && test_cmp want.origin got
'

# Twelve units, each with a place of f, and one line table of two megabytes.
cat >shared.s <<'END'
	.text
	.globl f
f:	.zero 16
	.section .debug_line,"",%progbits
	.4byte line_end - line_begin
line_begin: .2byte 4
	.4byte header_end - header_begin
header_begin: .byte 1, 1, 1, -5, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.byte 0
	.asciz "x.c"
	.byte 0, 0, 0, 0
header_end: .byte 0, 9, 2
	.8byte f
	.rept 16
	.byte 1, 2, 1, 3, 1
	.endr
	.byte 0, 1, 1
	.zero 2000000
line_end:
	.section .debug_abbrev,"",%progbits
	.byte 1, 0x11, 0, 0x10, 0x17, 0x1b, 8, 0x11, 1, 0x12, 7, 0, 0, 0
	.section .debug_info,"",%progbits
	.set place, 0
	.rept 12
	.4byte 2f - 1f
1:	.2byte 4
	.4byte 0
	.byte 8, 1
	.4byte 0
	.asciz "/here"
	.8byte f + (place * 5) % 12, 1
2:
	.set place, place + 1
	.endr
END
test_expect_success 'units that share a large line table' '
	${CC:-cc} -nostdlib -shared -o shared shared.s && at=$(nm shared | sed -n "s/ T f$//p") &&
	for i in $(seq 0 11); do
		printf "%x\n" $((0x$at + i)) && printf "??@/here/x.c:%d\n" $((i + 1)) >&3
	done >places 3>want.shared &&
	"$linedump" "$PWD/shared" <places | cut -f 2- >got && test_cmp want.shared got
'

# A dozen units with an inlined function of another unit each, whose 6,000 abbreviations may be
# charged for some of them, but not for all: libdw reads them once.
cat >others.s <<'END'
	.text
	.globl f
f:	.zero 16
	.section .debug_abbrev,"",%progbits
	.byte 1, 0x11, 1, 0x11, 1, 0x12, 7, 0, 0
	.byte 2, 0x2e, 1, 0x11, 1, 0x12, 7, 3, 8, 0, 0
	.byte 3, 0x1d, 0, 0x31, 16, 0x11, 1, 0x12, 7, 0, 0, 0
big:	.byte 1, 0x11, 1, 0, 0
	.byte 2, 0x2e, 0, 3, 8, 0, 0
	.set n, 128
	.rept 6000
	.uleb128 n
	.byte 0x34, 0, 0, 0
	.set n, n + 1
	.endr
	.byte 0
	.section .debug_info,"",%progbits
info:	.4byte 2f - 1f
1:	.2byte 4
	.4byte big
	.byte 8, 1
origin:	.byte 2
	.asciz "inner"
	.byte 0
2:
	.set place, 0
	.rept 12
	.4byte 2f - 1f
1:	.2byte 4
	.4byte 0
	.byte 8, 1
	.8byte f + place, 1
	.byte 2
	.8byte f + place, 1
	.asciz "outer"
	.byte 3
	.4byte origin - info
	.8byte f + place, 1
	.byte 0, 0
2:
	.set place, place + 1
	.endr
END
test_expect_success 'units that refer to one with many abbreviations' '
	${CC:-cc} -nostdlib -shared -o others others.s && at=$(nm others | sed -n "s/ T f$//p") &&
	for i in $(seq 0 11); do
		printf "%x\n" $((0x$at + i)) && printf "inner@??:0\touter@??:0\n" >&3
	done >places 3>want.others && "$linedump" "$PWD/others" <places | cut -f 2- >got &&
	test_cmp want.others got
'

# Moves split units to where nobody finds them, and back.
hide_units() { mkdir -p hidden && mv ./*.dwo hidden; }
show_units() { [ ! -d hidden ] || { mv hidden/*.dwo . && rmdir hidden; }; }

test_expect_success 'a split unit whose file is gone: lines without names, and which' '
	hide_units && "$linedump" split-gcc-5 <addresses >got 2>err &&
	test_grep "missing: .*split-gcc-5.*\.dwo" err &&
	test_grep "??@.*/cc.cc:[1-9]" got
'

# Packages: what two tools make of three units each.
printf '#define main other\n#include "cc.cc"\n' >other.cc
sed 's/int main(/int third(/; s/= malloc/= (struct list *)malloc/' c.c >third.cc

# make_package NAME UNITS COMPILER TOOL FLAG…: false where that cannot be built here; a tool
# that knows no DWARF 5 ends on a signal, or never.  UNITS.o, of cc.cc, may be there already.
make_package() {
	name=$1 units=$2 compiler=$3 tool=$4 && shift 4
	show_units && mkdir -p "$name" &&
		{ [ -e "$units.o" ] || "$compiler" -O2 -gsplit-dwarf "$@" -c -o "$units.o" cc.cc; } &&
		for unit in other third; do
			[ -e "$units-$unit.o" ] ||
				"$compiler" -O2 -gsplit-dwarf "$@" -c -o "$units-$unit.o" $unit.cc || return
		done && "$compiler" -o "$name/prog" "$units.o" "$units-other.o" "$units-third.o" &&
		if [ "$tool" = dwp ]; then
			dwp -e "$name/prog" -o "$name/prog.dwp"
		else
			timeout 120 llvm-dwp -e "$name/prog" -o "$name/prog.dwp"
		fi
}

# each_place FILE: every eighth byte of its functions.
each_place() {
	nm -S --defined-only "$1" | python3 -c '
import sys
for start, size, kind, _ in map(str.split, filter(lambda l: l.count(" ") == 3, sys.stdin)):
    if kind in "tTwW":
        print(*(f"{int(start, 16) + at:x}" for at in range(0, int(size, 16), 8)), sep="\n")'
}

# llvm-symbolizer (14) misses inlined functions of gcc's units behind a package's first.
while read -r name units compiler tool also flags; do
	# shellcheck disable=SC2086
	if ! make_package $name $units $compiler $tool $flags 2>$name.err; then
		test_skip "$name: units in a package" "$tool cannot pack $compiler's $flags"
		continue
	fi
	each_place "$name/prog" >there
	test_expect_success "$name: units in a package are unchanged" '
		mv $name/prog.dwp . && "$linedump" "$PWD/$name/prog" <there >want.split 2>err &&
		! test -s err && mv prog.dwp $name && hide_units &&
		"$linedump" "$PWD/$name/prog" <there >got 2>err &&
		test_cmp want.split got && ! test -s err && grep -q "third.*third.cc:[1-9]" got
	'
	[ "$also" = - ] || agree "$also" "$name/prog"
done <<'END'
package-gcc-4 split-gcc-4 g++ dwp - -gdwarf-4
package-clang-4 split-clang-4 clang++ dwp llvm-symbolizer -gdwarf-4
package-gcc-4-llvm split-gcc-4 g++ llvm-dwp - -gdwarf-4
package-clang-4-llvm split-clang-4 clang++ llvm-dwp llvm-symbolizer -gdwarf-4
package-clang-5-llvm split-clang-5 clang++ llvm-dwp llvm-symbolizer -gdwarf-5
package-types-gcc-4 split-types-gcc-4 g++ dwp - -gdwarf-4 -fdebug-types-section
package-types-clang-5 split-types-clang-5 clang++ llvm-dwp - -gdwarf-5 -fdebug-types-section
END

if test -e package-gcc-4/prog.dwp && test -e package-clang-4/prog.dwp; then
	test_expect_success 'a compressed package' '
		each_place package-clang-4/prog >there &&
		"$linedump" "$PWD/package-clang-4/prog" <there >want.split &&
		objcopy --compress-debug-sections package-clang-4/prog.dwp &&
		readelf -SW package-clang-4/prog.dwp >sections && test_grep "debug_info.* C" sections &&
		"$linedump" "$PWD/package-clang-4/prog" <there >got && test_cmp want.split got
	'
	test_expect_success 'a package of another build: lines without names, and which unit' '
		cp package-clang-4/prog.dwp package-gcc-4 && each_place package-gcc-4/prog >there &&
		"$linedump" "$PWD/package-gcc-4/prog" <there >got 2>err &&
		test_grep "missing: .*/split-gcc-4.*\.dwo" err && test_grep "??@.*/cc.cc:[1-9]" got
	'
fi

if strace -o calls true 2>/dev/null; then
	test_set_prereq STRACE
else
	test_set_prereq STRACE 'strace is missing, or not allowed'
fi
test_expect_success STRACE 'the process that parses them is confined before it begins' '
	${CC:-cc} -g -o confined c.c && nm confined | sed -n "s/ T main$//p" >there &&
	ASAN_OPTIONS=detect_leaks=0 strace -ff -s 4096 -o calls "$linedump" "$PWD/confined" <there >got &&
	test_grep "main@" got &&
	sed -sn "/PR_SET_SECCOMP, SECCOMP_MODE_FILTER.* = 0/,\$p" calls.* >confined.calls &&
	test_grep "^write(.*/c\.c" confined.calls
'

test_done
