# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Functions are found by any unambiguous part of their name.
. "$RP_SRC/t/lib.sh"
need python3

cat >stacks <<'END'
main;JS:*fib /tmp/w.js:1:13 9
main;JS:~run /tmp/w.js:7:1 8
main;_ZNSt6vectorIiSaIiEE9push_backEOi 7
main;_ZNSt4listIiSaIiEE9push_backEOi 6
main;__shapes_MOD_poly_i 5
main;_QMgridPstep 4
main;outer_ 3
main;Widget_draw 3
main;widget_erase 2
main;compress 2
main;compress.part.0 1
main;decompress_all 1
main;_ZN3app4loadER6Config 1
END
mkexp a.er <stacks

# found TEXT NAME: the only function that TEXT means, in fsingle's answer.
found() {
	er_print -printmode json -fsingle "$1" a.er >found.json 2>err || { cat err && return 1; }
	python3 - "$2" <<-'END'
	import json, sys
	rows = json.load(open("found.json"))["fsingle"]
	assert [row["name"] for row in rows] == [sys.argv[1]], rows
	END
}

test_expect_success 'words of a name find it' '
	found fib "JS:*fib /tmp/w.js:1:13" && found "JS:*fib" "JS:*fib /tmp/w.js:1:13" &&
	found run "JS:~run /tmp/w.js:7:1"
'

test_expect_success 'the last words of a C++ name find it, with and without namespaces' '
	found vector::push_back "std::vector<int, std::allocator<int> >::push_back(int&&)" &&
	found list::push_back "std::list<int, std::allocator<int> >::push_back(int&&)" &&
	found app::load "app::load(Config&)" && found load "app::load(Config&)"
'

test_expect_success 'a word of a parameter finds a function, but only after its names' '
	found Config "app::load(Config&)"
'

test_expect_success 'Fortran spells its procedures in its own way' '
	found shapes::poly_i __shapes_MOD_poly_i && found SHAPES::Poly_I __shapes_MOD_poly_i &&
	found shapes_MOD_poly_i __shapes_MOD_poly_i && found poly_i __shapes_MOD_poly_i &&
	found grid::step _QMgridPstep && found step _QMgridPstep && found outer outer_
'

test_expect_success 'every command that takes a function finds it so' '
	for command in fsingle csingle cprepend cappend; do
		er_print -$command shapes::poly_i a.er >out && test_grep __shapes_MOD_poly_i out || return 1
	done &&
	for command in source disasm; do
		test_expect_code 1 er_print -$command shapes::poly_i a.er 2>err &&
		test_no_grep "no function" err && test_grep "poly_i\|a.out" err || return 1
	done
'

test_expect_success 'a whole name comes before its parts' '
	found compress compress && found decompress decompress_all
'

test_expect_success 'letters within a word find a function, with a note' '
	er_print -fsingle shap a.er >out && test_grep __shapes_MOD_poly_i out &&
	test_grep ".shap. fits only letters within a word" out &&
	er_print -fsingle poly_i a.er >out && test_no_grep "letters" out
'

test_expect_success 'case counts, unless nothing else fits' '
	found Widget_draw Widget_draw && found WIDGET_ERASE widget_erase &&
	er_print -fsingle LOAD a.er >out && test_grep "app::load" out &&
	test_grep "only without regard to case" out &&
	test_expect_code 1 er_print -fsingle WIDGET a.er 2>err && test_grep "matches 2 functions" err
'

test_expect_success 'several are listed in the order of the functions view, and a number chooses' '
	test_expect_code 1 er_print -fsingle push_back a.er 2>err &&
	test_grep "matches 2 functions; choose one by its number: 1 std::vector.* 2 std::list" err &&
	er_print -fsingle push_back 2 a.er >out && test_grep "std::list" out
'

test_expect_success 'an empty name and a wrong one find nothing' '
	test_expect_code 1 er_print -fsingle "" a.er 2>err && test_grep "no function" err &&
	test_expect_code 1 er_print -fsingle xyzzy a.er 2>err && test_grep "no function" err
'

# Computed a second time, over random parts of random names of two-letter words.
cat >check.py <<'END'
import random, re, subprocess, sys
seed = int(sys.argv[1])
r, er = random.Random(seed), "random%d.er" % seed
def word(): return "".join(r.choice("abAB_") for _ in range(r.randint(1, 3)))
names = sorted({r.choice(" :.").join(word() for _ in range(r.randint(1, 4))) for _ in range(40)})
names = [n for n in names if n == n.strip() and "  " not in n and not n.endswith("_")
         and not n.startswith(("__", "_Z", "_Q", "_R"))]
counts = r.sample(range(1, 999), len(names))
with open("random.folded", "w") as f:
    f.writelines("%s %d\n" % row for row in zip(names, counts))
subprocess.run(["mkexp", er], stdin=open("random.folded"), check=True)
order = [n for _, n in sorted(zip(counts, names), reverse=True)]

def words(name, text):
    return re.search(r"(?<![\w])" * (text[0].isalnum() or text[0] == "_") + re.escape(text)
                     + r"(?![\w])" * (text[-1].isalnum() or text[-1] == "_"), name)
def end(name, text):
    return name.endswith(text) and words(name[len(name) - len(text) - 1:] if len(name) > len(text)
                                         else name, text)
low = str.lower
ways = [lambda n, t: n == t, lambda n, t: n.startswith(t + "."), end, words, lambda n, t: t in n,
        lambda n, t: low(n) == low(t), lambda n, t: words(low(n), low(t)), lambda n, t: low(t) in low(n)]
asked = []
for _ in range(60):
    name = r.choice(names)
    i = r.randrange(len(name)); text = name[i:i + r.randint(1, 5)].strip(" ")
    if r.random() < .3: text = text.swapcase()
    if text: asked.append(text)
for text in asked:
    fits = next((f for f in ([n for n in order if way(n, text)] for way in ways) if f), [])
    p = subprocess.run(["er_print", "-fsingle", text, *(["1"] if len(fits) > 1 else []), er],
                       capture_output=True, text=True)
    got = re.findall(r"Name: *(.*)", p.stdout)
    assert got == fits[:1], (seed, text, got, fits, p.stderr)
    if len(fits) > 1:
        p = subprocess.run(["er_print", "-fsingle", text, er], capture_output=True, text=True)
        assert p.returncode == 1 and "matches %d functions" % len(fits) in p.stderr, (seed, text, fits, p)
END

test_expect_success 'parts of random names find what a second computation finds' '
	for seed in 1 2 3 $$; do python3 check.py $seed || return 1; done
'

test_done
