# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A user runs a program from an overlay over a file system that he serves himself, and whose
# server takes requests and answers none: not even SIGKILL ends a wait for it.  A recording by
# root goes on, ends with the program, and has its samples.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc python3 setpriv unshare mount pgrep
[ "$(id -u)" -eq 0 ] || skip_all 'only root records other users'

stranger
# The server must end before the folder goes, whatever happens.
trap 'touch "$place"/marks/silent.0.over "$place"/marks/silent.1.over "$place"/marks/silent.2.over \
	"$place"/marks/silent.3.over "$place"/marks/silent.4.over "$place"/marks/silent.5.over \
	"$place"/marks/silent.6.over; sleep 0.5; rm -rf "$place"' EXIT
chmod 755 "$place" && cp "$RP_SRC/t/hanging-fuse" "$place/server" && chmod 755 "$place/server" &&
	mkdir -m 777 "$place/marks" || test_bug 'no scratch folder'

cat >prog.c <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline)) static void work(void)
{
	volatile long n = 0;

	for (int i = 0; i < 20000; i++)
		n = n + i;
}

/* prog MARK [UNTIL]: works; makes the file MARK; works on, until there is a file UNTIL. */
int main(int argc, char **argv)
{
	for (int turn = 1; turn <= 2; turn++) {
		while (clock() < turn * CLOCKS_PER_SEC / 5)
			work();
		if (turn == 1)
			close(open(argv[1], O_CREAT | O_WRONLY, 0644));
	}
	while (argc > 2 && access(argv[2], F_OK) && clock() < 300 * CLOCKS_PER_SEC)
		work();
	return 7;
}
END
cat >"$place/inside" <<'END'
place=$1 silent=$2
shift 2
mount -t tmpfs none /mnt && mkdir /mnt/served /mnt/upper /mnt/work /mnt/merged &&
	exec "$place/server" "$place/prog" /mnt/served "$silent" sh -c '
		mount -t overlay none -o lowerdir=/mnt/served,upperdir=/mnt/upper,workdir=/mnt/work /mnt/merged &&
			exec /mnt/merged/prog "$@"' sh "$@"
END

# built FLAG…: the program.
built() {
	rm -f "$place/prog" && cc -g -O1 "$@" -o "$place/prog" prog.c && chmod 755 "$place/prog" "$place/inside"
}

# serving SILENT WORD…: his program, in namespaces of his own.
serving() {
	$become unshare -Urm sh "$place/inside" "$place" "$@"
}

built -Wl,--build-id || test_bug 'cannot build'
# Each server has a file of its own that makes it silent, or ends it: it looks every 0.1 s.
round=0 silent=$place/marks/silent.0
next_round() {
	round=$((round + 1)) silent=$place/marks/silent.$round
}

serving "$silent" "$place/marks/try" >said 2>&1
[ $? -eq 7 ] || skip_all "no overlay over FUSE can be mounted here: $(tail -n 1 said)"
touch "$silent.over"

for form in --build-id --build-id=none; do
	next_round
	# On a busy machine its answers may come too late, which is reported.
	test_expect_success "one that answers: its functions have names ($form)" '
		built -Wl,$form && for try in 1 2 3; do
			test_expect_code 7 collect -O fine.er $become unshare -Urm sh "$place/inside" "$place" \
				"$silent" "$place/marks/fine" 2>said || return
			cat said && grep -q "looked at within" said || break
		done &&
		touch "$silent.over" && er_print -functions fine.er >got && test_grep " work$" got
	'
done

# ended FILE: whether it is there within five minutes; the server hangs for ten.
ended() {
	for tick in $(seq 3000); do
		[ ! -s "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

# recorded WORD…: root's recording of a program whose server is silent from MARK on; its status
# is in the file "status", once it has ended, and the server is released only then.
recorded() {
	rm -f status
	{
		collect "$@" 2>err
		echo $? >status
	} &
	ended status
	got=$?
	touch "$silent.over"
	wait
	cat err && [ $got -eq 0 ]
}

for options in "" "-A on" "-p hi"; do
	next_round
	test_expect_success "one that hangs: the recording ends with the program, $options" '
		recorded $options -O hung.er $become unshare -Urm sh "$place/inside" "$place" "$silent" "$silent" &&
		test -e "$silent" && test "$(cat status)" = 7 &&
		er_print -functions hung.er >got && test_grep "<Total>" got
	'
done

# From before the recording on.
next_round
test_expect_success 'attached to, when it hangs already' '
	{ serving "$silent" "$silent" "$place/marks/end" & } &&
	ended_mark() { [ -e "$silent" ]; } &&
	for tick in $(seq 3000); do ! ended_mark || break; sleep 0.1; done &&
	pid=$(pgrep -u $MALLORY -f "^/mnt/merged/prog $silent ") && rm -f status && {
		{ collect -t 1 -P "$pid" -O there.er 2>err; echo $? >status; } &
		ended status
		got=$?
		touch "$place/marks/end" "$silent.over"
		wait
		cat err && test $got -eq 0 && er_print -functions there.er >got && test_grep "<Total>" got
	}
'

test_done
