# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect --import: shared recordings of other machines agree with what perf and a byte
# walker count in them; damaged ones end in a sentence.  RP_CUTS and RP_CHANGES say at how
# many places each is damaged; 200 and 2000 take minutes, with sanitizers.  RP_FORMS is how
# many forms of a file are drawn.
. "$RP_SRC/t/lib.sh"
need python3

recordings=$RP_SRC/../shared/fixtures/perf.data
cuts=${RP_CUTS:-10} changes=${RP_CHANGES:-40}

# refused WORDS FILE: one sentence, status 1, and nothing left behind.
refused() {
	rm -rf empty && mkdir empty && cd empty || return
	test_expect_code 1 timeout 600 collect --import "$2" >../out 2>../err || {
		cat ../err
		return 1
	}
	cd .. &&
	test_grep "^collect: error: .*$1" err &&
	test ! -s out && test 1 = "$(grep -c . err)" && test -z "$(ls -A empty)"
}

agrees() {
	rm -rf it.er &&
	collect --import "$recordings/$1.data" -o it.er &&
	samples it.er >samples.txt &&
	perfdump "$recordings/$1.data" >dump.txt &&
	"$RP_SRC/t/perf-agrees" "$recordings/expected/$1.json" it.er samples.txt dump.txt
}

# Whether the build has sanitizers, which take terabytes of addresses.
sanitized() { [ -n "${RP_SANITIZE:-}" ]; }

# word SIZE NUMBER: little-endian.
word() {
	python3 -c 'import sys
sys.stdout.buffer.write(int(sys.argv[2], 0).to_bytes(int(sys.argv[1]), "little"))' "$@"
}

test_expect_success 'a missing file' '
	refused "cannot be read: No such file" "$test_dir/none"
'

test_expect_success 'a file that is not a recording' '
	echo "PERFILE3 and more than sixteen bytes" >text &&
	refused "not a perf.data file" "$test_dir/text"
'

for how in 'gzip gunzip' 'xz unxz' 'bzip2 bunzip2' 'zstd zstd'; do
	if command -v "${how% *}" >/dev/null; then
		test_expect_success "a recording that ${how% *} compressed" '
			"$RP_SRC/t/mkperf" packed.data && ${how% *} -c packed.data >packed &&
			refused "compressed: decompress it first (${how#* }" "$test_dir/packed"
		'
	fi
done

test_expect_success 'an empty file' '
	: >nothing && refused "it is empty" "$test_dir/nothing"
'

test_expect_success 'a folder of perf record --kcore' '
	mkdir -p kcore.data && "$RP_SRC/t/mkperf" kcore.data/data &&
	collect --import kcore.data -o kcore.er && samples kcore.er | grep -q . &&
	XDG_CACHE_HOME=$PWD/kcache er_print -functions kcore.data >told 2>err &&
	test_grep "<Total>" told
'

test_expect_success 'a header of an unknown version' '
	{ printf PERFILE2 && word 8 17; } >odd &&
	refused "header has 17 bytes" "$test_dir/odd"
'

test_expect_success 'a pipe without an event' '
	{ printf PERFILE2 && word 8 16; } >pipe &&
	refused "ends before its first event" "$test_dir/pipe"
'

test_expect_success 'a record of no bytes' '
	{ printf PERFILE2 && word 8 16 && word 8 1; } >zero &&
	refused "record of 0 bytes at byte 16" "$test_dir/zero"
'

test_expect_success 'a directory and a device are refused' '
	refused "cannot be read: Is a directory" "$test_dir" && refused "cannot be read" /dev/zero
'

test_expect_success 'with a program there is nothing to import' '
	test_expect_code 2 collect --import text true 2>err &&
	test_grep "records nothing" err
'

# written WORDS: what samples prints of a file that t/mkperf writes so.
written() {
	# shellcheck disable=SC2086
	rm -rf it.data it.er && "$RP_SRC/t/mkperf" it.data $1 &&
	collect --import it.data -o it.er 2>err &&
	samples it.er >got || { cat err; return 1; }
}

cat >plain <<'END'
0	1100	first	/bin/first	1	10/10	0	2
0	1200	first	/bin/first	1	20/20	0	1
1	2000	first	/bin/first	1	10/10	0	1
0	1300	second	/bin/second	1	20/21	1	2
1	2100	first	[kernel]	2	10/10	1	1
END

for words in '' pipe identifier aux 'aux pipe' zstd 'zstd split' 'zstd2 split' \
	'rich identifier' 'rich identifier pipe' 'rich identifier noregs' 'zstd2 pipe' \
	unfinished old odd \
	attr=96 attr=104 attr=112 attr=120 attr=128 attr=144 attr=4000; do
	for order in '' big; do
		test_expect_success "a file that is ${words:-plain} $order" '
			written "$words $order" && test_cmp plain got
		'
	done
done

