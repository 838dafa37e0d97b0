#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# workload.sh NAME: computes for about two seconds.
set -eu

case $1 in
sqlite) # a shared library without frame pointers, stacks of about 20 frames
	exec /usr/bin/sqlite3 :memory: "
		CREATE TABLE item(id INTEGER PRIMARY KEY, class INT, name TEXT, size REAL);
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 650000)
			INSERT INTO item SELECT i, i * 8191 % 10009,
				printf('%06x/%d', i * 40503 & 0xffffff, i % 89), i % 1013 / 3.0 FROM n;
		CREATE INDEX by_class ON item(class);
		SELECT sum(a.size * b.size) FROM item a JOIN item b USING (class)
			WHERE b.id <= 15000;
		SELECT count(*) FROM (SELECT name FROM item ORDER BY name COLLATE NOCASE);
		SELECT count(DISTINCT substr(name, 1, 4)) FROM item WHERE name LIKE '%a%b%';"
	;;
python) # an interpreter: few functions, deep recursion
	exec /usr/bin/python3 -I -c '
def sum_to(n):
    return 0 if n == 0 else n + sum_to(n - 1)

counts = {}
for i in range(26000):
    total = sum_to(400)
    for key in str(total * i) * 8:
        counts[key] = counts.get(key, 0) + 1
print(len(counts))'
	;;
xz) # two worker threads
	seq 2500000 | xz -T2 --block-size=1MiB -4 -c >/dev/null
	;;
*)
	echo "workload.sh: no workload is called $1" >&2
	exit 2
	;;
esac
