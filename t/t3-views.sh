# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# All views of a recording tell one thing, in every form.
. "$RP_SRC/t/lib.sh"
need python3

agree() {
	"$RP_SRC/t/views-agree" "$@"
}

mkexp a.er <<'END'
event totalcpu ns 1000000 0 1 Total CPU Time
event cycles cycles 1000003 2000000000 1.5 CPU Cycles
main;f;g 5
main;f@1;f@2;g@3;f 2
thread 100 101 helper
cpu 1
<no_rule>;h 3
main;lib.so!f;lib.so!<&"',é>;g;lib.so!f 7
lib.so!main;main;lib.so!+0x1230 2
. 1
<unsampled> 4
? 1
on cycles
main;f 4
[kernel]!sys_read 1
END
printf "main;f;g 1\nmain;z 2500\n" | mkexp b.er

test_expect_success 'views agree' '
	agree -- a.er && agree -- a.er b.er
'

test_expect_success '… with filters and selections' '
	agree -filters "FNAME(\"g\") SOME IN STACK" -- a.er b.er &&
	agree -filters "LWPID == 101" -- a.er &&
	agree -cpu_select 0 -- a.er b.er && agree -sample_select 1:1+2:2-3 -- a.er b.er
'

test_expect_success '… with functions hidden, folded or renamed' '
	agree -object_hide lib.so -- a.er && agree -object_hide all -- a.er b.er &&
	agree -object_api lib.so -- a.er && agree -object_api all -- a.er b.er &&
	agree -inlines off -- a.er && agree -name mangled:soname -- a.er &&
	agree -sort -name -- a.er
'

set_sampling

test_expect_success SAMPLING '… of a program that ran' '
	collect -p hi -O burn.er burn one=100 caller_a=50 caller_b=50 recurse=100 mutual=50 \
		callback=50 kernel=50 >out && agree -- burn.er && agree -inlines off -- burn.er &&
	agree -object_api all -- burn.er &&
	agree -filters "FNAME(\".*e.*\") SOME IN STACK" -- burn.er a.er
'

test_expect_success 'the check can fail' '
	sed "s/if i + 1 < len(path)/if i + 2 < len(path)/" "$RP_SRC/t/views-agree" >broken &&
	test_expect_code 1 python3 broken -- a.er >out && test_grep "not" out
'

test_done
