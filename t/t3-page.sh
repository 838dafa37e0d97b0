# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# er_print -report: one page, whose data another reader compares with er_print's other answers.
. "$RP_SRC/t/lib.sh"
need python3

set_browser

# draw_experiment SEED EXPERIMENT [WEIGHT]: random stacks of a few functions in four threads.
draw_experiment() {
	# shellcheck disable=SC2016
	awk -v seed="$1" -v weight="${3:-}" 'BEGIN {
		srand(seed)
		if (weight)
			print "event cycles cycles 1000000 1000000000"
		for (line = 0; line < 400; line++) {
			thread = int(rand() * 4)
			if (rand() < 0.3)
				printf "thread %d %d t%d\n", 100 + thread % 2, 100 + thread, thread
			if (weight)
				printf "weight %d\n", 950000 + int(rand() * 100000)
			if (rand() < 0.1)
				printf "step %d\n", 1 + int(rand() * 20000000)
			stack = rand() < 0.02 ? "." : "main"
			for (depth = int(rand() * 8); stack != "." && depth > 0; depth--)
				stack = stack ";" (rand() < 0.2 ? "libx.so!" : "") "f" int(rand() * 6)
			print stack, 1 + int(rand() * 5)
		}
	}' | mkexp "$2"
}

test_expect_success 'the whole and three spans in some threads are those of er_print' '
	for seed in 1 2 3 4 5 6; do
		draw_experiment $seed drawn.$seed.er && draw_experiment $seed cycles.$seed.er weight &&
		"$RP_SRC/t/page-agrees" drawn.$seed.er && "$RP_SRC/t/page-agrees" cycles.$seed.er ||
		return 1
	done
'

test_expect_success 'the same of several experiments, several metrics, a filter, hidden objects' '
	"$RP_SRC/t/page-agrees" drawn.1.er cycles.2.er drawn.3.er &&
	"$RP_SRC/t/page-agrees" drawn.1.er -- -object_hide libx.so &&
	"$RP_SRC/t/page-agrees" drawn.1.er -- -object_api libx.so &&
	er_print -filters "LEAF IN FNAME(\"f1\")" -report filtered.html drawn.1.er >/dev/null &&
	"$RP_SRC/t/page-data" filtered.html >filtered.json &&
	er_print -json -filters "LEAF IN FNAME(\"f1\")" -limit 0 -functions drawn.1.er >want.json &&
	python3 -c "
