# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings of other machines: an object's names, lines, inlined functions, instructions and sources
# come from one file or from none, as binutils read that file.
. "$RP_SRC/t/lib.sh"
need cc nm addr2line objdump readelf python3

mkdir -p here there/"$PWD"

# Two builds of one program: what lies at the path of the one that ran is another one.
program() {
	cat <<-END
		$1
		static inline __attribute__((always_inline)) int inner(int x) { return x * 3 + 1; }
		$2
		__attribute__((noinline)) int first(int x)
		{
			volatile int y = inner(x);

			return y;
		}
		__attribute__((noinline)) int second(int x)
		{
			volatile int y = x;

			return y + first(x);
		}
		int main(int c, char **v) { (void)v; return second(c); }
	END
}
program '' '' >ran.c
program '
int other(int x) { return x ^ 7; }' '
int another(int x) { return other(x) + 1; }

' >lies.c

# build SOURCE OUT OPTION…
build() {
	source=$1 out=$2
	shift 2
	cc -g -O1 -no-pie "$@" -o "$out" "$source"
}

build ran.c there/"$PWD"/prog -Wl,--build-id=none && build lies.c prog -Wl,--build-id=none ||
	test_bug 'the programs cannot be built'

# write.py FILE PATH BUILD-ID PROGRAM: a perf.data, written in pipe mode, of samples at every instruction
# of first and second in PROGRAM, which was at PATH.  The build-id is padded to 20 bytes.
cat >write.py <<'END'
import struct, subprocess, sys

def record(kind, misc, body):
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body

def text(s):
    b = s.encode() + b"\0"
    return b + bytes(-len(b) % 8)

def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout

out, path, ident, program = sys.argv[1:]
ips = []
for name in "first", "second":
    for line in run("objdump", "-d", "--disassemble=" + name, program).splitlines():
        place = line.split(":")[0].strip()
        if line.startswith("  ") and all(c in "0123456789abcdef" for c in place):
            ips.append(int(place, 16))
load = next(l.split() for l in run("readelf", "-lW", program).splitlines() if "R E 0x" in l)
data = b"PERFILE2" + struct.pack("<Q", 16)
attr = struct.pack("<IIQQQQQ", 1, 136, 0, 1000000, 1 | 2 | 4 | 256, 0, 0)
data += record(64, 0, attr.ljust(136, b"\0") + struct.pack("<Q", 7))
if ident:
    data += record(67, 2, struct.pack("<i", 42) + bytes.fromhex(ident).ljust(24, b"\0") + text(path))
data += record(3, 1 << 13, struct.pack("<II", 42, 42) + text("prog"))
data += record(10, 2, struct.pack("<IIQQQIIQQII", 42, 42, int(load[2], 16), 4096, int(load[1], 16),
                                  8, 1, 1234567, 1, 5, 2) + text(path))
for i, ip in enumerate(ips):
    data += record(9, 2, struct.pack("<QIIQQ", ip, 42, 42, 1000000 * (i + 1), 1000000))
with open(out, "wb") as f:
    f.write(data)
END

# agrees EXPERIMENT PROGRAM OPTION…: names, lines, inlined functions and instructions are those of
# PROGRAM: one sample at each instruction, so that each function's are as many as addr2line says.
cat >agrees <<'END'
import collections, json, subprocess, sys

def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout

experiment, program, *options = sys.argv[1:]
report = json.loads(run("er_print", *options, "-json", "-functions", "-lines", "-disasm", "first",
                        experiment))
text = run("objdump", "-d", "--disassemble=first", program)
first = [int(l.split(":")[0], 16) for l in text.splitlines() if l.startswith("  ") and ":\t" in l]
text += run("objdump", "-d", "--disassemble=second", program)
places = [l.split(":")[0].strip() for l in text.splitlines() if l.startswith("  ") and ":\t" in l]
functions, lines = collections.Counter(), collections.Counter()
for place in places:
    name, where = run("addr2line", "-i", "-f", "-e", program, place).splitlines()[:2]
    functions[name] += 1
    lines[name, int(where.split(":")[1].split()[0])] += 1
metric = report["metrics"][0]["id"]
samples = lambda row: row["exclusive"][metric]["samples"]
got = {r["name"]: samples(r) for r in report["functions"] if r["name"] != "<Total>" and samples(r)}
got_lines = {(r.get("function", r["name"]), r["line"]): samples(r) for r in report["lines"]
             if r.get("line") and samples(r)}
