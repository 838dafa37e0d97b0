# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Servers of databases for a test, which end with it.  Source it after lib.sh.  They listen at the loopback or at a
# socket, and keep all they have in folders of their own: these are outside, since paths of sockets are short, and
# root's servers run as nobody.
#
#	set_postgresql	prerequisite POSTGRESQL; psql and ./ask-postgresql QUERY reach it
#	set_clickhouse N	prerequisite CLICKHOUSE: N servers, a cluster `ringprof` of N shards; ./ask-clickhouse QUERY
#		asks the first, ./ask-clickhouse-K the Kth, whose port is $(port_of K)
#	kill_clickhouse K	as by a power cut; start_clickhouse K starts it again on what it had

PATH=$PATH:/usr/sbin
for dir in /usr/lib/postgresql/*/bin; do PATH=$PATH:$dir; done
servers=$(mktemp -d) || test_bug 'no folder for servers'
[ "$(id -u)" -ne 0 ] || chown 65534:65534 "$servers"

kill_clickhouse() {
	[ ! -s "$servers/ch$1.pid" ] || kill -9 "$(cat "$servers/ch$1.pid")"
	wait "$(cat "$servers/ch$1.pid")"
	: >"$servers/ch$1.pid"
} >/dev/null 2>&1
stop() {
	for at in "$servers"/ch*.pid; do at=${at##*/ch} && kill_clickhouse "${at%.pid}"; done
	[ ! -e "$servers/pg/postmaster.pid" ] || server pg_ctl -D "$servers/pg" -m immediate stop
	rm -rf "$servers"
} >/dev/null 2>&1
trap 'stop || :' EXIT
trap 'exit 1' INT TERM HUP
server() { (cd "$servers" && if [ "$(id -u)" -eq 0 ]; then as_nobody "$@"; else "$@"; fi); }

# ---- PostgreSQL ----

set_postgresql() {
	export PGHOST="$servers" PGUSER=me PGDATABASE=postgres
	unset PGPORT PGOPTIONS PGSERVICE PGPASSWORD
	if ! command -v initdb psql >/dev/null; then
		test_set_prereq POSTGRESQL 'no PostgreSQL: install postgresql'
	elif ! { server initdb -D "$servers/pg" -U me -A trust -E UTF8 --locale=C.UTF-8 -N &&
		server pg_ctl -D "$servers/pg" -w -l "$servers/pg.log" -o "-k $servers -c listen_addresses= -F" start; } >pg.out 2>&1 </dev/null; then
		test_set_prereq POSTGRESQL "PostgreSQL does not start: $(tail -n 1 pg.out)"
	else
		test_set_prereq POSTGRESQL
	fi
	printf '#!/bin/sh\nexec psql -X -q -c "COPY ($1) TO STDOUT"\n' >ask-postgresql
	chmod +x ask-postgresql
}

# ---- ClickHouse ----

# free_ports N: all are held at the same time, else two might be one.
free_ports() {
	python3 -c 'import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in held:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])' "$1"
}

port_of() { eval "printf %s \"\$port$1\""; }

# The shards are those of ports.
configure_clickhouse() {
	home=$servers/ch$1
	mkdir -p "$home/data" "$home/tmp"
	cat >"$home/config.xml" <<-END
	<yandex><logger><level>error</level><console>1</console></logger><listen_host>127.0.0.1</listen_host><tcp_port>$(port_of "$1")</tcp_port>
	<path>$home/data/</path><tmp_path>$home/tmp/</tmp_path><mark_cache_size>10000000</mark_cache_size>
	<macros><home>$home</home></macros>
	<remote_servers><ringprof>$(for port in $ports; do
		echo "<shard><replica><host>127.0.0.1</host><port>$port</port></replica></shard>"
	done)</ringprof></remote_servers>
	<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database></yandex>
	END
	cat >"$home/users.xml" <<-END
	<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password/><networks><ip>127.0.0.1</ip></networks>
	<profile>default</profile><quota>default</quota></default></users></yandex>
	END
	[ "$(id -u)" -ne 0 ] || chown -R 65534:65534 "$home"
}

# answers_as K: the server at its port is that one, and none of another test.
answers_as() {
	[ "$("./ask-clickhouse-$1" "SELECT substitution FROM system.macros WHERE macro = 'home'" 2>/dev/null)" = "$servers/ch$1" ]
}

# start_clickhouse K: false if it ends at once, as where the port is taken.
start_clickhouse() {
	if [ "$(id -u)" -eq 0 ]; then
		set -- "$1" setpriv --reuid=65534 --regid=65534 --clear-groups clickhouse-server
	else
		set -- "$1" clickhouse-server
	fi
	number=$1 && shift
	(cd "$servers/ch$number" && exec "$@" --config-file=config.xml) >"ch$number.out" 2>&1 </dev/null &
	echo $! >"$servers/ch$number.pid"
	for _ in $(seq 300); do
		kill -0 "$(cat "$servers/ch$number.pid")" 2>/dev/null || break
		answers_as "$number" && return
		sleep 0.1
	done
	kill_clickhouse "$number"
	return 1
}

# start_cluster N: false if one does not start; then others, on other ports.
start_cluster() {
	ports=$(free_ports "$1") number=0
	for port in $ports; do
		number=$((number + 1))
		eval "port$number=$port"
		printf '#!/bin/sh\nexec clickhouse-client --host 127.0.0.1 --port %s --query="$1 FORMAT TabSeparated"\n' "$port" \
			>"ask-clickhouse-$number"
		chmod +x "ask-clickhouse-$number"
	done
	ln -sf ask-clickhouse-1 ask-clickhouse
	for number in $(seq "$1"); do configure_clickhouse "$number"; done
	for started in $(seq "$1"); do
		start_clickhouse "$started" && continue
		for number in $(seq "$started"); do kill_clickhouse "$number"; done
		return 1
	done
}

set_clickhouse() {
	if ! command -v clickhouse-server clickhouse-client >/dev/null; then
		test_set_prereq CLICKHOUSE 'no ClickHouse: install clickhouse-server and clickhouse-client'
		return
	fi
	for _ in 1 2 3 4 5; do
		start_cluster "$1" && break
	done
	if [ -s "$servers/ch1.pid" ]; then
		test_set_prereq CLICKHOUSE
	else
		test_set_prereq CLICKHOUSE "ClickHouse does not start: $(cat ch*.out | tail -n 1)"
	fi
}
