# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Programs that leave processes behind: collect names them, or records them with --daemons.
. "$RP_SRC/t/lib.sh"
need_sampling
need setsid

# A server: it leaves a daemon of its own session behind, in the file "daemon", and ends with 3.
cat >server <<\END
rm -f daemon
setsid sh -c 'echo $$ >daemon; exec "$@"' sh "$@" >daemon.out &
until [ -s daemon ]; do sleep 0.02; done
exit 3
END

# Nobody may have waited for it.
cat >ended.sh <<\END
ended() {
	case $(cut -d ' ' -f 3 "/proc/$1/stat" 2>/dev/null) in
	'' | Z | X) return 0 ;;
	esac
	return 1
}
END
. ./ended.sh
{ cat ended.sh && echo 'sh server true; until ended $(cat daemon); do sleep 0.02; done'; } >patient

for scope in cgroup cpu task; do
	if collect --scope $scope -O see.er true 2>/dev/null; then
		test_set_prereq SCOPE
	else
		test_set_prereq SCOPE "no scope '$scope' here"
	fi
	test_expect_success SCOPE "$scope: a daemon that runs on is named" '
		test_expect_code 3 collect --scope '$scope' -O left.er sh server sleep 600 2>said
		pid=$(cat daemon) && kill $pid; cat said
		test_grep "collect: 1 process that the program started ran on: $pid s[a-z]*; --daemons" said &&
		er_print -header left.er >header && test_grep "ran on: $pid s" header
	'
	test_expect_success SCOPE "$scope: one that has ended is not" '
		collect --scope '$scope' -O none.er sh patient 2>said; cat said
		test_no_grep "ran on" said
	'
	# A sample is due after 1 ms of the 300, and a machine that is too busy for samples loses none.
	test_expect_success SCOPE "$scope: --daemons records it, until it ends" '
		test_expect_code 3 collect --scope '$scope' --daemons -p hi -O went.er sh server burn one=300 2>said
		cat said
		test_no_grep "ran on" said &&
		test_grep " s by \(its control group\|rusage, which leaves out processes that nobody waited for\), " said &&
		er_print -json -functions went.er >went.json && cat daemon.out &&
		holds went.json "0.25 < incl(\"one\") < 0.4 + taken"
	'
	test_expect_success SCOPE "$scope: … or until Ctrl-C" '
		rm -f said
		collect --scope '$scope' --daemons -p hi -O stop.er sh server sleep 600 2>said & collector=$!
		until grep -qs "still running" said; do moment; done
		kill -INT $collector; wait $collector; status=$?
		pid=$(cat daemon); kill $pid; cat said
		test $status -eq 3 && test_grep "still running: $pid s" said &&
		test_grep "1 process that the program started ran on: $pid s[a-z]*$" said
	'
done

test_expect_success 'a second Ctrl-C ends what ignores the first; daemons are named' '
	rm -f daemon deaf ready &&
	cat >stubborn <<-\END &&
	trap : INT
	sh -c "trap \"\" INT; echo \$\$ >deaf; while :; do sleep 0.05; done" &
	sh server sh -c "trap \"\" INT; while :; do sleep 0.05; done"
	until [ -s deaf ]; do sleep 0.02; done
	: >ready
	while :; do sleep 0.05; done
	END
	collect -O deaf.er sh stubborn 2>said & collector=$!
	until [ -e ready ]; do moment; done
	kill -INT $collector && until grep -q "the program goes on; Ctrl-C twice" said; do moment; done
	while kill -INT $collector 2>/dev/null; do sleep 0.1; done
	wait $collector; status=$?
	daemon=$(cat daemon) deaf=$(cat deaf); cat said
	test $status -eq 137 && until ended $deaf; do moment; done && ! ended $daemon &&
	test_grep "the program started ran on: \(.*, \)\?$daemon sh" said
	status=$?; kill -9 $daemon $deaf 2>/dev/null; test $status -eq 0
'

# The record of a fork is read some time after it happened.
test_expect_success '--daemons records one that was started last' '
	collect --daemons -p hi -O last.er sh -c "burn one=300 & :" >out 2>said; cat said
	test_no_grep "ran on" said && er_print -json -functions last.er >last.json &&
	holds last.json "incl(\"one\") > 0.25"
'

lack=
collect -a -n >out 2>&1 || lack=$(head -n 1 out)
test_set_prereq ALL "$lack"
test_expect_success ALL 'a second Ctrl-C of a recording of the machine leaves others alone' '
	rm -f ready && cat >beside <<-\END &&
	collect -a -O all.er sh -c "trap \"\" INT; : >ready; while :; do sleep 0.05; done" 2>said & collector=$!
	until [ -e ready ]; do sleep 0.02; done
	while kill -INT $collector 2>/dev/null; do sleep 0.1; done
	wait $collector
	echo status $?
	END
	setsid sh beside >out; cat out said; test_grep "^status 137" out
'

test_expect_success '--daemons needs a program' '
	for options in "" "-a true" "-P 1" "-F off true"; do
		# shellcheck disable=SC2086 # words
		test_expect_code 2 collect --daemons $options 2>said; cat said
		test_grep "error: --daemons follows what a program starts" said || return
	done
'
test_done
