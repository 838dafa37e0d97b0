/* SPDX-License-Identifier: Apache-2.0 */
#include "model/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void number_exact(struct strbuf *out, double number)
{
	char text[32];

	if (!isfinite(number))
		number = 0; /* JSON has no other */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	strbuf_addstr(out, text);
}
