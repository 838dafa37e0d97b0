# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# For test scripts: checks that print TAP.  A script sources it first and ends with
# test_done:
#
#	. "$RP_SRC/t/lib.sh"
#	test_expect_success 'sorts numbers' '
#		printf "2\n1\n" | sort >got &&
#		printf "1\n2\n" >want &&
#		test_cmp want got
#	'
#	test_done
#
# It runs in an empty directory of its own, which stays if a check failed. $RP_SRC and
# $RP_BUILD are the source tree (do not write there) and the build tree; the programs just
# built come first in PATH.  Bodies are chained with &&; their output is shown only if
# they fail.  A mistake in the test itself ends it with status 99.

test_bug() {
	echo "# bug in the test: $*"
	exit 99
}

[ -d "${RP_SRC:-}" ] && [ -d "${RP_BUILD:-}" ] || test_bug 'run it through t/run'
PATH=$RP_BUILD:$RP_BUILD/t/progs:$RP_BUILD/t/helper:$PATH
# The distribution's Python, for which bootstrap installs modules.  A python3 before it in
# PATH may be a script of the user's that chooses one, and takes ten times as long to start.
if [ -x /usr/bin/python3 ]; then
	test_bin=$RP_BUILD/t/tmp/bin
	[ -L "$test_bin/python3" ] || { mkdir -p "$test_bin" && ln -sf /usr/bin/python3 "$test_bin"; } ||
		test_bug 'no folder for the link to python3'
	PATH=$test_bin:$PATH
fi
LC_ALL=C TZ=UTC
# Ignore the user's own settings, and what other programs of other tests leave at home: fish's
# folder is one that nobody else may enter.
test_name=$(basename "$0" .sh)
HOME=$RP_BUILD/t/tmp/no-home-$test_name
# Of each script its own: from its second recording on, collect need not read the kernel's names.
test_cache=$RP_BUILD/t/tmp/cache-$test_name
unset DEBUGINFOD_URLS DEBUGINFOD_PROGRESS XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME \
	NO_COLOR PAGER RINGPROF_PAGER LANGUAGE CDPATH GOFLAGS GOPATH PYTHONPATH PYTHONHOME \
	http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
XDG_CACHE_HOME=$test_cache
export PATH LC_ALL TZ HOME XDG_CACHE_HOME
umask 022
# shellcheck disable=SC3045
ulimit -c 0 2>/dev/null

test_dir=$RP_BUILD/t/tmp/$test_name
test_count=0
test_failed=0
test_moments=0
test_watched='' test_watch=''
test_away=''
rm -rf "$test_dir" "$HOME" "$test_cache" && mkdir -p "$test_dir" "$test_cache" && cd "$test_dir" || test_bug 'no scratch directory'

# all_commands: those of er_print, each with words for its arguments; some more than once.
all_commands() {
	er_print --help | sed -n 's/^  -\([a-z_][a-z_-]*\).*/\1/p' | sort -u >commands.all
	grep -v '^#' "$RP_SRC/t/er_print-words" | tee commands.words | cut -d ' ' -f 1 | sort -u >commands.with
	[ -s commands.all ] && [ -z "$(comm -13 commands.all commands.with)" ] ||
		test_bug 't/er_print-words has a command that there is not'
	comm -23 commands.all commands.with | cat commands.words -
}

