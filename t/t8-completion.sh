# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Completion, asked of the shells themselves.
. "$RP_SRC/t/lib.sh"

completions=$RP_SRC/completions
mkdir run.er plain

set_tools BASH bash
set_tools ZSH zsh
set_terminal
[ -z "$test_lack_TERMINAL" ] || test_set_prereq ZSH "$test_lack_TERMINAL"
set_tools FISH fish

for program in collect er_print; do
	for file in bash/$program zsh/_$program fish/$program.fish; do
		test_expect_success "$file is what make completions writes" '
			sh "$completions/generate.sh" "${file%%/*}" $program >want &&
			test_cmp want "$completions/$file"
		'
	done
done

# in_bash WORD…: what it would offer for the last word of a command.
in_bash() {
	bash -c '. "$0" && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) && _$1 &&
		printf "%s\n" "${COMPREPLY[@]}"' "$completions/bash/$1" "$@" >got
}

test_expect_success BASH 'bash: options, commands, and the values of each' '
	in_bash collect --str && echo --strict >want && test_cmp want got &&
	in_bash collect --pi && echo --pid >want && test_cmp want got &&
	in_bash collect -p h && echo hi >want && test_cmp want got &&
	in_bash collect -o x.er --scope c && printf "%s\n" cgroup cpu >want && test_cmp want got &&
	in_bash er_print -func && echo -functions >want && test_cmp want got &&
	in_bash er_print -printmode h && echo html >want && test_cmp want got &&
	in_bash er_print -limit 3 ru && echo run.er >want && test_cmp want got
'

test_expect_success BASH '… the counters of this CPU, and files for the recorded program' '
	in_bash collect -h cycl && test_grep "^cycles$" got &&
	in_bash collect -p hi sh pl && echo plain >want && test_cmp want got
'

# in_fish LINE
in_fish() {
	fish --no-config -c '
		source $argv[1]/collect.fish
		source $argv[1]/er_print.fish
		complete -C $argv[2]' "$completions/fish" "$1" | cut -f 1 >got
}

test_expect_success FISH 'fish: the same' '
	in_fish "collect --str" && echo --strict >want && test_cmp want got &&
	in_fish "collect -p h" && echo hi >want && test_cmp want got &&
	in_fish "collect --scope c" && printf "%s\n" cgroup cpu >want && test_cmp want got &&
	in_fish "collect -h cycl" && test_grep "^cycles$" got &&
	in_fish "collect -p hi sh pl" && test_grep "^plain/" got &&
	in_fish "er_print -func" && echo -functions >want && test_cmp want got &&
	in_fish "er_print -printmode h" && echo html >want && test_cmp want got &&
	in_fish "er_print -limit 3 ru" && echo run.er/ >want && test_cmp want got
'

# in_zsh LINE: what a zsh at a terminal makes of it, with a tab behind, in file got.  It says
# itself when it reads keys.
in_zsh() {
	timeout 60 zsh -f -c '
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PROMPT= RPROMPT= fpath=($1 \$fpath); autoload -Uz compinit"
		zpty -w shell "compinit -u -D; bindkey ^I complete-word; unsetopt automenu"
		zpty -w shell "show() { print -r -- \"<\$BUFFER>\"; zle kill-buffer }"
		zpty -w shell "ready() { print ready-\$((40 + 2)) }"
		zpty -w shell "zle -N show; bindkey ^X show; zle -N zle-line-init ready"
		zpty -r -m shell line "*ready-42*"
		zpty -w -n shell "$2"$'"'"'\t\x18'"'"'
		zpty -r -m shell line "*<*>*"
		print -r -- "$line"' in_zsh "$completions/zsh" "$1" >shown
	sed -n "s/.*<\(.*\)>.*/\1/p" shown | tail -n 1 >got
}

test_expect_success ZSH 'zsh: the same' '
	in_zsh "collect --str" && echo "collect --strict " >want && test_cmp want got &&
	in_zsh "collect -p h" && echo "collect -p hi " >want && test_cmp want got &&
	in_zsh "er_print -func" && echo "er_print -functions " >want && test_cmp want got &&
	in_zsh "er_print -printmode h" && echo "er_print -printmode html " >want && test_cmp want got &&
	in_zsh "er_print -limit 3 ru" && echo "er_print -limit 3 run.er/" >want && test_cmp want got
'

test_done
