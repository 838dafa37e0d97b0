# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Source it after lib.sh: three hosts with four recordings each, what er_print says about them, and questions to
# databases that have their tables.

fleet() { python3 "$RP_SRC/t/fleet.py" "$@"; }
report() { report=$1 && shift && er_print -json "$@" >"$report"; }
commas() { printf '%s\n' "$@" | paste -sd, -; }

fleet make 0 3 4 160
one=$(commas h*.r0[01].er) two=$(commas h*.r0[23].er)
report functions.json -functions h*.er
report exclusive.json -sort e.totalcpu -compare on -functions "$one" "$two"
report inclusive.json -sort i.totalcpu -compare on -functions "$one" "$two"
report r1.json -functions h*.r0[01].er
report r2.json -functions h*.r0[23].er
report regions.json -regions h*.er
for host in 00 01 02; do
	for run in 00 01 02 03; do report "n$host.$run.regions" -regions "h$host.r$run.er"; done
	report "n$host.json" -functions h$host.*.er
	er_print -export tables "t$host" h$host.*.er
done
er_print -export collapsed - h*.er | sort >collapsed

# load_all COMMAND…: COMMAND HOST for each, at a time.
load_all() {
	writers=
	for host in 00 01 02; do
		{ "$@" "$host" >"said$host" 2>&1 || touch "failed$host"; } &
		writers="$writers $!"
	done
	# shellcheck disable=SC2086 # pids
	wait $writers
	cat said* && ! ls failed* 2>/dev/null
}

# answers ENGINE ARGUMENT…: each question's answer is er_print's.
answers() {
	engine=$1 && shift && ask() { sh "$RP_SRC/share/sql/ask" "$engine" "$@"; } &&
		ask changed base=1.1 other=1.2 -- "$@" >changed && fleet changed changed exclusive.json exclusive >out && cat out &&
		test_grep "^[78][0-9] [1-9]" out && ask changed base=1.1 other=1.2 flavor=inclusive -- "$@" >changed &&
		fleet changed changed inclusive.json inclusive && ask hottest top=50 -- "$@" >hottest &&
		fleet hottest hottest functions.json >out && echo "50 3 12" | test_cmp - out &&
		ask releases top=30 -- "$@" >releases && fleet releases releases 1.1=r1.json 1.2=r2.json >out &&
		echo "60 1.1 1.2" | test_cmp - out && ask unlike -- "$@" >unlike &&
		fleet unlike unlike n00=n00.json n01=n01.json n02=n02.json >out && echo "n02 g5" | test_cmp - out &&
		ask flamegraph -- "$@" >flamegraph && test_cmp collapsed flamegraph &&
		ask hottest from=1767225600 to=1767229199 -- "$@" >first && cut -f 8 first | sort -u >out && echo 3 | test_cmp - out &&
		ask hottest metric="it's \\ none" -- "$@" >none && test_cmp /dev/null none
}

# scaled ENGINE ARGUMENT…: two recordings beside them, one of which counted for two thirds of the time: each by its own scale.
scaled() {
	engine=$1 && shift && mkexp part.er <<-END && mkexp all.er <<-END2 && er_print -export tables t04 part.er all.er &&
	event jumps events 1000 0 1.5
	main;parse 5
	event ticks ns 1000 0 1.5
	main 3
	END
	event jumps events 1000
	main;parse 2
	main;write 1
	event ticks ns 1000
	main 1
	END2
		load 04 && for metric in jumps ticks; do
			sh "$RP_SRC/share/sql/ask" "$engine" flamegraph metric=$metric -- "$@" || return 1
		done >folded && printf "main;parse 9500\nmain;write 1000\nmain 5500\n" | test_cmp - folded &&
		sh "$RP_SRC/share/sql/ask" "$engine" hottest metric=jumps -- "$@" >hottest &&
		cut -f 1,3 hottest | sed "s/ (.*)//" >out && printf "parse\t9500\nwrite\t1000\nmain\t0\n" | test_cmp - out
}

# dashboard ENGINE ARGUMENT…: each panel of Grafana's shows what `ask` says, or what the fleet is.
dashboard() {
	engine=$1 && shift && python3 "$RP_SRC/t/grafana.py" run "$RP_SRC/share/grafana/ringprof-$engine.json" \
		"./ask-$engine" panels && python3 "$RP_SRC/t/grafana.py" check panels 3 4 &&
		ask hottest -- "$@" >want && same_numbers want "panels/Hottest functions.tsv" &&
		ask unlike -- "$@" >want && same_numbers want "panels/Hosts unlike the others.tsv" &&
		ask releases -- "$@" >want && same_numbers want "panels/Shares by release.tsv" &&
		ask changed base=1.1 other=1.2 -- "$@" >want && same_numbers want "panels/What changed.tsv" &&
		fleet regions "panels/Regions with the most \${metric}.tsv" "panels/Durations of regions.tsv" regions.json &&
		set -- && for host in 00 01 02; do
			for run in 00 01 02 03; do set -- "$@" "n$host=n$host.$run.regions"; done
		done && fleet region "panels/95th percentile of \${region}, in ms.tsv" "event sort" "$@" >out && echo 12 | test_cmp - out &&
		python3 "$RP_SRC/t/grafana.py" draw panels panels.svg && python3 -c "
import xml.dom.minidom; assert len(xml.dom.minidom.parse(\"panels.svg\").getElementsByTagName(\"g\")) >= 9"
}

# Servers add in an order that changes, so the last digits do, and which of two equal rows is first.
same_numbers() {
	python3 - "$1" "$2" <<-\END
	import sys
	def is_name(cell):
	    try:
	        return float(cell) is None
	    except ValueError:
	        return cell.strip() not in ("", "\\N")
	def names(row):
	    return list(filter(is_name, row))
	a, b = (sorted((line.split("\t") for line in open(path, encoding="utf-8")), key=names) for path in sys.argv[1:])
	def same(x, y):
	    try:
	        return x == y or abs(float(x) - float(y)) <= 1e-9 * max(1, abs(float(x)))
	    except ValueError:
	        return {x.strip(), y.strip()} == {"", "\\N"}
	assert len(a) == len(b) and all(len(r) == len(s) and all(map(same, r, s)) for r, s in zip(a, b)), (a[:2], b[:2])
	END
}
