#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh BUILD FIRST EXPERIMENTS OBJECTS: so many rounds of each, from the number FIRST on,
# with the programs of BUILD; in a folder of its own, which is removed.
set -eu
build=$(cd "$1" && pwd) first=$2 experiments=$3 objects=$4
here=$(cd "$(dirname "$0")" && pwd)
PATH=$build:$build/t/helper:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/altered" "$folder/archive"
sh "$here/seeds.sh" experiments "$folder/experiments"
sh "$here/seeds.sh" objects "$folder/objects"
status=0
"$build/t/campaign/hostile_experiments" "$first" "$experiments" "$folder/altered" \
	"$folder"/experiments/*.er || status=1
# shellcheck disable=SC2046
"$build/t/campaign/hostile_objects" "$first" "$objects" "$folder/archive" \
	$(cat "$folder/objects/list") || status=1
exit $status
