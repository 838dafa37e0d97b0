# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Recordings in which something is missing: every command of er_print answers, or says in a
# sentence why not.  With the sanitizers this is where reads beyond an empty array are seen.
. "$RP_SRC/t/lib.sh"

need python3

# No events at all; events without samples; a sample without a stack; one in no known
# object; no names; nothing but what no sample stands for; several events, one never seen.
: | mkexp nothing.er
echo 'event totalcpu ns 1000000 0 1 Total CPU Time' | mkexp unsampled.er
echo '. 3' | mkexp stackless.er
echo '? 2' | mkexp unknown.er
printf 'prog!+1230 4\nrunning\n' | mkexp nameless.er
echo '<unsampled> 5' | mkexp counted.er
printf 'event cycles cycles 1000 2e9\nevent totalcpu ns 1000000\nmain;f 3\n' | mkexp half.er
printf 'main;f 3\n' | mkexp whole.er
# Samples of an event that the log does not have, and threads that it says there are.
cp -r whole.er eventless.er
python3 - <<'END'
import json
path = "eventless.er/log.json"
log = json.load(open(path))
log["events"] = []
log["threads"] = 7
json.dump(log, open(path, "w"))
END
# The log alone, and an empty file of data.
cp -r whole.er logonly.er && rm logonly.er/data
cp -r whole.er nodata.er && : >nodata.er/data

all_commands >words
echo functions >commands

# answers EXPERIMENT…: each command, followed by views that may find what it left.  A status
# that a signal or a sanitizer gives is a failure, as is a silent one.
answers() {
	while read -r name rest; do
		set_words=$rest
		case $name in
		filters) run_one -filters "$rest" ;;
		*)
			# shellcheck disable=SC2086
			run_one "-$name" $set_words
			;;
		esac || return
	done <words
}

run_one() {
	er_print --no-rc "$@" -functions $experiments >out.text 2>err </dev/null
	status=$?
	case $status in
	0) ;;
	1 | 2 | 3) grep -q "error: ." err || { echo "silent: $*" && return 1; } ;;
	*) echo "status $status: er_print $* $experiments" && cat err && return 1 ;;
	esac
	! test -s err || ! grep "Sanitizer\|runtime error" err
}

for experiments in nothing.er unsampled.er stackless.er unknown.er nameless.er counted.er half.er \
	eventless.er logonly.er nodata.er "nothing.er nothing.er" "whole.er nothing.er" \
	"unsampled.er whole.er" "counted.er whole.er"; do
	test_expect_success "every command: $experiments" answers
done

# compared MODE WORD…: er_print's status.
compared() {
	mode=$1
	shift
	er_print -printmode "$mode" -compare on "$@" >out.text 2>err
}

# Where one is refused, which ends er_print, each is asked by itself.
test_expect_success 'every view at once, compared, in each form' '
	for mode in text , html json; do
		for pair in "unsampled.er unsampled.er" "counted.er stackless.er" "unknown.er nameless.er" \
			"whole.er unsampled.er"; do
			compared $mode -functions -lines -objects -threads -processes -cpus -seconds -calltree 0 \
				-callers-callees $pair || { cat err && return 1; }
		done
		for view in functions lines objects threads processes cpus seconds "calltree 0" callers-callees; do
			compared $mode -$view nothing.er nothing.er
			test $? -le 1 || { cat err && return 1; }
		done
	done
'

test_expect_success 'exports of a recording without a metric are refused' '
	for form in collapsed speedscope firefox callgrind csv samples; do
		rm -f out
		test_expect_code 1 er_print -export $form out nothing.er 2>err || return
		test_grep "the recording has no metric" err && ! test -e out || return
	done
'

test_done
