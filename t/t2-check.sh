# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# collect --check on this machine: its answers agree with recording.
. "$RP_SRC/t/lib.sh"
need_sampling

checked=0
collect --check >text || checked=$?

# answer NAME: of the text.
answer() {
	sed -n "s/^  $1  *\([a-z]*\) .*/\1/p" text
}

test_expect_success 'a machine that samples is called usable' '
	test $checked -eq 0 && head -1 text >verdict &&
	test_grep "^programs can be recorded here, by " verdict &&
	test "$(answer clock)" = yes
'

test_expect_success 'lines have at most 90 columns, except commands to copy' '
	awk "!/->/ && length > 90" text >long && test ! -s long || { cat long; false; }
'

test_expect_success 'the same as data' '
	collect --check --json >data && python3 - <<-\END
		import json
		d = json.load(open("data"))
		text = open("text").read().split("\n")
		assert d["schema"] == "ringprof-check/1" and d["usable"]
		assert text[0] == d["verdict"] + "."
		for c in d["checks"]:
		    assert c["answer"] in ("yes", "no", "partly") and c["found"], c
		    assert any(t.startswith("  " + c["name"]) for t in text), c["name"]
	END
'

test_expect_success 'recordings have counters exactly if it says so' '
	collect -n -h cycles true >plan &&
	if [ "$(answer counters)" = yes ]; then ! grep "in place of a counter" plan
	else test_grep "in place of a counter" plan; fi
'

test_expect_success 'so is the whole machine' '
	if [ "$(answer "whole machine")" = yes ]; then collect -n -a >plan
	else test_expect_code 1 collect -n -a 2>said; fi
'

set_nobody collect
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)

test_expect_success NOBODY "a user without privileges, paranoid $paranoid" '
	{ as_nobody ./collect --check >text; status=$?; cat text; } &&
	case $paranoid in
	-1 | 0 | 1) test $status -eq 0 && test "$(answer "kernel samples")" = yes ;;
	2) test $status -eq 0 && test "$(answer clock)" = yes &&
		test "$(answer "kernel samples")" = no &&
		test "$(answer "whole machine")" = no && test "$(answer paranoid)" = partly &&
		test_grep "sudo sysctl kernel.perf_event_paranoid=" text ;;
	*) test $status -eq 1 && test_grep "^nothing can be recorded here" text &&
		test_grep "sudo sysctl kernel.perf_event_paranoid=2" text ;;
	esac
'

test_expect_success NOBODY '… records as promised' '
	mkdir -p open && chmod 777 open &&
	status=0 && as_nobody ./collect -p hi -o open/n.er true 2>said || status=$? && cat said &&
	if [ "$paranoid" -le 2 ]; then
		test $status -eq 0 && { [ "$paranoid" -lt 2 ] ||
			test_grep "no samples of the kernel: kernel.perf_event_paranoid is 2" said; }
	else
		test $status -eq 1 && test_grep "which forbids it; allow it with: sudo sysctl" said
	fi
'

test_expect_success NOBODY '… another user'"'"'s process requires root, as reported' '
	test_expect_code 1 as_nobody ./collect -o open/stranger.er -t 1 -P $$ 2>said && cat said &&
	test_grep "process $$ belongs to another user (uid 0)" said && test_no_grep "CPU 0" said
'

# warned MODE: whether recording a program of that mode begins with a warning.
warned() {
	rm -rf open/program open/g.er && cp collect open/program && chmod "$1" open/program &&
	{ as_nobody ./collect -o open/g.er open/program --help 2>said >out || :; } && cat said &&
	grep "open/program has rights of its own" said
}

test_expect_success NOBODY '… and is warned if the kernel ends the recording at once' '
	if [ "$paranoid" -le 2 ]; then
		warned 711 && warned 4755 && ! warned 755
	fi
'

# started MODE: whether collect reports a program of that mode, started by a shell, at the end.
started() {
	rm -rf open/program open/g.er && cp collect open/program && chmod "$1" open/program &&
	as_nobody ./collect -o open/g.er sh -c "open/program --help; open/program --help; true" \
		2>said >out && cat said && er_print -header open/g.er >header &&
	grep "stopped sampling 2 processes (program): .* setuid" said &&
	grep "stopped sampling 2 processes (program): " header
}

test_expect_success NOBODY '… and of those that are started later, at the end' '
	if [ "$paranoid" -le 2 ]; then
		started 711 && started 4711 && ! started 755
	fi
'

# Six times the other one's work, none of which has a sample.
test_expect_success NOBODY '… which have the time that no sample has' '
	if [ "$paranoid" -le 2 ]; then
		cp "$(command -v burn)" open/short && cp open/short open/long &&
		chmod 755 open/short && chmod 711 open/long && rm -rf open/g.er &&
		as_nobody ./collect -o open/g.er sh -c "open/short one=50; open/long one=300; true" \
			2>said >out && cat said &&
		grep "unsampled (.* of processes that the kernel stopped sampling" said &&
		er_print -json -processes open/g.er >json && python3 -c "
import json
d = json.load(open(\"json\"))
of = {r[\"name\"]: r[\"exclusive\"][d[\"metrics\"][0][\"id\"]][\"value\"] for r in d[\"processes\"]}
assert of[\"long\"] > 2 * of[\"short\"] > 0, of"
	fi
'

# A filter of system calls, as a container has.
if deny EPERM true 2>said; then
	test_set_prereq SECCOMP
else
	test_set_prereq SECCOMP "no filter can be set here: $(cat said)"
fi

for errno in EPERM ENOSYS; do
	test_expect_success SECCOMP "a filter that answers $errno: nothing can be recorded" '
		test_expect_code 1 deny $errno collect --check >text && cat text &&
		test_grep "^nothing can be recorded here" text &&
		test "$(answer seccomp)" = no && test "$(answer clock)" = no
	'

	test_expect_success SECCOMP "… and recording says so once, and leaves nothing ($errno)" '
		test_expect_code 1 deny $errno collect -o filtered.er true 2>said && cat said &&
		test "$(grep -c . said)" -eq 1 && test_grep "error: .*seccomp filter" said &&
		! grep "sysctl" said && test ! -e filtered.er
	'
done

test_expect_success SECCOMP 'the filter is named, and the option for containers' '
	test_expect_code 1 deny EPERM collect -h cycles true 2>said && cat said &&
	test_grep "a seccomp filter forbids it, as in containers.; start it with: docker run --cap-add PERFMON" said
'

test_done
