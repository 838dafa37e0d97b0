# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect --regions on: what programs say they work on, rightly and wrongly.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3

query() {
	python3 "$RP_SRC/t/query" "$@"
}

# recorded NAME COMMAND…: NAME.out, NAME.said, NAME.json
recorded() {
	name=$1
	shift
	collect --regions on -O "$name.er" "$@" >"$name.out" 2>"$name.said" &&
		er_print -json -regions "$name.er" >"$name.json" 2>/dev/null
}

test_set_prereq ROOT "$([ "$(id -u)" = 0 ] || echo 'only root can fill a file system')"

# The program measures inside its regions; ours contain that.
test_expect_success 'a program that measures itself: instances, durations, sums' '
	recorded worded worded 10 10 &&
	python3 - <<-END
	import json
	rows = {r["branch"]: r for r in json.load(open("worded.json"))["regions"]}
	own = [line.rstrip("\n").split("\t") for line in open("worded.out")]
	assert len(own) == 5 and set(rows) == {f[0] for f in own} | {"<Total>", "<Outside>"}, rows.keys()
	for branch, instances, wall, cpu in own:
	    row = rows[branch]
	    assert row["count"] == int(instances) and row["unended"] == 0, row
	    assert row["total_ns"] >= int(wall), (row, wall)
	    assert row["shortest_ns"] <= row["p50_ns"] * 1.01 and row["p95_ns"] <= row["longest_ns"] * 1.01, row
	assert rows["event"]["total_ns"] >= rows["event sort"]["total_ns"] + rows["event query"]["total_ns"]
	assert rows["event query"]["total_ns"] >= rows["event query sort"]["total_ns"]
	def samples(name, kind="exclusive"):
	    return sum(m["samples"] for m in rows[name][kind].values())
	assert sum(samples(n) for n in rows if n != "<Total>") == samples("<Total>"), rows
	inside = ["event", "event sort", "event query", "event query sort"]
	assert sum(samples(n) for n in inside) == samples("event", "inclusive")
	END
'

# 200, 100 and 200 ms of CPU time a branch; half of it, and not twice, is in its row: the rest
# is for interrupts and a hypervisor.
test_expect_success 'samples are in the regions that spent the time' '
	recorded spent worded 10 20 &&
	python3 - <<-END
	import json
	d = json.load(open("spent.json"))
	metric = d["metrics"][0]["id"]
	hz = d["metrics"][0]["seconds_per_unit"] or 0
	rows = {r["branch"]: r["exclusive"].get(metric, {"percent": 0})["percent"] for r in d["regions"]}
	own = {f[0]: int(f[3]) for f in (line.rstrip("\n").split("\t") for line in open("spent.out"))}
	leaves = ["event sort", "event query sort", "sort"]
	for leaf in leaves:
	    share = 100 * own[leaf] / sum(own[l] for l in leaves)
	    assert share / 2 < rows[leaf] < share * 2, (leaf, share, rows)
	END
'

test_expect_success 'without the option nothing is set, and the calls do nothing' '
	collect -O off.er sh -c "env; worded 2 1" >out 2>/dev/null && test_no_grep "RINGPROF\|ITTNOTIFY" out &&
	test_expect_code 1 er_print -regions off.er 2>err && test_grep "no regions" err &&
	worded 2 1 >out && test_grep "^event" out &&
	collect --regions on -O none.er true 2>err && test_grep "named no region" err
'

