#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# generate.sh bash|zsh|fish collect|er_print: the completion of a program for a shell, from
# what the program says of itself; it must come first in PATH.  `make completions` writes
# all of them anew; t/t8-completion.sh compares.
#
# What may be left out is left out here, too: er_print takes it only where it is a number.
#
# Between the programs and the shells stands one table, a line for an option or command:
#
#	NAMES	WORDS	VALUES	MEANING		parted by tabs; names and values by blanks
#
# WORDS are the arguments that it must have, by the words of its help (FILE, DIR…), VALUES
# those that the first of them may be.
set -eu

# "  -L MB    stop…" of collect; values are in the word itself: on|off.
collect_table() {
	collect --help | awk -F'   *' -v OFS='\t' '/^  -/ {
		count = split($2, part, " ")
		names = words = values = ""
		for (i = 1; i <= count; i++) {
			if (part[i] ~ /^-/)
				names = names (names ? " " : "") part[i]
			else if (part[i] != "|" && !words)
				words = part[i]
		}
		gsub(/,/, "", names)
		if (words ~ /[|]/) {
			count = split(words, part, "|")
			for (i = 1; i <= count; i++)
				if (part[i] ~ /^[a-z]+$/)
					values = values (values ? " " : "") part[i]
			words = part[1] ~ /^[A-Z]+$/ ? part[1] : \
				part[count] ~ /^[A-Z]+$/ ? part[count] : "MODE"
		}
		sub(/[[,].*/, "", words)
		print names, words, values, $3
	}'
}

er_print_table() {
	er_print --no-rc -printmode "$(printf '\t')" -help | tr -d '\r' |
		awk -F'\t' -v OFS='\t' 'NR > 1 {
			count = split($1, part, " ")
			words = ""
			for (i = 2; i <= count && part[i] !~ /^[[]/; i++)
				words = words (words ? " " : "") part[i]
			print "-" part[1], words, words ? $3 : "", $2
		}'
	er_print --help | awk -F'   *' -v OFS='\t' '/^  (-V, )?--/ {
		gsub(/,/, "", $2)
		print $2, "", "", $3
	}'
}

head_of() {
	[ "$1" != zsh ] || echo "#compdef $2"
	echo "# SPDX-License-Identifier: Apache-2.0"
	[ "$1" != bash ] || echo "# shellcheck shell=bash"
	echo "# Completion of $2 for $1, made by completions/generate.sh: do not edit."
}

# ---- bash ----

bash_rules() {
	awk -F'\t' -v q="'" '{
		split($2, word, " ")
		all = all (all ? " " : "") $1
		gsub(/ /, " | ", $1)
		action = $3 ? "compgen -W " q $3 q : \
			word[1] == "FILE" ? "compgen -f" : \
			word[1] ~ /^(DIRS?|OLD|NEW)$/ ? "compgen -d" : \
			word[1] ~ /^(EXP|NAME.er)$/ ? "compgen -d -X " q "!*.er" q : \
			word[1] == "CTR" ? "_rp_counters" : ""
		if (action)
			print "\t" $1 ") mapfile -t COMPREPLY < <(" action " -- \"$cur\") ;;"
		else if (word[1])
			print "\t" $1 ") COMPREPLY=() ;;"
	}
	END {
		print "\t*)"
		print "\t\tcase $cur in"
		print "\t\t-*) mapfile -t COMPREPLY < <(compgen -W \"" all "\" -- \"$cur\") ;;"
	}'
}

# The program that is to be recorded is the first word that no option takes.
bash_collect_head() {
	options=$(awk -F'\t' '$2 { gsub(/ /, " | ", $1); printf "%s%s", n++ ? " | " : "", $1 }')
	cat <<END
_rp_program() {
	local i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case \${COMP_WORDS[i]} in
		$options) ((i++)) ;;
		-*) ;;
		*) echo "\$i" && return ;;
		esac
	done
}

_rp_counters() {
	compgen -W "\$(collect -h 2>/dev/null |
		sed -n 's|^\\([^][:space:],/[]*\\)[^[:space:]]*,[0-9]* (.*|\\1|p')" "\$@"
}

