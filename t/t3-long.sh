# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Long answers: written row by row, whole, and ended by the first write error.
. "$RP_SRC/t/lib.sh"
PATH=$RP_BUILD/t/bench:$PATH

need python3

gen_experiment few.er 20000 20000 && gen_experiment many.er 80000 80000 || test_bug 'no experiments'
mkdir tmp && TMPDIR=$PWD/tmp && export TMPDIR

# peak ARGUMENT…: kB that er_print needs at its most.
peak() {
	python3 -c '
import resource, subprocess, sys
subprocess.run(["er_print", *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

# What a node of the tree needs in all, beyond what the short answer needs: 8 bytes for its
# place among the rows, some for the order of its siblings.  Each row in memory was 500 and more.
LIGHT=
[ -z "${RP_SANITIZE:-}" ] || LIGHT='sanitizers take memory of their own'
test_set_prereq LIGHT "$LIGHT"
for form in text ',' html json; do
	test_expect_success LIGHT "$form: memory does not grow with the rows" '
		short=$(peak -printmode $form -calltree 50 many.er) &&
		long=$(peak -printmode $form -calltree 0 many.er) &&
		echo "$short kB, with all rows $long kB" && test $((long - short)) -lt 10000
	'
done

for form in csv collapsed callgrind; do
	test_expect_success LIGHT "export $form: nor with the output" '
		small=$(peak -calltree 50 many.er) && whole=$(peak -export $form out many.er) &&
		echo "the tree $small kB, the export $whole kB" && test $((whole - small)) -lt 10000
	'
done

test_expect_success 'all forms have all rows' '
	er_print -json -recursion full -calltree 0 many.er >out.json && er_print -printmode , -recursion full -calltree 0 many.er >out.csv &&
	er_print -printmode html -recursion full -calltree 0 many.er >out.html && er_print -recursion full -calltree 0 many.er >out.txt &&
	er_print -export csv tree.csv many.er && python3 -c "
import csv, json
def rows(path):
    return list(csv.DictReader(line for line in open(path, newline=\"\") if line.strip()))
tree = json.load(open(\"out.json\"))[\"calltree\"]
nodes = {int(r[\"id\"]): r for r in rows(\"tree.csv\")}
assert len(tree) > 40000 and len(tree) == len(rows(\"out.csv\")), len(tree)
seen = {r[\"id\"] for r in tree}
assert seen <= set(nodes) and len(seen) == len(tree)
for r in tree:
    assert r[\"parent\"] is None or r[\"parent\"] in seen
    assert r[\"name\"] == nodes[r[\"id\"]][\"name\"]
    assert round(r[\"attributed\"][\"totalcpu\"][\"value\"], 6) == round(float(nodes[r[\"id\"]][\"inclusive_totalcpu_seconds\"]), 6)
html = open(\"out.html\").read()
assert html.count(\"<tr data-d=\") == len(tree), html.count(\"<tr data-d=\")
text = [l for l in open(\"out.txt\") if \"+-\" in l]
assert len(text) == len(tree)
"
'

test_expect_success 'widths follow the widest row, wherever it is' '
	er_print -calltree 0 few.er >few.txt && python3 -c "
lines = [l.rstrip(\"\n\") for l in open(\"few.txt\") if \"+-\" in l]
at = {len(l) - len(l.lstrip()) + len(l.split()[0]) for l in lines}
assert len(at) == 1, at
"
'

test_expect_success 'JSON of many views: notes come first, temporary files leave nothing' '
	er_print -json -functions -calltree 0 -calltree 50 -calltree 0 few.er >out.json && python3 -c "
import json
d = json.load(open(\"out.json\"))
assert [k for k in d][5:] == [\"notes\", \"errors\", \"functions\", \"calltree\", \"calltree_2\", \"calltree_3\"], list(d)
assert d[\"calltree\"] == d[\"calltree_3\"] and len(d[\"calltree\"]) > 10000
" && test -z "$(ls tmp)"
'

test_expect_success 'no room for a long JSON view: an error, and no partial document' '
	TMPDIR=/nowhere test_expect_code 1 er_print -json -calltree 0 many.er >out 2>err &&
	test_grep "^er_print: error: /nowhere: No such file" err && test "$(wc -l <err)" -eq 1 && test ! -s out &&
	TMPDIR=/nowhere er_print -json -functions few.er >out && test -s out
'

for form in text ',' html json; do
	test_expect_success "$form: a full disk ends the answer" '
		test_expect_code 1 er_print -printmode $form -calltree 0 many.er >/dev/full 2>err &&
		test_grep "standard output: No space left" err && test "$(wc -l <err)" -eq 1
	'
done

for form in collapsed speedscope firefox callgrind csv samples; do
	test_expect_success "export $form: a full disk ends it" '
		test_expect_code 1 er_print -export $form /dev/full many.er 2>err &&
		test_grep "/dev/full: No space left" err && test "$(wc -l <err)" -eq 1
	'
done

# closed HOW FORM: how er_print ends whose reader leaves after a few lines; HOW: is SIGPIPE
# "obeyed" or "ignored".
closed() {
	python3 -c '
import subprocess, sys
p = subprocess.Popen(["er_print", "-printmode", sys.argv[2], "-calltree", "0", "many.er"],
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, restore_signals=sys.argv[1] == "obeyed")
p.stdout.readline()
p.stdout.close()
print(p.wait(), p.stderr.read().decode().strip())' "$@"
}

for form in text ',' html json; do
	test_expect_success "$form: a closed pipe ends the answer" '
		closed obeyed $form >got && echo "-13 " >want && test_cmp want got &&
		closed ignored $form >got && test_grep "^1 er_print: error: standard output: Broken pipe$" got
	'
done

# Where a block of samples is damaged, an answer that reads it says so.
test_expect_success 'sums of many samples are kept, and the samples not read again' '
	gen_experiment long.er 4200000 20000 &&
	er_print -functions long.er >first.txt && test ! -e few.er/sums && test -e long.er/sums &&
	python3 -c "
data = open(\"long.er/data\", \"r+b\")
data.seek(0, 2)
data.seek(data.tell() // 2)
byte = data.read(1)[0]
data.seek(-1, 1)
data.write(bytes([byte ^ 1]))
" && er_print -functions long.er >second.txt 2>err && test ! -s err &&
	diff -u first.txt second.txt && rm long.er/sums &&
	er_print -functions long.er >third.txt 2>err && grep damaged err && test ! -e long.er/sums
'

test_done
