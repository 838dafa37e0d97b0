# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recording where somebody else owns the folder, and reading what somebody else made: no
# file of ours is overwritten, removed or believed.  Each check is an attempt.
. "$RP_SRC/t/lib.sh"
need_sampling
need setpriv stat

# Two users, and a folder that both can get to.
stranger
as_mallory() {
	$become "$@"
}
if [ "$(id -u)" -ne 0 ]; then
	test_set_prereq ROOT 'only root can become another user'
elif ! as_mallory test -x "$place/swap" || ! chown $MALLORY "$place" 2>/dev/null ||
	! chown 0 "$place"; then
	test_set_prereq ROOT 'there are no other users here'
else
	test_set_prereq ROOT
fi

# A folder of his, and one of ours that he cannot look into.
fresh() {
	rm -rf "$place/theirs" "$place/vault" &&
		mkdir -m 755 "$place/theirs" && mkdir -m 700 "$place/vault" &&
		chown $MALLORY "$place/theirs" && theirs=$place/theirs vault=$place/vault
}

# A program that ends when the file NAME is there, but at the latest after ten minutes.
cat >until <<'END'
#!/bin/sh
: >"$1.started"
n=0
while ! [ -e "$1" ] && [ $((n = n + 1)) -lt 12000 ]; do sleep 0.05; done
END
chmod 755 until
: >go # the first check, which root alone makes, takes it away for a while

# await FILE
await() {
	tries=0
	until [ -e "$1" ]; do
		[ $((tries = tries + 1)) -lt 12000 ] || return
		sleep 0.05
	done
}

test_expect_success ROOT 'a renamed recording continues in its directory; links in its place are not followed' '
	fresh && echo precious >"$vault/file" && rm -f go go.started &&
	{ collect -p on -o "$theirs/x.er" ./until go 2>err & } && pid=$! && await go.started &&
	as_mallory sh -c "cd \"$theirs\" && mv x.er gone && mkdir x.er &&
		for name in log.json log.json.new log.json.$pid data lines archive; do
			ln -s \"$vault/file\" x.er/\$name || exit
		done" &&
	: >go && wait $pid && echo precious >want && test_cmp want "$vault/file" &&
	grep -q "\"state\": \"complete\"" "$theirs/gone/log.json" &&
	er_print -header "$theirs/gone" >got
'

test_expect_success ROOT '-O does not empty the target of a link' '
	fresh && collect -A on -o "$vault/mine.er" ./until go 2>err && ls -R "$vault" >want &&
	as_mallory ln -s "$vault/mine.er" "$theirs/x.er" &&
	test_expect_code 1 collect -O "$theirs/x.er" ./until go 2>err &&
	test_grep "exists and is not an experiment" err &&
	ls -R "$vault" >got && test_cmp want got && test -L "$theirs/x.er"
'

test_expect_success ROOT '-O leaves the experiment of another user alone' '
	fresh && collect -o "$theirs/x.er" ./until go 2>err && chown -R $MALLORY "$theirs/x.er" &&
	ls -R "$theirs" >want && test_expect_code 1 collect -O "$theirs/x.er" ./until go 2>err &&
	test_grep "another user" err && ls -R "$theirs" >got && test_cmp want got
'

