/* SPDX-License-Identifier: Apache-2.0 */
#include "filter/filter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "filter/lex.h"
#include "filter/regex.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "base/xalloc.h"

struct parser {
	const char *text;
	struct filter_token token; /* the next one */
	struct filter *out;
	struct strbuf *err;
	unsigned depth;
};

/* ---- errors: each returns -1, after a sentence with the place ---- */

/* The next token; a whole run of non-ASCII characters. */
static void add_shown(const struct parser *p)
{
	size_t len = p->token.len < 40 ? p->token.len : 40;
	char *text;

	while (p->token.at[len - 1] & 0x80 && p->token.at[len] & 0x80)
		len++;
	text = xstrndup(p->token.at, len);
	strbuf_addstr(p->err, ", '");
	utf8_printable(p->err, text);
	strbuf_addstr(p->err, "'");
	free(text);
}

static int wrong(const struct parser *p, const char *what)
{
	strbuf_addf(p->err, "filters: %s at column %zu", what,
		    (size_t)(p->token.at - p->text) + 1);
	if (p->token.kind == TOKEN_END)
		strbuf_addstr(p->err, ", the end");
	else
		add_shown(p);
	return -1;
}

static int unknown_name(const struct parser *p)
{
	char *word = xstrndup(p->token.at, p->token.len < 64 ? p->token.len : 64);
	struct nearest near;

	nearest_init(&near, word);
	for (int i = 0; i < FILTER_WORDS; i++)
		nearest_offer(&near, filter_names[i].name);
	strbuf_addf(p->err, "filters: there is no name '%s'; ", word);
	if (near.count) {
		strbuf_addstr(p->err, "did you mean ");
		nearest_join(&near, p->err);
		strbuf_addch(p->err, '?');
	} else {
		strbuf_addstr(p->err, "describe lists them all");
	}
	nearest_release(&near);
	free(word);
	return -1;
}

/* ---- nodes ---- */

static void advance(struct parser *p)
{
	p->token = filter_next(p->token.at + p->token.len);
}

static bool take(struct parser *p, const char *sign)
{
	if (!filter_token_is(&p->token, sign))
		return false;
	advance(p);
	return true;
}

static struct filter_node *node_at(const struct parser *p, uint32_t id)
{
	return &p->out->nodes.data[id];
}

static int add_node(struct parser *p, struct filter_node node, uint32_t *out)
{
	if (p->out->nodes.len >= FILTER_NODES_MAX)
		return wrong(p, "too much of it");
	*out = (uint32_t)p->out->nodes.len;
	*vec_push(&p->out->nodes) = node;
	return 0;
}

static int need_number(const struct parser *p, uint32_t id)
{
	static const char *const instead[] = {
		[TYPE_FRAMES] = "STACK and LEAF are asked with IN, SOME IN, ORDERED IN;",
		[TYPE_FUNCTIONS] = "functions are asked with IN or SOME IN a STACK;",
		[TYPE_NUMBERS] = "a list is asked with IN;",
		[TYPE_SHARE] = "a share is compared with a share, as in RANK>0.99;",
	};
	enum filter_type type = node_at(p, id)->type;

	return type == TYPE_NUMBER ? 0 : wrong(p, instead[type]);
}

/* An operator whose operands and whose result are numbers. */
static int add_numeric(struct parser *p, enum filter_op op, const uint32_t *arg,
		       unsigned count, uint32_t *out)
{
	struct filter_node node = { .op = op, .of_stack = true };

	for (unsigned i = 0; i < count; i++) {
		if (need_number(p, arg[i]))
			return -1;
		node.arg[i] = arg[i];
		node.of_stack &= node_at(p, arg[i])->of_stack;
	}
	return add_node(p, node, out);
}

/* ---- shares ---- */

/* Makes the number 0 or 1 a share. */
static void as_share(struct filter_node *node)
{
	if (node->op != OP_NUMBER || node->type != TYPE_NUMBER || node->number < 0 ||
	    node->number > 1)
		return;
	node->number *= FILTER_SHARE;
	node->type = TYPE_SHARE;
}

static bool is_comparison(enum filter_op op)
{
	return op >= OP_EQUAL && op <= OP_GREATER_EQUAL;
}

