# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# CPU time by name for processes that live about a sampling period each: compares a recording
# of the program with one of the whole machine, which misses no process, of the same run.
. "$RP_SRC/t/lib.sh"
need_sampling
need /usr/bin/python3

collect -a -O all.er true >out 2>said ||
	skip_all "the machine cannot be recorded: $(head -n 1 said)"

# Programs of names that no other process has, not even of another run of this test; each runs
# in a process of its own.
programs() {
	cp "$(command -v sh)" ${name}_sh && cp /bin/true ${name}_true &&
		cp "$(command -v burn)" ${name}_one && cp "$(command -v burn)" ${name}_two &&
		cat >loop <<END
i=0
while [ \$i -lt 250 ]; do
	./${name}_true; ./${name}_one one=1 >/dev/null; x=\$(./${name}_two two=2); i=\$((i + 1))
done
END
}
name=n$$
programs || test_bug 'the programs cannot be copied'

# same_shares SCOPE NAME…: of the samples that all of them have in both, each has the same share.
# Samples are a Poisson count, so that the difference of two shares p is normal with the variance
# p (1 - p) (1/N + 1/M); the bound is 5.5 standard deviations, which chance exceeds in 4 of 10^8,
# for four names and two scopes in 3 of 10^7.
same_shares() {
	/usr/bin/python3 - "$@" <<'END'
import json, math, sys

def counts(path):
    with open(path, encoding="utf-8") as f:
        rows = json.load(f)["processes"]
    return [sum(r["exclusive"]["totalcpu"]["samples"] for r in rows if r["name"] == name)
            for name in sys.argv[2:]]

one, all = (counts(f"{sys.argv[1]}-{which}.json") for which in ("one", "all"))
n, m = sum(one), sum(all)
worst = 0
for name, a, b in zip(sys.argv[2:], one, all):
    p = (a + b) / (n + m)
    z = (a / n - b / m) / math.sqrt(p * (1 - p) * (1 / n + 1 / m))
    print(f"{name}: {a} of {n}, {b} of {m}, z {z:.2f}")
    worst = max(worst, abs(z))
sys.exit(min(one + all) < 100 or worst > 5.5)
END
}

# both SCOPE: SCOPE-one.json of the program alone, and SCOPE-all.json of everybody meanwhile.
# Without stacks a ring has room for all samples of the run, so none is lost even on a busy
# machine.
both() {
	collect -a --stack off -p 0.2 -O all.er \
		collect --stack off -p 0.2 --scope "$1" -O one.er ./${name}_sh loop >out 2>said &&
		er_print -json -processes one.er >"$1-one.json" &&
		er_print -json -processes all.er >"$1-all.json"
}

# Records are lost where another program maps so many files that collect gives up its priority.
lossless() {
	holds "$1-one.json" "e[\"lost\"] + e[\"lost_records\"] == 0" &&
		holds "$1-all.json" "e[\"lost\"] + e[\"lost_records\"] == 0"
}

# Not --scope task: it starts a period in each process, and short ones show only in counts.
for scope in cgroup cpu; do
	lack=
	collect --scope $scope -O try.er true >out 2>said || lack=$(head -n 1 said)
	test_set_prereq SCOPE "$lack"
	test_expect_success SCOPE "--scope $scope: each name has the share that it has of the machine" '
		for try in 1 2 3; do
			both $scope || return
			lossless $scope && break
			[ $try -lt 3 ] || return
		done && same_shares $scope ${name}_sh ${name}_true ${name}_one ${name}_two
	'
done

test_done