# test_result HELD NAME [OUTPUT FILE]
test_result() {
	test_count=$((test_count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $test_count - $2"
		return
	fi
	test_failed=$((test_failed + 1))
	echo "not ok $test_count - $2"
	[ -z "${3:-}" ] || tail -n 60 "$3" | sed 's/^/#   /'
}

# test_skip NAME REASON
test_skip() {
	test_count=$((test_count + 1))
	echo "ok $test_count - $1 # SKIP $2"
}

# skip_all REASON: nothing in this script can run here.
skip_all() {
	[ $test_count -eq 0 ] || test_bug 'skip_all after a check'
	echo "1..0 # SKIP $*"
	cd / && rm -rf "$test_dir" "$test_cache"
	exit 0
}

# need COMMAND…: skips the script if one is not installed.
need() {
	for test_command; do
		command -v "$test_command" >/dev/null ||
			skip_all "$test_command is not installed"
	done
}

# set_jsonschema: sets the prerequisite JSONSCHEMA of checks that call fits_schema.
set_jsonschema() {
	if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
		test_set_prereq JSONSCHEMA
	else
		test_set_prereq JSONSCHEMA 'python3-jsonschema is not installed'
	fi
}

# fits_schema REPORT.json: for bodies; the report fits the schema that we install.
fits_schema() {
	"$RP_SRC/t/validate" "$RP_SRC/share/ringprof-report-1.schema.json" "$1"
}

# need_sampling: skips the script if the machine does not let us sample at all.
need_sampling() {
	test_why=$(can-sample) || {
		[ $? -eq 1 ] || test_bug 'can-sample cannot run'
		skip_all "$test_why"
	}
	watch_cpus
}

# set_sampling: sets the prerequisite SAMPLING of checks that record; the others of the script run.
set_sampling() {
	test_why=$(can-sample)
	case $? in
	0) test_set_prereq SAMPLING && watch_cpus ;;
	1) test_set_prereq SAMPLING "$test_why" ;;
	*) test_bug 'can-sample cannot run' ;;
	esac
}

# ---- a hypervisor that takes the CPUs ----
# A clock's timer comes late then and samples are missing, which is in what collect says, but no
# check can foresee how many.  A check that fails in a script that records is no failure where this
# took 5 % of the CPUs or more, during the check or since the script began to watch, as it may be
# about an earlier recording: it is skipped, and so are later ones that fail.

# start_holes: from now on .holes says for how long timers were late; see t/helper/holes.c.
start_holes() {
	[ -e "$test_dir/.holes" ] || holes $$ "$test_dir/.holes" >/dev/null || echo 0 >"$test_dir/.holes"
}

# cpus_taken: sets test_taken and test_time, both in hundredths of a second since some time.
cpus_taken() {
	read -r test_taken <"$test_dir/.holes"
	read -r test_time test_rest </proc/uptime
	test_time=${test_time%.*}${test_time#*.}
}

# watch_cpus: for the checks that follow.
watch_cpus() {
	[ -z "$test_watched" ] || return 0
	start_holes
	cpus_taken
	test_watched=$(nproc) test_watch="$test_taken $test_time"
}

# away_since TAKEN TIME: whether so much of the CPUs were taken since; then test_away says it.
away_since() {
	cpus_taken
	test_taken=$((test_taken - $1)) test_time=$(((test_time - $2 + 1) * test_watched))
	[ $test_taken -gt 0 ] && [ $((test_taken * 20)) -ge $test_time ] || return
	test_away="failed while a hypervisor took $((test_taken * 100 / test_time)) % of the CPUs"
}

# moment: for loops that wait; 20 ms.  The script ends where one check has waited for two minutes.
moment() {
	sleep 0.02
	[ $((test_moments += 1)) -lt 6000 ] || test_bug 'two minutes passed, and what is waited for did not happen'
}

# test_set_prereq NAME [REASON IT IS MISSING]: with a reason, checks that ask for NAME
# are skipped and say so.
test_set_prereq() {
	case $1 in *[!A-Z_0-9]* | '') test_bug "prerequisite '$1' is not in capitals" ;; esac
	eval "test_have_$1=yes test_lack_$1=\${2:-}"
}

# set_tools NAME COMMAND…: the prerequisite NAME, which lacks the ones that are not installed.
set_tools() {
	test_tools=$1 test_lack=
	shift
	for test_command; do
		command -v "$test_command" >/dev/null ||
			test_lack="${test_lack:+$test_lack, }$test_command is not installed"
	done
	test_set_prereq "$test_tools" "$test_lack"
}

