# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Data flows one way: no room includes what lies downstream of it, no modules include each
# other in a circle, and views never print.  t/rooms lists the rooms.
. "$RP_SRC/t/lib.sh"

set_tools PYTHON python3

test_expect_success PYTHON 'each include leads to a room that its file may use' '
	"$RP_SRC/t/layering" "$RP_SRC/t/rooms" "$RP_SRC"
'

# put PATH TEXT: a file of a small tree of our own.
put() {
	mkdir -p "tree/$(dirname "$1")" && printf "%b" "$2" >"tree/$1"
}

test_expect_success PYTHON 'a wrong include, a circle and a stray file are detected' '
	printf "%s\n" "base:" "elf: base" "collector/sample: base" "analyzer/views: base elf" >rooms &&
	put include/base/vec.h "" && put lib/base/vec.c "#include \"base/vec.h\"\n" &&
	put lib/elf/own.h "" && put lib/elf/a.c "#include \"elf/own.h\"\n#include \"base/vec.h\"\n" &&
	put collector/sample/ring.h "#include \"sample/merge.h\"\n" &&
	put collector/sample/merge.h "" &&
	put analyzer/views/view.h "" && put analyzer/views/lines.c "#include \"views/view.h\"\n" &&
	"$RP_SRC/t/layering" rooms tree &&
	put lib/base/vec.c "#include \"elf/own.h\"\n#include \"vec.h\"\n" &&
	put collector/sample/merge.c "#include \"sample/ring.h\"\n#include \"views/view.h\"\n" &&
	put analyzer/stray.c "" &&
	test_expect_code 1 "$RP_SRC/t/layering" rooms tree >got &&
	printf "%s\n" "analyzer/stray.c is in no room of the list" \
		"collector/sample/merge.c includes analyzer/views/view.h" \
		"lib/base/vec.c includes lib/elf/own.h" \
		"lib/base/vec.c includes \"vec.h\", which names no file by its room" \
		"circle: collector/sample/merge collector/sample/ring" >want &&
	test_cmp want got
'

test_expect_success PYTHON 'a module that reaches libelf is detected' '
	rm -rf tree &&
	printf "%s\n" "elf: " "collector/unwind: elf" "<libelf.h> <elfutils/*>: elf/view elf/units" >rooms &&
	put lib/elf/view.h "#include <libelf.h>\n" && put lib/elf/view.c "#include \"elf/view.h\"\n" &&
	put lib/elf/units.c " # include <elfutils/libdw.h>\n" &&
	put lib/elf/image.c "#include <elf.h>\n" &&
	"$RP_SRC/t/layering" rooms tree &&
	put lib/elf/image.h "#include \"elf/view.h\"\n" &&
	put collector/unwind/module.c "#include \"elf/image.h\"\n" &&
	put lib/elf/units.c "" &&
	test_expect_code 1 "$RP_SRC/t/layering" rooms tree >got &&
	printf "%s\n" "collector/unwind/module includes one of <libelf.h> <elfutils/*>" \
		"elf/image includes one of <libelf.h> <elfutils/*>" \
		"elf/units includes none of <libelf.h> <elfutils/*> any more" >want &&
	test_cmp want got
'

prints='<stdio\.h>|(^|[^a-z_])(v?[fd]?printf|f?puts|f?putc|putchar|fwrite|write)[[:space:]]*\('

# printing_views TREE
printing_views() {
	(cd "$1" && find analyzer/views -name '*.c' -exec grep -nHE "$prints" {} + | sort)
}

test_expect_success 'no view prints' '
	printing_views "$RP_SRC" >got
	: >want && test_cmp want got
'

test_expect_success 'a view that prints is detected' '
	mkdir -p tree/analyzer/views &&
	printf "\tprintf(\"x\");\n\tstrbuf_addf(b, \"x\");\n" >tree/analyzer/views/x.c &&
	printing_views tree >got &&
	test 1 = "$(grep -c . got)"
'

# Text of a recording has a type that no print function accepts (foreign.h); one file
# looks inside.  Code that writes without a table must not print it directly either.
raw_texts() {
	(cd "$1" && {
		find analyzer -name '*.[ch]' ! -name 'foreign.[ch]' -exec grep -nHE '[.>]inside\b' {} +
		find analyzer/render -name '*.c' ! -name report.c -exec grep -nHE '(note\.data|own_title)' {} +
		find analyzer/export analyzer/render -name '*.c' -exec grep -nHE \
			'(fprintf|fputs|fwrite)\(.*(model_string|experiment_string|session_function|object_(path|name))' {} +
	} | sort)
}

test_expect_success 'only foreign.c prints texts of recordings' '
	raw_texts "$RP_SRC" >got
	: >want && test_cmp want got
'

test_expect_success 'a text that is printed directly is detected' '
	mkdir -p tree/analyzer/render tree/analyzer/export &&
	printf "\tstrbuf_addstr(out, column->title.inside);\n" >tree/analyzer/render/x.c &&
	printf "\tfprintf(file, \"%%s\", model_string(model, id));\n" >tree/analyzer/export/x.c &&
	raw_texts tree >got && test 2 = "$(grep -c . got)"
'

test_done
