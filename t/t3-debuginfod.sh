# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Debug files from a debuginfod server: one of our own, on this machine.
. "$RP_SRC/t/lib.sh"
need gcc nm objcopy python3 readelf strip
python3 -c 'import socket
server = socket.create_server(("127.0.0.1", 0))
socket.create_connection(server.getsockname())' 2>/dev/null ||
	skip_all 'no connection to 127.0.0.1 can be made'
python3 -c 'import ctypes; ctypes.CDLL("libdebuginfod.so.1")' 2>/dev/null ||
	skip_all 'libdebuginfod is not installed'

cat >prog.c <<'END'
volatile int x;
__attribute__((noinline)) static int leaf(void) { return x += 3; }
int main(void) { return leaf() - x; }
END
gcc -O2 -g -Wl,--build-id -o prog prog.c || test_bug 'gcc fails'
id=$(readelf -n prog | sed -n 's/ *Build ID: //p')
leaf=$(nm prog | awk '$3 == "leaf" { print $1 }')
mkdir served && objcopy --only-keep-debug prog "served/$id.debug"
strip prog && cp prog "served/$id"

# Without names, as of a file that was stripped.
make_experiment() {
	rm -rf e.er && mkexp e.er <<END
module prog=$PWD/prog
module prog#$id
prog!+0x$leaf 4
prog!there 1
END
}

servers='' host=127.0.0.1
trap 'kill $servers' EXIT

# serve NAME FOLDER [slow]: its address is in $url, what it was asked in NAME.log.
serve() {
	: >"$1.log"
	"$RP_SRC/t/debuginfod-server" "$2" "$1.port" "$1.log" ${3:+"$3"} &
	servers="$servers $!"
	until [ -s "$1.port" ] || ! kill -0 $!; do moment; done
	# shellcheck disable=SC2034
	url=http://$host:$(cat "$1.port")
}

# ask URLS ARGUMENT…: er_print, with a cache of its own.  A busy machine's server may take
# long; $patience is how many seconds.
patience=120
ask() {
	DEBUGINFOD_URLS=$1 DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_TIMEOUT=$patience
	export DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH DEBUGINFOD_TIMEOUT
	shift
	er_print "$@"
	asked=$?
	unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH DEBUGINFOD_TIMEOUT
	return "$asked"
}

test_expect_success 'no server is asked if DEBUGINFOD_URLS is unset or empty' '
	serve good served && make_experiment && er_print -functions -lines e.er >got 2>err &&
	ask "" -functions -lines e.er >got 2>err && ! test -s good.log && ! test -e cache
'

test_expect_success 'names and lines of a stripped program come from the server' '
	ask "$url" -json -functions -lines -symbols e.er >got.json 2>err && ! test -s err &&
	holds got.json "excl(\"leaf\") > 0 and d[\"symbols\"][0][\"lines_from\"] == \"debug file\" and
		\"debug file\" in d[\"symbols\"][0][\"names_from\"]" &&
	echo "/buildid/$id/debuginfo" >want && test_cmp want good.log
'

test_expect_success '… and are requested once' '
	ask "$url" -functions -lines e.er >got && test_grep " leaf" got && test_cmp want good.log
'

test_expect_success 'instructions of a missing program come from the server' '
	mv prog away && ask "$url" -disasm leaf e.er >got && mv away prog && test_grep "ret" got &&
	test_grep "/buildid/$id/executable" good.log
'

test_expect_success 'a missing source file comes from the server' '
	mkdir -p "served/$id.src$PWD" away && mv prog.c "served/$id.src$PWD" &&
	ask "$url" -source leaf e.er >got 2>err && ! test -s err &&
	test_grep "##.*x += 3" got && test_no_grep changed got &&
	test_grep "/buildid/$id/source/.*prog.c" good.log &&
	mv "served/$id.src$PWD/prog.c" there.c && rm -rf cache &&
	test_expect_code 1 ask "$url" -source leaf e.er >got 2>err &&
	test_grep "prog.c does not exist" err && mv there.c prog.c
'

test_expect_success 'a server'"'"'s file for another build is not used' '
	rm -rf cache && mkdir wrong && gcc -O2 -g -Wl,--build-id=0x1234 -o wrong/$id.debug prog.c &&
	serve wrong wrong && make_experiment && ask "$url" -json -symbols e.er >got.json &&
	test -s wrong.log &&
	holds got.json "d[\"symbols\"][0][\"lines_from\"] == \"-\" and
		\"debug\" not in d[\"symbols\"][0][\"names_from\"]"
'

test_expect_success 'a silent server is given up, as symbols shows' '
	rm -rf cache && serve slow served slow && make_experiment && patience=10 &&
	ask "$url" -functions -lines -symbols e.er >got &&
	test_grep "the server in DEBUGINFOD_URLS did not answer for 10 s" got &&
	until [ -s slow.log ]; do moment; done &&
	[ "$(sort -u slow.log | wc -l)" -eq 1 ]
'

test_expect_success 'symbols shows that there is no server' '
	rm -rf cache && make_experiment && patience=120 && ask http://$host:1 -symbols e.er >got &&
	test_grep "the server in DEBUGINFOD_URLS cannot be asked (Connection refused)" got
'

trap - EXIT
# shellcheck disable=SC2086
kill $servers
test_done
