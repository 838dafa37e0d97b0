#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The code of the vDSO, which is in no file: the kernel's image here, if it is the recorded one.
. "$RP_SRC/t/lib.sh"
need_sampling
need gcc objdump /usr/bin/python3

cat >clock.c <<'END2'
#include <time.h>

/* On CPU time the clock would be the kernel's work. */
int main(void)
{
	struct timespec now;
	clock_t end = clock() + CLOCKS_PER_SEC / 2;

	while (clock() < end)
		for (int i = 0; i < 10000; i++)
			clock_gettime(CLOCK_MONOTONIC, &now);
	return 0;
}
END2
cat >image.py <<'END2'
for line in open("/proc/self/maps"):
    if line.rstrip().endswith("[vdso]"):
        start, end = (int(x, 16) for x in line.split()[0].split("-"))
        memory = open("/proc/self/mem", "rb")
        memory.seek(start)
        open("image", "wb").write(memory.read(end - start))
END2
gcc -O1 -o clock clock.c && collect -p hi -O clock.er ./clock 2>clock.said && er_print -limit 0 -functions clock.er >functions
# A machine without a clock for users makes a system call in it, which is of the vDSO too.
function=$(grep -o '__[a-z]*_clock_gettime$' functions | sed -n 1p)
test_set_prereq VDSO "$([ -n "$function" ] || echo "no sample in the vDSO's clock_gettime")"

test_expect_success VDSO 'its instructions are those of its image' '
	/usr/bin/python3 image.py && er_print -json -disasm "$function" clock.er >d.json &&
	/usr/bin/python3 -c "
import json, re, subprocess, sys
rows = json.load(open(\"d.json\"))[\"disasm\"]
first, last = rows[0][\"address\"], rows[-1][\"address\"]
text = subprocess.run([\"objdump\", \"-d\", \"--start-address=%d\" % first,
                       \"--stop-address=%d\" % (last + 1), \"image\"], capture_output=True, text=True).stdout
want = [int(a, 16) for a in re.findall(r\"^ +([0-9a-f]+):\t.*\t\", text, re.M)]
assert [r[\"address\"] for r in rows] == want and len(want) > 5, (rows, want)
assert sum(r[\"exclusive\"][m][\"samples\"] for r in rows for m in r[\"exclusive\"] if r[\"exclusive\"][m]) > 0
"
'

test_expect_success 'that of another kernel is not shown' '
	printf "%s\n" "module [vdso]=[vdso]" "module [vdso]#1234567890" "[vdso]!clock 5" | mkexp other.er &&
	test_expect_code 1 er_print -disasm clock other.er 2>err &&
	test_grep "the kernel here has another vDSO than the recorded one; on the machine that ran it" err
'

test_done