import json
total = json.load(open(\"filtered.json\"))[\"meta\"][\"metrics\"][0][\"total\"]
want = json.load(open(\"want.json\"))[\"functions\"][0][\"exclusive\"][\"totalcpu\"]
assert total[\"samples\"] == want[\"samples\"] > 0
"
'

test_expect_success 'what is exact has no interval' '
	printf "event switches events 1\nmain;f 5\nmain;g 3\n" | mkexp exact.er &&
	er_print -report exact.html exact.er && er_print -report drawn.1.html drawn.1.er &&
	grep -q ">95 % interval</th>" drawn.1.html && ! grep ">95 % interval</th>" exact.html
'

# The same numbers in the wrong place must not pass.
test_expect_success 'the comparison sees mistakes' '
	for mistake in "s/<= tick < span/<= tick + 40 < span/" "s/tick += next(ticks)/tick = next(ticks)/" \
		"s/for function in seen:/for function in list(seen)[1:]:/" "s/\[f >> 1 for/[f >> 2 for/"; do
		mkdir -p broken && cp "$RP_SRC/t/page-agrees" broken/ &&
		sed "$mistake" "$RP_SRC/t/page-data" >broken/page-data || return 1
		cmp -s broken/page-data "$RP_SRC/t/page-data" && echo "$mistake changes nothing" && return 1
		test_expect_code 1 python3 broken/page-agrees drawn.4.er >/dev/null 2>&1 ||
			{ echo "$mistake" && return 1; }
	done
'

test_expect_success 'unsampled counts, truncated stacks and losses are in the page' '
	printf "%s\n" "main;f 10" "<unsampled> 3" "<no_rule>;g 2" "loss 5" "main;f 1" "lost 5" |
		mkexp odd.er && "$RP_SRC/t/page-agrees" odd.er &&
	er_print -report odd.html odd.er && "$RP_SRC/t/page-data" odd.html >odd.json &&
	python3 -c "
import json
page = json.load(open(\"odd.json\"))
names = [f[\"name\"] for f in page[\"functions\"]]
assert any(n.startswith(\"<Unsampled\") for n in names), names
assert any(n.startswith(\"<Truncated\") for n in names), names
assert sum(l[\"count\"] for l in page[\"meta\"][\"losses\"]) == 5, page[\"meta\"][\"losses\"]
"
'

# decoded PAGE.html: all that is in it, unpacked.
decoded() {
	sed "s/id=\"data\">[^<]*</></" "$1" && cp "$RP_SRC/t/page-data" page_data.py && python3 -c "
import page_data, re, sys
page = open(sys.argv[1], encoding=\"utf-8\").read()
sys.stdout.buffer.write(page_data.gzip.decompress(page_data.unpack(re.search(\"id=\\\"data\\\">([^<]*)<\", page)[1])))
" "$1"
}

test_expect_success 'report-strip leaves out folders, users, hosts, arguments, source' '
	mkdir -p "home/jane-marple/secret folder" && cp "$(command -v sh)" "home/jane-marple/secret folder/prog" &&
	(cd "home/jane-marple/secret folder" && HOME=$PWD collect -p hi -o "kept 1.er" "$PWD/prog" -c "i=0
		while [ \$i -lt 200000 ]; do i=\$((i + 1)); done" password=geheim 2>err) &&
	for name in "$PWD" home/jane-marple jane-marple "secret folder" geheim " on $(uname -n)"; do
		echo "$name"
	done >words &&
	er_print -report whole.html "home/jane-marple/secret folder/kept 1.er" && decoded whole.html >whole.txt &&
	while read -r word; do
		grep -aqF -e "$word" whole.txt || { echo "not even in the whole page: $word" && return 1; }
	done <words &&
	er_print -report-strip stripped.html "home/jane-marple/secret folder/kept 1.er" && decoded stripped.html >stripped.txt &&
	"$RP_SRC/t/page-data" stripped.html >stripped.json &&
	! grep -aoF -f words stripped.txt && grep -aq "kept 1.er" stripped.txt && grep -aq "\"path\":\"prog\"" stripped.txt &&
	python3 -c "
import json
page = json.load(open(\"stripped.json\"))
assert page[\"meta\"][\"experiments\"][0][\"command\"] == \"prog\" and page[\"meta\"][\"experiments\"][0][\"host\"] == \"\"
"
'

test_expect_success 'names lose their folders, and nothing else' '
	printf "%s\n" "main;operator/(vec,vec) 5" "main;JS:~run(/srv/jane/x/w.js:1:2) 3" "main;py::f:/srv/a_b/app.py 2" \
		"main;g<a/b> 1" "main;N\\M::f 1" | mkexp paths.er && er_print -report-strip paths.html paths.er &&
	"$RP_SRC/t/page-data" paths.html >paths.json && python3 -c "
import json
names = {f[\"name\"] for f in json.load(open(\"paths.json\"))[\"functions\"]}
assert {\"operator/(vec,vec)\", \"JS:~run(w.js:1:2)\", \"py::f:app.py\", \"N\\\\M::f\"} <= names, names
assert not any(\"jane\" in n or \"srv\" in n or \"a_b\" in n for n in names), names
"
'

test_expect_success 'names of users and hosts go from names of threads, folders of Windows too' '
	printf "%s\n" "thread 5 5 bob_worker" "main;C:\\Users\\carla\\prog.exe!f 5" "thread 5 6 bobby_carla" "main 1" \
		"thread 5 7 dora@far:/srv/a/x" "main 1" "thread 5 8 file://far/a/y" "main 1" "thread 5 9 C:\\Users\\emil\\z" "main 1" \
		"thread 5 10 \\\\far\\emil\\u" "main 1" "thread 5 11 ~dora" "main 1" "thread 5 12 a:b~c" "main 1" |
		mkexp words.er && USER=bob er_print -report-strip words.html words.er &&
	"$RP_SRC/t/page-data" words.html >words.json && python3 -c "
import json
meta = json.load(open(\"words.json\"))[\"meta\"]
assert [t[\"name\"] for t in meta[\"threads\"]] == [\"…_worker\", \"bobby_…\", \"x\", \"file:y\", \"z\", \"u\", \"…\", \"a:b~c\"], meta[\"threads\"]
assert \"prog.exe\" in [o[\"path\"] for o in meta[\"objects\"]], meta[\"objects\"]
"
'

# Without JavaScript: each branch of 1 % or more, below its caller.
test_expect_success 'the call tree is there without JavaScript' '
	printf "%s\n" "main;a;c 50" "main;b 39" "main;b;a.out!<i> 10" "main;rare 1" "main;rarer;x 1" "e 99" |
		mkexp tree.er && er_print -report tree.html tree.er && python3 - tree.html <<-"END" &&
	import html.parser, sys
	class Outline(html.parser.HTMLParser):
	    depth, on = 0, False
	    def handle_starttag(self, tag, attrs):
	        self.on |= ("class", "outline") in attrs
	        self.depth += tag == "ul"
	    def handle_endtag(self, tag):
	        self.depth -= tag == "ul"
	        self.on &= tag != "div"
	    def handle_data(self, data):
	        if self.on and self.depth and data.strip():
	            rows.append((self.depth, data.strip()))
	rows = []
	page = Outline()
	page.feed(open(sys.argv[1], encoding="utf-8").read())
	assert rows == [(1, "50.5 % main"), (2, "25.0 % a"), (3, "25.0 % c"), (2, "24.5 % b"), (3, "5.0 % <i>"),
	                (1, "49.5 % e")], rows
	END
	awk "BEGIN { s = \"main\"; for (i = 0; i < 3000; i++) s = s \";f\" i; print s, 1 }" | mkexp deep.er &&
	er_print -report deep.html deep.er && test_grep "deeper calls are left out" deep.html &&
	"$RP_SRC/t/page-data" deep.html >/dev/null
'

test_expect_success 'an empty recording and one of a single sample' '
	mkexp empty.er </dev/null && er_print -report empty.html empty.er &&
	"$RP_SRC/t/page-data" empty.html >empty.json && test_grep "\"threads\": \[\]" empty.json &&
	echo "main 1" | mkexp single.er && "$RP_SRC/t/page-agrees" single.er
'

test_expect_success 'a page names its script and style, and nothing from elsewhere' '
	er_print -report page.html drawn.1.er && python3 - page.html <<-"END"
	import base64, hashlib, re, sys
	page = open(sys.argv[1], encoding="utf-8").read()
	def digest(pattern):
	    found = re.findall(pattern, page, re.S)
	    assert len(found) == 1, len(found)
	    return base64.b64encode(hashlib.sha256(found[0].encode()).digest()).decode()
	policy = re.search(r"Content-Security-Policy\" content=\"([^\"]*)\"", page)[1]
	assert "script-src '\''sha256-" + digest(r"<script>(.*?)</script>") + "'\''" in policy
	assert "style-src '\''sha256-" + digest(r"<style>(.*?)</style>") + "'\''" in policy
	assert policy.startswith("default-src '\''none'\''") and "unsafe" not in policy
	# the name of SVG, which nobody asks for
	page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "")
	for word in ("http:", "https:", " src=", "@import", "url(", "innerHTML", "eval("):
	    assert word not in page, word
	END
'

test_expect_success 'names are never HTML' '
	printf "%s\n" "arg ./<b>a</b>" "thread 7 7 <i>t</i>" \
		"main;a.out!</script><img_src=x_onerror=alert(1)> 3" \
		"main;a.out!<!--<script> 1" | mkexp hostile.er &&
	er_print -report hostile.html hostile.er && "$RP_SRC/t/page-agrees" hostile.er &&
	test_no_grep "<img\|<i>\|<b>\|<!--" hostile.html &&
	test 2 = "$(grep -o "</script>" hostile.html | grep -c .)" &&
	test_grep "&lt;/script&gt;&lt;img" hostile.html
'

test_expect_success 'a tree too large loses its smallest branches, and says so' '
	awk "BEGIN { for (i = 0; i < 101000; i++) printf \"main;a%d;b%d %d\n\", i % 50, i, i < 10 ? 9 : 1 }" |
		mkexp large.er && awk "BEGIN { for (i = 0; i < 101000; i++) printf \"main;c;b%d 1\n\", i }" |
		mkexp larger.er &&
	er_print -report large.html large.er larger.er &&
	"$RP_SRC/t/page-data" large.html >large.json && python3 -c "
import json
page = json.load(open(\"large.json\"))
assert 200000 <= page[\"meta\"][\"nodes\"] <= 200100, page[\"meta\"][\"nodes\"]
assert \"shown as <Merged>\" in page[\"meta\"][\"notes\"][0]
by_name = {f[\"name\"]: f[\"metrics\"][0] for f in page[\"functions\"]}
assert by_name[\"main\"][\"inclusive\"][0] == 202080 and by_name[\"b3\"][\"exclusive\"][0] == 10
assert by_name[\"<Merged>\"][\"exclusive\"][0] > 2000
" && test_grep "shown as &lt;Merged&gt;" large.html &&
	test_no_grep "Time is in steps" large.html &&
	{ echo "step 1000000000" && awk "BEGIN { for (i = 0; i < 2000; i++) print \"main 1\" }"; } | mkexp slow.er &&
	er_print -report slow.html slow.er && test_grep "Time is in steps of 2 ms: .* to keep this page small.</p>" slow.html
'

test_expect_success 'a file that cannot be made is named' '
	test_expect_code 1 er_print -report nowhere/no.html drawn.1.er 2>err &&
	test_grep "nowhere/no.html" err
'

# Two groups: in the second slow is twice as heavy; odd differs by less than the counts tell, and
# wild by no more than its runs do among themselves.
draw_group() {
	for run in 1 2 3; do
		awk -v run="$run" -v slow="$2" 'BEGIN {
			print "main;steady", 400 + 3 * run; print "main;slow", slow + 2 * run
			print "main;odd", 300 - 80 * run + slow / 8; print "main", 20 + run
			print "main;wild", run == 1 ? slow * 1.2 : 120 }' | mkexp "$1.$run.er" || return 1
	done
}

test_expect_success 'a comparison is of groups, and of functions by name' '
	draw_group before 200 && draw_group after 400 &&
	er_print -compare on -report pair.html before.1.er after.1.er >out && test ! -s out &&
	er_print -compare on -report groups.html before.1.er,before.2.er after.1.er,after.2.er &&
	"$RP_SRC/t/page-data" groups.html >groups.json && python3 -c "
import json
meta = json.load(open(\"groups.json\"))[\"meta\"]
assert meta[\"compared\"] and [e[\"group\"] for e in meta[\"experiments\"]] == [0, 0, 1, 1]
names = [f[\"name\"] for f in json.load(open(\"groups.json\"))[\"functions\"]]
assert sorted(names) == sorted(set(names)), names
"
'

test_expect_success BROWSER 'what changed between groups, and what chance explains' '
	"$RP_SRC/t/page-views" pair.html && "$RP_SRC/t/page-views" groups.html &&
	er_print -compare on -report three.html before.1.er,before.2.er,before.3.er after.1.er,after.2.er &&
	"$RP_SRC/t/page-views" three.html
'

test_expect_success BROWSER 'of two groups, stacks that are cut are told of each' '
	printf "%s\n" "main;f 20" "<no_rule>;f 30" "<bad_memory>;g 7" | mkexp cut.er &&
	printf "%s\n" "main;f 50" "<no_rule>;g 3" | mkexp less.er && printf "main;f 50\nmain;g 5\n" | mkexp uncut.er &&
	er_print -compare on -report cut.html less.er cut.er && "$RP_SRC/t/page-looks" cut.html &&
	er_print -compare on -report mended.html cut.er uncut.er && "$RP_SRC/t/page-looks" mended.html
'

# The name, the interval or how often it is chance, and whether it is grey.  The interval of f
# is as in t3-states: 57.157 to 76.268 of 107 s.
test_expect_success BROWSER 'of a sum with waits, samples are CPU time alone' '
	summed() {
		printf "%s\n" "event totalcpu ns $1 0 1 CPU" "main;f $2" "main;g $3" "state lock" "step 0" "weight $4" "$5 1"
	}
	summed 1000000000 60 40 7000000000 "main;f" | mkexp summed.er &&
	er_print -metrics e.total -report summed.html summed.er &&
	for i in 1 2; do
		summed 1000000 600 400 900${i}000000 "main;w" | mkexp short.$i.er &&
		summed 1000000 600 400 9900${i}000000 "main;w" | mkexp long.$i.er || return 1
	done &&
	er_print -compare on -metrics e.total -report one.html short.1.er long.1.er &&
	er_print -compare on -metrics e.total -report two.html short.1.er,short.2.er long.1.er,long.2.er &&
	cat >rows.py <<-END &&
	import os, sys
	sys.path.insert(0, "$RP_SRC/t")
	sys.dont_write_bytecode = True
	from browser import Browser
	page, column = sys.argv[1:]
	with Browser() as browser:
	    tab = browser.open(f"file://{os.path.abspath(page)}")
	    tab.wait("document.getElementById(\"tab-functions\")")
	    tab.run("location.hash = \"#view=functions\"")
	    tab.wait("document.querySelector(\"#panel-functions tbody tr:not(.spacer)\")")
	    tab.settle()
	    rows = tab.run("[...document.querySelectorAll(\"#panel-functions tbody tr:not(.spacer)\")].map((row) => "
	        f"[row.querySelector(\".col-name\").textContent, row.querySelector(\".col-{column}\")?.textContent, "
	        "Boolean(row.querySelector(\".grey\"))])")
	    for row in sorted(rows):
	        print(*row)
	END
	for page in summed one two; do
		python3 rows.py $page.html "$(test $page = summed && echo range || echo chance)" || return 1
	done >got &&
	cat >want <<-END &&
	f 53.42–71.28 False
	g 28.72–46.58 False
	main 0.00–2.76 True
	f 100.00 % True
	g 100.00 % True
	w – True
	f 100.00 % True
	g 100.00 % True
	w < 0.01 % False
	END
	test_cmp want got
'

# er_print calls it noise, at whatever size.
test_expect_success BROWSER 'what was not sampled has no chance' '
	printf "%s\n" "main;f 100" "<unsampled> 13" | mkexp few.er && printf "%s\n" "main;f 100" "<unsampled> 40" | mkexp many.er &&
	er_print -compare on -report unsampled.html few.er many.er &&
	er_print -compare on -functions few.er many.er >text && grep -q "noise.*<Unsampled>" text &&
	python3 rows.py unsampled.html chance | grep Unsampled >got && echo "<Unsampled> – True" >want &&
	test_cmp want got
'

test_expect_success BROWSER 'waits are no CPUs: whole, they lie where they ended' '
	er_print -metrics e.lock -report locks.html summed.er &&
	er_print -metrics e.totalcpu -report cpu.html summed.er &&
	cat >heights.py <<-END &&
	import os, sys
	sys.path.insert(0, "$RP_SRC/t")
	sys.dont_write_bytecode = True
	from browser import Browser
	with Browser() as browser:
	    # what is painted
	    tab = browser.open(f"file://{os.path.abspath(sys.argv[1])}", "const fill = CanvasRenderingContext2D.prototype.fillText;"
	        "window.painted = []; CanvasRenderingContext2D.prototype.fillText = function (text, ...at) {"
	        "window.painted.push(text); return fill.call(this, text, ...at); };")
	    tab.settle()
	    print(*tab.run("window.painted"), sep="\n")
	END
	for page in locks summed cpu; do
		python3 heights.py $page.html | grep height: | sed "s/[0-9.,]* seconds/N seconds/;s/ [0-9.,]* %* *\(of a \)*CPUs*$/ CPUs/" | tail -n 1 || return 1
	done >got &&
	cat >want <<-END &&
	height: N seconds a second of waits that ended there
	height: N seconds a second of CPU time, and of waits that ended there
	height: CPUs
	END
	test_cmp want got
'

# What no sample covers lies at the end, here 40 ms in one: the rest would be pale.
test_expect_success BROWSER 'the heat map shades up to what threads can use' '
	printf "%s\n" "step 1000000" "main 100" "step 0" "<unsampled> 40" | mkexp ending.er &&
	printf "%s\n" "step 4000000" "main 100" | mkexp even.er &&
	cat >shades.py <<-END &&
	import os, sys
	sys.path.insert(0, "$RP_SRC/t")
	sys.dont_write_bytecode = True
	from browser import Browser
	with Browser() as browser:
	    for page in sys.argv[1:]:
	        tab = browser.open(f"file://{os.path.abspath(page)}#view=timeline&time=heat")
	        tab.settle()
	        print(tab.run("[...document.querySelectorAll(\".heat ~ .legend li\")].pop().textContent"))
	END
	er_print -report ending.html ending.er && er_print -report even.html even.er &&
	python3 shades.py ending.html even.html >got && printf "%s\n" "above 0.8 CPUs" "to 0.5 CPUs" >want && test_cmp want got
'

test_expect_success 'without a name the page is beside the experiment' '
	mkdir -p there && cp -r single.er there/one.er && er_print -report there/one.er/ 2>err &&
	test_grep "the page is there/one.html" err && "$RP_SRC/t/page-data" there/one.html >/dev/null &&
	er_print -report named.html -limit 1 -functions there/one.er 2>err >/dev/null &&
	test -s named.html && test_no_grep "the page is" err
'

# An xdg-open that writes down what it is asked for, as soon as it is.
test_expect_success 'the page opens when asked to' '
	mkdir -p desktop && printf "#!/bin/sh\nprintf \"%%s\\n\" \"\$1\" >\"$PWD/opened.new\" && mv \"$PWD/opened.new\" \"$PWD/opened\"\n" \
		>desktop/xdg-open && chmod +x desktop/xdg-open &&
	PATH=$PWD/desktop:$PATH er_print --open -report wanted.html drawn.1.er 2>err && test ! -s err &&
	timeout 120 sh -c "until [ -s opened ]; do sleep 0.02; done" && echo ./wanted.html >want && test_cmp want opened && rm opened &&
	PATH=/nowhere DISPLAY=:0 "$RP_BUILD/er_print" -report drawn.1.er >out 2>err &&
	test_grep "the page is" err && test_no_grep xdg-open err &&
	PATH=/nowhere "$RP_BUILD/er_print" --open -report wanted.html drawn.1.er 2>err &&
	test_grep "wanted.html cannot be opened with xdg-open: there is none" err
'

test_expect_success 'collect makes the page of what it records, and keeps the status' '
	test_expect_code 7 collect -p hi -o one.er --report "./a b.html" sh -c "exit 7" 2>err &&
	test_grep "the page is ./a b.html" err && "$RP_SRC/t/page-data" "a b.html" >/dev/null &&
	collect -p hi -O -x.er --report second.html sh -c "exit 0" 2>err &&
	"$RP_SRC/t/page-data" second.html >/dev/null
'

test_expect_success 'collect says before a recording that there can be no page' '
	test_expect_code 2 collect --report page.txt touch ran 2>err && test_grep "ends in .html" err &&
	test_expect_code 2 collect --report p.html --import x 2>err && test_grep "er_print -report" err &&
	test_expect_code 1 collect --report nowhere/p.html touch ran 2>err && test_grep "nowhere" err &&
	mkdir -p alone && cp "$(command -v collect)" alone/ &&
	PATH=/nowhere test_expect_code 1 alone/collect --report p.html /bin/touch ran 2>err &&
	test_grep "er_print: no such program in PATH, nor beside collect" err && test ! -e ran
'

test_expect_success 'collect says how to make a page that er_print could not' '
	cat >alone/er_print <<-"END" && chmod +x alone/er_print &&
	#!/bin/sh
	exit 3
	END
	test_expect_code 1 alone/collect -p hi -o late.er --report late.html true 2>err &&
	test_grep "try again with: er_print -report late.html late.er" err &&
	test_expect_code 5 alone/collect -p hi -O late.er --report late.html sh -c "exit 5" 2>err
'

# Unlike those above without twins: the page, too, lists functions of one name apart.
test_expect_success BROWSER 'a browser shows the numbers of er_print, whatever is selected' '
	awk "BEGIN { srand(3); for (line = 0; line < 600; line++) {
		if (rand() < 0.3) { t = int(rand() * 4); printf \"thread %d %d t%d\n\", 100 + t % 2, 100 + t, t }
		if (rand() < 0.1) printf \"step %d\n\", 1 + int(rand() * 20000000)
		if (rand() < 0.2) printf \"cpu %d\n\", int(rand() * 3)
		stack = rand() < 0.3 ? \"main;libx.so!x\" : \"main\"
		for (depth = int(rand() * 8); depth > 0; depth--) stack = stack \";f\" int(rand() * 12)
		print stack, 1 + int(rand() * 5) } }" | mkexp seen.er &&
	er_print -report seen.html seen.er && "$RP_SRC/t/page-looks" seen.html seen.er
'

test_expect_success BROWSER 'call tree, one function, two spans compared, heat map and stacks in order' '
	"$RP_SRC/t/page-views" seen.html
'

# As in t3-states: who sleeps, waits for a lock, a disk, a CPU, and when.
stay() {
	printf "%s\n" "on $1" "time $2" "weight $3" "$4 1"
}
{
	printf "%s\n" "event totalcpu ns 1000000000 0 1 Total CPU Time" "state wait" "state lock" "state sleep" "state disk" \
		"state poll" "step 0" "thread 100 100 main" "life 0 10000000000"
	stay sleep 3000000000 2000000000 "main;nap;[kernel]!do_nanosleep"
	stay lock 9000000000 5000000000 "main;join;[kernel]!futex_wait"
	stay totalcpu 9500000000 3000000000 "main;compute"
	printf "%s\n" "thread 100 101 worker" "life 1000000000 9000000000"
	stay lock 2500000000 500000000 "work;take;[kernel]!futex_wait"
	stay lock 4500000000 1500000000 "work;take;[kernel]!futex_wait"
	stay poll 6000000000 1000000000 "<unsampled>"
	stay wait 6250000000 250000000 "work;compute"
	stay totalcpu 7000000000 4750000000 "work;compute"
	printf "%s\n" "thread 200 200 other" "life 2000000000 4000000000 2"
	stay disk 3500000000 1500000000 "main;load;[kernel]!io_schedule"
	stay totalcpu 4000000000 500000000 "main;load"
} | mkexp waits.er

test_expect_success 'states of threads are those of er_print, in its timeline too' '
	"$RP_SRC/t/page-agrees" waits.er && cp -r waits.er again.er && "$RP_SRC/t/page-agrees" waits.er again.er &&
	mkdir -p late && cp "$RP_SRC/t/page-agrees" late/ &&
	sed "s/first <= at \* ticks < end/first < at * ticks <= end/" "$RP_SRC/t/page-data" >late/page-data &&
	! cmp -s late/page-data "$RP_SRC/t/page-data" &&
	test_expect_code 1 python3 late/page-agrees waits.er >/dev/null 2>&1
'

test_expect_success BROWSER 'the page draws them, and sums them up for any span' '
	er_print -report waits.html waits.er && "$RP_SRC/t/page-states" waits.html waits.er
'

# Three threads, which use up to three CPUs, one, and two.
test_expect_success BROWSER 'lanes of processes are those of er_print, and open' '
	awk "BEGIN { srand(4); print \"event totalcpu ns 1000000 0 1 CPU\"; for (ms = 0; ms < 600; ms++)
		for (t = 0; t < 6; t++) if (rand() < 0.95 - t * 0.13)
			printf \"thread %d %d p%d\ntime %d\nmain;f%d 1\n\", (t < 3 ? 100 : t < 4 ? 200 : 300), 100 + 50 * t,
				t, ms * 1000000 + 500000, t }" | mkexp processes.er &&
	er_print -report processes.html processes.er && "$RP_SRC/t/page-processes" processes.html processes.er
'

# Two threads; one region in another, one beside, one that nests nowhere, one with a domain.
{
	printf "%s\n" "step 0" "thread 100 100 main" "region /event 10000000 60000000" "region /event/fit 15000000 40000000" \
		"region /event 70000000 99000000" "apart /request 20000000 80000000" "thread 100 101 worker" \
		"region /lib|sort 30000000 90500000"
	while read -r ms tid stack; do
		printf "%s\n" "thread 100 $tid x" "time ${ms}000000" "$stack 1"
	done <<-END
	5 100 main
	12 100 main;event
	20 100 main;event;fit
	30 100 main;event;fit
	50 100 main;event
	75 100 main;event
	99 100 main
	40 101 main;sort
	80 101 main;sort
	95 101 main
	END
} | mkexp regions.er

test_expect_success BROWSER 'regions are those of er_print, and select their time' '
	er_print -report regions.html regions.er && "$RP_SRC/t/page-regions" regions.html regions.er &&
	er_print -compare on -report alone.html regions.er waits.er && "$RP_SRC/t/page-data" alone.html >alone.json &&
	python3 -c "
import json
assert json.load(open(\"alone.json\"))[\"meta\"][\"regions\"] == []
"
'

# Instructions a cycle differ from time to time, and from thread to thread.
test_expect_success BROWSER 'ratios of counters are a line, and a number of the selection' '
	{
		printf "%s\n" "event cycles cycles 1000000 2000000000 1 CPU Cycles" \
			"event insts events 1000000 0 1 Instructions Executed" "step 1000000" &&
		for i in 1 2 3 4 5 6 7 8; do
			printf "%s\n" "thread 100 $((100 + i % 2)) t" "on cycles" "main;f 50" "on insts" "main;f $((i * 12))" || return 1
		done
	} | mkexp lines.er && er_print -report lines.html lines.er && "$RP_SRC/t/page-lines" lines.html lines.er
'

axe=$RP_SRC/build-ci/node/node_modules/axe-core/axe.min.js
if [ -f "$axe" ]; then
	test_set_prereq AXE "${test_lack_BROWSER-}"
else
	test_set_prereq AXE 'no axe-core, which t/page-lint installs'
fi

test_expect_success AXE 'axe-core finds no serious violation, light or dark' '
	"$RP_SRC/t/page-axe" seen.html "$axe" && "$RP_SRC/t/page-axe" waits.html "$axe" functions\&rows=waits timeline
'

test_expect_success BROWSER 'and pages of hostile names, of nothing, of one sample' '
	er_print -report single.html single.er &&
	printf "%s\n" "event cycles cycles 1000 0 2.5 Cycles" "main;f1 4" "main;f2 2" | mkexp scaled.er &&
	er_print -report scaled.html scaled.er &&
	for page in hostile empty single odd scaled; do
		"$RP_SRC/t/page-looks" $page.html || return 1
	done
'

test_done
