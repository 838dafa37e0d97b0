# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Data flows one way: no room includes what lies downstream of it, and views never print.
. "$RP_SRC/t/lib.sh"
. "$RP_SRC/t/sources.sh"

# Each room, and the rooms whose headers it may include besides its own.
cat >rooms <<'END'
include lib
lib include
events include lib
collector include lib events
analyzer include lib
END

# A header belongs to the room that holds the .c of its name, wherever it lies itself:
# include/event.h is the interface of events/event.c.
rooms_of_headers() {
	(cd "$1" && find $rp_rooms -name '*.[ch]' 2>/dev/null) | awk -F/ '
		{ base = $NF; sub(/\.[ch]$/, "", base) }
		/\.c$/ { room[base] = $1 }
		/\.h$/ { header[base] = $1; print $1 "/" $NF, $1 }
		END { for (b in header) print b ".h", (b in room) ? room[b] : header[b] }'
}

# A name is first looked for beside the file that includes it, as the compiler does.
#
# bad_includes TREE: "FILE includes HEADER of ROOM" for each that is not allowed.  What
# lies in include/ counts as the room that implements it.
bad_includes() {
	rooms_of_headers "$1" >headers
	(cd "$1" && find $rp_rooms -name '*.[ch]' 2>/dev/null | sort |
		xargs grep -H '^#[[:space:]]*include[[:space:]]*"') |
		sed 's/^\([^:]*\):.*"\(.*\)".*/\1 \2/' |
		awk '
		FILENAME == "rooms" { for (i = 1; i <= NF; i++) may[$1, $i] = 1; next }
		FILENAME == "headers" { room[$1] = $2; next }
		{
			own = $1; sub(/\/.*/, "", own)
			name = $1; sub(/.*\//, "", name); sub(/\.[ch]$/, ".h", name)
			if (own == "include" && name in room)
				own = room[name]
			dir = $1; sub(/\/.*/, "", dir)
			used = $2; sub(/.*\//, "", used)
			if (dir "/" used in room && dir != "include")
				next
			if (used in room && !((own, room[used]) in may))
				print $1, "includes", used, "of", room[used]
		}' rooms headers -
}

test_expect_success 'no room includes what lies downstream' '
	bad_includes "$RP_SRC" >got &&
	: >want && test_cmp want got
'

test_expect_success 'an include of the other program would be seen' '
	mkdir -p tree/include tree/lib tree/events tree/collector tree/analyzer &&
	: >tree/collector/ring.h && : >tree/analyzer/view.h && : >tree/include/base.h &&
	: >tree/lib/own.h && : >tree/analyzer/own.h &&
	: >tree/include/event.h && : >tree/events/event.c &&
	echo "#include \"ring.h\"" >tree/analyzer/a.c &&
	echo "#include \"view.h\"" >tree/collector/c.c &&
	echo "#include \"event.h\"" >tree/lib/l.c &&
	printf "#include \"own.h\"\n#include \"base.h\"\n" >tree/lib/m.c &&
	printf "#include \"base.h\"\n#include \"event.h\"\n" >tree/collector/d.c &&
	bad_includes tree >got &&
	printf "%s\n" "analyzer/a.c includes ring.h of collector" \
		"collector/c.c includes view.h of analyzer" \
		"lib/l.c includes event.h of events" >want &&
	test_cmp want got
'

prints='<stdio\.h>|(^|[^a-z_])(v?[fd]?printf|f?puts|f?putc|putchar|fwrite|write)[[:space:]]*\('

# printing_views TREE
printing_views() {
	(cd "$1" && find analyzer -name 'view_*.c' -exec grep -nHE "$prints" {} + | sort)
}

test_expect_success 'no view prints' '
	printing_views "$RP_SRC" >got
	: >want && test_cmp want got
'

test_expect_success 'a view that prints would be seen' '
	printf "\tprintf(\"x\");\n\tstrbuf_addf(b, \"x\");\n" >tree/analyzer/view_x.c &&
	printing_views tree >got &&
	test 1 = "$(grep -c . got)"
'

test_done
