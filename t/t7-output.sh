# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings whose every text is made to be obeyed: by a terminal, by a spreadsheet, by the
# eye.  What er_print writes has none of it, and JSON still has it exactly.
. "$RP_SRC/t/lib.sh"

need python3

# Escapes as bytes and as C1, direction, line separators, what has no width, a tag, and the
# ends of lines; not in one piece, so that each must be seen for itself.
python3 - <<'END'
import json, os, subprocess
evil = ("\x1b]0:own\x07", "\x9b31m", "\u202egnp.exe", "\u2028x", "\u2029y", "\u200bz", "\ufeffa",
        "\u2066b", "\U000e0041c", "\x7fd", "\re", "\x85f", "\xadg", "\u061ch")
flat = "".join(e.replace("\r", "") for e in evil)
plain = flat.replace("\r", "")
run = ["arg ./prog", f"event totalcpu ns 1000000 0 1 {flat[:40]} Time", f"module lib.so=/nowhere/{flat}/lib.so",
       "thread 100 100 " + "=1+" + flat[:20], f"args =1+1{plain} {plain} 'quoted$({plain}",
       f"group /=1+1/../{plain}"]
for e in evil:
    run.append(f"main{e}".replace("\r", "") + f";lib.so!f{e} 3".replace("\n", ""))
run.append("lib.so!=HYPERLINK(\"x\") 2")
for first in "=+-@\t\r":
    run.append(f"lib.so!{first}1+1 2")
for wide in "\uff1d\uff0b\uff0d\uff20":
    run.append(f"lib.so!{wide}1+1 2")
run += ["state lock", "life 0 9000000000", "step 0", "time 8000000000", "weight 1000"]
for n, e in enumerate(evil, 1):
    run += [f"wakes 1 main;lib.so!w{e}".replace("\n", ""), f"waker {n}"]
    run.append(f"main;lib.so!f{e} 3".replace("\n", ""))
for at, e in enumerate(evil):
    run.append(f"region /=1+1/r{e} {at * 10} {at * 10 + 5}".replace("\r", ""))
    run.append(f"mark {at * 10} 3 =1+1|m{e} 4 t{e}".replace("\r", ""))
run += ["region /=1+1 0 9000", "on totalcpu", "time 8500", "weight 1000000", "main;lib.so!f 3"]
subprocess.run(["mkexp", "evil.er"], input="\n".join(run).encode() + b"\n", check=True)
path = "evil.er/log.json"
log = json.load(open(path))

def poison(value, key=""):
    if isinstance(value, dict):
        return {k: poison(v, k) for k, v in value.items()}
    if isinstance(value, list):
        return [poison(v, key) for v in value]
    if isinstance(value, str) and key not in ("schema", "state", "unit", "version", "started"):
        return value + flat
    return value

log["notes"] = [{"severity": "warning", "text": flat}, {"severity": "error", "text": "x" + flat}]
json.dump(poison(log), open(path, "w"))
open("functions", "w").write("\n".join("f" + e for e in evil))
END

# harmless LINE-END FILE…: no character that is obeyed or hidden; C1, too, is a character.
harmless() {
	python3 -c '
import sys, unicodedata
end = sys.argv[1].replace("N", "\n").replace("R", "\r")
wrong = []
for path in sys.argv[2:]:
    text = open(path, "rb").read().decode("utf-8", errors="strict").replace(end, "")
    bad = sorted(c for c in set(text) if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp"))
    wrong += [f"{path}: {bad!r}"] if bad or not text else []
sys.exit("\n".join(wrong) or 0)
' "$@"
}

# All that can be asked without arguments, but for what ends the session or shows no recording.
views="functions $(er_print --help | sed -n 's/^  -\([a-z][a-z_-]*\)  .*/\1/p; s/^  -\([a-z_]*\) \[.*/\1/p' |
	grep -vx 'ci\|objects_default\|crmfirst\|crmlast\|quit\|json\|version\|help\|report\|filters' | sort -u | tr '\n' ' ')"

test_expect_success 'the views are many, and the newer ones among them' '
	set -- $views && echo "$views" && test $# -ge 30 &&
	for new in cgroups overview processes callers-callees sample_detail; do
		case " $views " in *" $new "*) ;; *) echo "no $new" && return 1 ;; esac
	done
'

