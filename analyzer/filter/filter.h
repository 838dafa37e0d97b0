/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The language of the command filters: which samples count.
 *
 *	CHOICE	BINARY [? CHOICE : CHOICE]
 *	BINARY	operators of C by their precedence; IN, SOME IN, ORDERED IN bind like ==
 *	UNARY	[! ~ -] PRIMARY
 *	PRIMARY	NUMBER [ns us ms s], 0.5, NAME, NAME("REGEX"), (CHOICE[, CHOICE…]),
 *		NAME == "TEXT", NAME != "TEXT" for the names of labels
 *
 * A value is a number, functions (a regex for their names), the frames of a stack, a
 * list of numbers or of functions, or a share, which is only compared with one.  Text is parsed once into nodes, operands before their
 * users; types are checked then, so nothing can fail when it runs.  Arithmetic is on 64
 * bits, wraps, and gives 0 for a division by 0.
 *
 * The text may be hostile: its length, the nodes, their depth, lists, and the growth of a
 * regex are bounded.
 */
#ifndef FILTER_H
#define FILTER_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "filter/names.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum {
	FILTER_TEXT_MAX = 16384,
	FILTER_NODES_MAX = 1024,
	FILTER_DEPTH_MAX = 64,
	FILTER_LIST_MAX = 64, /* a bit each */
};

enum filter_op {
	OP_NUMBER,
	OP_WORD,      /* of KIND_SAMPLE, KIND_STACK, KIND_FRAMES */
	OP_LABEL,     /* of KIND_LABEL */
	OP_FUNCTIONS, /* of KIND_FUNCTIONS */
	OP_LIST,
	OP_CHOICE,
	OP_NOT,
	OP_COMPLEMENT,
	OP_NEGATE,
	OP_OR,
	OP_AND,
	OP_BIT_OR,
	OP_BIT_XOR,
	OP_BIT_AND,
	OP_EQUAL,
	OP_UNEQUAL,
	OP_LESS,
	OP_LESS_EQUAL,
	OP_GREATER,
	OP_GREATER_EQUAL,
	OP_IN,
	OP_SOME_IN,
	OP_ORDERED_IN,
	OP_SHIFT_LEFT,
	OP_SHIFT_RIGHT,
	OP_ADD,
	OP_SUBTRACT,
	OP_MULTIPLY,
	OP_DIVIDE,
	OP_REMAINDER,
	FILTER_OPS
};

enum filter_type {
	TYPE_NUMBER,
	TYPE_FRAMES,
	TYPE_FUNCTIONS,
	TYPE_NUMBERS,
	TYPE_SHARE, /* in parts of FILTER_SHARE; below 0: the sample has none */
};

struct filter_node {
	enum filter_op op;
	enum filter_type type;
	bool of_stack;   /* the same for all samples of a stack */
	bool of_shares;  /* compares two: false if the sample has none */
	uint32_t arg[3]; /* nodes; of OP_LIST: first of items, and their number */
	int64_t number;
	enum filter_word word;
	const regex_t *regex; /* of OP_LABEL, OP_FUNCTIONS */
};

/* All-zero: none, every sample counts. */
struct filter {
	char *text;
	VEC(struct filter_node) nodes; /* the last is the whole */
	VEC(uint32_t) items;           /* of lists */
	VEC(regex_t *) regexes;
};

/*
 * 0, or a negative code with a sentence in ERR and OUT empty.  OUT is overwritten, and
 * the caller releases it.
 */
int filter_parse(const char *text, struct filter *out, struct strbuf *err)
	__attribute__((warn_unused_result));

void filter_release(struct filter *filter);

static inline bool filter_is_set(const struct filter *filter)
{
	return filter->nodes.len > 0;
}

/* The elements of a list, or the node itself as the only one. */
static inline const uint32_t *filter_elements(const struct filter *filter,
					      const uint32_t *id, uint32_t *count)
{
	const struct filter_node *n = &filter->nodes.data[*id];

	*count = n->op == OP_LIST ? n->arg[1] : 1;
	return n->op == OP_LIST ? filter->items.data + n->arg[0] : id;
}

#endif