_collect() {
	local program cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]}
	program=\$(_rp_program)
	if [[ \$program ]] && declare -F _command_offset >/dev/null; then
		_command_offset "\$program"
		return
	elif [[ \$program ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "\$cur")
		return
	fi
END
}

bash_er_print_head() {
	cat <<'END'
_er_print() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
END
}

bash_of() {
	other='compgen -c'
	[ "$1" = collect ] || other="compgen -d -X '!*.er'"
	"$1_table" | "bash_$1_head"
	# shellcheck disable=SC2016
	echo '	case $prev in'
	"$1_table" | bash_rules
	cat <<END
		*) mapfile -t COMPREPLY < <($other -- "\$cur") ;;
		esac
		;;
	esac
}

complete -o filenames -F _$1 $1
END
}

# ---- zsh ----

zsh_rules() {
	awk -F'\t' -v q="'" '
	function action(word, values) {
		return values ? "(" values ")" : \
			word == "FILE" ? "_files" : word ~ /^(DIRS?|OLD|NEW)$/ ? "_files -/" : \
			word ~ /^(EXP|NAME.er)$/ ? "_files -/ -g \"*.er(-/)\"" : \
			word == "CTR" ? "_rp_counters" : word == "PID" ? "_pids" : " "
	}
	{
		meaning = $4
		gsub(/[][]/, "\\\\&", meaning)
		gsub(/:/, "\\:", meaning)
		gsub(q, q "\\" q q, meaning)
		count = split($2, word, " ")
		rest = ""
		for (i = 1; i <= count; i++)
			rest = rest ":" word[i] ":" action(word[i], i == 1 ? $3 : "")
		names = split($1, name, " ")
		for (i = 1; i <= names; i++)
			print "\t" q "*" name[i] "[" meaning "]" rest q " \\"
	}'
}

zsh_of() {
	if [ "$1" = er_print ]; then
		printf '_arguments \\\n'
		er_print_table | zsh_rules
		printf '\t%s\n' "'*:experiment:_files -/ -g \"*.er(-/)\"'"
		return
	fi
	cat <<'END'
_rp_counters() {
	compadd -- ${(f)"$(collect -h 2>/dev/null |
		sed -n 's|^\([^][:space:],/[]*\)[^[:space:]]*,[0-9]* (.*|\1|p')"}
}

_arguments -A '-*' \
END
	collect_table | zsh_rules
	printf "\t'1:program:_command_names -e' \\\\\n\t'*::argument:_normal'\n"
}

# ---- fish ----

fish_rules() {
	awk -F'\t' -v q="'" -v program="$1" '{
		meaning = $4
		gsub(/[\\'\'']/, "\\\\&", meaning)
		names = split($1, name, " ")
		line = "complete -c " program
		for (i = 1; i <= names; i++)
			line = line (name[i] ~ /^--/ ? " -l " substr(name[i], 3) : \
				length(name[i]) == 2 ? " -s " substr(name[i], 2) : \
				" -o " substr(name[i], 2))
		split($2, word, " ")
		line = line ($3 ? " -x -a " q $3 q : word[1] == "FILE" ? " -r -F" : \
			word[1] ~ /^(DIRS?|OLD|NEW)$/ ? \
				" -x -a " q "(__fish_complete_directories)" q : \
			word[1] ~ /^(EXP|NAME.er)$/ ? " -x -a " q "(__fish_complete_suffix .er)" q : \
			word[1] == "CTR" ? " -x -a " q "(__rp_counters)" q : \
			word[1] == "PID" ? " -x -a " q "(__fish_complete_pids)" q : \
			word[1] ? " -x" : "")
		print line " -d " q meaning q
	}'
}

fish_of() {
	if [ "$1" = collect ]; then
		cat <<'END'
function __rp_counters
    collect -h 2>/dev/null | string replace -rf '^([^\[\s,/]+)\S*,\d+ \((.*)\)$' '$1\t$2'
end
END
		echo "complete -c collect -x -a '(__fish_complete_subcommand --$(
			collect_table | awk -F'\t' '$2 { printf " %s", $1 }'))'"
	else
		echo "complete -c er_print -x -a '(__fish_complete_suffix .er)'"
	fi
	"$1_table" | fish_rules "$1"
}

head_of "$1" "$2"
"$1_of" "$2"
