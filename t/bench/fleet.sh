# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
#
# For run.sh: databases of many machines, in ClickHouse: loading, and the questions of share/sql.  FLEET_HOSTS are
# numbers of hosts, each with 24 recordings of 31,000 samples, FLEET_SERVERS those of servers.

fleet_hosts=${FLEET_HOSTS:-1 8} fleet_servers=${FLEET_SERVERS:-3 1} fleet_writers=4

# What t/servers.sh asks of t/lib.sh.
test_set_prereq() { [ $# -eq 1 ] || { echo "$2" >&2 && exit 1; }; }
as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$@"; }

# make_hosts FIRST END: tables of each in a folder of its own.
make_hosts() {
	for host in $(seq "$1" $(($2 - 1))); do
		printf '%02d\n' "$host"
	done >hosts
	PATH=$RP_BUILD/t/helper:$PATH python3 "$RP_SRC/t/fleet.py" make "$1" "$2" 24 3000
	xargs -P 2 -I@ sh -c 'er_print -export tables t@ h@.*.er && rm -rf h@.*.er' <hosts
}

# load_hosts: those in `hosts`, each through a server of its own.
load_hosts() {
	while read -r host; do
		echo "$host $(port_of $((1 + ${host#0} % servers_now)))"
	done <hosts | xargs -P "$fleet_writers" -L 1 sh -c 'sh "t$0/load" clickhouse --host 127.0.0.1 --port "$1" >/dev/null'
}

# seconds COMMAND…: that it takes.
seconds() {
	rm -f took
	"$timed" took "$@" >answer 2>&1 || { cat answer >&2 && exit 1; }
	cut -d ' ' -f 1 took
}

ask_all() {
	for question in "hottest" "releases" "unlike" "changed base=1.1 other=1.2" "flamegraph"; do
		# shellcheck disable=SC2086 # words
		printf ' %.1f |' "$(seconds sh "$RP_SRC/share/sql/ask" clickhouse $question -- --host 127.0.0.1 --port "$(port_of 1)")"
	done
	echo
}

make_schema() {
	for server in $(seq "$servers_now"); do
		clickhouse-client --host 127.0.0.1 --port "$(port_of "$server")" --multiquery \
			<"t00/schema-clickhouse$([ "$servers_now" -eq 1 ] || echo -cluster).sql"
	done
}

fleet_rows() {
	servers_now=$1 spent=0 before=0
	set_clickhouse "$servers_now"
	for hosts in $fleet_hosts; do
		make_hosts "$before" "$hosts" >&2
		[ "$before" -ne 0 ] || make_schema
		began=$(date +%s)
		load_hosts >&2
		spent=$((spent + $(date +%s) - began)) before=$hosts
		printf '| %s, %s | %s | %s |' "$hosts" "$servers_now" \
			"$(./ask-clickhouse 'SELECT count() FROM (SELECT 1 FROM samples FINAL)')" "$spent"
		ask_all
		echo "fleet: $hosts hosts, $servers_now servers" >&2
	done
}

# Its servers end with the subshell.
fleet_table() {
	echo '| hosts, servers | samples | load s, all so far | hottest s | releases s | unlike s | changed s | flamegraph s |'
	echo '|---|--:|--:|--:|--:|--:|--:|--:|'
	for servers_now in $fleet_servers; do
		mkdir -p "$tmp/fleet$servers_now"
		(
			cd "$tmp/fleet$servers_now" || exit
			# shellcheck source=t/servers.sh
			. "$RP_SRC/t/servers.sh"
			fleet_rows "$servers_now"
		)
		rm -rf "$tmp/fleet$servers_now"
	done
}