# set_browser: the prerequisite BROWSER.  One Chromium serves the script's checks, one after the
# other (t/browser.py), and ends with the script, which holds the other ends of its pipes.
set_browser() {
	if [ -n "${RP_SANITIZE:-}" ]; then
		test_set_prereq BROWSER 'this build has sanitizers, and a browser runs none of what they check'
		return
	fi
	mkfifo browser.to browser.from && mkdir browser.home || test_bug 'no pipes for a browser'
	setsid python3 "$RP_SRC/t/browser.py" run "$test_dir/browser.home" 3<browser.to 4>browser.from >/dev/null 2>&1 &
	test_browser=$!
	exec 8>browser.to 7<browser.from
	export RP_BROWSER="$test_dir"
	if python3 "$RP_SRC/t/browser.py"; then
		test_set_prereq BROWSER
	else
		test_set_prereq BROWSER 'no Chromium that starts here'
	fi
}

# as_nobody COMMAND…: without privileges.
as_nobody() {
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all \
		--bounding-set=-all "$@"
}

# set_nobody PROGRAM…: copies of these for as_nobody, in the scratch directory, and the
# prerequisite NOBODY.
set_nobody() {
	for test_program; do
		cp "$(command -v "$test_program")" . && chmod 755 "$test_program"
	done
	chmod 755 .
	if [ "$(id -u)" -ne 0 ]; then
		test_set_prereq NOBODY 'only root can become nobody'
	elif ! as_nobody "./$1" --help >/dev/null 2>&1; then
		test_set_prereq NOBODY "nobody cannot start $1 here"
	else
		test_set_prereq NOBODY
	fi
}

# set_terminal: the prerequisite TERMINAL, for checks that open a pseudo-terminal.
set_terminal() {
	test_why=$(python3 -c 'import pty; pty.openpty()' 2>&1 | tail -n 1)
	test_set_prereq TERMINAL "${test_why:+no pseudo-terminal can be opened: $test_why}"
}

# A body may return: from a loop, say.
test_body() { eval "$1"; }

