# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Whole runs of root's while another user exchanges the files that they look at for links to
# files that only root may read, as fast as he can. RP_RACES is how many runs of each kind.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc setpriv stat
[ "$(id -u)" -eq 0 ] || skip_all 'only root can become another user'

stranger
$become test -x "$place/swap" || skip_all 'there are no other users here'

# A folder of his, and one of ours that he cannot look into.
mkdir -m 755 "$place/theirs" && mkdir -m 700 "$place/vault" &&
	chown $MALLORY "$place/theirs" || skip_all 'there are no other users here'
theirs=$place/theirs vault=$place/vault
echo 'kept from all others' >"$vault/src.c" && cp "$vault/src.c" "$vault/data" &&
	cp "$vault/src.c" "$vault/log.json"

mkdir "$theirs/d" && cat >"$theirs/d/src.c" <<'END'
#include <time.h>

int main(void)
{
	/* what ran in this process before counts in its clock, too */
	clock_t start = clock();
	volatile long n = 0;

	while (clock() - start < CLOCKS_PER_SEC / 50)
		for (int i = 0; i < 20000; i++)
			n = n + i;
	return 0;
}
END
cc -g -O1 -o "$theirs/prog" "$theirs/d/src.c" || test_bug 'cannot build'
chown -R $MALLORY "$theirs"

# while_swapping DIR NAME TARGET COMMAND: runs it RP_RACES times while he exchanges NAME in
# DIR for a link to TARGET.  It may fail, but crash it must not.
while_swapping() {
	$become ln -s "$3" "$1/link" || return
	$become "$place/swap" "$1" "$2*" link &
	swapper=$!
	worst=0
	for run in $(seq "${RP_RACES:-10}"); do
		$4 >>said 2>&1 || { status=$? && [ $status -le $worst ] || worst=$status; }
	done
	kill $swapper && wait $swapper 2>/dev/null
	[ -L "$1/link" ] || mv -T --exchange "$1/link" "$1/$2" 2>/dev/null || {
		mv "$1/$2" "$1/other" && mv "$1/link" "$1/$2" && mv "$1/other" "$1/link"
	}
	rm "$1/link" && echo "the worst status: $worst" && [ $worst -lt 2 ]
}

# is_kept FILE…: nothing of the vault is in them, and it is as it was.
is_kept() {
	[ ! -e leaked ] && ! grep -rqs "kept from all others" "$@" && ls -lRn "$vault" >vault.now &&
		diff -u vault.then vault.now
}
ls -lRn "$vault" >vault.then

record() {
	# shellcheck disable=SC2086 # several words
	collect -A src -p hi -O own.er $become "$theirs/prog" || return
	! ls own.er/archive/src >/dev/null 2>&1 || : >"archived.$run"
	! grep -rq "kept from all others" own.er || : >leaked
}

test_expect_success 'the source of his program is archived' '
	run=alone && record && test -e archived.alone && grep -rq "volatile long n" own.er/archive/src
'

test_expect_success "… and he exchanges its folder for a link to one of root's, ${RP_RACES:-10} times" '
	: >said && while_swapping "$theirs" d "$vault" record && is_kept own.er said
'

read_it() {
	er_print -lines -functions -source main "$theirs/x.er"
}

for name in data log.json archive; do
	test_expect_success "er_print reads his recording, whose $name he exchanges, ${RP_RACES:-10} times" '
		rm -rf "$theirs/x.er" && cp -r own.er "$theirs/x.er" && chown -R $MALLORY "$theirs/x.er" &&
		target=$vault && case $name in archive) ;; *) target=$vault/$name ;; esac &&
		: >said && while_swapping "$theirs/x.er" $name "$target" read_it && is_kept said "$theirs/x.er"
	'
done

test_done
