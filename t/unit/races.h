/* SPDX-License-Identifier: Apache-2.0 */
/* How often a race is run: RP_RACES times instead, if the environment has that. */
#ifndef RACES_H
#define RACES_H

#include <stddef.h>
#include <stdlib.h>

static inline size_t race_rounds(size_t usual)
{
	const char *asked = getenv("RP_RACES");

	return asked && *asked ? strtoul(asked, NULL, 10) : usual;
}

#endif