# The kernel leaves a flag in records of an event that asked for no build-ids, if another's did.
test_expect_success 'device and inode are not taken for the build-id of a file' '
	written misled && test_cmp plain got && er_print -json -symbols it.er >got.json &&
	holds got.json "{r[\"object\"]: r[\"build_id\"] for r in d[\"symbols\"] if r[\"object\"].startswith(\"/bin\")} ==
		{\"/bin/first\": bytes(range(20)).hex(), \"/bin/second\": \"\"}" &&
	written "misled asked" && test_cmp plain got && er_print -json -symbols it.er >got.json &&
	holds got.json "{r[\"build_id\"] for r in d[\"symbols\"] if r[\"object\"].startswith(\"/bin\")} == {\"010000004d000000\"}"
'

# ringed WORDS: the same of a folder with a file for each ring.
ringed() { written "folder $1"; }

for words in '' big rounds zstd 'zstd2 split big' 'rounds zstd' identifier unfinished; do
	test_expect_success "a folder of perf record --threads: $words" '
		ringed "$words" && test_cmp plain got
	'
done

test_expect_success 'a directory with the layout of a single file; with an unknown layout' '
	ringed layout=0 && test ! -s got &&
	"$RP_SRC/t/mkperf" new.data folder layout=2 &&
	refused "folder of layout 2, which is unknown" "$test_dir/new.data"
'

test_expect_success 'a directory with a file that is missing; truncated; empty; of a high number' '
	ringed "" && rm it.data/data.1 && collect --import it.data -O it.er 2>err &&
	test_grep "warning: 1 files of the folder are missing" err && samples it.er | grep -q . &&
	ringed "" && truncate -s -20 it.data/data.2 && collect --import it.data -O it.er 2>err &&
	test_grep "warning: data.2 ends within a record, at byte" err &&
	ringed "" && : >it.data/data.1 && collect --import it.data -O it.er &&
	ringed "" && : >it.data/data.4294967295 && : >it.data/data.03 && : >it.data/data.x &&
	collect --import it.data -O it.er 2>err && ! grep missing err &&
	samples it.er >got && test_cmp plain got
'

test_expect_success 'a directory with a file that is damaged; a FIFO; a dangling link; a directory' '
	ringed "" && { cat it.data/data.0 && word 8 9; } >damaged && mv damaged it.data/data.0 &&
	refused "a record of 0 bytes at byte .* of data.0 cannot be" "$test_dir/it.data" &&
	rm it.data/data.0 && mkfifo it.data/data.0 &&
	refused "data.0 in it is not a file" "$test_dir/it.data" &&
	rm it.data/data.0 && ln -s nowhere it.data/data.0 &&
	refused "data.0 in it cannot be read: No such file" "$test_dir/it.data" &&
	rm it.data/data.0 && mkdir it.data/data.0 &&
	refused "data.0 in it is not a file" "$test_dir/it.data" &&
	rm it.data/data && mkfifo it.data/data && refused "cannot be read" "$test_dir/it.data"
'

# private_part: data.1 of it.data is a link to what only its owner may read.
private_part() {
	ringed "" && mv it.data/data.1 own.data && chmod 600 own.data &&
	ln -s "$PWD/own.data" it.data/data.1
}

test_expect_success 'a part that only its owner may read, by a link: so is the experiment' '
	private_part && collect --import it.data -O it.er && samples it.er >got &&
	test_cmp plain got && [ "$(stat -c %a it.er)" = 700 ]
'

# Of root all are: this is for whoever is not.
set_nobody collect
test_expect_success NOBODY 'also of an ordinary user, whose others are not' '
	rm -rf open && mkdir -m 777 open && private_part && chown 65534 own.data && umask 022 &&
	as_nobody ./collect --import it.data -o open/private.er &&
	chmod 644 own.data && as_nobody ./collect --import it.data -o open/shared.er &&
	[ "$(stat -c %a open/private.er)-$(stat -c %a open/shared.er)" = 700-755 ]
'

# Of one ring more than waits at once, 72 MB; another's few samples are of between.
test_expect_success 'a folder of long rings is read in step' '
	rm -rf long.data && "$RP_SRC/t/mkperf" long.data folder identifier &&
	python3 - <<-\END &&
		import struct
		def sample(cpu, time):
		    body = struct.pack("<QQIIQII", 11 + cpu, 0x400020, 10, 10, time, cpu, 0)
		    body += struct.pack("<QQQQ", time, 2, 2**64 - 512, 0x400020) + bytes(60000)
		    return struct.pack("<IHH", 9, 2, 8 + len(body)) + body
		for cpu in 0, 1:
		    with open(f"long.data/data.{cpu}", "wb") as f:
		        f.writelines(sample(cpu, 10000 + 700000 * n + 350000 * cpu) for n in range(0, 1200, 1 + 11 * cpu))
		open("long.data/data.2", "w").close()
	END
	collect --import long.data -O long.er 2>err && rm -r long.data && ! grep warning err &&
	samples long.er | cut -f 2 >times && test 1300 = "$(wc -l <times)" && sort -nc times
'

# A form of each kind, drawn: what perf has not written yet, but might.
drawn() {
	python3 - "$1" <<-\END
		import random, sys
		r = random.Random(int(sys.argv[1]))
		words = r.choice(["", "identifier", "rich identifier"]).split()
		place = r.choice(["", "pipe", "gaps"])
		packed = r.choice(["", "", "zstd", "zstd2", "zstd split", "zstd2 split"])
		words += [place, r.choice(["", "rounds", "noround"]), r.choice(["", "big"]), packed]
		words += [w for w in ("odd", "old") if r.random() < 0.3]
		words += ["aux"] if not packed and r.random() < 0.5 else []
		words.append("attr=%d" % r.choice([104, 112, 120, 128, 136, 144, 200, 1000]))
		print(*(w for w in words if w))
	END
}

for seed in $(seq "${RP_FORMS:-12}"); do
	words=$(drawn "$seed")
	test_expect_success "form $seed: $words" '
		test -n "$words" && written "$words" && test_cmp plain got
	'
done

# piped WORDS: as written, through a pipe that is never full of whole records.
piped() {
	# shellcheck disable=SC2086
	rm -rf it.data it.er && "$RP_SRC/t/mkperf" it.data $1 &&
	python3 -c "
import sys, os
data = open(\"it.data\", \"rb\").read()
for at in range(0, len(data), 13):
    os.write(1, data[at:at + 13])
" | collect --import - -o it.er 2>err && samples it.er >got || { cat err; return 1; }
}

for words in pipe 'pipe big' 'zstd split pipe' 'aux pipe'; do
	test_expect_success "standard input: $words" '
		piped "$words" && test_cmp plain got && test_grep "from standard input" err
	'
done

test_expect_success 'standard input that is a file; a FIFO; a file through a pipe' '
	"$RP_SRC/t/mkperf" it.data && collect --import - -o in.er <it.data &&
	samples in.er >got && test_cmp plain got &&
	mkfifo fifo && { "$RP_SRC/t/mkperf" fifo pipe & } && collect --import fifo -o fifo.er &&
	samples fifo.er >got && test_cmp plain got &&
	cat it.data | test_expect_code 1 collect --import - -o no.er 2>err &&
	test_grep "has file format, which no pipe can carry" err
'

test_expect_success 'a pipe that ends too early: the data until then, and a warning' '
	"$RP_SRC/t/mkperf" it.data pipe && head -c -20 it.data | collect --import - -o cut.er 2>err &&
	test_grep "ends within a record" err && samples cut.er >got && test -s got
'

# chains FILE.data: what er_print shows of its import are the stacks recorded; 77: it has none.
chains() {
	rm -rf chains.er && collect --import "$1" -o chains.er 2>err &&
	er_print -json -limit 0 -functions chains.er >functions.json 2>err &&
	er_print -json -recursion full -calltree 0 chains.er >calltree.json 2>err &&
	"$RP_SRC/t/chains-agree" "$1" functions.json calltree.json
}

# The program is not here: its stack has to be followed by rbp, and ends behind one frame.
test_expect_success "registers that an NMI in the kernel lacks are unknown" '
	written nmi && samples --stacks it.er >got && cat >want <<-\END && test_cmp want got &&
		 10 ff
		 k 10 ff
		 k 10 ff
		 k 10
		 k
		 k k k
		 10
	END
	er_print -json -functions it.er >nmi.json &&
	holds nmi.json "e[\"stack_ends\"][\"no_register\"] == 3" &&
	holds nmi.json "e[\"stack_ends\"][\"root\"] == 1" &&
	holds nmi.json "e[\"stack_ends\"][\"truncated\"] == 0" &&
	er_print -functions it.er >out && test_grep "<Truncated> (register not saved)" out &&
	er_print -statistics it.er >out && test_grep "register not saved: *3 " out
'

# The file of the outermost frame is not there in the first, is there and no root in the second.
test_expect_success 'without the file of its last frame a chain may not be whole' '
	written "" && er_print -overview it.er >out && test_no_grep "do not reach their root" out &&
	test_grep "60.0 % of the stacks may not reach their root" out &&
	er_print -statistics it.er >out && test_grep "Stacks of unknown root: *3 " out &&
	er_print -calltree it.er >out && test_grep "<Root not known>" out && test_no_grep Truncated out &&
	written "modes" && er_print -json -functions it.er >json &&
	"$RP_SRC/t/validate" "$RP_SRC/share/ringprof-report-1.schema.json" json
'

# Half of the samples have their place in another function than that where the chain begins.
for seed in $(seq "${RP_FORMS:-12}"); do
	test_expect_success "places of precise events and their chains, drawn: $seed" '
		for words in "" simpleperf "simpleperf pipe" "simpleperf big identifier"; do
			"$RP_SRC/t/mkperf" chains.data drawn=$seed $words && chains chains.data &&
			er_print -functions chains.er >out && test_grep "<Skid>" out || return 1
		done
	'
done

for size in 64 72 80 88; do
	test_expect_success "attrs of $size bytes" '
		written "attr=$size" && test_cmp plain got
	'
done

# What perf mem records, and what else a sample can tell: of the first event only.
for order in '' big; do
	test_expect_success "data, latency and source are kept ${order:-little}" '
		rm -rf data.er && "$RP_SRC/t/mkperf" data.data rich identifier $order &&
		collect --import data.data -o data.er && er_print -export samples data.csv data.er &&
		python3 - <<-\END
			import csv
			rows = list(csv.DictReader(open("data.csv")))
			told = [r for r in rows if r["address"]]
			assert told and len(told) < len(rows), (len(told), len(rows))
			assert len({r["metric"] for r in told}) == 1
			for r in told:
			    assert r["address"] == "0xadd4" and r["latency"] == "321", r
			    assert r["data_source"] == "load L3 hit, snoop hitm, tlb L1 hit", r
			    assert r["physical_address"] == "0x7add4" and r["transaction"] == "0x12", r
			    assert (r["data_page_size"], r["code_page_size"]) == ("4096", "2097152"), r
			    assert r["cgroup"] == ("/a/group" if r["cpu"] == "0" else "cgroup:6"), r
			    assert (r["raw_bytes"], r["aux_bytes"]) == ("4", "8"), r
			    assert (r["branches"], r["mispredicted"]) == ("2", "1"), r
			assert all(not r["latency"] and not r["data_source"] for r in rows if not r["address"])
			assert all(r["cgroup"] in ("/a/group", "cgroup:6") for r in rows if r["address"])
		END
	'
done

# admitted FILTER WEIGHT: what a filter of data.er leaves of the first event.
admitted() {
	er_print -filters "$1" -export collapsed admitted.txt data.er 2>err || { cat err; return 1; }
	got=$(awk "{ sum += \$NF } END { print sum + 0 }" admitted.txt)
	test "$2" = "$got" || { echo "$1: $got, not $2"; return 1; }
}

test_expect_success 'a sample'"'"'s data can be filtered' '
	admitted "VADDR == 44500" 3600 && admitted "VADDR && VADDR != 44500" 0 &&
	admitted "PADDR == 503252" 3600 && admitted "LATENCY > 320" 3600 &&
	admitted "LATENCY > 321" 0 && admitted "TXN & 2" 3600 && admitted "TXN & 1" 0 &&
	admitted "DATAPAGE == 4096 && CODEPAGE == 2 << 20" 3600 &&
	admitted "MEMORY(\".* L3 hit.*\")" 3600 && admitted "MEMORY(\".*L2.*\")" 0 &&
	admitted "CGROUP(\"/a/.*\")" 2300 && admitted "CGROUP(\"cgroup:6\")" 1300 &&
	admitted "PADDR && CGROUP(\"cgroup:6\") && WEIGHT > 1000" 1300
'

test_expect_success 'the control groups of samples have a view' '
	er_print -json -cgroups data.er >groups.json &&
	holds groups.json "sorted((r[\"name\"], r[\"exclusive\"][\"cycles.P\"][\"value\"]) for r in d[\"cgroups\"]) ==
		[(\"/a/group\", 2300), (\"cgroup:6\", 1300)]"
'

# Without sample_id_all nothing but a sample has a time: the file is of one program.
test_expect_success 'code of a guest or a hypervisor is not of this machine' '
	written modes && tail -n +6 got >have && cat >want <<-\END && test_cmp want have
	0	10	first	[unknown]	6	10/10	0	2
	0	13	first	[unknown]	6	10/10	0	3
	0	14	first	[guest]	6	10/10	0	1
	0	15	first	[guest]	6	10/10	0	1
	END
'

# As perf has it: what has no time holds from where it stands in the file.
cat >instead <<'END'
0	1300		[unknown]	6	20/21	1	2
1	2100	first	[kernel]	2	10/10	1	1
0	1100	first	/bin/first	1	10/10	0	2
0	1200	first	/bin/first	1	20/20	0	1
1	2000	first	/bin/first	1	10/10	0	1
END

test_expect_success 'without sample_id_all a file keeps its order, a pipe is sorted by time' '
	for order in "" big; do
		written "noid $order" && test_cmp instead got &&
		written "noid pipe $order" && cut -f 1,2,6 <plain >want && cut -f 1,2,6 <got >have &&
		test_cmp want have || return 1
	done
'

test_expect_success 'header: the file'"'"'s description of the machine, its clock and the events' '
	for order in "" big pipe "pipe big zstd2"; do
		written "told $order" && test_cmp plain got && er_print -header it.er >out &&
		test_grep "Note: .*calls itself Maker-6-1; the machine has 3 cores in 2 packages" out &&
		test_grep "; CPUs 0-1 are of cpu_core; CPUs 2-3 are of cpu_atom$" out &&
		test_grep "times are of CLOCK_MONOTONIC_RAW, whose resolution is 4 ns; the samples" out &&
		test_grep "between 0.000001000 s and 0.000003500 s by the machine$" out &&
		test_grep "counted as a group: {cpu_core/cycles/P,cpu_atom/cycles/P}$" out &&
		test_grep "cpu_core/cycles/P counts Joules: 1 is 0.00025 of them$" out &&
		test_grep "^Started: *2023-11-14T22:13:20Z$" out &&
		test_no_grep "^Page size" out && test_no_grep "own cost" out || return 1
	done
'

test_expect_success 'invalid UTF-8 leaves the log valid JSON' '
	written bytes && test_cmp plain got && python3 - it.er/log.json <<-\END &&
		import json, sys
		log = json.load(open(sys.argv[1], encoding="utf-8"))
		assert log["machine"]["hostname"] == "h\ufffdst", log["machine"]
		assert log["target"]["command"] == ["perf", "r\ufffd\"\n"], log["target"]
	END
	er_print -header it.er >out && iconv -f UTF-8 -t UTF-8 out >again && test_cmp out again
'

test_expect_success 'kinds of core: an event that all of them name is one metric' '
	written told && er_print -functions it.er >out && test_grep "Excl. cycles:P" out &&
	er_print -json -functions it.er >out && test_grep "\"id\": \"cycles.P\"" out &&
	test 1 = "$(grep -c "\"total\": 7700" out)" && test_grep "cpu_atom/cycles/P" out
'

# A recording of the running kernel: samples in .init.text, which perf's mapping of the kernel
# lacks, and far behind.
python3 - >init.data 2>init.why <<'END'
import struct, sys
at, last = {}, 0
for line in open("/proc/kallsyms"):
    address, kind, name = line.split()[:3]
    if "[" not in line:
        at.setdefault(name, int(address, 16))
        last = max(last, int(address, 16)) if kind in "TtWw" else last
text, end, init = (at.get(name, 0) for name in ("_text", "_etext", "start_kernel"))
if not text < end <= init <= last:
    sys.exit("the kernel hides its addresses, or start_kernel is in its text")
notes = open("/sys/kernel/notes", "rb").read()
mark = struct.pack("<III4s", 4, 20, 3, b"GNU\0")
ident = notes[notes.index(mark) + len(mark):][:20]
def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body
def sample(ip, time):
    return record(9, 1, struct.pack("<QIIQQ", ip, 0, 0, time, 1))
attr = struct.pack("<IIQQQQQ", 0, 64, 0, 1000, 0x107, 0, 1 << 18 | 1 << 8 | 1 << 34)
mapping = struct.pack("<IIQQQBBH20sII", 0xFFFFFFFF, 0, text, end - text, text, 20, 0, 0, ident, 5, 0)
sys.stdout.buffer.write(
    b"PERFILE2" + struct.pack("<Q", 16) + record(64, 0, attr + bytes(16) + struct.pack("<Q", 1)) +
    record(10, 1 | 1 << 14, mapping + b"[kernel.kallsyms]_text\0\0" + struct.pack("<IIQ", 0, 0, 5)) +
    sample(init, 6) + sample(last + (1 << 20), 7))
END
test_set_prereq KALLSYMS "$(tail -n 1 init.why)"
test_expect_success KALLSYMS "code of the running kernel's start is the kernel's" '
	collect --import init.data -O init.er 2>err && er_print --no-rc -export samples - init.er >got &&
	cat err got && test_grep "^1,0,.*,start_kernel,\[kernel\],start_kernel," got &&
	test_grep "^1,1,.*,\[unknown kernel\]," got
'

# renamed MARK: the processes of a file with two samples of one that is renamed between them,
# by a kernel that can MARK names of executed programs (the attr's bit 24).
renamed() {
	python3 - "$1" <<-\END >renamed.data || return
	import struct, sys
	def record(kind, body):
	    return struct.pack("<IHH", kind, 2, 8 + len(body)) + body
	def comm(name, time):
	    return record(3, struct.pack("<II8sIIQ", 1, 1, name, 1, 1, time))
	def sample(time):
	    return record(9, struct.pack("<QIIQQ", 0x400000, 1, 1, time, 1))
	flags = 1 << 18 | 1 << 9 | int(sys.argv[1]) << 24
	attr = struct.pack("<IIQQQQQ", 0, 64, 0, 1000, 0x107, 0, flags)
	sys.stdout.buffer.write(b"PERFILE2" + struct.pack("<Q", 16) +
	    record(64, attr + bytes(16) + struct.pack("<Q", 1)) + comm(b"sh", 5) + sample(6) +
	    comm(b"cc", 7) + sample(8))
	END
	collect --import renamed.data -O renamed.er 2>err || { cat err; return 1; }
	er_print --no-rc -export samples - renamed.er |
		python3 -c "import csv, sys; print(*(r[\"process\"] for r in csv.DictReader(sys.stdin)))"
}

test_expect_success 'a file of Linux before 3.16: a new name may be that of a program' '
	test "$(renamed 0)" = "sh cc" && test "$(renamed 1)" = "cc cc"
'

# The events are cycles, instructions, cycles; 2, 1 and 3 samples weigh 100 of the first, 10,
# and 7.
test_expect_success 'an event that was recorded twice is two metrics' '
	python3 - <<-\END >twice.data &&
	import struct, sys
	def record(kind, body):
	    return struct.pack("<IHH", kind, 2, 8 + len(body)) + body
	out = [b"PERFILE2", struct.pack("<Q", 16)]
	for ident, config in (1, 0), (2, 1), (3, 0):
	    attr = struct.pack("<IIQQQQQ", 0, 64, config, 1000, 0x147, 4, 1 << 18)
	    out.append(record(64, attr + bytes(16) + struct.pack("<Q", ident)))
	for ident, weight, count in (1, 100, 2), (2, 10, 1), (3, 7, 3):
	    for n in range(count):
	        out.append(record(9, struct.pack("<QIIQQQ", 0x400000, 1, 1, 5000 + n, ident, weight)))
	sys.stdout.buffer.write(b"".join(out))
	END
	collect --import twice.data -o twice.er 2>err && cat err &&
	er_print --no-rc -json -functions twice.er >twice.json && cat twice.json &&
	holds twice.json "[(m[\"id\"], m[\"label\"], m[\"total\"]) for m in d[\"metrics\"][:3]] == [
		(\"cycles.HG\", \"cycles:HG\", 200), (\"instructions.HG\", \"instructions:HG\", 10),
		(\"cycles.HG.2\", \"cycles:HG (2)\", 21)]" &&
	holds twice.json "(d[\"ratios\"][0][\"id\"], d[\"ratios\"][0][\"value\"]) == (\"IPC\", 0.05)" &&
	er_print --no-rc -metrics e.cycles.HG.2:name -functions twice.er >got && cat got &&
	test_grep "^ *21 *<Total>" got
'

test_expect_success 'a file without samples: the reason and the remedy' '
	written counts && test_grep "perf stat report shows" err && test ! -s got &&
	written silent && test_grep "it has no samples" err &&
	written aux && test_grep "24 bytes of a hardware trace.*perf inject" err
'

# first KEY: what log.json has of the first event.
first() { python3 -c "import json; print(json.load(open('it.er/log.json'))['events'][0]['$1'])"; }

for config in 0x10000/L1-dcache-load-misses 0x2/LLC-loads 0x10103/dTLB-store-misses; do
	test_expect_success "an event without a name gets perf's name: ${config#*/}" '
		written "cache=${config%/*}" && test "$(first got)" = "${config#*/}:HG"
	'
done

test_expect_success 'waiting time of threads is time' '
	written offcpu && test "$(first unit)" = ns
'

# Before it is there nothing is known of where it will be.
test_expect_success 'a BPF program' '
	written bpf && {
		cat plain &&
		printf "1\t2150\tfirst\t[unknown kernel]\t3\t10/10\t0\t1\n" &&
		printf "1\t2200\tfirst\t[bpf_prog_x]\t3\t10/10\t0\t1\n" &&
		printf "1\t2300\tfirst\t[unknown kernel]\t3\t10/10\t0\t1\n"
	} >want && test_cmp want got
'

for words in simpleperf 'simpleperf big' 'simpleperf pipe'; do
	test_expect_success "what only simpleperf writes: $words" '
		written "$words" && {
			cat plain &&
			printf "1\t2400\tsecond\tperf.data_jit:64-320\t1\t20/20\t0\t1\n"
		} >want && test_cmp want got
	'
done

# names: the functions that er_print has of it.er, in order.
names() { er_print -limit 30 -functions it.er | sed "s/.* //"; }

for words in simpleperf 'simpleperf big' 'simpleperf gaps'; do
	test_expect_success "names in the recording: $words" '
		written "$words" && names >functions && cat functions &&
		test_grep "^alpha$" functions && test_grep "^do_beta$" functions &&
		test_grep "^gamma$" functions && test_grep "^jitted$" functions &&
		test_grep "^delta$" functions && test_grep "^caller()$" functions &&
		er_print -symbols it.er >symbols && test_grep " recording .* /bin/second" symbols &&
		! grep "<second>" functions
	'
done

test_expect_success 'a runtime'"'"'s code in a file that is not mapped executable; other data is not code' '
	for order in "" big; do
		written "simpleperf dex $order" && names >functions && test_grep "^dexed$" functions &&
		grep "2460.*\[unknown\]" got && grep "2450.*/system/framework/some.jar" got || return 1
	done
'

# events: what log.json calls them.
events() { python3 -c "import json; print(*(e['got'] for e in json.load(open('it.er/log.json'))['events']))"; }

test_expect_success 'names of events: of simpleperf, of tracing data' '
	for order in "" big; do
		written "meta $order" && test "$(events)" = "cpu-cycles instruction-count" &&
		written "tracing $order" && test "$(events)" = "cycles:HG sched:sched_switch" &&
		written "tracing pipe $order" && test "$(events)" = "cycles:HG sched:sched_switch" ||
		{ events; return 1; }
	done
'

test_expect_success 'truncated tracing data, and other data: only a missing name' '
	for at in 9 30 60 150 250 290; do
		written "tracing pipe" && python3 - $at <<-\END && collect --import cut.data -O it.er || return 1
			import struct, sys
			data = open("it.data", "rb").read()
			at = data.index(b"\x17\x08Dtracing")
			size = struct.unpack_from("<I", data, at - 4)[0]
			keep = int(sys.argv[1])
			new = data[:at - 4] + struct.pack("<I", keep) + data[at:at + keep] + bytes(-keep % 8)
			open("cut.data", "wb").write(new + data[at + size + -size % 8:])
		END
		test "$(events)" = "cycles:HG 2:0x13a" || test $at = 290 || { events; return 1; }
	done
'

test_expect_success 'time begins with the first sample' '
	written early && test_cmp plain got && python3 -c "
import json
d = json.load(open(\"it.er/log.json\"))
assert (d[\"started_ns\"], d[\"duration_ns\"]) == (1000, 2500), d
" && written "early silent" && python3 -c "
import json
d = json.load(open(\"it.er/log.json\"))
assert d[\"duration_ns\"] == 0, d
"
'

test_expect_success 'names that end too early: those before, and a warning' '
	written simpleperf && python3 - <<-\END &&
		data = open("it.data", "rb").read()
		at = data.index(b"gamma")
		open("it.data", "wb").write(data[:at - 9] + bytes([0xff] * 12) + data[at + 3:])
	END
	collect --import it.data -O it.er 2>err && test_grep "parts of the file.s description" err &&
	names >functions && test_grep "^alpha$" functions && ! grep gamma functions
'

cat >group <<'END'
0	500	first	/bin/first	1	10/10	0	2
1	3000	first	/bin/first	1	10/10	0	2
0	400	first	/bin/first	1	20/20	0	1
1	2000	first	/bin/first	1	10/10	0	1
0	700	second	/bin/second	1	20/21	1	2
1	5000	second	/bin/second	1	20/21	1	2
1	2100	first	[kernel]	2	10/10	1	1
END

test_expect_success 'counters of a group are samples of its members' '
	written group && test_cmp group got && written "group big" && test_cmp group got
'

test_expect_success 'the file'"'"'s description of machine, command and events' '
	written "" && python3 -c "
import json
d = json.load(open(\"it.er/log.json\"))
m = d[\"machine\"]
assert (m[\"hostname\"], m[\"kernel\"], m[\"arch\"]) == (\"host\", \"Linux 6.1.0\", \"mips\")
assert (m[\"cpu\"], m[\"cpus\"]) == (\"a CPU\", 2)
assert d[\"target\"][\"command\"] == [\"perf\", \"record\"]
assert [e[\"got\"] for e in d[\"events\"]] == [\"cycles:P\", \"instructions\"]
assert [e[\"metric\"] for e in d[\"events\"]] == [\"cycles.P\", \"instructions\"]
assert [e[\"unit\"] for e in d[\"events\"]] == [\"cycles\", \"events\"]
assert (d[\"totals\"][\"lost\"], d[\"totals\"][\"lost_records\"]) == (0, 5)
"
'

# One of three events also reports tasks, and one nothing else; the rings reported 57 lost
# records, the events 10, 20 and 25.  The hardware dropped 3 samples before.
test_expect_success 'losses are shown by kind, if the file knows it' '
	python3 - <<-\END >lost.data &&
	import struct, sys
	def record(kind, misc, body):
	    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body
	def event(kind, config, flags, ident):
	    attr = struct.pack("<IIQQQQQ", kind, 64, config, 1000, 0x10004 | 0x2, 0x14, flags) + bytes(16)
	    return record(64, 0, attr + struct.pack("<Q", ident))
	def tail(t, ident):
	    return struct.pack("<IIQQ", 1, 1, t, ident)
	out = [b"PERFILE2", struct.pack("<Q", 16), event(1, 0, 1 << 18, 1),
	       event(1, 1, 1 << 18 | 1 << 8, 2), event(1, 9, 1 << 18 | 1 << 13, 3)]
	out.append(record(2, 0, struct.pack("<QQ", 1, 57) + tail(5000, 1)))
	out.append(record(13, 1 << 15, struct.pack("<Q", 99) + tail(0, 1)))
	out.append(record(13, 0, struct.pack("<Q", 3) + tail(6000, 1)))
	for ident, lost in (1, 10), (2, 20), (3, 25):
	    out.append(record(13, 0, struct.pack("<Q", lost) + tail(0, ident)))
	sys.stdout.buffer.write(b"".join(out))
	END
	collect --import lost.data -o lost.er 2>err && cat err &&
	test_grep ": 0 samples, 13 lost, 22 records lost, 25 other records lost, 99 filtered out, " err &&
	test_grep "13 samples were lost during the recording" err &&
	er_print --no-rc -statistics lost.er >got && cat got &&
	test_grep "^Lost samples: *13 to 35$" got &&
	test_grep "^Lost records of tasks and mappings: *25$" got &&
	test_grep "^Samples filtered out: *99$" got &&
	er_print --no-rc -header lost.er >got && cat got &&
	test_grep "^Samples: *0, 13 lost, 22 records lost, 25 other records lost, 99 filtered out$" got &&
	er_print --no-rc -json -header lost.er >lost.json &&
	holds lost.json "(e[\"lost\"], e[\"lost_records\"], e[\"lost_other\"]) == (13, 22, 25) and e[\"filtered\"] == 99"
'

# A sample without a CPU is of no CPU; one without a stack has no root to reach.
set_jsonschema
test_expect_success 'facts that the file lacks are not invented' '
	written nocpu && er_print -json -cpus it.er >cpus.json &&
	holds cpus.json "[c[\"cpu\"] for c in d[\"cpus\"]] == [None]" &&
	er_print -printmode , -indxobj cpus it.er >cpus.csv && test_grep ",-1" cpus.csv
'

test_expect_success JSONSCHEMA '… and such a report fits the schema' '
	fits_schema cpus.json
'

# As many forks as fit into 6 MB, of a process with 2000 mappings, in 200 MB of addresses.
# Each maps something of its own, after which it no longer shares all of them.
test_expect_success 'a small file takes little memory: forks of large address spaces' '
	python3 - <<-\END >forks.data &&
	import struct, sys
	def record(kind, misc, body):
	    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body
	attr = struct.pack("<IIQQQQQ", 1, 64, 0, 1000, 0x4 | 0x2, 0, 1 << 18) + bytes(16)
	out = [b"PERFILE2", struct.pack("<Q", 16), record(64, 0, attr + struct.pack("<Q", 1))]
	ident = lambda t: struct.pack("<IIQ", 1, 1, t)
	for i in range(2000):
	    out.append(record(1, 2, struct.pack("<IIQQQ", 1, 1, 0x10000 * (i + 1), 0x1000, 0)
	                      + b"/bin/a\0\0" + ident(i + 1)))
	for pid in range(2, 42000):
	    out.append(record(7, 0, struct.pack("<IIIIQ", pid, 1, pid, 1, 5000 + pid) + ident(5000 + pid)))
	    out.append(record(1, 2, struct.pack("<IIQQQ", pid, pid, 0x900000, 0x1000, 0)
	                      + b"/bin/a\0\0" + ident(5000 + pid)))
	sys.stdout.buffer.write(b"".join(out))
	END
	(sanitized || ulimit -v 200000; collect --import forks.data -o forks.er 2>err) &&
	test_grep "processes lost the mappings of those that forked them" err &&
	er_print --no-rc -statistics forks.er >got &&
	test_grep "^Left out: mappings of whole processes" got
'

test_expect_success 'er_print imports by itself, once' '
	XDG_CACHE_HOME=$PWD/cache && export XDG_CACHE_HOME && mkdir -p cache &&
	"$RP_SRC/t/mkperf" own.data &&
	er_print -functions own.data >first 2>err && test_grep "imported from own.data" err &&
	er_print -functions own.data >second 2>err && test ! -s err &&
	test_grep "5000.*100.00.*<Total>\|3600.*100.00.*<Total>" first && test_cmp first second
'

# again WHAT: the same answer, after a message about the import or, with "quiet", without.
again() {
	er_print -functions own.data >second 2>err && test_cmp first second || return
	if [ "$1" = quiet ]; then test ! -s err; else test_grep "imported from own.data" err; fi &&
	set -- cache/ringprof/import-* && test $# -eq 1 || { echo "kept: $*"; return 1; }
}

test_expect_success 'a damaged cache entry is rebuilt' '
	XDG_CACHE_HOME=$PWD/cache && export XDG_CACHE_HOME && again quiet &&
	for entry in cache/ringprof/import-*.er; do :; done &&
	truncate -s 100 "$entry/data" && again told && again quiet &&
	rm "$entry/data" && again told && echo "{" >"$entry/log.json" && again told &&
	rm "$entry/log.json" && again told && : >"$entry/data" && again told && again quiet
'

test_expect_success 'of two simultaneous imports one is kept' '
	XDG_CACHE_HOME=$PWD/cache && export XDG_CACHE_HOME && rm -rf cache && mkdir cache &&
	for i in 1 2 3 4; do er_print -functions own.data >own.$i 2>/dev/null & done; wait;
	cat first first first first >want && cat own.? >got && test_cmp want got && again quiet
'

test_expect_success 'new content is imported, even with the same size and time' '
	XDG_CACHE_HOME=$PWD/cache && export XDG_CACHE_HOME &&
	"$RP_SRC/t/mkperf" own.data && touch -d @1000000 own.data && er_print -threads own.data >/dev/null &&
	sed s/first/other/ own.data >changed && cat changed >own.data && touch -d @1000000 own.data &&
	er_print -threads own.data >out && test_grep other out && test_no_grep first out
'

test_expect_success 'a cache that cannot be written: the remedy' '
	XDG_CACHE_HOME=$PWD/own.data && export XDG_CACHE_HOME &&
	test_expect_code 1 er_print -functions own.data 2>err &&
	test_grep "no place to import own.data to, since the cache cannot be opened: .*: set XDG_CACHE_HOME" err
'

test_expect_success 'er_print of a damaged recording' '
	XDG_CACHE_HOME=$PWD/cache && export XDG_CACHE_HOME &&
	{ printf PERFILE2 && word 8 17; } >odd &&
	test_expect_code 1 er_print -functions odd 2>err &&
	test_grep "^er_print: error: odd was not imported" err
'

test_expect_success 'cut at every byte: an experiment or a sentence' '
	"$RP_SRC/t/mkperf" it.data rich identifier && mangle it.data "$(wc -c <it.data)" "$changes" &&
	"$RP_SRC/t/mkperf" it.data simpleperf && mangle it.data "$(wc -c <it.data)" "$changes" &&
	"$RP_SRC/t/mkperf" it.data tracing meta pipe && mangle it.data "$(wc -c <it.data)" "$changes" &&
	"$RP_SRC/t/mkperf" it.data zstd big && mangle it.data "$(wc -c <it.data)" "$changes"
'

if [ ! -d "$recordings" ]; then
	test_skip 'recordings of other machines' 'no ../shared/fixtures/perf.data'
	test_done
fi

for file in "$recordings"/*.data; do
	name=$(basename "$file" .data)
	test_expect_success "$name agrees with other programs' counts" '
		agrees "$name"
	'
	test_expect_success "$name: $cuts times cut, $changes times changed" '
		mangle "$file" "$cuts" "$changes" >out && cat out
	'
done

# As perf script counts them: a shell script starts programs, on Linux 3.13.
test_expect_success 'programs of a kernel that does not say what is executed' '
	collect --import "$recordings/gf-complete-l1cache-3.13.data" -O it.er &&
	er_print --no-rc -export samples - it.er >samples.csv && python3 - <<-\END
		import collections, csv
		names = collections.Counter(r["process"] for r in csv.DictReader(open("samples.csv")))
		want = {"": 10, "lt-test_thread": 129, "test_thread": 284, "ls": 33, "sed": 27}
		assert names == want, names
	END
'

for file in "$recordings"/*.data; do
	test_expect_success "$(basename "$file" .data): every edge, caller and place was recorded" '
		chains "$file" || test $? = 77
	'
done

# frames NAME: of all stacks of its import.
frames() {
	rm -rf it.er && collect --import "$recordings/$1.data" -o it.er 2>err &&
		samples it.er | awk -F "\t" "{ sum += \$NF } END { print sum }"
}

test_expect_success 'stacks of the LBR are the same as perf'"'"'s' '
	test "$(frames covlizer-readseq-lbr-6.12)" = 4900
'

# The program is not here: 33 frames of the kernel as perf has them, and where each of the 99
# samples was in the program, which perf then leaves out.
test_expect_success 'copies of stacks, without the program' '
	test "$(frames covlizer-readseq-dwarf-6.12)" = 132
'

for file in "$recordings"/bad/*[!v]; do
	test_expect_success "$(basename "$file") is refused" '
		refused "cannot be imported" "$file"
	'
done

test_done
