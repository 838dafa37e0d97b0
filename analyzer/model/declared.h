/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the functions of inlined code by their declarations.
 *
 * Inlined code belongs to the function whose symbol has the same object, name and
 * declaration.  If no symbol has, or several have (a static function of a header), it is
 * a function of its own.  Line numbers differ in another build: there the declarations of
 * one name in one file, without its folder, match by their order.
 *
 * First add all declarations, those of symbols too, then call declared_settle, then look
 * up.
 */
#ifndef DECLARED_H
#define DECLARED_H

#include "base/idmap.h"
#include "model/model.h"
#include "base/vec.h"

/* A declaration in one build; ids are the model's. */
struct declaration {
	uint32_t object, name, build;
	uint32_t file, line;
	uint32_t key; /* in keys */
};

/* What the matching declarations of all builds share. */
struct declared_key {
	uint32_t object, name;
	uint32_t text;     /* in strings: "util.h#1" */
	uint32_t build;    /* the only one with it; or MODEL_NONE */
	uint32_t function; /* MODEL_NONE: not known yet, or several symbols have it */
	uint32_t family;   /* of its name, during the search for functions */
};

/* A function that has a symbol, and its declaration in list. */
struct declared_symbol {
	uint32_t function, declaration;
};

struct declared {
	VEC(struct declaration) list;
	VEC(struct declared_key) keys;
	VEC(struct declared_symbol) symbols;
	struct idmap groups, ids; /* declaration → its number */
};

void declared_release(struct declared *declared);

/* FUNCTION has a symbol and the declaration D; MODEL_NONE: D was inlined. */
void declared_add(struct declared *declared, const struct declaration *d,
		  uint32_t function);

/* Finds the functions, and makes missing ones. */
void declared_settle(struct declared *declared, struct model *model);

/* The function of D, which must have been added. */
uint32_t declared_function(const struct declared *declared, const struct declaration *d);

#endif
