# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# share/sql: questions to the tables of many hosts, in PostgreSQL.  The answers are er_print's.
. "$RP_SRC/t/lib.sh"
need python3
. "$RP_SRC/t/fleet.sh"
. "$RP_SRC/t/servers.sh"
set_postgresql

load() { sh "t$1/load" postgresql; }

count() { ./ask-postgresql "SELECT (SELECT count(*) FROM experiments), (SELECT count(*) FROM samples), (SELECT count(*) FROM nodes)"; }

test_expect_success POSTGRESQL 'three writers at a time; each answer is that of er_print' '
	load_all load && answers postgresql && count >before && cat before && test "$(cut -f 1 before)" = 12
'
test_expect_success POSTGRESQL 'loading a host again changes nothing' 'load 01 && count >after && test_cmp before after'

test_expect_success POSTGRESQL 'others than the owner load and ask, with the rights to do so alone' '
	psql -X -q -c "CREATE ROLE loader LOGIN; CREATE ROLE asker LOGIN; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO loader;
		GRANT SELECT ON ALL TABLES IN SCHEMA public TO asker; REVOKE CREATE ON SCHEMA public FROM PUBLIC" &&
	PGUSER=loader load 02 && count >after && test_cmp before after && sh "$RP_SRC/share/sql/ask" postgresql changed base=1.1 other=1.2 >want &&
	PGUSER=asker sh "$RP_SRC/share/sql/ask" postgresql changed base=1.1 other=1.2 >got && test_cmp want got
'

test_expect_success POSTGRESQL 'Grafana: each panel of the dashboard' 'dashboard postgresql'

# Recordings of other machines beside them: those of family 2 that are small.
recordings=$RP_SRC/../shared/fixtures/perf.data
if [ ! -d "$recordings" ]; then
	test_set_prereq OTHERS 'no ../shared/fixtures/perf.data'
elif ! ./ask-postgresql "SELECT 1" >/dev/null 2>&1; then
	test_set_prereq OTHERS 'no PostgreSQL'
else
	test_set_prereq OTHERS
fi
test_expect_success OTHERS 'with recordings of other machines among them, answers are those of er_print over all' '
	set -- && for file in "$recordings"/*.data; do
		name=other-$(basename "$file" .data).er
		test "$(wc -c <"$file")" -lt 3000000 && collect --import "$file" -O "$name" >/dev/null 2>err || continue
		er_print -limit 3 -functions "$name" >out 2>&1 && ! grep -q "no metric" out && set -- "$@" "$name"
	done && test $# -ge 10 && er_print -export tables others "$@" && sh others/load postgresql &&
	for metric in totalcpu cycles; do
		report all.json -metrics e.$metric:i.$metric -functions h*.er "$@" &&
			sh "$RP_SRC/share/sql/ask" postgresql hottest top=40 metric=$metric >hottest &&
			fleet hottest hottest all.json $metric || return 1
	done && er_print -metrics e.cycles -export collapsed - "$@" | awk "{ n += \$NF } END { print n }" >want &&
	sh "$RP_SRC/share/sql/ask" postgresql flamegraph metric=cycles >folded &&
	awk "{ n += \$NF } END { print n }" folded >got && test_cmp want got
'

test_expect_success POSTGRESQL 'counters that were multiplexed: each recording by its own scale' 'scaled postgresql'

test_expect_success 'Grafana: the dashboards have the queries of share/sql' '
	mkdir made && (cd made && python3 "$RP_SRC/share/grafana/make-dashboards") && for engine in postgresql clickhouse; do
		cmp "made/ringprof-$engine.json" "$RP_SRC/share/grafana/ringprof-$engine.json" || return 1
	done
'

test_expect_success 'ask: what it does not know, it says' '
	for bad in "mysql hottest" "postgresql none" "postgresql ../ask" "postgresql hottest top=x" "clickhouse hottest flavor=both" postgresql; do
		# shellcheck disable=SC2086 # words
		test_expect_code 2 sh "$RP_SRC/share/sql/ask" $bad 2>err && test_grep "^usage: ask" err || return 1
	done
'

test_done
