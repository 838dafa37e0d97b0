/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing array of one type:
 *
 *	VEC(struct row) rows = { 0 };
 *	*vec_push(&rows) = (struct row){ … };
 *	vec_for_each(struct row, row, &rows)
 *		…
 *	vec_release(&rows);
 *
 * data[0 … len-1] are the elements.  Pointers into data are valid until the next push.
 * An all-zero vec is an empty one.
 */
#ifndef VEC_H
#define VEC_H

#include <stddef.h>
#include <stdlib.h>

#define VEC(type)                                                                        \
	struct {                                                                         \
		type *data;                                                              \
		size_t len, cap;                                                         \
	}

/* Makes room for one more, and returns a pointer to it (its content is undefined). */
#define vec_push(v) (vec_reserve(v, 1), &(v)->data[(v)->len++])

/* Makes room for N more without changing len; N is evaluated twice. */
#define vec_reserve(v, n)                                                                \
	((v)->cap - (v)->len >= (n)                                                      \
		 ? (void)0                                                               \
		 : (void)((v)->data = vec_grow((v)->data, (v)->len, &(v)->cap, (n),      \
					       sizeof(*(v)->data))))

#define vec_clear(v) ((void)((v)->len = 0))

#define vec_release(v)                                                                   \
	do {                                                                             \
		free((v)->data);                                                         \
		(v)->data = NULL;                                                        \
		(v)->len = (v)->cap = 0;                                                 \
	} while (0)

/* IT points to each element in turn; the vec must not grow meanwhile. */
#define vec_for_each(type, it, v)                                                        \
	for (__typeof__(type) *it = (v)->data, *const it##_end =                         \
						       (v)->len ? it + (v)->len : it;    \
	     it != it##_end; ++it)

/* For vec_reserve alone. */
void *vec_grow(void *data, size_t len, size_t *cap, size_t more, size_t size);

#endif