# The first half is what he wants emptied: it looks like an experiment, with an archive.
# t/unit/u-exp-race does this in one process, 1,000 times.
test_expect_success ROOT "-O, ${RP_RACES:-10} times, of a directory that is swapped with a link" '
	fresh && collect -A on -o "$vault/mine.er" ./until go 2>err && ls -R "$vault" >want &&
	for i in $(seq ${RP_RACES:-10}); do
		rm -rf "$theirs"/* && cp -r "$vault/mine.er" "$theirs/x.er" &&
			as_mallory ln -s "$vault/mine.er" "$theirs/link" || return 1
		$become "$place/swap" "$theirs" "x.er*" link &
		swapper=$!
		collect -O "$theirs/x.er" true 2>err
		kill $swapper && wait $swapper 2>/dev/null
	done
	ls -R "$vault" >got && test_cmp want got
'

test_expect_success 'names taken by links: numbering continues, -o refuses' '
	rm -rf numbered && mkdir numbered && ln -s nowhere numbered/test.7.er &&
	collect -d numbered ./until go 2>err && test -f numbered/test.8.er/log.json &&
	ln -s elsewhere numbered/x.er &&
	test_expect_code 1 collect -o numbered/x.er ./until go 2>err &&
	test_grep "exists; overwrite it with -O" err && ! test -e numbered/elsewhere &&
	test_expect_code 1 collect -o numbered/none/x.er ./until go 2>err &&
	test_grep "error: cannot create the experiment numbered/none/x.er: the folder does not exist; make it first" err
'

# modes EXPERIMENT: of it, and of its files.
modes() { stat -c %a "$1" "$1/data" "$1/log.json" | tr "\n" " "; }

test_expect_success ROOT 'only root can read what root records' '
	rm -rf m.er && collect -o m.er ./until go 2>err && modes m.er >got &&
	test "$(cat got)" = "700 600 600 "
'

# collect where he can start it.
cp "$(command -v collect)" "$place/" && chmod 755 "$place/collect"

test_expect_success ROOT 'the owner of an experiment that -O may not enter' '
	fresh && mkdir -m 700 "$theirs/x.er" && : >"$theirs/x.er/log.json" &&
	test_expect_code 1 as_mallory "$place/collect" -O "$theirs/x.er" true 2>err &&
	test_grep "x.er belongs to another user; remove it" err && test -f "$theirs/x.er/log.json"
'

test_expect_success ROOT 'an import is no more readable than its file' '
	fresh && "$RP_SRC/t/mkperf" one.perf.data && cp one.perf.data "$theirs/" &&
	chown $MALLORY "$theirs/one.perf.data" &&
	for mode in 600:700 640:750 644:755; do
		chmod ${mode%:*} "$theirs/one.perf.data" && as_mallory "$place/collect" \
			--import "$theirs/one.perf.data" -O "$theirs/i.er" 2>err &&
		[ "$(stat -c %a "$theirs/i.er")" = ${mode#*:} ] || { cat err; return 1; }
	done
'

# ---- reading ----

test_expect_success 'no link in an experiment is followed' '
	rm -rf x.er secret && collect -o x.er ./until go 2>err &&
	for name in data log.json; do
		mv x.er/$name kept && ln -s "$PWD/kept" x.er/$name &&
		test_expect_code 1 er_print -functions x.er 2>err &&
		test_grep "x.er/$name: it is a symbolic link" err &&
		rm x.er/$name && mv kept x.er/$name || return 1
	done && er_print -header x.er >got
'

test_expect_success 'an archive that is a link is none' '
	rm -rf y.er kept && cp "$(command -v burn)" mine &&
	collect -A on -p hi -o y.er ./mine one=200 >out 2>err && rm mine &&
	er_print -disasm one y.er >got && test_grep "ret" got &&
	mv y.er/archive kept && ln -s ../kept y.er/archive &&
	test_expect_code 1 er_print -disasm one y.er >got 2>err && test_no_grep "ret" got &&
	rm y.er/archive && mv kept y.er/archive && er_print -disasm one y.er >got &&
	test_grep "ret" got
'

test_expect_success ROOT 'er_print as root leaves nothing in the experiment of another user' '
	rm -rf "$place/y.er" && collect -o "$place/y.er" -p hi burn one=200 >out 2>err &&
	chown -R $MALLORY "$place/y.er" && ls -R "$place/y.er" >want &&
	er_print -lines "$place/y.er" >lines && ls -R "$place/y.er" >got && test_cmp want got &&
	chown -R 0 "$place/y.er" && er_print -lines "$place/y.er" >got &&
	test -f "$place/y.er/lines" && test_cmp lines got
'

# ---- caches ----

test_expect_success ROOT 'root leaves no cache in the home of another user' '
	rm -rf "$place/home" && mkdir "$place/home" && chown $MALLORY "$place/home" &&
	"$RP_SRC/t/mkperf" one.perf.data &&
	test_expect_code 1 env -u XDG_CACHE_HOME HOME="$place/home" er_print -functions one.perf.data 2>err &&
	test_grep "the cache is another user.s" err &&
	env -u XDG_CACHE_HOME HOME="$place/home" collect -o home.er ./until go 2>err &&
	test -z "$(find "$place/home" -mindepth 1)" &&
	test_expect_code 1 env XDG_CACHE_HOME="$place/home" er_print -functions \
		one.perf.data 2>err && test -z "$(find "$place/home" -mindepth 1)" &&
	XDG_CACHE_HOME=$PWD/ours er_print -functions one.perf.data >got && test -d ours/ringprof
'

test_expect_success ROOT 'nor uses files that the user put there' '
	rm -rf "$place/tmp" && mkdir -m 1777 "$place/tmp" &&
	as_mallory mkdir "$place/tmp/ringprof" && "$RP_SRC/t/mkperf" one.perf.data &&
	test_expect_code 1 env XDG_CACHE_HOME="$place/tmp" er_print -functions \
		one.perf.data 2>err && test_grep "the cache is another user.s" err &&
	test -z "$(find "$place/tmp/ringprof" -mindepth 1)"
'

test_done
