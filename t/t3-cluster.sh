# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# share/sql: questions to the tables of many hosts, in a cluster of three servers of ClickHouse.  The answers are er_print's.
. "$RP_SRC/t/lib.sh"
[ -z "${RP_SANITIZE:-}" ] || skip_all 'this build has sanitizers, and the queries here are run by servers'
need python3
. "$RP_SRC/t/fleet.sh"
. "$RP_SRC/t/servers.sh"
set_clickhouse 3

# load HOST: through a server of its own.
load() { sh "t$1/load" clickhouse --host 127.0.0.1 --port "$(port_of $((1 + ${1#0} % 3)))"; }
count() {
	./ask-clickhouse "SELECT (SELECT count() FROM experiments FINAL), (SELECT count() FROM (SELECT 1 FROM samples FINAL)),
		(SELECT count() FROM (SELECT 1 FROM nodes FINAL))"
}

test_expect_success CLICKHOUSE 'three writers at a time; each answer is that of er_print' '
	for k in 1 2 3; do
		clickhouse-client --host 127.0.0.1 --port "$(port_of "$k")" --multiquery <t00/schema-clickhouse-cluster.sql || return 1
	done && load_all load && answers clickhouse --host 127.0.0.1 --port "$(port_of 2)" && count >before && cat before &&
	for k in 1 2 3; do "./ask-clickhouse-$k" "SELECT count() FROM ringprof_shard.nodes FINAL" || return 1; done >parts &&
	test_no_grep "^0$" parts && test "$(awk "{ n += \$1 } END { print n }" parts)" = "$(cut -f 3 before)"
'
test_expect_success CLICKHOUSE 'Grafana: each panel of the dashboard' '
	dashboard clickhouse --host 127.0.0.1 --port "$(port_of 1)"
'
test_expect_success CLICKHOUSE 'loading a host again changes nothing' 'load 01 && count >after && test_cmp before after'

test_expect_success CLICKHOUSE 'without one of its servers: no answer rather than a part; with it, the same' '
	kill_clickhouse 3 && ! count >out 2>err && test_cmp /dev/null out &&
	for question in hottest flamegraph; do
		! sh "$RP_SRC/share/sql/ask" clickhouse "$question" -- --host 127.0.0.1 --port "$(port_of 1)" >out 2>err &&
			test_cmp /dev/null out || return 1
	done &&
	start_clickhouse 3 && count >after && test_cmp before after
'

# The load waits in samples until the server is dead.
cut_load() {
	fleet make 3 4 4 160 && er_print -export tables t03 h03.*.er && mkdir slow && cat >slow/clickhouse-client <<-END && chmod +x slow/clickhouse-client &&
	#!/bin/sh
	case "\$*" in *"INTO samples"*) touch "$PWD/there"; while [ ! -e "$PWD/dead" ]; do sleep 0.05; done ;; esac
	exec "$(command -v clickhouse-client)" "\$@"
	END
	{ PATH=$PWD/slow:$PATH sh t03/load clickhouse --host 127.0.0.1 --port "$(port_of 1)" 2>err; echo $? >status; } &
	loading=$!
	while [ ! -e there ] && kill -0 "$loading"; do sleep 0.05; done
	kill_clickhouse 2
	touch dead
	wait "$loading"
	cat err
}
test_expect_success CLICKHOUSE 'a server killed while a host is loaded: an error; the load again completes it, nothing twice' '
	cut_load && test_grep "^[1-9]" status && start_clickhouse 2 && count >cut && cat cut && test "$(cut -f 1 cut)" = 12 &&
	load 03 && count >after && er_print -export tables whole h*.er &&
	printf "16\t%d\t%d\n" "$(wc -l <whole/samples.tsv)" "$(wc -l <whole/nodes.tsv)" | test_cmp - after
'

test_expect_success CLICKHOUSE 'counters that were multiplexed: each recording by its own scale' '
	scaled clickhouse --host 127.0.0.1 --port "$(port_of 1)"
'

test_done