# test_expect_success [PREREQ] NAME BODY
test_expect_success() {
	test_lack='' test_moments=0
	if [ $# -eq 3 ]; then
		eval "test_known=\${test_have_$1:-} test_lack=\${test_lack_$1:-}"
		[ -n "$test_known" ] || test_bug "prerequisite $1 was never set"
		shift
	fi
	[ $# -eq 2 ] || test_bug "test_expect_success takes a name and a body, not $# words"
	if [ -n "$test_lack" ]; then
		test_skip "$1" "$test_lack"
		return
	fi
	test_taken=0 test_time=0
	[ -z "$test_watched" ] || cpus_taken
	set -- "$1" "$2" "$test_taken" "$test_time"
	test_body "$2" >"$test_dir/.output" 2>&1
	test_status=$?
	# shellcheck disable=SC2086 # two numbers
	[ $test_status -eq 0 ] || [ -z "$test_watched" ] || [ -n "$test_away" ] ||
		away_since "$3" "$4" || away_since $test_watch
	if [ $test_status -eq 77 ]; then
		test_skip "$1" "$(tail -n 1 "$test_dir/.output")"
	elif [ $test_status -ne 0 ] && [ -n "$test_away" ]; then
		test_skip "$1" "$test_away"
		sed 's/^/#   /' "$test_dir/.output"
	else
		test_result $test_status "$1" "$test_dir/.output"
	fi
	cd "$test_dir" || test_bug 'the scratch directory is gone'
}

# test_expect_code STATUS COMMAND…: for bodies; the command ends with exactly STATUS.
test_expect_code() {
	test_want=$1
	shift
	"$@"
	test_got=$?
	[ $test_got -eq "$test_want" ] && return
	echo "status $test_got, not $test_want: $*"
	return 1
}

# test_cmp WANT GOT: for bodies; both files are the same.
test_cmp() {
	diff -u "$1" "$2"
}

# test_grep REGEX FILE / test_no_grep: for bodies; they show the file when they fail.
test_grep() {
	grep -q -e "$1" "$2" && return
	echo "no line like '$1' in $2:" && cat "$2" && return 1
}

test_no_grep() {
	grep -q -e "$1" "$2" || return 0
	echo "a line like '$1' in $2:" && cat "$2" && return 1
}

# The time that a hypervisor took from the CPUs since the first call, in hundredths of a second.  The
# kernel may know of none of it, or of a part, so timers are asked too (t/helper/holes.c): from one
# call to the next, the larger of the two.
stolen() {
	set -- "$(awk '/^cpu / { print $9 + 0 }' /proc/stat)"
	if [ ! -e "$test_dir/.stolen" ]; then
		start_holes
		echo "0 $1 $(cat "$test_dir/.holes")" >"$test_dir/.stolen"
	fi
	awk -v steal="$1" -v holes="$(cat "$test_dir/.holes")" '{
		reported = steal - $2; seen = holes - $3
		print $1 + (seen > reported ? seen : reported), steal, holes
	}' "$test_dir/.stolen" >"$test_dir/.stolen.new" && mv "$test_dir/.stolen.new" "$test_dir/.stolen" &&
		cut -d ' ' -f 1 "$test_dir/.stolen"
}

# stranger: another user, who needs no account.  $become is before a command that he runs; $place
# is a folder that he can reach, with the program swap.
stranger() {
	MALLORY=61001
	place=$(mktemp -d "${TMPDIR:-/tmp}/ringprof-t7.XXXXXX") && chmod 755 "$place" ||
		test_bug 'no scratch folder'
	trap 'rm -rf "$place"' EXIT
	cp "$(command -v swap)" "$place/" && chmod 755 "$place/swap"
	become="setpriv --reuid=$MALLORY --regid=$MALLORY --clear-groups --inh-caps=-all"
}

# perf_record ARGUMENT…: perf record.  Version 6.1 at times overruns a buffer of its own with a
# build-id ("assertion failed at util/build-id.c", then SIGABRT), and may do so twice in
# succession.  Status 77 if a signal ended it three times: a body that ends with it is skipped.
perf_record() {
	for test_attempt in 1 2 3; do
		perf record -q "$@"
		test_got=$?
		[ $test_got -gt 128 ] || return $test_got
	done
	echo "signal $((test_got - 128)) ended perf record $* $test_attempt times"
	return 77
}

# undisturbed REPORT.json CHECK COMMAND…: COMMAND makes the report, and CHECK, a command in one
# word, must hold for it.  Tries up to three times if it does not hold and a hypervisor took
# CPUs, or COMMAND printed that samples were lost: collect got no CPU for longer than its rings
# last.  The time that a hypervisor takes is in the clock, but not in the kernel's account of a
# program.  For the last try it is in $taken, and in seconds in REPORT.json.taken, for holds.  A
# CHECK that holds in spite of it is not tried again; it counts for the last try, and for other
# checks.
undisturbed() {
	report=$1 report_holds=$2
	shift 2
	for attempt in 1 2 3; do
		before=$(stolen)
		"$@" >undisturbed.out
		made=$?
		cat undisturbed.out
		[ $made -eq 0 ] || return $made
		lost=$(($(stolen) - before))
		taken=0 && echo 0 >"$report.taken"
		eval "$report_holds"
		held=$?
		taken=$lost && echo "$lost" | awk '{ print $1 / 100 }' >"$report.taken"
		[ $held -ne 0 ] || return 0
		[ "$lost" -gt 1 ] || grep -q ' were lost' undisturbed.out || break
	done
	eval "$report_holds"
}

# disputed FILE: for bodies, after undisturbed; collect said in FILE that the kernel's accounting lacks
# processes.  It does not where a hypervisor took as much as these 0.5 s are.
disputed() {
	[ "$taken" -lt 30 ] || return 0
	test_grep "kernel.s accounting for .* processes that nobody waited for" "$1"
}

# holds REPORT.json EXPRESSION: for bodies; see t/query.
holds() {
	"$RP_SRC/t/query" "$@"
}

test_done() {
	[ $test_count -gt 0 ] || test_bug 'no check was made'
	echo "1..$test_count"
	if [ -n "${test_browser:-}" ]; then
		kill "$test_browser" && wait "$test_browser"
		kill -KILL "-$test_browser" # whatever of it would still write into its folder
	fi 2>/dev/null
	[ $test_failed -eq 0 ] || exit 1
	cd / && rm -rf "$test_dir" "$test_cache"
	exit 0
}
