# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Lines, addresses, source, instructions: a program whose lines are known, and stacks at
# addresses that are chosen, so that the rows can be said by hand.
. "$RP_SRC/t/lib.sh"

need gcc nm readelf python3
linedump=$RP_BUILD/t/unit/linedump

# What is inlined, and where, stands in lines of its own.
mkdir -p src/deep
cat >src/deep/prog.c <<'END'
#define INLINE static inline __attribute__((always_inline))
#define KEEP __attribute__((noinline, noclone))
volatile int x;
INLINE void inner(void)
{
	x += 3;
}
KEEP int leaf(void)
{
	inner();
	return x * x;
}
KEEP int caller(void)
{
	return leaf() + x;
}
int main(void)
{
	return caller() - x;
}
END
gcc -O2 -g -Wl,--build-id -o prog src/deep/prog.c || test_bug 'gcc fails'
id=$(readelf -n prog | sed -n 's/ *Build ID: //p')
# shellcheck disable=SC2034
prog=$PWD/prog src=$PWD/src/deep/prog.c

# at PATTERN FUNCTION: the first address of FUNCTION whose frames match.
at() {
	nm -S prog | awk -v f="$2" '$4 == f { print $1, $2 }' | while read -r start size; do
		i=0
		while [ $i -lt $((0x$size)) ]; do
			printf '%x\n' $((0x$start + i))
			i=$((i + 1))
		done
	done | "$linedump" ./prog | grep -e "$1" | head -n 1 | cut -f1
}

# Offsets are addresses here: the text of a PIE lies where its file has it.
inner=$(at "inner@.*:6	leaf@.*:10" leaf)
square=$(at "^[0-9a-f]*	leaf@[^	]*:11$" leaf)
call=$(at "caller@.*:15" caller)
start=$(at "main@.*:19" main)
[ -n "$inner" ] && [ -n "$square" ] && [ -n "$call" ] && [ -n "$start" ] ||
	test_bug 'the program is not as this test wants it'

make_experiment() {
	rm -rf "$1.er"
	mkexp "$1.er" <<END
event totalcpu ns 1000000000 0 1 Total CPU Time
module prog=$prog
module prog#$2
running
prog!+$start;prog!+$call;prog!+$inner 5
prog!+$start;prog!+$call;prog!+$square 3
prog!+$start;prog!+$call 2
END
}
make_experiment one "$id"

# rows COMMAND…: "exclusive inclusive name".
rows() {
	er_print -metrics e.totalcpu:i.totalcpu -printmode , "$@" >out &&
		tr -d '\r' <out | sed 1d | sed 's/,/ /; s/,/ /; s/,.*//; s/"//g' >got
}

