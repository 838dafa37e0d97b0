/* SPDX-License-Identifier: Apache-2.0 */
#include "elf/demangle.h"

#include <stdio.h>
#include <string.h>

#include "tap.h"

static const struct {
	const char *raw, *full, *brief;
} cases[] = {
	/* Names that are not mangled, or damaged, do not change. */
	{ "main", "main", "main" },
	{ "", "", "" },
	{ "_Zxq", "_Zxq", "_Zxq" },
	{ "_Z", "_Z", "_Z" },
	{ "_ZN3foo", "_ZN3foo", "_ZN3foo" },
	{ "_Report", "_Report", "_Report" },
	{ "_R", "_R", "_R" },
	{ "memcpy@plt", "memcpy@plt", "memcpy@plt" },
	{ "\x01\xff\n", "\x01\xff\n", "\x01\xff\n" },
	/* C++ */
	{ "_Z3foov", "foo()", "foo" },
	{ "_Z3foov@plt", "foo()@plt", "foo@plt" },
	{ "_Z6insertP4NodeS0_", "insert(Node*, Node*)", "insert" },
	{ "_Z3fooIiEvT_", "void foo<int>(int)", "foo" },
	{ "_ZN3FooC1Ei", "Foo::Foo(int)", "Foo::Foo" },
	{ "_ZN3FooD0Ev", "Foo::~Foo()", "Foo::~Foo" },
	{ "_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()",
	  "(anonymous namespace)::f" },
	{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
	  "std::vector<int, std::allocator<int> >::push_back(int const&)",
	  "std::vector::push_back" },
	{ "_ZNKSt8functionIFvvEEclEv", "std::function<void ()>::operator()() const",
	  "std::function::operator()" },
	{ "_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const",
	  "main::{lambda(int)#1}::operator()" },
	{ "_ZlsIcERSoS0_T_", "std::ostream& operator<< <char>(std::ostream&, char)",
	  "operator<<" },
	{ "_ZltIiEbT_S0_", "bool operator< <int>(int, int)", "operator<" },
	{ "_ZN1AptEv", "A::operator->()", "A::operator->" },
	{ "_ZN1AgtEi", "A::operator>(int)", "A::operator>" },
	{ "_ZN1BILb1EE1fEv", "B<true>::f()", "B::f" },
	{ "_ZN3FooB5cxx113barEv", "Foo[abi:cxx11]::bar()", "Foo[abi:cxx11]::bar" },
	{ "_Z3foov.constprop.0", "foo() [clone .constprop.0]", "foo" },
	{ "_ZTV3Foo", "vtable for Foo", "vtable for Foo" },
	/* Rust, legacy: the hash is dropped. */
	{ "_ZN3std2io5Write9write_all17h0123456789abcdefE", "std::io::Write::write_all",
	  "std::io::Write::write_all" },
	{ "_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$"
	  "4into17h0123456789abcdef"
	  "E",
	  "<T as core::convert::Into<U>>::into", "<T as core::convert::Into>::into" },
	/* Rust, v0 */
	{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar", "mycrate::foo::bar" },
	{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>",
	  "std::mem::align_of" },
	{ "_RNvXs_C3fooNtB4_3BarNtB4_5Trait3baz", "<foo::Bar as foo::Trait>::baz",
	  "<foo::Bar as foo::Trait>::baz" },
	{ "_RNCNvC3foo3bar0", "foo::bar::{closure#0}", "foo::bar::{closure#0}" },
	/* OCaml */
	{ "camlStdlib__List__fold_left_521", "Stdlib.List.fold_left_521",
	  "Stdlib.List.fold_left" },
	{ "camlO__$2b$21_83", "O.+!_83", "O.+!" },
	{ "camlO__fun_412", "O.fun_412", "O.fun_412" },
	{ "camlO__my_fun_412", "O.my_fun_412", "O.my_fun" },
	{ "camlO.Inner.fib_80", "O.Inner.fib_80", "O.Inner.fib" },
	{ "camlO.fun_80", "O.fun_80", "O.fun_80" },
	{ "camlO__entry", "O.entry", "O.entry" },
	{ "camlO__f'_1@plt", "O.f'_1@plt", "O.f'@plt" },
	{ "camlO__a$0ab_$7f$2", "O.a$0ab_$7f$2", "O.a$0ab_$7f$2" },
	{ "camlO", "camlO", "camlO" },
	{ "caml_main", "caml_main", "caml_main" },
	{ "camlO_1", "camlO_1", "camlO_1" },
	{ "camlO__", "camlO__", "camlO__" },
	{ "camlA__1", "A.1", "A.1" },
};

static void test_table(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf full = { 0 }, brief = { 0 };
		bool changed = demangle(cases[i].raw, &full, DEMANGLE_LONG);

		demangle(cases[i].raw, &brief, DEMANGLE_SHORT);
		is_str(strbuf_str(&full), cases[i].full, "long form of case %zu", i);
		is_str(strbuf_str(&brief), cases[i].brief, "short form of case %zu", i);
		is_u64(changed, strcmp(cases[i].raw, cases[i].full) != 0,
		       "… and it says whether it changed");
		strbuf_release(&full);
		strbuf_release(&brief);
	}
}

