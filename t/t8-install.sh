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
share/fish/vendor_completions.d/collect.fish
share/fish/vendor_completions.d/er_print.fish
share/man/man1/collect.1
share/man/man1/er_print.1
share/man/man5/ringprof-experiment.5
share/man/man7/ringprof-events.7
share/ringprof/ringprof-report-1.schema.json
share/ringprof/sql/SCHEMA.md
share/ringprof/sql/schema.sql
share/ringprof/systemd/ringprof.service
share/zsh/site-functions/_collect
include/libcollector.f90
include/libcollector.h
lib/ringprof/libringprof.so
share/pkgconfig/libcollector.pc
share/zsh/site-functions/_er_print
END

test_expect_success 'the programs run from there' '
	root/opt/rp/bin/collect -V | grep -q ringprof &&
	root/opt/rp/bin/er_print -V | grep -q ringprof
'

test_expect_success 'make uninstall leaves no file' '
	(unset MAKEFLAGS MFLAGS MAKELEVEL && make -s -C "$RP_BUILD" uninstall \
		DESTDIR="$PWD/root" prefix=/opt/rp) >make.log 2>&1 &&
	find root -type f >got && : >want && test_cmp want got
'

test_done
