# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2154
# Part of run.sh about how long a person waits for er_print's answers, beside perf's and
# gprofng's to the same question.  Uses its $tmp, $timed, $runs, have, medians and
# hard_command.

# A question that takes longer is given up.
patience=60

# asked FILE COMMAND…: appends its wall time and peak memory; the patience and 0 where that
# was over, twice 0 where it failed.
asked() {
	answers=$1
	shift
	rm -f "$tmp/asked"
	"$timed" "$tmp/asked" timeout "$patience" "$@" >"$tmp/out" 2>&1 && status=0 || status=$?
	case $status in
	0) awk '{ print $1, $4 / 1024 }' "$tmp/asked" ;;
	124) echo "$patience 0" ;;
	*) echo "0 0" ;;
	esac >>"$answers"
}

# Recordings of one command by all three, without any answer so far.
# shellcheck disable=SC2046
make_recordings() {
	rm -rf "$tmp"/ask.er "$tmp"/ask.data "$tmp"/askgp.er
	collect -p hi -O "$tmp/ask.er" $1 >/dev/null 2>&1
	! have perf || perf record -q -e cpu-clock -F 1003 --call-graph dwarf -o "$tmp/ask.data" \
		$1 >/dev/null 2>&1 || :
	! have gp-collect-app || gp-collect-app -p hi -O "$tmp/askgp.er" $1 >/dev/null 2>&1 || :
}

answer_row() {
	echo "$1 · $(medians "$tmp/ours") · $(! have perf || medians "$tmp/perfs") · $(
		! have gp-display-text || medians "$tmp/gprofngs")" |
		awk -F' · ' -v patience="$patience" '
			function shown(text, part) {
				if (split(text, part, " ") < 2)
					return "— |"
				if (!part[1])
					return "fails |"
				return part[1] >= patience && !part[2] ? "> " patience " |" : \
					sprintf("%.3f (%.0f MiB)", part[1], part[2]) " |"
			}
			{ print "| " $1 " | " shown($2) " " shown($3) " " shown($4) }'
	rm -f "$tmp/ours" "$tmp/perfs" "$tmp/gprofngs"
}

# What er_print finds it keeps in the experiment, which is taken away for the first time.
ask_compile() {
	make_recordings "$(hard_command gcc)"
	for run in $(seq "$runs"); do
		echo "functions and call tree of gcc $run/$runs" >&2
		rm -f "$tmp/ask.er/lines"
		asked "$tmp/ours" er_print -functions -calltree "$tmp/ask.er"
		asked "$tmp/again" er_print -functions -calltree "$tmp/ask.er"
		! have perf || asked "$tmp/perfs" perf report --stdio --children -i "$tmp/ask.data"
		! have gp-display-text ||
			asked "$tmp/gprofngs" gp-display-text -functions -calltree "$tmp/askgp.er"
	done
	answer_row '`functions` and `calltree` of gcc, the first time'
	mv "$tmp/again" "$tmp/ours"
	answer_row '… the second time'
}

ask_source() {
	make_recordings "$RP_BUILD/t/bench/gaps 25 1000"
	for run in $(seq "$runs"); do
		echo "source of gaps $run/$runs" >&2
		rm -f "$tmp/ask.er/lines"
		asked "$tmp/ours" er_print -source descend "$tmp/ask.er"
		! have perf || asked "$tmp/perfs" perf annotate --stdio -s descend -i "$tmp/ask.data"
		! have gp-display-text ||
			asked "$tmp/gprofngs" gp-display-text -source descend "$tmp/askgp.er"
	done
	answer_row '`source` of the hottest function of gaps, the first time'
}

answers() {
	echo '| question | er_print s | perf s | gprofng s |'
	echo '|---|---|---|---|'
	make_hard
	ask_compile
	ask_source
}
