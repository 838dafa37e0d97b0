# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A thread is one under all its names; executing a program makes it another.
. "$RP_SRC/t/lib.sh"
need_sampling

cat >script <<'EOF'
for name in first second last; do
	printf %s $name >/proc/$$/comm
	i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done
done
exec burn one=100
EOF
test_expect_success 'three names and a program are two threads' '
	collect -O a.er sh script >out 2>said && cat said &&
	er_print -json -threads a.er >a.json &&
	holds a.json "sorted((t[\"thrid\"], t[\"name\"]) for t in d[\"threads\"]) ==
		[(1, \"last\"), (2, \"burn\")]" &&
	holds a.json "len({t[\"thread\"] for t in d[\"threads\"]}) == 1"
'

# count FILTER: the samples that it admits.
count() {
	er_print -json -filters "$1" -functions a.er >f.json &&
		python3 -c 'import json; print(sum(v["samples"]
			for v in json.load(open("f.json"))["functions"][0]["exclusive"].values()))'
}

test_expect_success 'filters by number and by all its names agree' '
	test "$(count "THRID == 1")" -gt 0 &&
	test "$(count "THRID == 1")" = "$(count "TNAME(\"^(sh|first|second|last)$\")")" &&
	test "$(count "THRID == 2")" = "$(count "TNAME(\"^burn$\")")" &&
	test "$(count "TNAME(\"^first$\")")" -gt 0 &&
	test "$(count "TNAME(\"^first$\")")" -lt "$(count "THRID == 1")"
'

test_expect_success 'an export has each thread once' '
	er_print -export firefox out.json a.er &&
	python3 -c "import json; t = json.load(open(\"out.json\"))[\"threads\"]
assert sorted(x[\"name\"] for x in t) == [\"burn\", \"last\"], [x[\"name\"] for x in t]"
'
test_done
