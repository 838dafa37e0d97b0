# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings that are small and claim to be large: a few kB must not take gigabytes, however
# they are divided into blocks.
. "$RP_SRC/t/lib.sh"

need python3

# spends COMMAND…: its status; fails where it takes more than 1 GiB of memory (with the
# sanitizers 3).  The time that it takes says nothing: t/run ends what runs away.
cat >spends.py <<'END'
import resource, subprocess, sys
most = (3 if b"__asan_init" in open(sys.argv[1], "rb").read() else 1) << 20
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=open("err", "wb"), check=False)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
if used.ru_maxrss > most:
    print("took", used.ru_maxrss, "KiB")
    sys.exit(99)
sys.exit(done.returncode)
END
spends() { python3 spends.py "$RP_BUILD/er_print" --no-rc "$@"; }

# armed NAME TABLE ROWS COLUMNS BLOCKS: a small recording with such blocks behind it.
armed() {
	rm -rf "$1.er"
	echo 'main;f 1' | mkexp "$1.er" && bomb "$1.er" "$2" "$3" "$4" "$5"
}

# By number of the table: strings, frames, nodes, threads, samples, symbols, losses, details, wakers.
test_expect_success 'blocks that expand beyond the file'"'"'s bound are refused' '
	for bomb in "1 16000000 1 3" "3 5500000 1 12" "4 8000000 2 4" "6 16000000 1 4" \
		"7 16000000 1 300" "8 16000000 1 3" "9 16000000 1 3" "13 16000000 1 100" "26 16000000 1 12" \
		"7 100000 1 20000" "3 30000 1 2000"; do
		# shellcheck disable=SC2086
		armed bomb $bomb &&
		test_expect_code 1 spends -functions bomb.er &&
		test_grep "bomb.er expands to more than 200 times its size" err ||
			{ echo "table, rows, columns, blocks: $bomb" && return 1; }
	done
'

test_expect_success 'blocks within the bound take little time and memory' '
	for bomb in "1 6000000 1 1" "3 2400000 1 1" "4 1900000 2 1" "5 1900000 1 1" "6 1500000 1 1" \
		"7 820000 1 1" "8 1000000 1 1" "26 2000000 1 1"; do
		# shellcheck disable=SC2086
		armed bomb $bomb &&
		spends -functions -calltree -lines -pcs -threads -symbols -export samples /dev/null bomb.er ||
			{ echo "table, rows, columns, blocks: $bomb" && cat err && return 1; }
	done
'

test_expect_success 'it can be read on the user'"'"'s word' '
	armed large 7 2000000 1 1 &&
	test_expect_code 1 er_print --no-rc -functions large.er 2>err >out && test_cmp /dev/null out &&
	test_grep "any-size reads it" err &&
	er_print --no-rc --any-size -json -functions large.er >large.json 2>err &&
	holds large.json "e[\"samples\"] == 2000001" &&
	test_expect_code 1 er_print --no-rc -add_exp large.er -functions large.er 2>err &&
	test_grep "any-size" err
'

# Sums are by event and node: both are few, and their product is not.
test_expect_success 'many events and many nodes' '
	armed product 4 600000 2 1 && er_print --no-rc -functions product.er >out &&
	python3 -c "