test_expect_success 'lines: exclusive at the code'"'"'s own line, inclusive also where it was inlined' '
	er_print -json -lines one.er >lines.json &&
	for row in "inner 6 5 5" "leaf 10 0 5" "leaf 11 3 3" "caller 15 2 10" "main 19 0 10"; do
		echo "$row" | {
			read -r f line e i
			holds lines.json "[(r[\"exclusive\"][metric][\"value\"],
				r[\"inclusive\"][metric][\"value\"], r[\"file\"]) for r in
				d[\"lines\"] if r[\"function\"] == \"$f\" and r[\"line\"] == $line] ==
				[($e, $i, \"$src\")]"
		} || return 1
	done &&
	holds lines.json "len(d[\"lines\"]) == 6"
'

if python3 "$RP_SRC/t/browser.py"; then
	browser=browser
else
	browser=
fi

test_expect_success 'the page has the same source and instructions, and shows them' '
	er_print -report one.html one.er && "$RP_SRC/t/page-code" one.html one.er $browser
'

# Recursion, too: a line counts once a sample.
{
	printf "%s\n" "event totalcpu ns 1000000000 0 1 Total CPU Time" "module prog=$prog" "module prog#$id" running \
		"step 7000000" &&
		awk -v start="$start" -v call="$call" -v inner="$inner" -v square="$square" 'BEGIN {
			srand(4)
			for (line = 0; line < 200; line++) {
				thread = int(rand() * 3)
				printf "thread 100 %d t%d\n", 100 + thread, thread
				stack = "prog!+" start
				for (depth = int(rand() * 4); depth > 0; depth--)
					stack = stack ";prog!+" call
				leaf = int(rand() * 3)
				if (rand() < 0.1)
					print "prog!+" start ";libx.so!x", 2
				print stack (leaf ? ";prog!+" (leaf > 1 ? inner : square) : ""), 1 + int(rand() * 4)
			}
		}'
} | mkexp spans.er

test_expect_success 'the page has them of any span in any threads' '
	er_print -report spans.html spans.er && "$RP_SRC/t/page-code" spans.html spans.er $browser
'

test_expect_success 'a page whose functions are hidden says that they are of the whole recording' '
	er_print -object_hide libx.so -report hidden.html spans.er && "$RP_SRC/t/page-code" hidden.html spans.er whole $browser
'

test_expect_success 'lines: as text' '
	er_print -metrics e.totalcpu -sort e.totalcpu -limit 1 -lines one.er >got &&
	test_grep "^ *5.000 *inner, line 6 in \"prog.c\"$" got
'

# functions EXPERIMENT COMMAND…: "exclusive inclusive name", by name.
functions() {
	exp=$1 && shift &&
	er_print -metrics e.totalcpu:i.totalcpu:name -printmode , -sort name "$@" -functions \
		"$exp" | tr -d '\r' | sed 1d | cut -d, -f1-3 | tr , ' ' >got
}

test_expect_success 'an inlined function is a function, unless inlines is off' '
	functions one.er &&
	printf "%s\n" "10 10 <Total>" "2 10 caller" "5 5 inner" "3 8 leaf" "0 10 main" >want &&
	test_cmp want got &&
	functions one.er -inlines off &&
	printf "%s\n" "10 10 <Total>" "2 10 caller" "8 8 leaf" "0 10 main" >want &&
	test_cmp want got &&
	functions one.er -lines -functions -inlines off -outfile got2 -inlines on -outfile - &&
	grep -q "^5 5 inner" got
'

test_expect_success '… and then no function is told apart from one, whatever was asked before' '
	echo "int inner(void) { return 1; }" | gcc -shared -fPIC -Wl,--build-id -x c - -o lib.so &&
	rm -rf twin.er && mkexp twin.er <<-END &&
	event totalcpu ns 1000000000 0 1 Total CPU Time
	module prog=$prog
	module prog#$id
	module lib.so=$PWD/lib.so
	module lib.so#$(readelf -n lib.so | sed -n "s/ *Build ID: //p")
	running
	prog!+$start;prog!+$call;prog!+$inner 5
	prog!+$start;lib.so!+$(nm lib.so | sed -n "s/ T inner$//p") 2
	END
	er_print -functions twin.er >got && test_grep " inner (lib.so)$" got && test_grep " inner (prog)$" got &&
	er_print -inlines off -functions twin.er >want && test_grep " inner$" want &&
	er_print -functions -inlines off -outfile got -functions twin.er >out && test_cmp want got &&
	er_print -inlines off -lines -outfile got -functions twin.er >out && test_cmp want got &&
	test_grep " inner (prog), line 6" out &&
	er_print -inlines off -export callgrind got twin.er && test_grep ") inner$" got && test_no_grep "inner (lib" got &&
	for form in pprof firefox; do
		er_print -inlines off -export $form got twin.er 2>err || grep "built without" err || return 1
		gzip -dcf got >flat && grep -qa inner flat && ! grep -qa "inner (lib" flat || return 1
	done
'

# of ARGUMENT…: the functions of the samples that are exported, and how many have each.
of() { er_print "$@" -export samples out one.er && cut -d , -f 9 out | sed 1d | sort | uniq -c >got; }

test_expect_success 'samples belong to inlined functions too, and filters know them' '
	of -inlines on && printf "%7d %s\n" 2 caller 5 inner 3 leaf | test_cmp - got &&
	of -inlines off && printf "%7d %s\n" 2 caller 8 leaf | test_cmp - got &&
	of -filters "LEAF IN FNAME(\"inner\")" && printf "%7d %s\n" 5 inner | test_cmp - got
'

test_expect_success 'inlined functions call and are called' '
	er_print -metrics a.totalcpu -printmode , -csingle leaf one.er |
		tr -d "\r" | sed 1d | awk -F, "{ print \$1, \$4, \$2 }" >got &&
	printf "%s\n" "8 caller caller" "3 self leaf" "5 callee inner" >want &&
	test_cmp want got
'

test_expect_success 'lines are stored: they need no program' '
	rm -f one.er/lines && er_print -lines -functions one.er >want &&
	test -f one.er/lines && mv prog away &&
	er_print -lines one.er >got && test_grep "^ *5.000 .*inner, line 6" got &&
	test_grep "line 11 in" got &&
	rm one.er/lines && er_print -lines one.er >got && test_no_grep "line 6" got &&
	mv away prog
'

test_expect_success 'an experiment that cannot be written to is read as well' '
	rm -f one.er/lines && mkdir one.er/lines && er_print -lines -functions one.er >got &&
	test_cmp want got && rmdir one.er/lines
'

test_expect_success 'lsummary and psummary: everything about each' '
	er_print -lsummary -psummary one.er >got &&
	test_grep "^File: *$src$" got &&
	test_grep "^Address: *0x$inner$" got
'

test_expect_success 'pcs: each address by its function and offset' '
	into=$(printf "0x%x" $((0x$inner - 0x$(nm prog | sed -n "s/ T leaf$//p")))) &&
	er_print -metrics e.totalcpu -pcs one.er >got &&
	test_grep "^ *5.000 *leaf + $into$" got &&
	test_grep "^ *2.000 *caller + " got
'

test_expect_success 'pcs by address: low ones first, or last' '
	addresses() { grep -o "\"address\": [0-9]*" got | grep -o "[0-9]*$"; } &&
	er_print -json -sort address -pcs one.er >got &&
	addresses >by && sort -n by >want && test_cmp want by && test 2 -lt "$(wc -l <by)" &&
	er_print -json -sort -address -pcs one.er >got &&
	addresses >by && sort -nr want >back && test_cmp back by &&
	er_print -sort address -pcs one.er >got && test_grep "^PCs sorted by metric: Address" got &&
	er_print -sort -address -psummary one.er >got && test_grep "Address, reversed" got &&
	er_print -sort address -lines one.er >got && test_no_grep "sorted by metric: Address" got
'

test_expect_success 'source: the whole file, its lines with their metrics, hot ones marked' '
	er_print -metrics e.%totalcpu:i.totalcpu -sthresh 60 -source leaf one.er >got &&
	test_grep "^Source of $src" got &&
	test_grep "^## *5.000 *50.00 *5.000 *6   *x += 3;$" got &&
	test_grep "^## *3.000 *30.00 *3.000 *11   *return x \* x;$" got &&
	test_grep "^ *5.000 *10   *inner();$" got &&
	test_grep "^## *2.000 *20.00 *10.000 *15 " got &&
	test_grep "^ *9   *{$" got
'

test_expect_success 'sthresh: the marked lines' '
	er_print -metrics e.totalcpu -sthresh 100 -source leaf one.er >got &&
	test 1 = "$(grep -c "^##" got)" &&
	test_expect_code 2 er_print -sthresh 101 -source leaf one.er 2>err &&
	test_grep "percentage" err
'

test_expect_success 'a missing source: the remedy, and that it works' '
	mv src moved &&
	test_expect_code 1 er_print -source leaf one.er 2>err &&
	test_grep "$src does not exist; .*setpath DIR.*pathmap" err &&
	er_print -pathmap "$PWD/src" "$PWD/moved/" -source leaf one.er >got &&
	test_grep "x += 3;" got &&
	er_print -setpath "/none:$PWD/moved" -source leaf one.er >got &&
	test_grep "x += 3;" got &&
	er_print -setpath /none -addpath "$PWD/moved/deep" -source leaf one.er >got &&
	test_grep "x += 3;" got &&
	mv moved src
'

test_expect_success 'a source that is newer than the recording' '
	er_print -source leaf one.er >got && test_grep "changed after the recording" got &&
	touch -d 2025-01-01 "$src" && er_print -source leaf one.er >got &&
	test_no_grep "changed after" got
'

test_expect_success 'disasm: instructions, their lines, and targets of branches' '
	er_print -metrics e.totalcpu:i.totalcpu -disasm leaf -disasm caller one.er >got &&
	test_grep "^## *5.000 *5.000 *\[6\] *0x$inner  " got &&
	test_grep "^ *\(## \)* *3.000 *3.000 *\[11\] *0x$square  " got &&
	test_grep "<leaf>$" got &&
	er_print -json -disasm caller one.er >d.json &&
	holds d.json "all(r[\"line\"] in (14, 15, 16) for r in d[\"disasm\"])"
'

test_expect_success 'disasm of a source file: each function of it once, by address' '
	er_print -disasm prog.c one.er | grep "^Instructions" >got && cat got &&
	nm prog | sort | sed -n "s/.* [tT] \(main\|leaf\|caller\)$/Instructions of \1/p" >names &&
	grep -Fxf got names >want && test 1 -lt "$(wc -l <got)" && test_cmp want got &&
	er_print -disasm "$PWD/src/deep/prog.c" one.er | grep "^Instructions" | test_cmp want -
'

# The heading above an instruction has the text of its line, in the file; and as many
# headings as the line changes.
test_expect_success 'disasm: source lines between the instructions' '
	er_print -disasm leaf one.er >got && er_print -json -disasm leaf one.er >d.json &&
	/usr/bin/python3 -c "
import json, sys
lines = open(sys.argv[1]).read().expandtabs(8).splitlines()
want, last = [], None
for row in json.load(open(\"d.json\"))[\"disasm\"]:
    if row[\"line\"] != last:
        want.append(lines[row[\"line\"] - 1].strip())
    last = row[\"line\"]
name = sys.argv[1].split(\"/\")[-1]
got = [l.split(None, 1)[1].strip() for l in open(\"got\") if l.startswith(name + \":\")]
assert got == want and len(got) > 2, (got, want)
" "$src" &&
	mv "$src" gone.c && er_print -disasm leaf one.er >without && mv gone.c "$src" &&
	test_no_grep "^$(basename "$src"):" without && test_grep "ret" without
'

test_expect_success 'disasm: every instruction of the function, as in objdump' '
	extent=$(nm -S prog | sed -n "s/ T leaf$//p") &&
	start=0x${extent% *} size=0x${extent#* } &&
	objdump -d --no-show-raw-insn --start-address="$start" \
		--stop-address=$((start + size)) prog |
		sed -n "s/^ *\([0-9a-f]*\):.*/0x\1/p" >want &&
	er_print -json -disasm leaf one.er >d.json &&
	python3 -c "
import json
for row in json.load(open(\"d.json\"))[\"disasm\"]:
    print(hex(row[\"address\"]))" >got &&
	test_cmp want got
'

# The other machine's instructions, of a program that never runs here.
if clang --target=aarch64-linux-gnu -O1 -g -nostdlib -fuse-ld=lld -Wl,--build-id \
	-Wl,-e,main -o arm src/deep/prog.c 2>arm.err; then
	test_expect_success 'disasm: aarch64' '
		leaf=0x$(nm arm | sed -n "s/ T leaf$//p") &&
		at=$(readelf -lW arm | awk "/LOAD.*R E/ { print \$2, \$3; exit }") &&
		offset=$((leaf - ${at#* } + ${at% *})) &&
		printf "%s\n" "module arm=$PWD/arm" running \
			"module arm#$(readelf -n arm | sed -n "s/ *Build ID: //p")" \
			"arm!+$(printf %x $offset) 4" >stacks &&
		mkexp arm.er <stacks && er_print -json -disasm leaf arm.er >d.json &&
		holds d.json "d[\"disasm\"][0][\"exclusive\"][metric][\"samples\"] == 4 and
			d[\"disasm\"][-1][\"instruction\"].strip() == \"ret\" and
			d[\"disasm\"][0][\"address\"] == $leaf"
	'
else
	test_skip 'disasm: aarch64' 'clang and lld cannot link for aarch64'
fi

test_expect_success 'symbols: the known share of each object, and remedies' '
	er_print -json -symbols one.er >s.json &&
	holds s.json "[(r[\"build_id\"], r[\"samples\"], r[\"lineless\"], r[\"lines_from\"],
		r[\"remedy\"]) for r in d[\"symbols\"]] == [(\"$id\", 10, 0, \"the file\", \"\")]" &&
	er_print -symbols one.er >got && test_grep "^Samples  *No name .*Object$" got &&
	test_grep "prog$" got
'

set_jsonschema
test_expect_success JSONSCHEMA 'the reports fit the schema' '
	er_print -json -lines -lsummary -pcs -psummary -source leaf -disasm leaf \
		-symbols one.er >all.json &&
	fits_schema all.json
'

test_expect_success 'a file of another build is not used, with a message' '
	make_experiment stale 0123456789abcdef &&
	er_print -json -symbols stale.er >s.json &&
	holds s.json "d[\"symbols\"][0][\"lineless\"] == 10 and
		\"0123456789abcdef\" in d[\"symbols\"][0][\"remedy\"]" &&
	er_print -symbols stale.er >got && tail -n 2 got >advice &&
	test_grep "0123456789abcdef" advice && test_grep "^  for more of prog$" advice &&
	er_print -functions -lines stale.er >got 2>err &&
	[ "$(grep -c "prog differs from the recorded file, and is not used" err)" -eq 1 ] &&
	name=$(sed -n "s/.* \(<prog>.*\)/\1/p" got | head -n 1) &&
	test_expect_code 1 er_print -source "$name" stale.er 2>err &&
	test_grep "differs from the recorded file" err &&
	test_expect_code 1 er_print -disasm "$name" stale.er 2>err &&
	test_grep "differs from the recorded one" err
'

test_expect_success 'a file without debug information: compile it with -g' '
	rm one.er/lines && cp prog whole && strip -g prog && touch -d 2025-01-01 prog &&
	test_expect_code 1 er_print -source leaf one.er 2>err &&
	test_grep "$prog has no debug information: compile it with -g" err &&
	er_print -lines -disasm leaf one.er >got && test_grep "\[?\]" got &&
	mv whole prog
'

test_expect_success 'missing split units: symbols names them and the remedy' '
	printf "int f(void)\n{\n\treturn 1;\n}\nint main(void)\n{\n\treturn f();\n}\n" >apart.c &&
	gcc -g -O0 -gsplit-dwarf -Wl,--build-id -o apart apart.c && rm -f ./*.dwo &&
	start=$(nm apart | sed -n "s/^0*\(.*\) T f$/\1/p") &&
	printf "%s\n" "module apart=$PWD/apart" \
		"module apart#$(readelf -n apart | sed -n "s/ *Build ID: //p")" "apart!+0x$start 5" | mkexp apart.er &&
	er_print -symbols apart.er >got &&
	test_grep "^bring back $PWD/.*[.]dwo, or the package $PWD/apart[.]dwp$" got
'

# kernel DIRECTORY BUILD-ID NAME: a vmlinux there in which NAME, 64 bytes, starts where a recording of
# do_read has it; .text begins with other code.
kernel() {
	mkdir -p "$1" && cat >kernel.s <<-END &&
	.globl _start, $3
	.type $3, @function
	.text
	_start: nop
	.org $offset
	$3: nop
	inc %eax
	dec %ecx
	.fill 58, 1, 0x90
	ret
	.size $3, . - $3
	END
	gcc -nostdlib -static -no-pie -Wl,-z,separate-code -Wl,-Ttext=0xffffffff81000000 \
		-Wl,--build-id="0x$2" -o "$1/vmlinux-6.1" kernel.s
}

# The recording is of Linux 6.1.
id=00112233445566778899aabbccddeeff00112233
if [ "$(uname -m)" = x86_64 ]; then
	test_set_prereq X86
else
	test_set_prereq X86 'the made kernel is for x86-64'
fi
printf '%s\n' "module [kernel]#$id" "main;[kernel]!sys_read;[kernel]!do_read 3" | mkexp kernel.er
offset=$(er_print -json -pcs kernel.er | python3 -c '
import json, sys
print([r["address"] - 4 for r in json.load(sys.stdin)["pcs"] if r.get("function") == "do_read"][0])')

test_expect_success X86 'disasm: code of the kernel, from the vmlinux with its build-id' '
	kernel there/usr/lib/debug/boot $id do_read && kernel there/boot 11$id do_read &&
	er_print -symfs "$PWD/there" -disasm do_read kernel.er >got && cat got &&
	test 59 = "$(grep -c " nop$" got)" && test 1 = "$(grep -c " ret" got)" &&
	test_grep "0xffffffff81[0-9a-f]* *incl *%eax$" got &&
	test_grep "the code is vmlinux.s" got && test_grep "^## *0.003 100.00 .*\[?\]" got &&
	nm there/usr/lib/debug/boot/vmlinux-6.1 | sed -n "s/^0*\(.*\) T do_read$/0x\1/p" >at &&
	test_grep "$(cat at) *nop" got
'

test_expect_success X86 '… and of no other: not by build-id, name or place; a hostile release is no path' '
	test_expect_code 1 er_print -disasm do_read kernel.er 2>err && test_grep "kernel.s debug package" err &&
	rm -r there && kernel there/boot 11${id#00} do_read &&
	test_expect_code 1 er_print -symfs "$PWD/there" -disasm do_read kernel.er 2>err &&
	test_grep "vmlinux here is of another one, by its build-id" err &&
	kernel there/boot $id do_write &&
	test_expect_code 1 er_print -symfs "$PWD/there" -disasm do_read kernel.er 2>err &&
	test_grep "has no function of that name at that place" err &&
	offset=$((offset + 16)) && kernel there/boot $id do_read &&
	test_expect_code 1 er_print -symfs "$PWD/there" -disasm do_read kernel.er 2>err &&
	test_grep "has no function of that name at that place" err &&
	offset=$((offset - 16)) && kernel there/boot $id do_read && cp -r kernel.er evil.er &&
	sed -i "s|Linux 6.1|Linux x/../6.1|" evil.er/log.json && mkdir -p there/boot/vmlinux-x &&
	test_expect_code 1 er_print -symfs "$PWD/there" -disasm do_read evil.er 2>err &&
	test_grep "kernel.s debug package" err
'

test_done
