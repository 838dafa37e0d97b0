# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# export sqlite: the tables of a database say what er_print says.
. "$RP_SRC/t/lib.sh"
need python3

printf "main;f 2\n" | mkexp one.er
if ! er_print -export sqlite one.db one.er 2>err; then
	test_expect_success 'without SQLite the form is refused, with the reason' '
		test_grep "built without SQLite" err
	'
	test_done
fi
. "$RP_SRC/t/recordings.sh"
same() { python3 "$RP_SRC/t/sql-same" "$@"; }
# sql DATABASE STATEMENT: its rows, as Python has them.
sql() { python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); [print(*r) for r in d.execute(sys.argv[2])]; d.commit()' "$@"; }

test_expect_success 'every value of every view equals the JSON report' '
	er_print -export sqlite all.db a.er turns.er b1.er b2.er nests.er said.er &&
	same all.db a.er turns.er b1.er b2.er nests.er said.er >out && cat out && test_line_count 6 out &&
	sql all.db "SELECT count(*) FROM function_metrics WHERE linkage_name = '"'f'"' AND experiment_id IN (3, 4)" >out &&
	echo 4 | test_cmp - out
'

test_expect_success 'a wait without a stack is in its region; a count without a sample is in none' '
	printf "%s\n" "event totalcpu ns 1000" "region /event 0 2000000" "main;f 1" "<unsampled> 1" "state wait" "weight 5000" "step 0" \
		"time 1000000" "main;f 1" "<unsampled> 1" ". 1" | mkexp bare.er && er_print -export sqlite bare.db bare.er && same bare.db bare.er &&
	sql bare.db "SELECT coalesce(b.name, '"'none'"'), m.name, count(*), sum(s.weight) FROM sample_rows s JOIN branches b ON b.id = s.branch_id
		JOIN metrics m ON m.id = s.metric_id GROUP BY 1, 2 ORDER BY 1, 2" >out && cat out &&
	printf "%s\n" "<Outside> totalcpu 1 1000" "event totalcpu 1 1000" "event wait 3 15000" | test_cmp - out
'

test_expect_success 'the run, its events and its threads' '
	sql all.db "SELECT host, started, started_s, command, lost, complete FROM experiments WHERE id = 2" >out &&
	echo "host 2026-01-02T03:04:05Z 1767323045 ./prog \"two words\" 12 1" | tr "\"" "\047" | test_cmp - out &&
	sql all.db "SELECT asked, state, unit, scale FROM events WHERE experiment_id = 2" >out &&
	printf "%s\n" "totalcpu None ns 1.0" "instructions None events 1.3" "sleep sleep ns 1.0" "lock lock ns 1.0" |
		test_cmp - out &&
	sql all.db "SELECT sum(records), count(*) FROM losses" >out && echo "1800 6" | test_cmp - out &&
	sql all.db "SELECT build_id FROM modules m JOIN objects o ON o.id = m.object_id
		WHERE path = '"'lib.so'"' AND experiment_id = 2" >out && echo 0123456789abcdef | test_cmp - out &&
	sql all.db "SELECT min(cpu), max(cpu), count(*) = (SELECT last_sample - first_sample + 1 FROM experiments
		WHERE id = 2) FROM sample_rows WHERE experiment_id = 2" >out && echo "0 3 1" | test_cmp - out
'

test_expect_success 'a functions query walks through no samples: the totals are found by key' '
	sql all.db "EXPLAIN QUERY PLAN SELECT name, exclusive FROM function_metrics WHERE experiment_id = 2" >plan &&
	cat plan && test_grep "SEARCH t USING PRIMARY KEY" plan && test_no_grep "samples\|nodes" plan
'

test_expect_success 'adding one after another makes the same database as all at once' '
	for e in a turns b1 b2 nests said; do er_print -export sqlite each.db $e.er || return 1; done &&
	python3 - <<-\END
	import sqlite3
	def dump(path):
	    return list(sqlite3.connect(path).iterdump())
	assert dump("each.db") == dump("all.db")
	END
