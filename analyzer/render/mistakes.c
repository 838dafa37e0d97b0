/* SPDX-License-Identifier: Apache-2.0 */
#include "render/mistakes.h"

#include <stdlib.h>

#include "base/vec.h"
#include "base/xalloc.h"

void mistakes_add(struct mistakes *mistakes, const char *command, int status,
		  const char *text)
{
	*vec_push(mistakes) = (struct mistake){
		.command = command ? xstrdup(command) : NULL,
		.status = status,
		.text = xstrdup(text),
	};
}

void mistakes_clear(struct mistakes *mistakes)
{
	vec_for_each(struct mistake, mistake, mistakes) {
		free(mistake->command);
		free(mistake->text);
	}
	vec_clear(mistakes);
}

void mistakes_release(struct mistakes *mistakes)
{
	mistakes_clear(mistakes);
	vec_release(mistakes);
}
