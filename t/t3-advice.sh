# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# How to name what has no name: the option of the runtime that generated the code, and where
# the files of another file system are.
. "$RP_SRC/t/lib.sh"
need gcc nm strip

printf '%s\n' 'module node=/opt/bin/node' 'module libjvm.so=/opt/jvm/libjvm.so' \
	'node!Start;[anon:7]!+0x100 30' 'node!Start;[anon:7]!+0x100;node!Builtin 5' \
	'[anon:8]!+0x40;libjvm.so!gc 5' '[anon:8]!+0x200 20' '[anon:9]!+0x10 10' 'node!Start 30' |
	mkexp a.er

test_expect_success 'each runtime has its option, by the stacks that it is in' '
	er_print -symbols a.er >out && test_grep "^run node with --perf-basic-prof" out &&
	test_grep "^run java with .*DumpPerfMapAtExit" out && test_grep "perf-PID.map" out &&
	test_no_grep "run python" out
'

test_expect_success 'header has the option that would name most' '
	er_print -header a.er >out && test_grep "Names: *30.0 % in generated code of node: run node with" out &&
	test_no_grep java out
'

test_expect_success 'there is no advice where nothing lacks a name' '
	printf "main;f 3\n" | mkexp b.er && er_print -header -symbols b.er >out &&
	test_no_grep "Names:\|run \(node\|java\)" out
'

# interpreted OBJECT LOOP SHARE [STACK]: header's line about names, of a recording with SHARE %
# below that loop.
interpreted() {
	printf "%s\n" "module $1=/opt/$1" "$1!main;$1!$2;$1!op $3" "$1!main $((100 - $3))" ${4+"$4"} |
		mkexp i.er && er_print -header i.er >out && rm -r i.er
}
test_expect_success 'header names the flag of an interpreter, or says that there is none' '
	interpreted python3.12 _PyEval_EvalFrameDefault 60 &&
	test_grep "Names: *60.0 % in the interpreter of python: run python with -X perf" out &&
	interpreted libpython3.13.so.1.0 _PyEval_EvalFrameDefault.cold 60 && test_grep "run python with -X perf" out &&
	interpreted python3.11 _PyEval_EvalFrameDefault 60 &&
	test_grep "python: this version cannot name its functions; python 3.12" out &&
	interpreted perl Perl_runops_standard 99 && test_grep "99.0 % in the interpreter of perl: .*NYTProf" out &&
	interpreted libR.so bcEval 50 && test_grep "interpreter of R: .*Rprof" out &&
	interpreted libruby-3.1.so.3.1 rb_vm_exec 70 && test_grep "interpreter of ruby: " out &&
	interpreted php execute_ex 70 && test_grep "interpreter of php: " out
'
test_expect_success 'but not where little is interpreted, or functions have names' '
	interpreted python3.12 _PyEval_EvalFrameDefault 49 && test_no_grep Names: out &&
	interpreted python3.12 _PyEval_EvalFrame 60 && test_no_grep Names: out &&
	interpreted python3.12 _PyEval_EvalFrameDefault 60 "python3.12!py::f:/a.py 1" && test_no_grep Names: out
'

# stripped PATH: header's line about names, of a recording with 30 % in that file's nameless code.
stripped() {
	printf '%s\n' "module it=$1" 'it!main;it!+0x1000 60' 'it!main;it!+0x2000 30' 'it!main;it!named 160' \
		'it!main;it!+0x3000;libc!memcpy 50' | mkexp s.er &&
		er_print -header s.er >out && rm -r s.er
}
test_expect_success 'header names the file that most samples without names are in' '
	stripped /srv/it && test_grep "Names: *30.0 % in functions of it without names: it was stripped$" out &&
	(unset DEBUGINFOD_URLS && stripped /usr/bin/it) &&
	test_grep "Names: *30.0 % in functions of it without names: set DEBUGINFOD_URLS to a server" out &&
	(DEBUGINFOD_URLS=https://example.org && export DEBUGINFOD_URLS && stripped /usr/bin/it) &&
	test_grep "the servers in DEBUGINFOD_URLS do not have them" out
'

set_sampling
test_expect_success SAMPLING 'so do header and the closing line for a real program' '
	strip -o bare "$(command -v burn)" && ./bare one=400 >/dev/null && collect -O r.er ./bare one=400 2>said >/dev/null &&
	test_grep "r.er: .*; [0-9]* % in functions of bare without names: it was stripped$" said &&
	er_print -header r.er >out && test_grep "Names: .*% in functions of bare without names: it was stripped" out &&
	collect -O w.er burn one=400 2>said >/dev/null && test_no_grep "without names" said
'

test_expect_success 'hidden names of the kernel have their remedy' '
	printf "%s\n" "[kernel]!+0x100 5" "main 5" | mkexp k.er && er_print -symbols k.er >out &&
	test_grep "record as root, or after sysctl kernel.kptr_restrict=0" out &&
	printf "%s\n" "[kernel]!vfs_read 5" "main 5" | mkexp l.er && er_print -symbols l.er >out &&
	test_no_grep kptr out
'

test_expect_success 'a file that differs now: the next recording can keep it' '
	gcc -g -O0 -Wl,--build-id=0x1111111111 -o differs -x c - <<-\END &&
	int f(int n) { return n; }
	int main(void) { return f(0); }
	END
	start=$(nm differs | sed -n "s/ T f$//p") &&
	printf "%s\n" "module differs=$PWD/differs" "module differs#2222222222" "differs!+0x$start 5" | mkexp d.er &&
	er_print -symbols d.er >out && test_grep "record again with -A used" out
'

test_expect_success 'pathmap finds the objects of another file system' '
	echo "int f(int n) { return n; } int main(void) { return f(0); }" >p.c &&
	mkdir -p here/bin && gcc -g -O0 -Wl,--build-id=0x1234567890 -o here/bin/p p.c &&
	start=$(nm here/bin/p | sed -n "s/ T f$//p") &&
	printf "%s\n" "module p=/gone/bin/p" "module p#1234567890" "p!+0x$start 5" | mkexp p.er &&
	cp -r p.er q.er && er_print -lines p.er >out && test_no_grep "line 1" out &&
	er_print -symbols p.er >out && test_grep "say where it is (pathmap OLD NEW.*collect -A used" out &&
	er_print -pathmap /gone "$PWD/here" -lines p.er >out && test_grep "line 1 in .p.c" out &&
	er_print -pathmap /gone "$PWD/here" -symbols p.er >out && test_grep "build-id" out
'

test_expect_success 'pathmap takes no other build' '
	gcc -g -O0 -Wl,--build-id=0x0987654321 -o here/bin/p p.c &&
	er_print -pathmap /gone "$PWD/here" -lines q.er >out 2>&1 && test_no_grep "line 1" out
'

test_done
