# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# er_print -report: one page, whose data another reader compares with er_print's other answers.
. "$RP_SRC/t/lib.sh"
need python3

if python3 "$RP_SRC/t/browser.py"; then
	test_set_prereq BROWSER
else
	test_set_prereq BROWSER 'no Chromium that starts here'
fi

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
" && test_grep "shown as &lt;Merged&gt;" large.html
'

test_expect_success 'a file that cannot be made is named' '
	test_expect_code 1 er_print -report nowhere/no.html drawn.1.er 2>err &&
	test_grep "nowhere/no.html" err
'

# Two groups: in the second slow is twice as heavy; odd differs by less than the counts tell, and
# wild by no more than its runs do among themselves.
draw_group() {
	for run in 1 2; do
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
	"$RP_SRC/t/page-views" pair.html && "$RP_SRC/t/page-views" groups.html
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
	until [ -s opened ]; do sleep 0.02; done && echo ./wanted.html >want && test_cmp want opened && rm opened &&
	PATH=$PWD/desktop:$PATH DISPLAY=:0 er_print -report drawn.1.er >out 2>err && test ! -e opened &&
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
		stack = \"main\"
		for (depth = int(rand() * 8); depth > 0; depth--) stack = stack \";f\" int(rand() * 12)
		print stack, 1 + int(rand() * 5) } }" | mkexp seen.er &&
	er_print -report seen.html seen.er && "$RP_SRC/t/page-looks" seen.html seen.er
'

test_expect_success BROWSER 'call tree, one function, two spans compared, heat map and stacks in order' '
	"$RP_SRC/t/page-views" seen.html
'

test_expect_success BROWSER 'and pages of hostile names, of nothing, of one sample' '
	er_print -report single.html single.er &&
	for page in hostile empty single odd; do
		"$RP_SRC/t/page-looks" $page.html || return 1
	done
'

test_done