test_expect_success 'mistakes are counted, shown, and end nothing' '
	recorded mistakes misworded mistakes &&
	test_grep "2 ends without a begin, 1 region ended by one around it, 2 regions not ended" mistakes.said &&
	query mistakes.json "[(r[\"branch\"], r[\"count\"], r[\"unended\"]) for r in sorted(d[\"regions\"],
		key=lambda r: r[\"branch\"]) if r[\"name\"]] == [(\"a\", 1, 0), (\"a b\", 1, 0), (\"d\", 1, 1), (\"d e\", 1, 1)]" &&
	er_print -header mistakes.er >got && test_grep "2 ends without a begin" got
'

test_expect_success 'too deep ones and too many names are left out and counted' '
	recorded deep misworded deep && test_grep "regions: 44 regions left out" deep.said &&
	query deep.json "max(r[\"depth\"] or 0 for r in d[\"regions\"]) == 256" &&
	recorded names misworded names &&
	query names.json "sum(r[\"count\"] or 0 for r in d[\"regions\"]) == 20000" &&
	query names.json "[str(r[\"count\"]) + \" regions without their names\" in open(\"names.said\").read()
		for r in d[\"regions\"] if r[\"branch\"] == \"<Other names>\"] == [True]" &&
	recorded brim misworded brim && test_grep "regions: 1 region without its name" brim.said &&
	recorded long misworded long && query long.json "max(len(r[\"branch\"]) for r in d[\"regions\"]) == 1023"
'

# A million pairs, faster than they are read: each event is in an instance, or counted.
test_expect_success 'what is lost is counted, and whole regions are lost' '
	recorded flood misworded flood &&
	python3 - <<-END
	import json, re
	count = sum(r["count"] or 0 for r in json.load(open("flood.json"))["regions"])
	found = re.search(r"(\d+) begins and ends lost \(what was in these regions counts for those around them\)", open("flood.said").read())
	lost = int(found[1]) if found else 0
	assert 2 * count + lost == 2000000 and count > 10000, (count, lost)
	assert "without a begin" not in open("flood.said").read() and "not ended" not in open("flood.said").read()
	END
'

test_expect_success 'a forked child, an executed program and a killed one' '
	recorded child misworded child &&
	query child.json "sorted((r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"]) == [(\"child\", 1), (\"parent\", 1)]" &&
	recorded executed misworded executed &&
	query executed.json "sorted((r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"]) == [(\"after\", 1), (\"before\", 1)]" &&
	recorded killed misworded killed &&
	query killed.json "sorted((r[\"branch\"], r[\"count\"], r[\"unended\"]) for r in d[\"regions\"] if r[\"name\"]) ==
		[(\"kept\", 1, 0), (\"killed\", 1, 1)]"
'

# All but a sixtieth of the time is in the region; half of it is, where a hypervisor takes some.
test_expect_success 'samples of a program are in its regions that ended just before it executed another one' '
	recorded setup misworded setup && query setup.json "[(r[\"branch\"], r[\"count\"], r[\"unended\"]) for r in
		sorted(d[\"regions\"], key=lambda r: r[\"branch\"]) if r[\"name\"]] == [(\"after\", 1, 0), (\"all\", 1, 0), (\"all setup\", 1, 0)]" &&
	query setup.json "max(m[\"percent\"] for r in d[\"regions\"] if r[\"branch\"] == \"all setup\" for m in r[\"exclusive\"].values()) > 50"
'

# The files of processes that have ended go: the program waits for that.
cat >leftout.sh <<'END'
for i in 1 2 3 4 5 6 7 8 9 10; do
	misworded child
done
tries=3000
until [ "$(find "$RINGPROF_REGIONS" -name '[0-9]*' | wc -l)" -le 1 ]; do
	tries=$((tries - 1)) && [ $tries -gt 0 ] && sleep 0.02 || exit 1
done
END

test_expect_success 'with -F off what other processes name is neither kept nor counted' '
	collect -F off --regions on -O leftout.er sh leftout.sh >out 2>leftout.said && test_no_grep "begins and ends" leftout.said &&
	test_grep "named no region" leftout.said && recorded only -F off misworded child &&
	query only.json "[(r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"]] == [(\"parent\", 1)]" &&
	test_no_grep "warning" only.said
'

if unshare -pf true 2>/dev/null && collect -a -n >/dev/null 2>&1; then
	test_set_prereq NAMESPACE
else
	test_set_prereq NAMESPACE 'no PID namespace can be made here, or the machine not be recorded'
fi
# Its processes 2 and 3 are the kernel's outside; with -a these are known.
test_expect_success NAMESPACE 'ids of another PID namespace are nobody else'"'"'s' '
	recorded namespace -a unshare -pf sh -c "misworded after && misworded after" &&
	test_grep "2 begins and ends of unknown threads" namespace.said && query namespace.json "[r[\"count\"] for r in d[\"regions\"] if r[\"name\"]] == [0]" &&
	recorded here -a misworded after && query here.json "[r[\"count\"] for r in d[\"regions\"] if r[\"name\"]] == [1]"
'

# Wherever the handler interrupts it, the child returns there; its names are not its parent's, which
# have 2^18 - 8 bytes: 16 for "forking", 24 for each of a hundred others, 16 for as many of 16,384 as then
# fit.  What finds no room for its event keeps no name either.
test_expect_success 'a signal handler forks in the midst of calls' '
	recorded forking misworded forking settles brim && printf "%s\n" forking settles brim | test_cmp - forking.out &&
	test_grep "152 regions without their names" forking.said &&
	query forking.json "[r[\"count\"] for r in d[\"regions\"] if r[\"branch\"] == \"forked\"] == [300]"
'

test_expect_success 'requests that nobody had time to read are counted' '
	collect --regions on -O requests.er misworded requests >out 2>requests.said && er_print -json -samples requests.er >requests.json &&
	python3 - <<-END
	import json, re
	points = sum(r["until"] == "asked for" for r in json.load(open("requests.json"))["samples"])
	found = re.search(r"(\d+) requests? for", open("requests.said").read())
	assert points + (int(found[1]) if found else 0) == 3000 and points >= 64, (points, found)
	END
'

test_expect_success 'exec within a region, a leap out of one, a thread that ends in one, destructors' '
	recorded replaced misworded replaced &&
	query replaced.json "sorted((r[\"branch\"], r[\"count\"], r[\"unended\"]) for r in d[\"regions\"] if r[\"name\"]) ==
		[(\"after\", 1, 0), (\"replaced\", 1, 1)]" &&
	recorded leaps misworded leaps && test_grep "1 region ended by one around it" leaps.said &&
	query leaps.json "sorted((r[\"branch\"], r[\"count\"], r[\"unended\"]) for r in d[\"regions\"] if r[\"name\"]) ==
		[(\"around\", 1, 0), (\"around left by a leap\", 1, 0)]" &&
	recorded leaves misworded leaves && test_grep "1 region not ended" leaves.said &&
	query leaves.json "[(r[\"branch\"], r[\"unended\"]) for r in d[\"regions\"] if r[\"name\"]] == [(\"left by its thread\", 1)]" &&
	recorded destructors misworded destructors &&
	query destructors.json "sorted((r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"]) ==
		[(\"at exit\", 1), (\"destructor\", 1)]"
'

test_expect_success 'a program whose system calls are refused, from its first region on or later' '
	collect --regions on -O confined.er misworded confined >confined.out 2>confined.said && echo confined | test_cmp - confined.out &&
	test_grep "named no region" confined.said &&
	recorded later misworded confined_later && echo confined_later | test_cmp - later.out &&
	test_grep "regions: [0-9]* begins and ends lost" later.said && query later.json "[r[\"count\"] for r in d[\"regions\"] if r[\"name\"] == \"after\"] == [1]"
'

test_expect_success ROOT 'a program with rights of its own is not recorded, and runs' '
	cp "$(command -v worded)" own && chown 65534 own && chmod 4755 own &&
	collect --regions on -O own.er ./own 2 1 >out 2>err && test_grep "^event" out && test_grep "named no region" err
'

cat >part.c <<'END'
#include <ringprof/libcollector.h>

void work(void)
{
	collector_region_begin("of a library");
	collector_region_end("of a library");
}
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <ringprof/libcollector.h>

int main(void)
{
	for (int i = 0; i < 100; i++) {
		void *part = dlopen("./part.so", RTLD_NOW);
		void (*work)(void) = part ? (void (*)(void))dlsym(part, "work") : 0;

		if (!work)
			return 1;
		collector_region_begin("around");
		work();
		dlclose(part);
		collector_region_end("around");
	}
	return 0;
}
END

set_tools CC "${CC:-cc}"
test_expect_success CC 'a library that is unloaded, and loaded again' '
	${CC:-cc} -I"$RP_SRC/include" -shared -fPIC part.c -o part.so && ${CC:-cc} -I"$RP_SRC/include" loads.c -o loads -ldl &&
	recorded loads ./loads && query loads.json "sorted((r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"]) ==
		[(\"around\", 100), (\"around of a library\", 100)]"
'

test_expect_success 'a program that names another library of ITT for the programs that it starts' '
	recorded another env INTEL_LIBITTNOTIFY64=/nowhere/lib.so worded 2 1 && query another.json "any(r[\"name\"] for r in d[\"regions\"])" &&
	recorded ittless env INTEL_LIBITTNOTIFY64=/nowhere/lib.so ittmore domains; test_grep "named no region" ittless.said
'

test_expect_success 'the program keeps its addresses, and threads get theirs one by one' '
	misworded size >alone && recorded size misworded size &&
	awk "/VmSize/ { kb[FILENAME] = \$2 } END { exit !(kb[\"size.out\"] - kb[\"alone\"] < 4096) }" alone size.out &&
	recorded frugal sh -c "ulimit -v 100000 && exec misworded frugal" &&
	query frugal.json "[r[\"count\"] for r in d[\"regions\"] if r[\"name\"]] == [1]" &&
	recorded together misworded together && test_no_grep "begins and ends lost" together.said &&
	query together.json "[r[\"count\"] for r in d[\"regions\"] if r[\"name\"]] == [120000]"
'

# More threads than a process has room for at once, and one that is interrupted.
test_expect_success 'threads reuse room, and handlers nest' '
	recorded threads misworded threads &&
	query threads.json "[r[\"count\"] for r in d[\"regions\"] if r[\"name\"]] == [1500]" &&
	recorded handler misworded handler &&
	query handler.json "sorted((r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"]) ==
		[(\"outer\", 100), (\"outer handler\", 100)]"
'

test_expect_success 'no room: the program runs as before, and the loss is counted' '
	collect --regions on -O limit.er sh -c "ulimit -f 1; exec misworded handler" >limit.out 2>limit.said &&
	echo handler | test_cmp - limit.out
'

test_expect_success ROOT 'a full /dev/shm costs regions, not the program' '
	if unshare -m true 2>/dev/null; then
		unshare -m sh -c "mount -t tmpfs -o size=40k none /dev/shm &&
			collect --regions on -O full.er misworded handler" >full.out 2>full.said &&
		echo handler | test_cmp - full.out && test_grep "1 process that found no room" full.said
	fi
'

# Whatever is in the folder, under names that its files have.
cat >hostile.py <<'END'
import os, random, struct, sys
folder = os.environ["RINGPROF_REGIONS"]
rng = random.Random(int(sys.argv[1]))
MAGIC = struct.pack("<Q", int(sys.argv[2], 16))
def put(name, data):
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)
os.symlink("/etc/passwd", os.path.join(folder, "1-0"))
os.mkfifo(os.path.join(folder, "2-0"))
os.mkdir(os.path.join(folder, "3-0"))
put("4-0", b"")
put("5-0", b"x" * 100)
put("6-0", MAGIC)
for i in range(7, 30):
    slots = rng.choice([0, 1, 2, 1024, 1025, 2**32 - 1])
    head = MAGIC + struct.pack("<4I5Q", rng.choice([os.getpid(), 1, 2**32 - 1]), slots, rng.randrange(3), 0,
        *[rng.getrandbits(rng.choice([8, 64])) for _ in range(5)])
    body = head + rng.randbytes(4096 - len(head) + (256 << 10))
    for _ in range(1024):
        body += struct.pack("<3Q", rng.choice([0, 5, 300, 65536, 65537, 2**64 - 1]), rng.getrandbits(64), 0).ljust(64, b"\0")
    body += bytes(1024 * 8)
    for _ in range(min(slots, 2)):
        body += b"".join(struct.pack("<QII", rng.getrandbits(rng.choice([40, 64])), rng.randrange(1, 14 + (i % 2)),
            rng.choice([os.getpid(), rng.getrandbits(16), rng.getrandbits(32)])) for _ in range(300)).ljust(1 << 20, b"\0")
    put(f"{i}-0", body[: rng.choice([50, 5000, 10**7, 10**7])])
put("99-0-" + "9" * 200, b"x")
END

test_expect_success 'hostile files are counted as damaged, and harm nothing' '
	magic=$(sed -n "s/^#define CHANNEL_MAGIC UINT64_C(\(.*\))/\1/p" "$RP_SRC/include/channel/layout.h") && test -n "$magic" &&
	for seed in 1 2 3; do
		collect --regions on -O bad.er python3 hostile.py $seed "$magic" 2>bad.said && test_grep "damaged files" bad.said &&
		test_grep "unknown threads" bad.said && # some are read
		er_print -functions bad.er >functions && test_grep "<Total>" functions || return 1
	done
'

test_expect_success 'the folder is private, and does not stay behind' '
	collect --regions on -O gone.er sh -c "stat -c %a \$RINGPROF_REGIONS; echo \$RINGPROF_REGIONS; mkdir \$RINGPROF_REGIONS/x" >out 2>/dev/null &&
	sed -n 1p out >mode && echo 700 | test_cmp - mode && sed -n 2p out >folder && test -s folder && ! test -e "$(cat folder)"
'

test_expect_success 'the header serves C and C++, in several files of a program' '
	mkdir -p inc && cp "$RP_SRC/include/ringprof/libcollector.h" inc &&
	printf "%s\n" "#include <libcollector.h>" "void other(void);" "void other(void)" "{" "collector_region_begin(\"other\");" \
		"collector_region_end(\"other\");" "}" >other.c &&
	printf "%s\n" "#include <cstdlib>" "#include <dlfcn.h>" "#include <libcollector.h>" "extern \"C\" void other(void);" \
		"int main() { collector_region_begin(\"cxx\"); other(); collector_region_end(\"cxx\"); }" >main.cc &&
	for cc in gcc clang; do
		command -v $cc >/dev/null || continue
		$cc -std=c99 -pedantic -Wall -Wextra -Wmissing-prototypes -Werror -Iinc -c other.c -o other.o || return 1
		cxx=g++ && [ $cc = gcc ] || cxx=clang++
		command -v $cxx >/dev/null || continue
		$cxx -Wall -Wextra -Werror -Iinc main.cc other.o -o both && recorded both ./both &&
		query both.json "[r[\"branch\"] for r in d[\"regions\"] if r[\"name\"]] == [\"cxx\", \"cxx other\"]" || return 1
	done
'

# Its own static part of ITT, which says what is wrong.
test_expect_success 'tasks and events of ITT are regions' '
	recorded itt itt && : >want && test_cmp want itt.out &&
	query itt.json "sorted((r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"]) == [(\"event\", 1),
		(\"outer\", 1), (\"outer 0xabc\", 1), (\"outer inner\", 1), (\"outer inner (no name)\", 1)]" &&
	test_no_grep "without a begin" itt.said &&
	INTEL_LIBITTNOTIFY64=$RP_BUILD/libringprof.so itt >out && echo "not recorded" | test_cmp - out
'

# said HOW: what the program says by ITT, in HOW.json with its marks.
said() {
	collect --regions on -O "$1.er" ittmore "$1" >"$1.out" 2>"$1.said" && : >want && test_cmp want "$1.out" &&
		er_print -json -regions "$1.er" >"$1.json" 2>/dev/null
}

test_expect_success 'regions apart: other threads end them, by number and kind' '
	said apart && test_grep "1 end without a begin, 1 region not ended" apart.said &&
	query apart.json "sorted((r[\"domain\"], r[\"branch\"], r[\"count\"], r[\"unended\"], r[\"apart\"], r[\"exclusive\"])
		for r in d[\"regions\"] if r[\"name\"]) == [(\"domain\", \"request\", 11, 0, 1, {metric: None}), (\"domain\", \"stays\", 1, 1, 1, {metric: None})]"
'

test_expect_success 'frames have the times that they are given, but those of a clock of the program' '
	said frames &&
	query frames.json "sorted((r[\"branch\"], r[\"count\"], 0 < r[\"total_ns\"] < 10**9) for r in d[\"regions\"] if r[\"apart\"]) ==
		[(\"domain\", 4, True), (\"own\", 1, True)]"
'

# A library that has ITT built in: what its templates and its threads say.
cat >tbb.cpp <<'END'
#include <oneapi/tbb.h>
#include <oneapi/tbb/profiling.h>
#include <cstdio>

using namespace oneapi::tbb;

static volatile double sink;

static void work(int n)
{
	for (int i = 0; i < n; i++)
		sink = sink + i;
}

int main()
{
	global_control two(global_control::max_allowed_parallelism, 2);

	for (int i = 0; i < 10; i++)
		parallel_for(blocked_range<int>(0, 2000), [](const blocked_range<int> &r) {
			for (int j = r.begin(); j != r.end(); j++)
				work(1000);
		});
	profiling::event::emit("said once");
	flow::graph graph;
	flow::function_node<int, int> first(graph, 2, [](int v) { work(10000); return v; });
	flow::function_node<int, int> second(graph, 1, [](int v) { work(5000); return v; });
	flow::make_edge(first, second);
	for (int i = 0; i < 50; i++)
		first.try_put(i);
	graph.wait_for_all();
	std::puts("done");
}
END
if ! command -v g++ >/dev/null || ! echo 'int main() { }' | g++ -include oneapi/tbb.h -x c++ - -o probe -ltbb 2>/dev/null; then
	test_set_prereq TBB 'no C++ compiler with oneTBB: install libtbb-dev'
else
	test_set_prereq TBB
fi
test_expect_success TBB 'oneTBB: its algorithms and flow graphs are regions, its threads have names' '
	g++ -O1 -g -DTBB_USE_PROFILING_TOOLS=1 tbb.cpp -o tbb -ltbb && recorded tbb ./tbb && echo done | test_cmp - tbb.out &&
	test_no_grep "without a begin" tbb.said &&
	query tbb.json "any(r[\"domain\"] == \"tbb\" and r[\"name\"] == \"tbb_parallel_for\" and r[\"count\"] >= 10 for r in d[\"regions\"])" &&
	query tbb.json "sum(r[\"count\"] for r in d[\"regions\"] if r[\"domain\"] == \"tbb.flow\" and not r[\"apart\"]) == 100" &&
	er_print -json -marks tbb.er >marks.json && query marks.json "any(m[\"value\"] == \"FGA::DATAID::said once\" for m in d[\"marks\"])" &&
	er_print -threads tbb.er >got && test_grep "TBB Worker Thread" got
'

test_expect_success 'marks: markers, counters and notes of all types, in the order of time' '
	said marks && er_print -json -marks marks.er >marks.json && query marks.json "[(m[\"kind\"], m[\"domain\"], m[\"name\"], m[\"value\"], m[\"branch\"]) for m in d[\"marks\"]] == [
		(\"marker\", \"domain\", \"here\", None, \"around\"),
		*((\"note\", \"domain\", \"key\", v, \"around\") for v in (\"18446744073709551615\", \"-5\", \"0.25\", \"7\", \"text\")),
		(\"note\", \"domain\", \"%d of %s\", \"3 of four\", \"around\"),
		(\"marker\", \"\", \"old\", \"parameter\", \"\"), (\"counter\", \"tank\", \"level\", \"1.5\", \"\"),
		*((\"counter\", \"\", \"jobs\", v, \"\") for v in (\"1\", \"2\", \"-3\", \"40\", \"41\")),
		(\"counter\", \"domain\", \"items\", \"10\", \"\"), (\"counter\", \"domain\", \"items\", \"20\", \"\")]" &&
	er_print -limit 1 -marks marks.er >got && test_grep "marker .*here .*around" got && test_no_grep level got
'

test_expect_success 'locks that a program spins for, names of threads, and threads that say nothing' '
	said locks && query locks.json "sum(r[\"count\"] for r in d[\"regions\"] if r[\"name\"] == \"unused\") < 5000" &&
	query locks.json "sorted((r[\"domain\"], r[\"branch\"], r[\"count\"]) for r in d[\"regions\"] if r[\"name\"] not in (None, \"unused\")) == [
		(\"domain\", \"works\", 1), (\"domain\", \"works while it waits\", 1), (\"sync\", \"(no name)\", 1),
		(\"sync\", \"queue spin lock\", 1)]" &&
	said threads && query threads.json "sorted(r[\"branch\"] for r in d[\"regions\"] if r[\"name\"]) == [\"before\", \"work\"]"
'

test_expect_success 'one name in several domains, of which the user may want some' '
	said domains && query domains.json "sorted((r[\"domain\"], r[\"branch\"]) for r in d[\"regions\"] if r[\"name\"]) ==
		sorted((o, b) for o in (\"before\", \"domain\", \"other\", \"unwanted\") for b in (\"same\", \"same puts\"))" &&
	collect --regions on --domains before,other -O some.er ittmore domains 2>/dev/null && er_print -json -regions some.er >some.json &&
	query some.json "sorted({r[\"domain\"] for r in d[\"regions\"] if r[\"name\"]}) == [\"before\", \"other\"]" &&
	test_expect_code 2 collect --domains x true 2>err && test_grep "is for --regions on" err
'

test_expect_success 'texts of notes leave room for names' '
	said many && query many.json "[r[\"branch\"] for r in d[\"regions\"] if r[\"name\"]] == [\"still named\"]" &&
	er_print -json -marks many.er >many.json && query many.json "len(d[\"marks\"]) > 1000 and d[\"marks\"][0][\"value\"] == \"value 0 of something\"
		and d[\"marks\"][-1][\"value\"] == \"<Other names>\""
'

# Names have 2^18 bytes, of which a name takes 8, its text and a NUL, up to a multiple of 8.
test_expect_success 'names fill their room, and each region without one is counted' '
	said unnamed && python3 - <<-END
	import json, re
	rows = [r for r in json.load(open("unnamed.json"))["regions"] if r["name"]]
	free = 2 ** 18 - 8 - sum((8 + len(n) + 1 + 7) // 8 * 8 for n in ["domain"])
	named = 0
	while free >= (size := (8 + len("task %d" % named) + 1 + 7) // 8 * 8):
	    free, named = free - size, named + 1
	others = {r["apart"]: r["count"] for r in rows if r["branch"] == "<Other names>"}
	assert len(rows) == named + 2 and others == {0: 20000 - named, 1: 3}, (len(rows), named, others)
	assert re.search(r"(\d+) regions without", open("unnamed.said").read())[1] == str(20003 - named)
	END
'

test_expect_success 'running processes cannot be asked for regions' '
	test_expect_code 2 collect --regions on -P 1 2>err && test_grep "that collect starts" err &&
	test_expect_code 2 collect --regions perhaps true 2>err && test_grep "say on or off" err
'

# Its intervals are of 1.96 standard deviations, so three of them are left once in 10^8.
test_expect_success 'the example: samples agree with the clock, as far as their number allows' '
	collect -w on --regions on -O example.er "$RP_BUILD/examples/events" 50 >out 2>err && echo "50 events" | test_cmp - out &&
	er_print -json -accuracy event 2 -regions example.er >example.json &&
	query example.json "len(d[\"accuracy\"]) == 7 and all(3 * r[\"low\"] - 1 <= r[\"difference\"] <= 3 * r[\"high\"] + 1 for r in d[\"accuracy\"])" &&
	query example.json "{r[\"count\"] for r in d[\"regions\"] if r[\"name\"]} == {50}"
'

test_expect_success 'the example of owners: sums of regions by a list, as text and picture' '
	owners() { python3 "$RP_SRC/examples/owners.py" "$@"; } &&
	printf "# a list\\nd* Decoding group\\n* The others\\n" >owners.txt && owners example.json owners.txt >got &&
	python3 - <<-END &&
	import json
	want = {}
	for row in json.load(open("example.json"))["regions"]:
	    if row["branch"] != "<Total>":
	        owner = "<Outside>" if row["name"] is None else "Decoding group" if row["name"][0] == "d" else "The others"
	        want[owner] = want.get(owner, 0) + row["exclusive"].get("totalcpu", {"value": 0})["value"]
	got = {line.split("%  ")[-1].strip(): float(line.split()[0]) for line in open("got")}
	assert len(want) == 3 and got == {owner: round(value, 3) for owner, value in want.items()}, (got, want)
	END
	owners example.json >got && test_grep " %  .* to .* %  event$" got && owners example.json --svg pie.svg &&
	python3 -c "import xml.dom.minidom as m; assert m.parse(\"pie.svg\").getElementsByTagName(\"rect\")" &&
	echo event >wrong.txt && test_expect_code 1 owners example.json wrong.txt 2>err && test_grep "has no owner" err &&
	test_expect_code 1 owners example.json --metric none 2>err && test_grep "no samples of none" err &&
	test_expect_code 1 owners out 2>err && test_grep "no report of regions" err
'

test_expect_success 'the example of owners: no intervals of waits, whose sums are exact, and of counts without a sample' '
	owners() { python3 "$RP_SRC/examples/owners.py" "$@"; } &&
	printf "%s\n" "event totalcpu ns 1000000000" "step 0" "thread 5 5 x" "region /a 0 100" "region /b 100 200" "time 5" "main 1" \
		"event jumps events 1000" "<unsampled> 3" "state wait" "weight 3000000000" "main 1" "time 150" "weight 1000000000" "main 3" | mkexp exact.er &&
	er_print -json -metrics e.totalcpu:e.wait:e.jumps -regions exact.er >exact.json &&
	owners exact.json --metric wait >got && printf "3.000 50.00 %% a\n3.000 50.00 %% b\n0.000 0.00 %% <Outside>\n" >want &&
	sed "s/  */ /g; s/^ //" got | test_cmp want - &&
	owners exact.json --metric jumps | sed "s/  */ /g; s/^ //" >got &&
	printf "%s\n" "3000.000 100.00 % <Outside>" "0.000 0.00 % a" "0.000 0.00 % b" | test_cmp - got &&
	owners exact.json >got && test_grep " %  .* to .* %  a$" got
'

test_expect_success 'the example in Python' '
	recorded python python3 "$RP_SRC/examples/regions.py" && query python.json "{r[\"branch\"]: r[\"count\"] for r in d[\"regions\"] if r[\"name\"]} ==
		{\"event\": 20, \"event sort\": 20, \"event sum\": 20}"
'

set_tools FORTRAN gfortran
test_expect_success FORTRAN 'the example in Fortran, recorded and not' '
	gfortran -std=f2008 -Wall -Werror -O2 "$RP_SRC/include/ringprof/libcollector.f90" "$RP_SRC/examples/regions.f90" -o fortran &&
	./fortran && recorded fortran ./fortran && query fortran.json "{r[\"branch\"]: r[\"count\"] for r in d[\"regions\"] if r[\"name\"]} ==
		{\"event\": 20, \"event solve\": 20}"
'

# One that counts down and ends, from bytes: few machines can build it.
if python3 - <<-END
	import os, struct, subprocess
	code = bytes.fromhex("b9809698004975fdb80100000031dbcd80")
	at, begin = 0x8048000, 52 + 32
	head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, at + begin, 52, 0, 0, 52, 32, 1, 0, 0, 0)
	part = struct.pack("<8I", 1, 0, at, at, begin + len(code), begin + len(code), 5, 4096)
	with open("narrow", "wb") as file:
	    file.write(head + part + code)
	os.chmod("narrow", 0o755)
	subprocess.run(["./narrow"], check=True)
END
then
	test_set_prereq I386
else
	test_set_prereq I386 'the kernel runs no 32-bit program'
fi
test_expect_success I386 'a 32-bit program names no regions, and collect says so' '
	collect --regions on -O narrow.er ./narrow 2>err && test_grep "narrow is a 32-bit program, which names no regions" err &&
	er_print -header narrow.er >got && test_grep "32-bit program" got && collect -O wide.er ./narrow 2>err && test_no_grep 32-bit err
'

test_done