/* A binary operator of numbers, or of two shares. */
static int add_binary(struct parser *p, enum filter_op op, const uint32_t *arg,
		      uint32_t *out)
{
	struct filter_node *left = node_at(p, arg[0]), *right = node_at(p, arg[1]);

	if (left->type == TYPE_SHARE)
		as_share(right);
	if (right->type == TYPE_SHARE)
		as_share(left);
	if (!is_comparison(op) || left->type != TYPE_SHARE || right->type != TYPE_SHARE)
		return add_numeric(p, op, arg, 2, out);
	return add_node(p,
			(struct filter_node){
				.op = op, .arg = { arg[0], arg[1] }, .of_shares = true },
			out);
}

/* ---- IN, SOME IN, ORDERED IN ---- */

static bool is_set(enum filter_type type)
{
	return type == TYPE_NUMBER || type == TYPE_NUMBERS;
}

/* Frames with functions, or numbers with numbers; ORDERED IN only for frames. */
static int add_membership(struct parser *p, enum filter_op op, uint32_t left,
			  uint32_t right, uint32_t *out)
{
	enum filter_type a = node_at(p, left)->type, b = node_at(p, right)->type;
	bool functions = (a == TYPE_FRAMES && b == TYPE_FUNCTIONS) ||
			 (a == TYPE_FUNCTIONS && b == TYPE_FRAMES);
	bool stack = node_at(p, left)->of_stack && node_at(p, right)->of_stack;

	if (!functions && !(is_set(a) && is_set(b)))
		return wrong(p, "IN needs frames and functions, or numbers, before it,");
	if (op == OP_ORDERED_IN && b != TYPE_FRAMES)
		return wrong(p, "ORDERED IN needs STACK after it,");
	return add_node(p,
			(struct filter_node){
				.op = op, .arg = { left, right }, .of_stack = stack },
			out);
}

/* ---- primaries ---- */

static int parse_choice(struct parser *p, uint32_t *out);

static int add_list(struct parser *p, const uint32_t *members, uint32_t count,
		    uint32_t *out)
{
	struct filter_node node = { .op = OP_LIST, .of_stack = true };
	bool functions = node_at(p, members[0])->type == TYPE_FUNCTIONS;

	node.type = functions ? TYPE_FUNCTIONS : TYPE_NUMBERS;
	node.arg[0] = (uint32_t)p->out->items.len;
	node.arg[1] = count;
	for (uint32_t i = 0; i < count; i++) {
		const struct filter_node *member = node_at(p, members[i]);

		if (member->type != (functions ? TYPE_FUNCTIONS : TYPE_NUMBER) ||
		    member->op == OP_LIST)
			return wrong(p, "a list is of numbers, or of functions, before");
		node.of_stack &= member->of_stack;
		*vec_push(&p->out->items) = members[i];
	}
	return add_node(p, node, out);
}

static int parse_list(struct parser *p, uint32_t *out)
{
	uint32_t members[FILTER_LIST_MAX], count = 0;

	do {
		if (count == FILTER_LIST_MAX)
			return wrong(p, "a list is too long");
		if (parse_choice(p, &members[count++]))
			return -1;
	} while (take(p, ","));
	if (!take(p, ")"))
		return wrong(p, "a ) is missing");
	*out = members[0];
	return count == 1 ? 0 : add_list(p, members, count, out);
}

/* The regex of a token of TOKEN_STRING, which is taken; or, WHOLE: of just that text. */
static int take_string(struct parser *p, bool whole, const regex_t **out)
{
	struct strbuf text = { 0 }, plain = { 0 }, why = { 0 };
	regex_t *regex;

	filter_token_string(&p->token, &text);
	for (size_t i = 0; i < text.len; i++) {
		if (strchr(".[]\\()*+?{}|^$", text.data[i]))
			strbuf_addch(&plain, '\\');
		strbuf_addch(&plain, text.data[i]);
	}
	regex = filter_regex(strbuf_str(whole ? &plain : &text), &why);
	strbuf_release(&text);
	strbuf_release(&plain);
	if (!regex) {
		strbuf_addf(p->err, "filters: %s", why.data);
		strbuf_release(&why);
		return -1;
	}
	*vec_push(&p->out->regexes) = regex;
	*out = regex;
	advance(p);
	return 0;
}