'

test_expect_success 'the same experiment is refused by its identity, also as a copy; others are added' '
	cp -R a.er copy.er && cp each.db before.db &&
	test_expect_code 1 er_print -export sqlite each.db copy.er 2>err && cat err &&
	id=$(sql each.db "SELECT identity FROM experiments WHERE id = 1") &&
	test_grep "^er_print: error: copy.er ($id): already in each.db, and not added again$" err &&
	cmp each.db before.db &&
	test_expect_code 1 er_print -export sqlite each.db a.er one.er b1.er 2>err && test_line_count 1 err &&
	test_grep "a.er (.*), b1.er (.*): already in" err && same each.db one.er &&
	sql each.db "SELECT count(*) FROM experiments" >out && echo 7 | test_cmp - out
'

test_expect_success 'inlines off: functions as the linker knows them, without lines' '
	er_print -inlines off -export sqlite plain.db a.er &&
	sql plain.db "SELECT inlines FROM experiments" >out && echo 0 | test_cmp - out && same plain.db a.er
'

set_sampling
test_expect_success SAMPLING 'a recording, with lines and inlined functions' '
	collect -p hi -O demo.er burn recurse=50 one=50 >/dev/null && er_print -export sqlite demo.db demo.er &&
	same demo.db demo.er && sql demo.db "SELECT count(*) > 0 FROM line_metrics WHERE file LIKE '"'%burn.c'"' AND line > 0" >out &&
	echo 1 | test_cmp - out && sql demo.db "SELECT host FROM experiments" >out && uname -n | test_cmp - out
'

# Recordings of other machines: those of family 2 that are small.
recordings=$RP_SRC/../shared/fixtures/perf.data
if [ -d "$recordings" ]; then
	test_set_prereq OTHERS
else
	test_set_prereq OTHERS 'no ../shared/fixtures/perf.data'