for form in "text N" ", RN" "html N" "json N"; do
	mode=${form% *} ends=${form#* }
	test_expect_success "every view, as $mode: nothing controls the terminal or hides text" '
		rm -f out.* err.* && for view in $views; do
			er_print --no-rc -printmode "$mode" -ci -"$view" evil.er >"out.$view" 2>"err.$view" ||
				{ echo "$view" && cat "err.$view" && return 1; }
		done
		harmless "$ends" out.* && find . -name "err.*" -empty -delete &&
			set -- err.* && { ! test -e "$1" || harmless N "$@"; }
	'
done

# Status 1 and 2: what the words name is not in this recording.
test_expect_success 'every command that er_print has' '
	cp -r evil.er whole.er && echo functions >commands && all_commands >words && rm -f out.* err.* &&
	while read -r name rest; do
		case $name in outfile | appendfile | json | printmode | report*) continue ;; esac
		set -- $rest && [ "$name" != filters ] || set -- "$rest"
		er_print --no-rc "-$name" "$@" -functions evil.er >"out.$name" 2>"err.$name" </dev/null ||
			[ $? -le 3 ] || { echo "$name" && cat "err.$name" && return 1; }
	done <words && find . \( -name "err.*" -o -name "out.*" \) -empty -delete && harmless N out.* err.*
'

# Its own script and style have tabs.
test_expect_success 'the page' '
	er_print --no-rc -report page.html evil.er >out 2>err && tr -d "\t" <page.html >page &&
	harmless N page
'

test_expect_success 'command lines, one by one' '
	for mode in text , html; do
		er_print --no-rc -printmode "$mode" -processes all evil.er >out 2>err || return 1
		tr -d "\r" <out >shown && harmless N shown && test_grep quoted shown || return 1
	done
'

test_expect_success 'two sides, a filter, a missing function' '
	cp -r evil.er other.er && printf "x" >>other.er/data &&
	er_print --no-rc -compare on -functions -calltree -lines -threads evil.er other.er >out 2>err &&
	harmless N out && harmless N err &&
	function=$(sed -n 3p functions) &&
	er_print --no-rc -filters "LEAF IN FNAME(\"$function\")" -functions -csingle "$function" evil.er >out 2>err &&
	harmless N out &&
	test_expect_code 1 er_print --no-rc -csingle "none$function" evil.er >out 2>err && harmless N err &&
	test_expect_code 1 er_print --no-rc -source "$function" evil.er >out 2>err && harmless N err &&
	test_expect_code 1 er_print --no-rc -disasm "$function" evil.er >out 2>err && harmless N err
'

for form in "collapsed N" "speedscope N" "firefox N" "callgrind N" "csv RN" "samples RN"; do
	test_expect_success "export ${form% *}" '
		er_print --no-rc -export ${form% *} out evil.er 2>err && harmless ${form#* } out
	'
done

test_expect_success 'JSON is exact, with standard escapes' '
	er_print --no-rc -json -functions evil.er >out.json &&
	python3 -c "
import json
names = {r[\"linkage_name\"] for r in json.load(open(\"out.json\"))[\"functions\"]}
want = open(\"functions\", newline=\"\").read().split(\"\n\")
missing = [w for w in want if w not in names and w.replace(\"\r\", \"\") not in names]
assert len(want) == 14 and not missing, (missing, names)
label = json.load(open(\"out.json\"))[\"metrics\"][0][\"label\"]
assert \"\x9b\" in label and \"\u202e\" in label, label
" && test_grep "u202e" out.json
'

# Spreadsheets take = + - @ at the beginning for a formula, in quotes too; numbers are none.
test_expect_success 'CSV: a cell that would be a formula is text, and numbers stay numbers' '
	er_print --no-rc -printmode , -functions -threads evil.er | tr -d "\r" >out.csv &&
	er_print --no-rc -printmode ";" -functions evil.er | tr -d "\r" >semicolon.csv &&
	er_print --no-rc -export samples samples.csv evil.er &&
	er_print --no-rc -printmode , -compare on -functions evil.er other.er >compared.csv 2>err &&
	python3 -c "
import csv
found = 0
for path, separator in ((\"out.csv\", \",\"), (\"semicolon.csv\", \";\"), (\"samples.csv\", \",\"), (\"compared.csv\", \",\")):
    for row in csv.reader(open(path, newline=\"\"), delimiter=separator):
        for cell in row:
            risky = cell[:1] in tuple(\"=+-@\t\r\uff1d\uff0b\uff0d\uff20\")
            if risky:
                float(cell)  # a number
            found += cell[:2] in tuple(\"\x27\" + c for c in \"=+-@?\uff1d\uff0b\uff0d\uff20\")
assert found >= 40, found
" && test_grep "^[0-9.,]*,\"'\''=HYPERLINK" out.csv &&
	er_print --no-rc -json -functions evil.er >out.json &&
	holds out.json "any(n.startswith(\"=HYPERLINK\") for n in names) and \"-1+1\" in names"
'

test_done
