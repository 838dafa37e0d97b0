# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# export tables: engines that load them say what er_print says.
. "$RP_SRC/t/lib.sh"
need python3
. "$RP_SRC/t/recordings.sh"

# Names of any bytes that a name can have.
python3 - <<'END' >folded
import sys
every = bytes(b for b in range(1, 256) if b not in b"\n;@!#")
sys.stdout.buffer.write(b"arg ./a'\"\t.out\nthread 1 1 t\"'--;\nmain;a.out!x" + every + b"@0 3\n")
for bad in (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\x1b[31mred", b"a\tb", b"\r", b"=1+1", b"') DROP TABLE samples--",
            b'"', b"''", "\u202ex\u00fc".encode(), b"\\N", b"\\", b"\\\\", b"\\t", b"\\x41", b"\\\\x41", b"\\\xff", b"\\.",
            b"a\\", b"\xf0\x9f\x98\x80\xf0\x9f", b"{a}", b"$1", b"NULL"):
    sys.stdout.buffer.write(b"main;a.out!" + bad + b" 1\nmain;" + bad + b"!f 1\n")
END
mkexp odd.er <folded

runs='a.er turns.er b1.er b2.er nests.er said.er odd.er'

# ---- the files ----

test_expect_success 'ids are the documented hashes, nothing is missing or twice, sums follow from the samples' '
	er_print -export tables all $runs && "$RP_SRC/t/tables-hold" all >out && cat out && test_grep "^experiments 7 " out &&
	er_print -export tables slash/ b1.er && "$RP_SRC/t/tables-hold" slash
'

test_expect_success 'ids are equal on all machines, and in all runs' '
	mkdir there && cp -R turns.er there/copy.er && (cd there && er_print -export tables out copy.er) &&
	er_print -export tables here turns.er && for table in here/*.tsv; do
		[ "$table" = here/experiments.tsv ] || cmp "$table" "there/out/${table#here/}" || return 1
	done && ! cmp here/experiments.tsv there/out/experiments.tsv &&
	er_print -export tables b1 b1.er && er_print -export tables b2 b2.er &&
	grep "	f	" b1/functions.tsv | sort >f1 && grep "	f	" b2/functions.tsv | sort >f2 && test_cmp f1 f2 && test_line_count 2 f1
'

test_expect_success 'times are nanoseconds since 1970, in UTC; born_utc_ns and unknown starts are NULL' '
	cut -f 8 all/experiments.tsv | sort -u >out && test "$(head -n 1 here/samples.tsv | cut -f 4)" -gt 1767323045000000000 &&
	test "$(cut -f 4 here/samples.tsv | sort -n | tail -n 1)" -lt 1767323099000000000 &&
	cut -f 8 here/threads.tsv | sort -u >out && echo "\\N" | test_cmp - out
'

test_expect_success 'an experiment twice: once, and said so' '
	cp -R b1.er copy.er && test_expect_code 1 er_print -export tables twice b1.er copy.er a.er 2>err && cat err &&
	test_line_count 1 err && test_grep "copy.er (.*): already in twice, and not added again" err &&
	"$RP_SRC/t/tables-hold" twice >out && test_grep "^experiments 2 " out
'

# ---- engines ----

cat >counts.py <<'END'
import subprocess, sys
tables = open("all/schema-postgresql.sql").read().split("CREATE TABLE IF NOT EXISTS ")[1:]
parts = [f"SELECT '{n}', count(*) FROM (SELECT * FROM {n}{sys.argv[2]}) x" for n in [t.split()[0] for t in tables]]
out = subprocess.run([sys.argv[1], " UNION ALL ".join(parts)], check=True, stdout=subprocess.PIPE).stdout.decode()
print("".join(l.replace("\t", " ") + "\n" for l in sorted(out.split("\n")[:-1])), end="")
END
cat >names.py <<'END'
import re, subprocess, sys
def ask(query):
    out = subprocess.run([sys.argv[1], query], check=True, stdout=subprocess.PIPE).stdout
    escapes = {b"t": b"\t", b"n": b"\n", b"r": b"\r", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
    for line in out.split(b"\n")[:-1]:
        text = re.sub(rb"\\(.)", lambda m: escapes.get(m.group(1), m.group(1)), line, flags=re.S)
        yield re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m.group(1), 16)]), text)
want = [l.rsplit(b" ", 1)[0].split(b";", 1)[1] for l in open("folded", "rb").read().split(b"\n") if l.startswith(b"main;")]
functions, objects = {w.split(b"!", 1)[1].split(b"@")[0] for w in want}, {w.split(b"!")[0] for w in want}
got = set(ask("SELECT linkage_name FROM functions"))
assert functions <= got, functions - got
got = set(ask("SELECT path FROM objects"))
assert objects <= got, objects - got
END

# sizes FOLDER: as er_print writes them, of files that were changed.
sizes() { (cd "$1" && for file in *.tsv; do echo "$(wc -c <"$file") $file"; done >sizes); }

# The same recording, exported where other debug information gave other functions.
er_print -export tables elsewhere $runs && python3 - <<'END' && sizes elsewhere
rows = [line.split("\t") for line in open("elsewhere/function_totals.tsv")]
open("elsewhere/function_totals.tsv", "w").writelines("\t".join(r[:2] + [str(int(r[2]) ^ 1)] + r[3:]) for r in rows)
END

test_expect_success 'load: a folder whose copy was cut short is refused' '
	cp -R b1 short && head -c 100 b1/samples.tsv >short/samples.tsv && for engine in postgresql clickhouse; do
		test_expect_code 1 sh short/load $engine 2>err && cat err && test_grep "short/samples.tsv has not the [0-9]* bytes" err || return 1
	done && cp b1/samples.tsv short/ && rm short/nodes.tsv && test_expect_code 1 sh short/load clickhouse 2>err && test_grep "short/nodes.tsv" err
'

# engine NAME OF-EACH-ROW-ONE ARGUMENT…: loads all, then parts of it and all again, which changes nothing.
engine() {
	engine_name=$1 engine_final=$2
	shift 2
	sh all/load "$engine_name" "$@" && python3 counts.py "./ask-$engine_name" "$engine_final" >before && (cd all && wc -l -- *.tsv) |
		awk '$2 ~ /tsv/ { sub(".tsv", "", $2); print $2, $1 }' | sort >want && test_cmp want before &&
		sh here/load "$engine_name" "$@" && sh all/load "$engine_name" "$@" && sh elsewhere/load "$engine_name" "$@" &&
		python3 counts.py "./ask-$engine_name" "$engine_final" >after && grep -v "^functions " before >want &&
		grep -v "^functions " after | test_cmp want - &&
		"$RP_SRC/t/tables-same" "./ask-$engine_name" $runs >out && cat out && test_line_count 7 out &&
		python3 names.py "./ask-$engine_name"
}

. "$RP_SRC/t/servers.sh"
set_postgresql
test_expect_success POSTGRESQL 'PostgreSQL' '
	engine postgresql "" && ./ask-postgresql "SELECT utc FROM sample_rows WHERE experiment_id = (SELECT id FROM experiments
		WHERE path = '"'a.er'"') ORDER BY id LIMIT 1" >out && echo "2026-01-02 03:04:05.001+00" | test_cmp - out
'
test_expect_success POSTGRESQL 'ask: names with tabs and ends of lines keep their rows' '
	ask() { sh "$RP_SRC/share/sql/ask" postgresql "$@"; } && ask hottest top=200 >out &&
	awk -F "\t" "NF != 9 { exit 1 } END { exit NR < 50 }" out && ask flamegraph >folds &&
	python3 -c "print(sum(int(line.split(b\" \")[-1]) for line in open(\"folds\", \"rb\")))" >got &&
	./ask-postgresql "SELECT sum(weight) FROM sample_rows s JOIN metrics m ON m.experiment_id = s.experiment_id AND m.id = s.metric_id
		WHERE m.name = '"'totalcpu'"'" >want && test_cmp want got && ask hottest from=5000 to=6000 >out 2>err &&
	test_cmp /dev/null out && test_grep "there is no row for metric=totalcpu from=5000" err &&
	test_expect_code 2 ask changed base=1 2>err && test_grep "needs two releases" err && test_expect_code 2 ask functions 2>/dev/null
'
test_expect_success POSTGRESQL 'names are UTF-8, whatever the encoding of the client or of the database' '
	printf "main;größe 2\n" | mkexp umlaut.er && er_print -export tables umlaut umlaut.er &&
	psql -X -q -c "CREATE DATABASE wide ENCODING UTF8 TEMPLATE template0" \
		-c "CREATE DATABASE narrow ENCODING LATIN1 TEMPLATE template0 LC_COLLATE \"C\" LC_CTYPE \"C\"" && for name in wide narrow; do
		PGCLIENTENCODING=LATIN1 sh umlaut/load postgresql -d $name &&
			psql -X -q -d $name -At -c "SELECT length(name) FROM functions WHERE name LIKE '"'gr%'"'" >out && echo 5 | test_cmp - out &&
			PGCLIENTENCODING=LATIN1 sh "$RP_SRC/share/sql/ask" postgresql hottest top=1 -- -d $name | cut -f 1 >out &&
			echo größe | test_cmp - out || return 1
	done
'
test_expect_success POSTGRESQL 'PostgreSQL: a load that fails keeps nothing' '
	cp -R b1 torn && psql -X -q -c "CREATE DATABASE torn" && printf "x\n" >>torn/second_totals.tsv && sizes torn &&
	test_expect_code 3 sh torn/load postgresql -d torn 2>err && cat err &&
	psql -X -q -d torn -At -c "SELECT count(*) FROM samples" >out && echo 0 | test_cmp - out
'

set_clickhouse 1
test_expect_success CLICKHOUSE 'ClickHouse' 'engine clickhouse " FINAL" --host 127.0.0.1 --port "$(port_of 1)"'

# DuckDB's own program, or the engine of npm.
modules=${RP_DUCKDB:-$RP_SRC/.duckdb}/node_modules
mkdir bin && PATH=$PWD/bin:$PATH
if command -v duckdb >/dev/null; then
	test_set_prereq DUCKDB
	printf '#!/bin/sh\nexec duckdb -noheader -list -separator "	" -nullvalue "\\N" many.db "$1"\n' >ask-duckdb
elif ! command -v node >/dev/null || ! [ -d "$modules/@duckdb/node-api" ]; then
	test_set_prereq DUCKDB 'no DuckDB: npm install --prefix .duckdb @duckdb/node-api'
else
	test_set_prereq DUCKDB
	printf '#!/bin/sh\n[ "$1" = -bail ] && shift\nexec node "%s" "%s" "$@"\n' "$RP_SRC/t/tables-duckdb.js" "$modules" >bin/duckdb
	printf '#!/bin/sh\nexec duckdb many.db "$1"\n' >ask-duckdb
fi
chmod +x ask-* bin/* 2>/dev/null
test_expect_success DUCKDB 'DuckDB' '
	engine duckdb "" many.db && ./ask-duckdb "SELECT utc FROM sample_rows WHERE experiment_id = (SELECT id FROM experiments
		WHERE path = '"'a.er'"') ORDER BY id LIMIT 1" >out && echo "2026-01-02 03:04:05.001" | test_cmp - out
'

test_expect_success 'load without an engine, or with another: its usage' '
	test_expect_code 2 sh all/load 2>err && test_grep "load postgresql" err &&
	test_expect_code 2 sh all/load oracle 2>err && test_grep "load duckdb FILE" err
'

# ---- trouble ----

# nothing_left NAME: one sentence, and neither the folder nor what it was written as.
nothing_left() { cat err && test_line_count 1 err && ! ls -d "$1" "$1".new.* 2>/dev/null; }

test_expect_success 'a folder or file that is there stays as it is; a stream, no folder to put it in' '
	mkdir kept && test_expect_code 1 er_print -export tables kept a.er 2>err && cat err && test_line_count 1 err &&
	test_grep "^er_print: error: kept: File exists$" err && test -z "$(ls kept)" && ! ls -d kept.new.* 2>/dev/null &&
	echo x >file && test_expect_code 1 er_print -export tables file a.er 2>err && test_grep "file: File exists" err &&
	ln -s nowhere link && test_expect_code 1 er_print -export tables link a.er 2>err && test_grep "link: File exists" err &&
	test_expect_code 1 er_print -export tables - a.er 2>err && test_grep "name the file or folder" err && ! test -e ./- &&
	test_expect_code 1 er_print -export tables none/x a.er 2>err && test_grep "none/x: No such file" err && nothing_left none/x
'

test_expect_success 'a filter or hidden objects: refused, since tables have whole recordings' '
	test_expect_code 1 er_print -filters "LEAF IN FNAME(\"read\")" -export tables no a.er 2>err &&
	test_grep "export tables writes whole recordings" err && nothing_left no &&
	test_expect_code 1 er_print -object_hide lib.so -export tables no a.er 2>err && nothing_left no
'

test_expect_success 'no space: nothing is left' '
	test_expect_code 1 sh -c "trap \"\" XFSZ; ulimit -f 8; exec er_print -export tables cut turns.er" 2>err &&
	test_grep "^er_print: error: cut: File too large$" err && nothing_left cut
'

test_expect_success 'without inlined functions it is another experiment' '
	er_print -export tables with a.er && er_print -inlines off -export tables without a.er &&
	ids_in() { cut -f 1 "$1/samples.tsv" | sort -u; } && test_line_count 1 with/experiments.tsv &&
	test "$(cut -f 1,2 with/experiments.tsv)" != "$(cut -f 1,2 without/experiments.tsv)" &&
	test "$(ids_in with)" = "$(cut -f 1 with/experiments.tsv)" && test "$(ids_in without)" = "$(cut -f 1 without/experiments.tsv)"
'

test_expect_success 'a signal leaves no folder; one that is in the way is named' '
	test_expect_code 1 python3 -c "
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
os.kill(os.getpid(), signal.SIGTERM)
os.execvp(\"er_print\", [\"er_print\", \"-export\", \"tables\", \"ended\", \"turns.er\"])" 2>err &&
	test_grep "ended: Interrupted system call" err && ! ls -d ended* &&
	test_expect_code 1 sh -c "mkdir way.new.\$\$; exec er_print -export tables way turns.er" 2>err &&
	test_grep "error: way.new.[0-9]*: File exists$" err
'

if why=$(unshare -m sh -c "mkdir -p full && mount -t tmpfs -o size=128k none full" 2>&1); then
	test_set_prereq FULL
else
	test_set_prereq FULL "no file system can be mounted: $(echo "$why" | head -n 1)"
fi
test_expect_success FULL 'a full disk: the same' '
	unshare -m sh -c "mount -t tmpfs -o size=128k none full && er_print -export tables full/x turns.er 2>err; echo \$? >status; ls full >left" &&
	echo 1 | test_cmp - status && test_grep "^er_print: error: full/x: No space left on device$" err && test_line_count 1 err &&
	test_line_count 0 left
'

set_nobody er_print
test_expect_success NOBODY 'a folder that may not be written' '
	mkdir closed && chmod 755 closed && test_expect_code 1 as_nobody ./er_print -export tables closed/x a.er 2>err &&
	test_grep "closed/x: Permission denied" err && nothing_left closed/x
'

test_done