static void test_append(void)
{
	struct strbuf out = { 0 };

	strbuf_addstr(&out, "in ");
	demangle("_Z3foov", &out, DEMANGLE_LONG);
	is_str(strbuf_str(&out), "in foo()", "earlier text in OUT stays");
	strbuf_release(&out);
}

static void sequence_id(char *out, size_t size, int i)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	if (i < 36)
		snprintf(out, size, "S%c_", digits[i]);
	else
		snprintf(out, size, "S%c%c_", digits[i / 36], digits[i % 36]);
}

/* _Z1f 1AIiiE S_IS0_S0_E S_IS1_S1_E …: each parameter is twice as long as the last. */
static bool doublings(int count, struct strbuf *raw, struct strbuf *out)
{
	strbuf_addstr(raw, "_Z1f1AIiiE");
	for (int i = 0; i < count; i++) {
		char id[8];

		sequence_id(id, sizeof(id), i);
		strbuf_addf(raw, "S_I%s%sE", id, id);
	}
	return demangle(strbuf_str(raw), out, DEMANGLE_LONG);
}

static void test_bomb(void)
{
	struct strbuf raw = { 0 }, out = { 0 };

	ok(doublings(10, &raw, &out), "ten doublings can be demangled");
	ok(out.len > 30000, "… of %zu bytes", out.len);
	strbuf_clear(&raw);
	strbuf_clear(&out);
	ok(!doublings(200, &raw, &out), "two hundred are not");
	is_str(strbuf_str(&out), strbuf_str(&raw), "… and stay raw");
	strbuf_release(&raw);
	strbuf_release(&out);
}

/* Deeply nested names, "_Z1fPPPP…", and one longer than any limit. */
static void test_long(void)
{
	static const size_t lens[] = { 1000, 16000, 100000 };

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		struct strbuf raw = { 0 }, out = { 0 };

		strbuf_addstr(&raw, "_Z1f");
		strbuf_pad(&raw, 'P', lens[i]);
		strbuf_addstr(&raw, "v");
		demangle(strbuf_str(&raw), &out, DEMANGLE_LONG);
		ok(out.len > 4, "%zu pointers give some name", lens[i]);
		strbuf_release(&raw);
		strbuf_release(&out);
	}
}

/* Every case with one byte changed: no crash, some name. */
static void test_mutations(void)
{
	static const char letters[] = "_Z019NESCIRKLs.$<>@\xff";
	size_t empty = 0, count = 0;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t at = 0; at < strlen(cases[i].raw); at++)
			for (size_t k = 0; k < sizeof(letters) - 1; k++) {
				struct strbuf raw = { 0 }, out = { 0 };

				strbuf_addstr(&raw, cases[i].raw);
				raw.data[at] = letters[k];
				demangle(raw.data, &out, DEMANGLE_LONG);
				demangle(raw.data, &out, DEMANGLE_SHORT);
				empty += !out.len;
				count++;
				strbuf_release(&raw);
				strbuf_release(&out);
			}
	is_u64(empty, 0, "each of %zu damaged names gives some name", count);
}

int main(void)
{
	test_table();
	test_append();
	test_bomb();
	test_long();
	test_mutations();
	return done_testing();
}