import json
log = json.load(open(\"product.er/log.json\"))
log[\"events\"] = [dict(log[\"events\"][0], metric=\"m%d\" % i) for i in range(3000)]
json.dump(log, open(\"product.er/log.json\", \"w\"))" &&
	test_expect_code 1 spends -functions product.er && test_grep "product.er expands to more" err
'

# A header that is damaged says nothing: what lies before it is read.
test_expect_success 'a damaged block is no bomb' '
	armed torn 7 16000000 1 1 &&
	python3 -c "
data = bytearray(open(\"torn.er/data\", \"rb\").read())
data[-1] ^= 1
open(\"torn.er/data\", \"wb\").write(data)" &&
	er_print --no-rc -json -functions torn.er >torn.json 2>err &&
	holds torn.json "near(total, 0.001, 1e-9)" && test_grep "damaged" err
'

# The lines that an experiment keeps are a file of blocks, too.
test_expect_success 'a file of lines that becomes too large is not used' '
	armed lines 1 0 1 0 && head -c 16 lines.er/data >lines.er/lines && mkdir -p holder.er &&
	cp lines.er/lines holder.er/data && bomb holder.er 1 16000000 1 40 &&
	cp holder.er/data lines.er/lines &&
	spends -lines lines.er
'

# A million functions, each inlined into the one before: a call tree as deep as that.
if ! command -v gcc >/dev/null; then
	test_skip 'a million inlined functions at one address' 'gcc is not installed'
else
	test_expect_success 'a million inlined functions at one address' '
		printf "%s\n" "volatile int x;" "int main(void)" "{" "	x++;" "	return 0;" "}" >p.c &&
		gcc -g -O1 -o p p.c &&
		address=$(nm p | awk "\$3 == \"main\" { print \$1 }") &&
		printf "module p=%s\np!+%s 5\nrunning\n" "$PWD/p" "$address" | mkexp nested.er &&
		er_print --no-rc -lines nested.er >out 2>err && test -s nested.er/lines &&
		rm -rf holder.er && mkdir holder.er && cp nested.er/lines holder.er/data &&
		bomb holder.er 12 1000000 1 1 && cp holder.er/data nested.er/lines && rm p &&
		er_print --no-rc -json -calltree 0 nested.er >nested.json 2>err &&
		holds nested.json "len(d[\"calltree\"]) <= 2"
	'
fi

# Eight bytes of code, f; a function in four of them, with what is inlined into it.
cat >head.s <<'END'
.globl f
f:	.zero 8
.section .debug_ranges,"",%progbits
.8byte 0, 4, 0, 0
.section .debug_info,"",%progbits
.4byte end - begin
begin:
.2byte 4
.4byte 0
.byte 8, 1
.8byte f, 8
.asciz "x.c"
.byte 2
.8byte f, 4
.asciz "outer"
.section .debug_abbrev,"",%progbits
.byte 1, 0x11, 1, 0x11, 1, 0x12, 7, 3, 8, 0, 0
.byte 2, 0x2e, 1, 0x11, 1, 0x12, 7, 3, 8, 0, 0
END

# hand_made NAME: a library of that, of abbreviation.s, and of inlined.s, its DIEs.
hand_made() {
	cat head.s abbreviation.s inlined.s >"$1.s" && echo end: >>"$1.s" &&
		gcc -nostdlib -shared -o "$1" "$1.s" &&
		at=$(nm "$1" | sed -n 's/ T f$//p') &&
		printf '%s\n%x\n' "$at" $((0x$at + 6)) >places
}

# places_of NAME: a second is more than it takes; time only ends what would take an hour.
# shellcheck disable=SC3045 # dash and bash have ulimit -t
places_of() { (ulimit -t 900 && "$RP_BUILD/t/unit/linedump" "$PWD/$1" <places); }

if ! command -v gcc >/dev/null; then
	test_skip 'debug information that is nested, wide or long-winded' 'gcc is not installed'
else
	# The sibling of each lies behind all the others.  Nothing is at the second place,
	# which is looked for again.
	test_expect_success 'four million functions, each inlined into the one before' '
		cat >abbreviation.s <<-END &&
		.byte 3, 0x1d, 1, 0x55, 0x17, 0, 0, 0
		END
		cat >inlined.s <<-END &&
		.section .debug_info
		.fill 4000000, 5, 3
		.zero 4000002
		END
		hand_made nested && places_of nested >got &&
		test "$(tr -cd "\t" <got | wc -c)" -gt 200 && test_grep "outer@" got
	'

	# Units without code in front of the one that has f.
	test_expect_success 'eighty thousand units that share a table of abbreviations' '
		printf ".section .debug_info,\"\",%%progbits\n" >units.s &&
		printf ".rept 80000\n.4byte 8\n.2byte 4\n.4byte 0\n.byte 8, 1\n.endr\n" >>units.s &&
		printf ".section .debug_abbrev,\"\",%%progbits\n.set n, 128\n.rept 150000\n" >>units.s &&
		printf ".uleb128 n\n.byte 0x34, 0, 0, 0\n.set n, n + 1\n.endr\n" >>units.s &&
		printf ".byte 1, 0x11, 0, 0, 0, 0\n.text\n" >>units.s &&
		cat head.s >>units.s && echo end: >>units.s && gcc -nostdlib -shared -o units units.s &&
		printf "module units=%s\nunits!+%s 5\nrunning\n" "$PWD/units" "$(nm units | sed -n "s/ T f$//p")" |
			mkexp units.er &&
		spends -lines units.er && test_no_grep "its reader" err && echo 0 >places &&
		test_expect_code 1 places_of units 2>err && test_grep "Exec format error" err
	'

	# refer_to NAME COUNT STEP: a library whose first units are those of units.s, with
	# the abbreviations of table.s; and COUNT functions inlined into "outer", each an
	# instance of the DIE that is STEP bytes further on, from byte 12.
	refer_to() {
		printf ".byte 3, 0x1d, 0, 0x31, 0x10, 0x55, 0x17, 0, 0, 0\n" >abbreviation.s &&
			printf ".section .debug_info\n.set at, 12\n" >inlined.s &&
			printf ".rept $2\n.byte 3\n.4byte at, 0\n.set at, at + $3\n.endr\n" >>inlined.s &&
			printf ".byte 0, 0\nend:\n" >>inlined.s &&
			{ echo ".section .debug_info,\"\",%progbits" && cat units.s && echo .text &&
				cat head.s abbreviation.s inlined.s &&
				echo ".section .debug_abbrev" && cat table.s; } >"$1.s" &&
			gcc -nostdlib -shared -o "$1" "$1.s" &&
			printf "module $1=%s\n$1!+%s 5\nrunning\n" "$PWD/$1" "$(nm "$1" | sed -n "s/ T f$//p")" |
			mkexp "$1.er"
	}

	# bounded NAME: its lines cost little, and what does not depend on them is there.
	bounded() {
		spends -lines "$1.er" && test_no_grep "its reader" err &&
			nm "$1" | sed -n "s/ T f\$//p" >places && places_of "$1" >got && test_grep "outer@" got
	}

	# Of each unit libdw would keep all of the table, to which the unit has but a number.
	test_expect_success 'references to two thousand units that share thirty thousand abbreviations' '
		cat >table.s <<-END &&
		big:
		.byte 1, 0x11, 1, 0, 0
		.set n, 128
		.rept 30000
		.uleb128 n
		.byte 0x34, 0, 0, 0
		.set n, n + 1
		.endr
		.uleb128 n
		.byte 0x2e, 0, 3, 8, 0, 0, 0
		END
		cat >units.s <<-END &&
		.rept 2000
		.4byte 14
		.2byte 4
		.4byte big
		.byte 8, 1
		.uleb128 128 + 30000
		.byte 0x67, 0, 0
		.endr
		END
		refer_to sharing 2000 18 && bounded sharing
	'

	# Each look passes a text of a megabyte that is not asked for.
	test_expect_success 'a hundred thousand references to a DIE with a text of eight megabytes' '
		cat >table.s <<-END &&
		big:
		.byte 1, 0x11, 1, 0, 0
		.byte 2, 0x2e, 0, 0x25, 8, 3, 8, 0, 0, 0
		END
		cat >units.s <<-END &&
		.4byte last - first
		first:
		.2byte 4
		.4byte big
		.byte 8, 1, 2
		.fill 8000000, 1, 0x61
		.byte 0, 0x62, 0, 0
		last:
		END
		refer_to texts 100000 0 && bounded texts
	'

	# Together there are more than bytes of the file.
	test_expect_success 'units that share a list of a hundred thousand ranges' '
		cat >ranges.s <<-END &&
		.section .debug_ranges,"",%progbits
		.rept 100000
		.8byte 16, 17
		.endr
		.8byte 0, 0
		.section .debug_abbrev,"",%progbits
		.byte 1, 0x11, 0, 0x11, 1, 0x55, 0x17, 0, 0, 0
		.section .debug_info,"",%progbits
		.rept 500
		.4byte 20
		.2byte 4
		.4byte 0
		.byte 8, 1
		.8byte 0
		.4byte 0
		.endr
		END
		gcc -nostdlib -shared -o ranges ranges.s -x assembler /dev/null &&
		printf "module ranges=%s\nranges!+10 5\nrunning\n" "$PWD/ranges" | mkexp ranges.er &&
		spends -lines ranges.er && test_no_grep "its reader" err
	'

	test_expect_success 'a DIE of a hundred thousand attributes, fifty thousand times' '
		cat >abbreviation.s <<-END &&
		.byte 3, 0x1d, 0
		.rept 100000
		.byte 0x20, 0x19
		.endr
		.byte 0x55, 0x17, 0, 0, 0
		END
		cat >inlined.s <<-END &&
		.section .debug_info
		.fill 50000, 5, 3
		.zero 2
		END
		hand_made wide && places_of wide >got
	'

	test_expect_success 'a function with a name of a megabyte, inlined half a million times' '
		cat >abbreviation.s <<-END &&
		.byte 3, 0x1d, 0, 3, 0xe, 0x55, 0x17, 0, 0, 0
		END
		cat >inlined.s <<-END &&
		.section .debug_str,"MS",%progbits,1
		.fill 1000000, 1, 0x61
		.byte 0
		.section .debug_info
		.rept 500000
		.byte 3, 0, 0, 0, 0, 0, 0, 0, 0
		.endr
		.zero 2
		END
		hand_made long && places_of long >got
	'
fi

test_done
