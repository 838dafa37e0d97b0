# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# What `make install` puts where, and that it works from there.
. "$RP_SRC/t/lib.sh"

make_install() {
	(unset MAKEFLAGS MFLAGS MAKELEVEL && make -s -C "$RP_BUILD" install "$@") >make.log 2>&1
}

test_expect_success 'DESTDIR and prefix are honoured' '
	make_install DESTDIR="$PWD/root" prefix=/opt/rp &&
	(cd root && find . -type f | sort) >list &&
	test_no_grep -v "^./opt/rp/" list
'

while read -r file; do
	test_expect_success "$file is installed" '
		test -s "root/opt/rp/$file"
	'
done <<'END'
bin/collect
bin/er_print
share/bash-completion/completions/collect
share/bash-completion/completions/er_print
share/man/man1/collect.1
share/man/man1/er_print.1
share/man/man5/ringprof-experiment.5
share/man/man7/ringprof-events.7
share/ringprof/ringprof-report-1.schema.json
END

test_expect_success 'the programs run from there' '
	root/opt/rp/bin/collect -V | grep -q ringprof &&
	root/opt/rp/bin/er_print -V | grep -q ringprof
'

if command -v bash >/dev/null; then
	test_set_prereq BASH
else
	test_set_prereq BASH 'bash is not installed'
fi

# complete FILE WORD…: what bash would offer for the last word.
complete_words() {
	file=root/opt/rp/share/bash-completion/completions/$1
	bash -c '. "$0" && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) && _$1 &&
		printf "%s\n" "${COMPREPLY[@]}"' "$file" "$@"
}

test_expect_success BASH 'completion knows the options, commands and values' '
	complete_words collect --str >got && echo --strict >want && test_cmp want got &&
	complete_words collect --pi >got && echo --pid >want && test_cmp want got &&
	complete_words collect -p h >got && echo hi >want && test_cmp want got &&
	complete_words collect -o x.er --scope c >got &&
	printf "%s\n" cgroup cpu >want && test_cmp want got &&
	complete_words er_print -func >got && echo -functions >want && test_cmp want got
'

test_expect_success BASH '… and the counters of this CPU' '
	complete_words collect -h cycl >got &&
	test_grep "^cycles$" got
'

test_expect_success 'make uninstall leaves no file' '
	(unset MAKEFLAGS MFLAGS MAKELEVEL && make -s -C "$RP_BUILD" uninstall \
		DESTDIR="$PWD/root" prefix=/opt/rp) >make.log 2>&1 &&
	find root -type f >got && : >want && test_cmp want got
'

test_done
