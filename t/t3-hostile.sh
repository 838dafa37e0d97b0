# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings that are odd but whole: names of any bytes, names of commands, very many
# functions, very deep stacks.
. "$RP_SRC/t/lib.sh"
need python3

# A name of every byte that a symbol can have; the folded stack takes some as its own.
python3 - >folded <<'END'
import sys
every = bytes(b for b in range(1, 256) if b not in b"\n;@!#")
sys.stdout.buffer.write(b"arg ./a.out\nmain;a.out!x" + every + b"@0 3\n")
sys.stdout.buffer.write(b"main;f 1\n")
for bad in (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x92", b"\x1b[31mred", b"\xe2\x80\xaetxet",
            b"</script><!--", b"%s%n", b"$(touch pwned)", b"a\tb", b"\r", b"=1+1"):
    sys.stdout.buffer.write(b"main;a.out!" + bad + b" 1\n")
END
mkexp bytes.er <folded

# Every byte of FILE is of valid UTF-8 that no terminal acts upon.
harmless() {
	python3 -c '
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8", errors="strict")
bad = sorted({c for c in text if unicodedata.category(c) == "Cc" and c not in "\n" + sys.argv[2]})
sys.exit(f"control characters: {bad!r}" if bad else 0)
' "$@"
}

test_expect_success 'names of any bytes: text, CSV and HTML are valid, and harmless' '
	er_print -functions -fsummary -callers-callees -calltree -lines -pcs -objects bytes.er >text &&
	harmless text "" && test 15 -lt "$(grep -c . text)" &&
	er_print -printmode , -functions -calltree bytes.er >csv &&
	harmless csv "$(printf "\r")" &&
	er_print -printmode html -functions -calltree -fsummary bytes.er >page.html &&
	harmless page.html "" && "$RP_SRC/t/html-holds" page.html >rows
'

test_expect_success '… CSV reads back in the same number of rows, JSON as the same names' '
	er_print -printmode , -functions bytes.er >csv &&
	er_print -json -functions bytes.er >json &&
	python3 -c "
import csv, json
rows = list(csv.reader(open(\"csv\", newline=\"\")))
names = [f[\"linkage_name\"] for f in json.load(open(\"json\"))[\"functions\"]]
assert len(rows) == len(names) + 1 == 17, (len(rows), len(names))
every = \"x\" + \"\".join(chr(b) for b in range(1, 128) if chr(b) not in \"\n;@!#\")
assert any(n.startswith(every) for n in names), names
assert \"a\tb\" in names and \"\r\" in names
"
'

test_expect_success '… and such a function can be selected' '
	er_print -csingle "\$(touch pwned)" bytes.er >out && test_grep "^.*\*\$(touch pwned)$" out &&
	er_print -fsingle "%s%n" bytes.er >out && test_grep "^Name: *%s%n$" out &&
	er_print -filters "LEAF IN FNAME(\"a.b\")" -functions bytes.er >out && test_grep " a?b$" out &&
	! test -e pwned
'

# exported FORM EXPERIMENT WORD: it is written, has the word, and is harmless.
exported() {
	er_print -export "$1" "out.$1" "$2" && test_grep "$3" "out.$1" &&
		harmless "out.$1" "$(printf "\r\177")"
}

test_expect_success '… by every form of export' '
	exported collapsed bytes.er red && exported speedscope bytes.er red &&
	exported csv bytes.er red
'

# answered NAME: of the function of that name, and of no other.
answered() {
	er_print -limit 1 -csingle "$1" -fsingle "$1" words.er >out &&
		grep -qxF "Name:                     $1" out && grep -qF "*$1" out
}

test_expect_success 'functions named like commands, options and numbers' '
	printf "%s 2\n" "main;functions" "main;-limit" "main;quit" "main;3" "main;--help x" \
		"main;a.er" "main;<Total>" "main;*" | sed "s/;</;a.out!</" | mkexp words.er &&
	answered functions && answered -limit && answered quit && answered 3 && answered a.er &&
	answered "<Total>" && answered "*" &&
	printf "%s\n" "csingle functions" "csingle -limit" "csingle \"3\" 1" "fsingle quit" \
		"csingle main" | er_print words.er >out &&
	test 5 = "$(grep -c "^Name: \|^Callers and callees" out)"
'

test_expect_success 'a hundred thousand functions' '
	awk "BEGIN { for (i = 0; i < 100000; i++) print \"main;f\" i % 100 \";g\" i, i % 3 + 1 }" |
		mkexp many.er &&
	er_print -printmode , -functions many.er >functions.csv &&
	test 100103 = "$(wc -l <functions.csv)" &&
	er_print -limit 5 -callers-callees -calltree 1 -csingle main -lines -pcs -symbols \
		many.er >out &&
	er_print -metrics a+totalcpu:a.totalcpu -csingle f7 many.er >out &&
	test 1000 = "$(grep -c "   g[0-9]*$" out)" &&
	er_print -json -callers-callees many.er >out.json &&
	holds out.json "len(d[\"callers_callees\"]) == 100101 + 2 * 100100 + 1" &&
	er_print -name short -sort name -limit 2 -functions many.er >out && test_grep " f0$" out
'

test_expect_success 'a stack that is 4,096 deep' '
	{ seq -f "f%g" -s ";" 1 4096 | sed "s/$/ 7/" && echo "f1;f2;f1;f2;f3 1" &&
		yes "r" | head -n 4096 | paste -s -d ";" - | sed "s/$/ 2/"; } | mkexp deep.er &&
	er_print -json -recursion full -functions -calltree 0 -callers-callees deep.er >out.json &&
	holds out.json "len(d[\"calltree\"]) == 1 + 4096 + 3 + 4096" &&
	holds out.json "max(n[\"depth\"] for n in d[\"calltree\"]) == 4096" &&
	holds out.json "near(incl(\"r\"), 0.002, 1e-9) and near(excl(\"r\"), 0.002, 1e-9)" &&
	er_print -calltree 0 -csingle f2048 deep.er >out && test_grep "+-\[4096\] f4096$" out &&
	er_print -printmode html -calltree 0 deep.er >page.html &&
	"$RP_SRC/t/html-holds" page.html >rows && test_grep "|f4096$" rows &&
	er_print -filters "(FNAME(\"f1\"), FNAME(\"f4096\")) ORDERED IN STACK" -functions deep.er >out &&
	test_grep "^0.007 100.00 .* <Total>$" out &&
	exported collapsed deep.er f4096 && exported speedscope deep.er f4096 &&
	exported csv deep.er f4096
'

test_done
