# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Labels: from the command line and from batch systems, to the log, header, JSON and databases.
. "$RP_SRC/t/lib.sh"
need python3
unset SLURM_JOB_ID SLURM_PROCID SLURM_STEP_ID SLURM_ARRAY_TASK_ID SLURMD_NODENAME PBS_JOBID PBS_ARRAY_INDEX \
	PBS_NODENUM LSB_JOBID LSB_JOBINDEX OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMIX_RANK PMI_RANK PMI_SIZE \
	SLURM_STEP_NUM_TASKS

# labels EXPERIMENT: those of its log, as "KEY=VALUE" lines.
labels() { python3 -c 'import json, sys
for k, v in json.load(open(sys.argv[1] + "/log.json"))["labels"].items(): print(k + "=" + v)' "$1"; }
# recorded [VARIABLE=VALUE…] [OPTION…]: labels of a recording so made, as the lines on stdin.
recorded() { env "${1:-A=}" "${2:-B=}" "${3:-C=}" collect ${4:+"$4"} ${5:+"$5"} -O r.er true >out 2>&1 && labels r.er | test_cmp - want; }

set_sampling

test_expect_success SAMPLING 'given: kept as given, the last value of a key, none if empty' '
	collect --label release=1.2 --label "who=a b=c" --label x=1 --label x=2 --label y=3 --label y= -O l.er true >out 2>&1 &&
	printf "%s\n" release=1.2 "who=a b=c" x=2 >want && labels l.er | test_cmp - want &&
	er_print -header l.er >header && test_grep "^Label: *who=a b=c$" header &&
	er_print -json -functions l.er >l.json &&
	python3 -c "
import json
assert json.load(open(\"l.json\"))[\"experiments\"][0][\"labels\"] == {\"release\": \"1.2\", \"who\": \"a b=c\", \"x\": \"2\"}"
'

test_expect_success SAMPLING 'of batch systems: Slurm, PBS, LSF, and ranks of MPI' '
	printf "%s\n" job=77 rank=3 node=n17 >want && recorded SLURM_JOB_ID=77 OMPI_COMM_WORLD_RANK=3 SLURMD_NODENAME=n17 &&
	printf "%s\n" job=9.pbs array_task=4 node=2 >want && recorded PBS_JOBID=9.pbs PBS_ARRAY_INDEX=4 PBS_NODENUM=2 &&
	printf "%s\n" job=5 >want && recorded LSB_JOBID=5 LSB_JOBINDEX=0 &&
	printf "%s\n" job=5 array_task=2 >want && recorded LSB_JOBID=5 LSB_JOBINDEX=2 &&
	printf "%s\n" rank=1 >want && recorded SLURM_PROCID=1 SLURM_STEP_ID=0 && recorded PMI_RANK=1 &&
	: >want && recorded SLURM_PROCID=0 SLURM_JOB_ID= &&
	printf "%s\n" job=mine >want && recorded SLURM_JOB_ID=77 SLURMD_NODENAME=n1 A= --label=job=mine --label=node=
'

# named NAME.er VARIABLE=VALUE…: collect -o r.er writes that one alone.
named() {
	name=$1 && shift && mkdir ranks && cd ranks && env "$@" collect -o r.er true >out 2>&1 &&
		ls -d ./*.er >names && echo "./$name" | test_cmp - names && cd .. && rm -r ranks
}

test_expect_success SAMPLING 'ranks: a part of the name where there are several, as wide as the last' '
	named r.03.er OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=11 &&
	named r.3.er OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=10 &&
	named r.0007.er PMI_RANK=7 PMI_SIZE=1001 && named r.1.er SLURM_PROCID=1 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=2 &&
	named r.0.er PMIX_RANK=0 SLURM_STEP_NUM_TASKS=4 &&
	named r.er OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 && named r.er PMI_RANK=3 &&
	named r.er SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 && named r.er PMI_RANK=../../x PMI_SIZE=4 &&
	named r.er PMI_RANK=1 PMI_SIZE=99999999999999999999
'

set_tools MPIRUN mpirun
[ -n "$test_lack_MPIRUN" ] || test_set_prereq MPIRUN "${test_lack_SAMPLING:-}"
test_expect_success MPIRUN '16 ranks of one job: an experiment each' '
	mpirun --allow-run-as-root --oversubscribe -n 16 collect -o mpi.er burn one=10 >out 2>said || { cat said; return 1; }
	for rank in 00 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15; do
		echo "rank=${rank#0}" | sed "s/=$/=0/" >want && labels mpi.$rank.er | test_cmp want - || return 1
	done
	er_print -ranks mpi.*.er >out && test_grep "^Functions of 16 ranks" out && test_grep " one$" out
'

test_expect_success SAMPLING 'an environment that fits no label: left out; bytes that are not UTF-8 are replaced' '
	long=$(python3 -c "print(\"x\" * 1025)") && : >want && recorded "SLURM_JOB_ID=$long" &&
	printf "job=\357\277\275\n" >want && recorded "SLURM_JOB_ID=$(printf "\377")"
'

test_expect_success 'others are refused' '
	long=$(python3 -c "print(\"k\" * 65)") && value=$(python3 -c "print(\"v\" * 1025)") &&
	for bad in x =x 1=x "a b=x" "-=x" "$(printf "\303\244=x")"; do
		test_expect_code 2 collect --label "$bad" true 2>err && test_grep "label takes KEY=VALUE" err || return 1
	done &&
	for bad in "$long=x" "x=$value"; do
		test_expect_code 2 collect --label "$bad" true 2>err && test_grep "up to 64 bytes and a value of up to 1024" err || return 1
	done &&
	set -- && for i in $(seq 65); do set -- "$@" --label "k$i=x"; done &&
	test_expect_code 2 collect "$@" true 2>err && test_grep "up to 64 labels" err && ! test -e test.1.er
'

printf 'main 1\n' | mkexp made.er
test_expect_success 'a crafted log: only labels that collect could have written' '
	python3 - <<-\END &&
	import json
	log = json.load(open("made.er/log.json"))
	log["labels"] = {"ok": "x\ty", "": "a", "a=b": "c", "1": "d", "nul": "\u0000", "n": 5, "o": {}, "long": "v" * 2000, "k" * 65: "e"}
	log["labels"].update({f"k{i}": "x" for i in range(100)})
	json.dump(log, open("made.er/log.json", "w"))
	END
	er_print -json -functions made.er >made.json && python3 -c "
import json
labels = json.load(open(\"made.json\"))[\"experiments\"][0][\"labels\"]
assert len(labels) == 64 and labels.pop(\"ok\") == \"x\ty\" and set(labels) == {f\"k{i}\" for i in range(63)}, labels" &&
	er_print -header made.er >header && test_grep "^Label: *ok=x?y$" header &&
	for bad in "[]" 1 null; do
		python3 -c "
import json, sys
log = json.load(open(\"made.er/log.json\")); log[\"labels\"] = json.loads(sys.argv[1]); json.dump(log, open(\"made.er/log.json\", \"w\"))" "$bad" &&
		er_print -header made.er >header && test_no_grep "^Label:" header || return 1
	done
'

mkdir b && printf 'main 1\n' | mkexp b/a.er && python3 - <<'END'
import json
log = json.load(open("b/a.er/log.json"))
log["labels"] = {"release": "1.2", "quoted": "it's; \"so\""}
json.dump(log, open("b/a.er/log.json", "w"))
END
if er_print -export sqlite b.db b/a.er 2>err; then
	test_set_prereq SQLITE
else
	test_set_prereq SQLITE "$(cat err)"
fi
test_expect_success SQLITE 'a database has them' '
	python3 -c "
import sqlite3
rows = sqlite3.connect(\"b.db\").execute(\"SELECT experiment_id, key, value FROM labels ORDER BY key DESC\").fetchall()
assert rows == [(1, \"release\", \"1.2\"), (1, \"quoted\", \"it\\047s; \\\"so\\\"\")], rows"
'

test_expect_success 'imports have those that were given' '
	"$RP_SRC/t/mkperf" one.data && SLURM_JOB_ID=7 collect --import one.data --label a=b -O i.er >out 2>&1 &&
	echo a=b >want && labels i.er | test_cmp - want
'

test_done
