# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The prompt, on a terminal of its own.
. "$RP_SRC/t/lib.sh"
need python3
set_terminal

printf 'main;a_function_whose_name_is_so_long_that_it_cannot_fit_into_forty_columns 3\n' |
	mkexp a.er

# typed KEYS [EXPERIMENT…]: what er_print shows for them, on a terminal of 40 columns.
typed() {
	KEYS=$1 OPEN=${2:-a.er} XDG_STATE_HOME=$PWD/state TERM=dumb python3 -c '
import fcntl, os, pty, struct, sys, termios, time, select
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    os.execvp("er_print", ["er_print", *os.environ["OPEN"].split()])
shown, ended = b"", False
def read(until, seconds):
    global shown, ended
    end, seen = time.time() + seconds, b""
    while until not in seen and time.time() < end and not ended:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                part = os.read(fd, 65536)
            except OSError:
                part = b""
            ended = not part
            seen += part
            shown += part
# It sets the terminal first, and a signal before it sleeps in its read would end none.
def reads_keys():
    if termios.tcgetattr(fd)[3] & termios.ICANON:
        return False
    with open(f"/proc/{pid}/stat") as f:
        return f.read().rsplit(") ", 1)[1][0] in "SZ"
for key in os.environ["KEYS"].split("|"):
    read(b"(er_print) ", 600)
    while not ended and not reads_keys():
        time.sleep(0.01)
    os.write(fd, key.encode().decode("unicode_escape").encode())
for _ in range(600):
    read(b"\0", 1)
    if ended:
        break
    os.write(fd, b"\004")
sys.stdout.buffer.write(shown)
if not ended:
    os.kill(pid, 9)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
' | tr -d '\r' >shown
}

test_expect_success TERMINAL 'commands are answered until quit' '
	typed "limit 1\n|fun\n|quit\n" &&
	test_grep "Functions sorted by metric" shown &&
	test_grep "<Total>" shown
'

test_expect_success TERMINAL 'a prompt, but no pipe, begins with the open experiments' '
	printf "%s\n" "arg ./a.out" "arg $(printf "\033[31mred")" "main 7" | mkexp b.er &&
	typed "quit\n" b.er &&
	test_grep "^b.er: ./a.out .?\[31mred., 0.007 s, 7 samples$" shown &&
	test_grep "^Begin with overview, functions or calltree; help lists all commands.$" shown &&
	typed "quit\n" "b.er a.er a.er a.er a.er a.er" &&
	test "$(grep -c "^[ab].er: " shown)" -eq 4 &&
	test_grep "^and 2 more; see experiment_list$" shown &&
	echo quit | er_print b.er >out && test ! -s out
'

test_expect_success TERMINAL 'a disk that is full is reported for each answer' '
	typed "outfile /dev/full\n|functions\n|header\n|quit\n" &&
	test "$(grep -c "error: /dev/full: No space left on device" shown)" -eq 2
'

test_expect_success TERMINAL 'names are shortened in the middle to fit the terminal' '
	LC_ALL=C.UTF-8 typed "functions\n|quit\n" &&
	grep "a_fun" shown >line &&
	test_grep "a_fun.*…" line &&
	python3 -c "
import sys
assert all(len(line.rstrip()) <= 40 for line in open(\"line\", encoding=\"utf-8\"))"
'

test_expect_success TERMINAL 'names of functions keep their most useful parts, and stay different' '
	printf "%s\n" "main;_ZN3app6ParserINS_3MapIiSaIiEEEE10parse_nextEPKcS6_ 9" \
		"main;_ZN3app6ParserINS_3MapIlSaIlEEEE10parse_nextEPKcS6_ 5" >stacks &&
	rm -rf a.er && mkexp a.er <stacks &&
	LC_ALL=C.UTF-8 typed "metrics e.cycles\n|functions\n|name long\n|functions\n|quit\n" &&
	test_grep "…int…parse_next…$" shown && test_grep "…long…parse_next…$" shown &&
	test_grep "app::Parser<app::Map<int, std::allocator<int> > >::parse_next(char const\*, char const\*)" shown
'

test_expect_success TERMINAL 'a mistake does not end the session' '
	typed "functoins\n|experiment_list\n" &&
	test_grep "did you mean functions" shown &&
	test_grep "a.er" shown
'

test_expect_success TERMINAL 'Ctrl-C gives up the line, not the session' '
	typed "objects\003|limit 1\n|experiment_list\n|quit\n" &&
	test_grep "a.er" shown && test_no_grep "no command" shown &&
	test_no_grep "<Total>" shown
'

test_expect_success TERMINAL 'the history is kept' '
	test_grep "experiment_list" state/ringprof/history
'

test_expect_success TERMINAL 'a command is completed' '
	typed "exper\t\n|quit\n" &&
	test_grep "(er_print) exper.*iment_list" shown
'

test_expect_success TERMINAL 'so is a word of other tools' '
	typed "gmet\t\n|quit\n" &&
	test_grep "(er_print) gmet.*ric_list" shown
'

test_expect_success TERMINAL 'a value of the command is completed' '
	typed "printmode ht\t\n|quit\n" &&
	test_grep "(er_print) printmode ht.*ml" shown
'

# A folder without files, so that only names are completed.
names() {
	printf "%s\n" "main;JS:*fib /tmp/w.js:1:13 5" "main;_ZN3app6ParserIiE4nextEi 4" \
		"main;libz.so.1!compress 3" | mkexp names.er && rm -rf a.er && mv names.er a.er
}

test_expect_success TERMINAL 'functions, objects and metrics are completed, names with blanks in quotes' '
	names && typed "fsingle comp\t\n|fsingle JS\t\n|fsingle \"JS:*f\t\n|csingle Parser<int>::n\t\n|quit\n" &&
	test "$(grep -c "Name: *JS:.fib /tmp/w.js:1:13" shown)" -eq 2 &&
	test_grep "Name: *compress" shown && test_grep "csingle app::Parser<int>::next(int)" shown &&
	test_no_grep "fits only" shown &&
	typed "object_hide libz\t\n|sort i.tot\t\n|functions\n|quit\n" &&
	test_grep "(er_print) object_hide .*libz[.]so[.]1" shown && test_no_grep error shown &&
	test_grep "sorted by metric: Inclusive Total" shown && test_no_grep " compress" shown
'

test_done
