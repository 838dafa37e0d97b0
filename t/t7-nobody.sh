# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Attempts that an ordinary user can make, again as nobody where root runs the tests.
. "$RP_SRC/t/lib.sh"
[ "$(id -u)" -eq 0 ] || skip_all 'the tests are run by an ordinary user anyway'
as_nobody true || skip_all 'there are no other users here'

# Each script of this family: "again", or why its outcome does not depend on the user.
cat >table <<'END'
t7-bombs      the sizes of what is read are bounded for everybody alike
t7-bounds     what is kept of a target is bounded for everybody alike
t7-campaign   altered recordings and object files go to parsers, which ask for no rights
t7-changing   again
t7-empty      empty recordings go to views, which ask for no rights
t7-extremes   numbers go to views, which ask for no rights
t7-forms      object files of odd forms go to parsers; t7-changing opens files as nobody does
t7-nobody     this one
t7-output     again
t7-races      the attacker is another user, whom only root can become
t7-recordings again
t7-served     the recording is root's: an ordinary user opens no file of other users' namespaces
t7-strangers  again
t7-unconfined again
END

test_expect_success 'the table has each script' '
	(cd "$RP_SRC/t" && ls t7-*.sh) | sed "s/\.sh$//" >want &&
	sed "s/ .*//" table >got && diff -u want got
'

for script in $(sed -n 's/ *again$//p' table); do
	test_expect_success "$script, as nobody" '
		"$RP_SRC/t/as-nobody" $script >got 2>&1 || { grep -v "^ok" got && return 1; }
		grep "SKIP" got || :
		grep -q "^1\.\." got
	'
done

test_done
