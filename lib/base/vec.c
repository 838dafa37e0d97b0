/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <stdint.h>

#include "base/program.h"
#include "base/xalloc.h"

void *vec_grow(void *data, size_t len, size_t *cap, size_t more, size_t size)
{
	size_t want;

	if (__builtin_add_overflow(len, more, &want))
		program_die_oom();
	if (want <= *cap)
		return data;
	if (want < *cap + *cap / 2)
		want = *cap + *cap / 2;
	if (want < 8)
		want = 8;
	data = xreallocarray(data, want, size);
	*cap = want;
	return data;
}