static int take_regex(struct parser *p, const regex_t **out)
{
	if (!take(p, "(") || p->token.kind != TOKEN_STRING)
		return wrong(p, "a (\"regex\") is missing");
	if (take_string(p, false, out))
		return -1;
	return take(p, ")") ? 0 : wrong(p, "a ) is missing");
}

/* Behind a name of KIND_LABEL: == "TEXT" or != "TEXT", else ("REGEX"). */
static int add_label(struct parser *p, struct filter_node node, uint32_t *out)
{
	bool unequal = filter_token_is(&p->token, "!=");

	if (!unequal && !filter_token_is(&p->token, "==")) {
		if (take_regex(p, &node.regex))
			return -1;
		return add_node(p, node, out);
	}
	advance(p);
	if (p->token.kind != TOKEN_STRING)
		return wrong(p, "a \"text\" is missing");
	if (take_string(p, true, &node.regex) || add_node(p, node, out))
		return -1;
	return unequal ? add_numeric(p, OP_NOT, out, 1, out) : 0;
}

static int parse_name(struct parser *p, uint32_t *out)
{
	static const struct {
		enum filter_op op;
		enum filter_type type;
		bool of_stack, regex;
	} kinds[] = {
		[KIND_SAMPLE] = { OP_WORD, TYPE_NUMBER, false, false },
		[KIND_STACK] = { OP_WORD, TYPE_NUMBER, true, false },
		[KIND_FRAMES] = { OP_WORD, TYPE_FRAMES, true, false },
		[KIND_FUNCTIONS] = { OP_FUNCTIONS, TYPE_FUNCTIONS, true, true },
		[KIND_LABEL] = { OP_LABEL, TYPE_NUMBER, false, true },
		[KIND_SHARE] = { OP_WORD, TYPE_SHARE, false, false },
	};
	struct filter_node node = { 0 };
	int word = 0;

	while (word < FILTER_WORDS &&
	       !filter_token_is(&p->token, filter_names[word].name))
		word++;
	if (word == FILTER_WORDS)
		return unknown_name(p);
	advance(p);
	node.word = (enum filter_word)word;
	node.op = kinds[filter_names[word].kind].op;
	node.type = kinds[filter_names[word].kind].type;
	node.of_stack = kinds[filter_names[word].kind].of_stack;
	if (filter_names[word].kind == KIND_LABEL)
		return add_label(p, node, out);
	if (kinds[filter_names[word].kind].regex && take_regex(p, &node.regex))
		return -1;
	return add_node(p, node, out);
}

static int parse_primary(struct parser *p, uint32_t *out)
{
	struct filter_node number = { .op = OP_NUMBER,
				      .number = p->token.number,
				      .type = p->token.share ? TYPE_SHARE : TYPE_NUMBER,
				      .of_stack = true };

	if (take(p, "("))
		return parse_list(p, out);
	if (p->token.kind == TOKEN_WORD)
		return parse_name(p, out);
	if (isdigit((unsigned char)*p->token.at) && p->token.kind == TOKEN_BAD)
		return wrong(
			p,
			"a number below 2^63, or one of ns, us, ms, s or m, is missing");
	if (p->token.kind != TOKEN_NUMBER)
		return wrong(p, "a number, a name or a ( is missing");
	advance(p);
	return add_node(p, number, out);
}

/* ---- operators ---- */

struct op_sign {
	const char *sign, *second; /* second: the word that follows, or NULL */
	enum filter_op op;
	int level; /* precedence of a binary operator: high binds first */
};

static const struct op_sign unary[] = {
	{ "!", NULL, OP_NOT, 0 },
	{ "~", NULL, OP_COMPLEMENT, 0 },
	{ "-", NULL, OP_NEGATE, 0 },
};