fi
test_expect_success OTHERS 'recordings of other machines' '
	set -- && for file in "$recordings"/*.data; do
		name=$(basename "$file" .data).er
		test "$(wc -c <"$file")" -lt 3000000 || continue
		collect --import "$file" -O "$name" >/dev/null 2>err || continue
		er_print -limit 3 -functions "$name" >out 2>&1 && ! grep -q "no metric" out && set -- "$@" "$name"
	done && test $# -ge 10 && er_print -export sqlite others.db "$@" && same others.db "$@" >out && cat out
'

# ---- an example ----

for run in 1 2 3; do
	printf 'time %s000000\nmain;p<a>rse %s\nmain;\377 1\nmain;same %s\n' $run $run $((9 - run)) | mkexp run$run.er
	python3 - $run <<-\END
	import json, sys
	path = f"run{sys.argv[1]}.er/log.json"
	log = json.load(open(path))
	log.update(started=f"2026-01-0{4 - int(sys.argv[1])}T00:00:00Z", labels={"release": "r<" + sys.argv[1]})
	json.dump(log, open(path, "w"))
	END
done
trend() { python3 "$RP_SRC/examples/trend.py" "$@"; }

test_expect_success 'examples/trend.py: shares over the runs, in the order of time, as text and picture' '
	er_print -export sqlite runs.db run1.er run2.er run3.er && trend runs.db "p<a>rse" --label release >out &&
	printf "%s\n" "p<a>rse" "  r<3  30.00 % ###############" "  r<2  20.00 % ##########" "  r<1  10.00 % #####" >want &&
	test_cmp want out && trend runs.db --top 2 >out && grep -v "^ " out >names &&
	printf "%s\n" "p<a>rse" same >want && test_cmp want names &&
	trend runs.db --svg trend.svg --label release && python3 - <<-\END &&
	import xml.etree.ElementTree as tree
	root = tree.parse("trend.svg").getroot()
	lines = [e.get("points") for e in root.iter() if e.tag.endswith("polyline")]
	assert len(lines) == 4 and all(len(l.split()) == 3 for l in lines), lines
	texts = [e.text for e in root.iter() if e.tag.endswith("text")]
	assert texts[0] == "100.00 %" and texts[1:3] == ["r<3", "r<1"] and "p<a>rse: 30.00 % → 10.00 %" in texts, texts
	END
	test_expect_code 1 trend runs.db none 2>err && test_grep "has no such function" err &&
	for top in 0 -1; do
		test_expect_code 2 trend runs.db --top $top >out 2>err && test_grep "top is 1 or more" err || return 1
	done &&
	test_expect_code 1 trend none.db 2>err && test_grep "no such file" err && ! test -e none.db &&
	echo text >none.db && test_expect_code 1 trend none.db 2>err && test_line_count 1 err
'

# ---- names ----

python3 - <<'END' >folded
import sys
every = bytes(b for b in range(1, 256) if b not in b"\n;@!#")
sys.stdout.buffer.write(b"arg ./a'\"\t.out\nthread 1 1 t\"'--;\nmain;a.out!x" + every + b"@0 3\n")
for bad in (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\x1b[31mred", b"a\tb", b"\r", b"=1+1", b"') DROP TABLE samples--",
            b'"', b"''", "\u202ex\u00fc".encode()):
    sys.stdout.buffer.write(b"main;a.out!" + bad + b" 1\nmain;" + bad + b"!f 1\n")
END
mkexp odd.er <folded

test_expect_success 'names of any bytes go in, and come back as they were' '
	er_print -export sqlite odd.db odd.er && same odd.db odd.er && python3 - <<-\END
	import sqlite3
	db = sqlite3.connect("odd.db")
	def raw(value):
	    return value if isinstance(value, bytes) else value.encode()
	names = {raw(n) for n, in db.execute("SELECT linkage_name FROM functions")}
	want = [l.rsplit(b" ", 1)[0].split(b";", 1)[1] for l in open("folded", "rb").read().split(b"\n") if l.startswith(b"main;")]
	functions = {w.split(b"!", 1)[1].split(b"@")[0] for w in want}
	assert functions <= names, functions - names
	objects = {raw(p) for p, in db.execute("SELECT path FROM objects")}
	assert {w.split(b"!")[0] for w in want} <= objects
	kinds = dict(db.execute("SELECT linkage_name, typeof(linkage_name) FROM functions"))
	assert kinds[b"\xff\xfe"] == "blob" and kinds["a\tb"] == "text" and kinds["\u202ex\u00fc"] == "text"
	END
'

test_expect_success 'a NUL in the log: one row, or one sentence' '
	cp -R one.er nul.er && sed "s/\"comment\": *\"\"/\"comment\": \"x\\\\u0000y\"/" one.er/log.json >nul.er/log.json &&
	grep -q u0000 nul.er/log.json &&
	if er_print -export sqlite nul.db nul.er 2>err; then
		sql nul.db "SELECT length(comment) <= 3, samples.id FROM experiments JOIN samples" >out && test_line_count 2 out
	else
		cat err && test_line_count 1 err
	fi
'

# ---- trouble ----

test_expect_success 'a recording that goes on is not added, the others are' '
	cp -R turns.er going.er && sed "s/\"complete\",/\"running\",/" turns.er/log.json >going.er/log.json &&
	er_print -export sqlite killed.db going.er && sql killed.db "SELECT complete FROM experiments" >out && echo 0 | test_cmp - out &&
	python3 - <<-\END && cat err && test_grep "^er_print: error: going.er: still being recorded, and not added yet$" err &&
	import fcntl, subprocess
	with open("going.er/data", "r+b") as data:
	    fcntl.lockf(data, fcntl.LOCK_EX)
	    run = subprocess.run(["er_print", "-export", "sqlite", "going.db", "going.er", "one.er"], stderr=open("err", "w"))
	    assert run.returncode == 1
	    run = subprocess.run(["er_print", "-export", "tables", "going", "going.er", "one.er"], stderr=subprocess.DEVNULL)
	    assert run.returncode == 1
	    subprocess.run(["er_print", "-header", "going.er"], stdout=open("header", "w"), check=True)
	END
	same going.db one.er && test -s going/samples.tsv && test_grep "the recording goes on" header
'

test_expect_success 'a recording with damage in the middle is not called whole' '
	python3 - <<-\END
	import json, shutil, sqlite3, subprocess
	data = open("turns.er/data", "rb").read()
	for at in range(len(data) - 1, 0, -97):
	    shutil.rmtree("damaged.er", ignore_errors=True)
	    shutil.copytree("turns.er", "damaged.er")
	    with open("damaged.er/data", "r+b") as file:
	        file.seek(at)
	        file.write(bytes([data[at] ^ 0x55]))
	    report = subprocess.run(["er_print", "-json", "-functions", "damaged.er"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
	    if b"damaged and omitted" in report.stdout + report.stderr:
	        break
	else:
	    raise AssertionError("no block of samples was found")
	assert not json.loads(report.stdout)["experiments"][0]["complete"]
	subprocess.run(["er_print", "-export", "sqlite", "damaged.db", "damaged.er"], stderr=subprocess.DEVNULL)
	assert sqlite3.connect("damaged.db").execute("SELECT complete FROM experiments").fetchall() == [(0,)]
	metrics = subprocess.run(["er_print", "-export", "openmetrics", "-", "damaged.er"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
	assert b"ringprof_recording_complete{recording=\"damaged.er\"} 0\n" in metrics.stdout, metrics.stdout
	END
'

# unchanged DATABASE: what er_print refused in one sentence left it as it was.
unchanged() { test_line_count 1 err && cmp "$1" before.db && same "$1" a.er; }
er_print -export sqlite kept.db a.er && cp kept.db before.db

test_expect_success 'a locked database' '
	python3 - <<-\END &&
	import sqlite3, subprocess
	db = sqlite3.connect("kept.db", isolation_level=None)
	db.execute("BEGIN EXCLUSIVE")
	run = subprocess.run(["er_print", "-export", "sqlite", "kept.db", "one.er"], stderr=open("err", "w"))
	assert run.returncode == 1
	END
	test_grep "^er_print: error: kept.db: is locked by another program; try again" err && unchanged kept.db
'

test_expect_success 'other files: text, another version, another program, a folder, a stream' '
	echo "this is no database, but some text" >text && cp text text.before &&
	test_expect_code 1 er_print -export sqlite text one.er 2>err && cat err &&
	test_grep "text: is no SQLite database" err && cmp text text.before && test_line_count 1 err &&
	cp before.db newer.db && sql newer.db "PRAGMA user_version = 2" && cp newer.db newer.before &&
	test_expect_code 1 er_print -export sqlite newer.db one.er 2>err && cat err &&
	test_grep "newer.db: has version 2 of the schema, and this er_print writes version 1" err &&
	cmp newer.db newer.before &&
	sql theirs.db "CREATE TABLE mail (id INTEGER)" && cp theirs.db theirs.before &&
	test_expect_code 1 er_print -export sqlite theirs.db one.er 2>err && cat err &&
	test_grep "theirs.db: is a database of another program" err && cmp theirs.db theirs.before &&
	mkdir folder && test_expect_code 1 er_print -export sqlite folder one.er 2>err && cat err && test_line_count 1 err &&
	test_expect_code 1 er_print -export sqlite none/x.db one.er 2>err && cat err &&
	test_grep "none/x.db: No such file" err &&
	test_expect_code 1 er_print -export sqlite - one.er 2>err && test_grep "name the file" err && ! test -e ./- &&
	er_print -export sqlite :memory: one.er && test -s ./:memory:
'

test_expect_success 'no space: the database is as before' '
	test_expect_code 1 sh -c "trap \"\" XFSZ; ulimit -f $(($(wc -c <kept.db) / 512 + 2)); exec er_print -export sqlite kept.db turns.er" 2>err &&
	cat err && test_grep "^er_print: error: kept.db: .*\(large\|as it was before\)" err && unchanged kept.db &&
	er_print -export sqlite kept.db turns.er && same kept.db turns.er && cp before.db kept.db
'

# A file system of 256 KiB.
if why=$(unshare -m sh -c "mkdir -p full && mount -t tmpfs -o size=256k none full" 2>&1); then
	test_set_prereq FULL
else
	test_set_prereq FULL "no file system can be mounted: $(echo "$why" | head -n 1)"
fi
test_expect_success FULL 'a full disk: the same' '
	unshare -m sh -c "mount -t tmpfs -o size=256k none full && er_print -export sqlite full/x.db a.er &&
		cp full/x.db full.before && dd if=/dev/zero of=full/rest 2>dd.err
		er_print -export sqlite full/x.db turns.er 2>err; echo \$? >status; cp full/x.db full.db" &&
	cat err && echo 1 | test_cmp - status && test_grep "full/x.db: no space left on the device" err &&
	cmp full.db full.before && test_line_count 1 err
'

# It is killed once it has begun to write; if it ended before, it gets twice as much.
test_expect_success 'a killed writer: the database is as before, and takes the experiment later' '
	python3 - <<-\END &&
	import os, shutil, signal, subprocess
	def killed(rows):
	    shutil.rmtree("big.er", ignore_errors=True)
	    text = "".join(f"main;f{i % 50};g{i % 7} 1\n" for i in range(rows))
	    subprocess.run(["mkexp", "big.er"], input=text.encode(), check=True)
	    shutil.copy("kept.db", "kept.before")
	    run = subprocess.Popen(["er_print", "-export", "sqlite", "kept.db", "big.er"])
	    while run.poll() is None:
	        if os.path.exists("kept.db-journal") and os.path.getsize("kept.db-journal"):
	            run.send_signal(signal.SIGKILL)
	            break
	    if run.wait() == -signal.SIGKILL:
	        return True
	    assert run.returncode == 0, run.returncode
	    os.replace("kept.before", "kept.db")
	    return False
	rows = 400000
	while not killed(rows):
	    rows *= 2
	    assert rows <= 400000 << 4, "it always ended before it was killed"
	END
	same kept.db a.er && sql kept.db "SELECT count(*) FROM experiments" >out && echo 1 | test_cmp - out &&
	er_print -export sqlite kept.db big.er && same kept.db a.er big.er
'

set_nobody er_print
test_expect_success NOBODY 'a database that may not be written' '
	cp before.db readonly.db && chmod 444 readonly.db &&
	test_expect_code 1 as_nobody ./er_print -export sqlite readonly.db one.er 2>err && cat err &&
	test_grep "readonly.db: may not be written" err && unchanged readonly.db
'

test_expect_success 'a filter or hidden objects: refused, since a database has whole recordings' '
	test_expect_code 1 er_print -filters "LEAF IN FNAME(\"read\")" -export sqlite no.db a.er 2>err &&
	test_grep "export sqlite writes whole recordings" err && ! test -e no.db &&
	test_expect_code 1 er_print -object_hide lib.so -export sqlite no.db a.er 2>err && ! test -e no.db
'

# What a stranger put into the database is not run.
test_expect_success 'triggers of a database do not run' '
	cp before.db trap.db &&
	sql trap.db "CREATE TRIGGER t AFTER INSERT ON experiments BEGIN DELETE FROM samples; END" &&
	er_print -export sqlite trap.db one.er && sql trap.db "SELECT count(*) > 10 FROM samples" >out &&
	echo 1 | test_cmp - out
'

test_done