print(got, dict(functions), got_lines, dict(lines), sep="\n")
assert len(places) > 8 and got == functions and got_lines == lines
assert [r["address"] for r in report["disasm"]] == first
END

# refused EXPERIMENT WORD OPTION…: nothing comes from the file at its path, and why is said.
refused() {
	experiment=$1 word=$2
	shift 2
	er_print "$@" -functions -lines -symbols "$experiment" >got 2>err && cat got err &&
		test_grep "File by" got && test_grep "$word" got &&
		test_no_grep "first\|second\|inner\|other$" got &&
		label=$(grep -o "<[a-z]*>+0x1000" got | head -n 1) &&
		test_expect_code 1 er_print "$@" -disasm "$label" "$experiment" >out 2>err &&
		cat err
}

test_expect_success 'without a build-id: a file at that path here is not used' '
	python3 write.py there.data "$PWD/prog" "" "there/$PWD/prog" &&
	collect --import there.data -o there.er && refused there.er "no: no build-id" &&
	test_grep "nothing shows that the file here is the one that ran" err
'

test_expect_success '--symfs: everything comes from there' '
	python3 agrees there.er "there/$PWD/prog" --symfs "$PWD/there" &&
	er_print --symfs "$PWD/there" -symbols there.er >got && test_grep "symfs  *$PWD/prog" got &&
	er_print --symfs "$PWD/there" -json -symbols there.er >got.json &&
	holds got.json "d[\"symbols\"][0][\"file\"] == \"$PWD/there$PWD/prog\"" &&
	echo "symfs $PWD/there" >.er.rc && python3 agrees there.er "there/$PWD/prog" && rm .er.rc
'

test_expect_success 'results on the user'"'"'s word are not stored' '
	refused there.er "no: no build-id"
'

test_expect_success 'sources too: those below symfs come first' '
	mkdir -p "there/$PWD" && sed "s/second/THERE/" ran.c >"there/$PWD/ran.c" &&
	er_print --symfs "$PWD/there" -source first there.er >got && test_grep THERE got
'

test_expect_success '--trust-paths: everything comes from the files there' '
	python3 write.py lies.data "$PWD/prog" "" prog &&
	collect --import lies.data --trust-paths -o lies.er && python3 agrees lies.er prog &&
	er_print -symbols lies.er >got && test_grep "unchanged" got &&
	test_expect_code 2 collect --trust-paths true 2>err && test_grep "is for --import" err
'

# Its lines are kept in the experiment by now; a copy without them has to ask the file.
test_expect_success 'a changed file counts as another' '
	cp -r lies.er later.er && rm later.er/lines && touch prog && cat prog >copy &&
	er_print -symbols later.er >got 2>err && test_grep "no: another build" got &&
	test_grep "differs from the recorded file" err
'

# padded NAME BUILD-ID: the file has it, and the recording has it with zeros behind.
padded() {
	build ran.c "$1" -Wl,--build-id="$2" &&
		id=$(readelf -n "$1" | sed -n "s/.*Build ID: //p") && echo "$id" &&
		python3 write.py "$1.data" "$PWD/$1" "$id" "$1" && collect --import "$1.data" -o "$1.er" &&
		python3 agrees "$1.er" "$1" && er_print -symbols "$1.er" >got && test_grep "build-id  *$PWD/$1" got
}

test_expect_success 'a build-id of 16 bytes that was padded to 20' '
	padded md5 md5 && [ ${#id} -eq 32 ]
'

test_expect_success 'and of 8' '
	padded eight 0x0123456789abcdef && [ ${#id} -eq 16 ]
'

test_expect_success 'but not one that only has the same start' '
	python3 write.py not.data "$PWD/eight" "0123456789abcdef01" eight &&
	collect --import not.data -o not.er && er_print -symbols -lines not.er >got 2>err &&
	test_grep "no: another build" got && test_no_grep "first\|inner" got
'

# Of a file that lies elsewhere below symfs the build-id decides.
test_expect_success 'with a build-id: by name below symfs, but never another build' '
	mkdir flat && cp md5 flat/gone && build lies.c flat/eight -Wl,--build-id=md5 &&
	python3 write.py gone.data /none/gone "$(readelf -n md5 | sed -n "s/.*Build ID: //p")" md5 &&
	collect --import gone.data -o gone.er && refused gone.er "no: not there" &&
	python3 agrees gone.er md5 --symfs "$PWD/none:$PWD/flat" &&
	python3 write.py stale.data /none/eight 0123456789abcdef eight &&
	collect --import stale.data -o stale.er &&
	refused stale.er "no: another build" --symfs "$PWD/flat"
'

test_done