static const struct op_sign binary[] = {
	{ "||", NULL, OP_OR, 0 },         { "&&", NULL, OP_AND, 1 },
	{ "|", NULL, OP_BIT_OR, 2 },      { "^", NULL, OP_BIT_XOR, 3 },
	{ "&", NULL, OP_BIT_AND, 4 },     { "==", NULL, OP_EQUAL, 5 },
	{ "!=", NULL, OP_UNEQUAL, 5 },    { "IN", NULL, OP_IN, 5 },
	{ "SOME", "IN", OP_SOME_IN, 5 },  { "ORDERED", "IN", OP_ORDERED_IN, 5 },
	{ "<", NULL, OP_LESS, 6 },        { "<=", NULL, OP_LESS_EQUAL, 6 },
	{ ">", NULL, OP_GREATER, 6 },     { ">=", NULL, OP_GREATER_EQUAL, 6 },
	{ "<<", NULL, OP_SHIFT_LEFT, 7 }, { ">>", NULL, OP_SHIFT_RIGHT, 7 },
	{ "+", NULL, OP_ADD, 8 },         { "-", NULL, OP_SUBTRACT, 8 },
	{ "*", NULL, OP_MULTIPLY, 9 },    { "/", NULL, OP_DIVIDE, 9 },
	{ "%", NULL, OP_REMAINDER, 9 },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct op_sign *find_op(const struct parser *p, const struct op_sign *table,
				     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (filter_token_is(&p->token, table[i].sign))
			return &table[i];
	return NULL;
}

static int parse_unary(struct parser *p, uint32_t *out)
{
	const struct op_sign *op = find_op(p, unary, COUNT(unary));
	uint32_t operand;
	int status;

	if (!op)
		return parse_primary(p, out);
	if (p->depth >= FILTER_DEPTH_MAX)
		return wrong(p, "too deep");
	advance(p);
	p->depth++;
	status = parse_unary(p, &operand);
	p->depth--;
	return status ? status : add_numeric(p, op->op, &operand, 1, out);
}

/* Operators of LEVEL and above, those of one level from left to right. */
static int parse_binary(struct parser *p, int level, uint32_t *out)
{
	const struct op_sign *op;
	uint32_t arg[2];

	if (parse_unary(p, &arg[0]))
		return -1;
	while ((op = find_op(p, binary, COUNT(binary))) && op->level >= level) {
		advance(p);
		if (op->second && !take(p, op->second))
			return wrong(p, "an IN is missing");
		if (parse_binary(p, op->level + 1, &arg[1]))
			return -1;
		if (op->op >= OP_IN && op->op <= OP_ORDERED_IN
			    ? add_membership(p, op->op, arg[0], arg[1], &arg[0])
			    : add_binary(p, op->op, arg, &arg[0]))
			return -1;
	}
	*out = arg[0];
	return 0;
}

static int parse_branches(struct parser *p, uint32_t *out)
{
	uint32_t arg[3];

	if (parse_binary(p, 0, out))
		return -1;
	if (!take(p, "?"))
		return 0;
	arg[0] = *out;
	if (parse_choice(p, &arg[1]))
		return -1;
	if (!take(p, ":"))
		return wrong(p, "a : is missing");
	return parse_choice(p, &arg[2]) ? -1 : add_numeric(p, OP_CHOICE, arg, 3, out);
}

static int parse_choice(struct parser *p, uint32_t *out)
{
	int status;

	if (p->depth >= FILTER_DEPTH_MAX)
		return wrong(p, "too deep");
	p->depth++;
	status = parse_branches(p, out);
	p->depth--;
	return status;
}

static int parse_all(struct parser *p)
{
	uint32_t root;

	if (parse_choice(p, &root))
		return -1;
	if (p->token.kind != TOKEN_END)
		return wrong(p, "an operator is missing");
	return need_number(p, root);
}

int filter_parse(const char *text, struct filter *out, struct strbuf *err)
{
	struct parser p = { .text = text, .out = out, .err = err };

	*out = (struct filter){ 0 };
	if (strlen(text) > FILTER_TEXT_MAX) {
		strbuf_addf(err, "filters: the text is longer than %d bytes",
			    FILTER_TEXT_MAX);
		return -1;
	}
	p.token = filter_next(text);
	if (parse_all(&p)) {
		filter_release(out);
		return -1;
	}
	out->text = xstrdup(text);
	return 0;
}

void filter_release(struct filter *filter)
{
	vec_for_each(regex_t *, regex, &filter->regexes) {
		regfree(*regex);
		free(*regex);
	}
	vec_release(&filter->regexes);
	vec_release(&filter->nodes);
	vec_release(&filter->items);
	free(filter->text);
	filter->text = NULL;
}
