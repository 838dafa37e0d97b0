# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What `./bootstrap demo` shows of the bundled example is what examples/demo.c promises.
. "$RP_SRC/t/lib.sh"
need_sampling

mkdir -p build/examples
for file in collect er_print examples/demo; do
	ln -s "$RP_BUILD/$file" build/$file
done

test_expect_success 'the demonstration runs to its end' '
	sh "$RP_SRC/examples/demo.sh" build >shown 2>said
'

test_expect_success 'checksum is the hottest function' '
	sed -n "/<Total>/,\$p" shown | grep -v "<Total>\|<Unsampled>" | head -n 1 >hottest &&
	test_grep " checksum$" hottest
'

# share FUNCTION: its percentage in the answer to -csingle.
share() {
	sed -n "/ -csingle checksum/,\$p" shown | awk -v name="$1" '$NF == name { print $2; exit }'
}

# Of some 700 samples: one standard deviation is 1.6 %, and 10 % are six.
test_expect_success 'its callers share it 3 to 1' '
	test "$(share check_input | cut -d. -f1)" -ge 65 &&
	test "$(share check_input | cut -d. -f1)" -le 84 &&
	test "$(share check_output | cut -d. -f1)" -ge 15 &&
	test "$(share check_output | cut -d. -f1)" -le 34
'

set_tools PYTHON /usr/bin/python3

test_expect_success PYTHON 'recursion, a callback and the kernel are in its report' '
	test_grep "^The same .* JSON: build/demo.json$" shown &&
	holds build/demo.json "incl(\"main\") > 0.97 * sampled" &&
	holds build/demo.json "excl(\"tree_insert\") <= incl(\"tree_insert\") < 0.5 * total" &&
	holds build/demo.json "0 < incl(\"compare\") < incl(\"sort_records\")" &&
	holds build/demo.json "any(v[\"metric\"] == \"user\" for v in e[\"events\"]) or
		any(r[\"object\"] == \"[kernel]\" for r in fn)"
'

test_done
