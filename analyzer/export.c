/* SPDX-License-Identifier: Apache-2.0 */
/* export: the call tree, or the samples, for other programs. */
#include "export.h"

#include <errno.h>
#include <string.h>

#include "views.h"

void export_stack_of(const struct tree *tree, size_t node, struct export_stack *stack)
{
	const struct tree_node *nodes = tree->nodes.data;
	size_t depth = nodes[node].depth;

	vec_clear(stack);
	vec_reserve(stack, depth);
	stack->len = depth;
	for (; node != TREE_ROOT; node = nodes[node].parent)
		stack->data[--depth] = nodes[node].function;
}

static const struct export_format *const formats[] = {
	&export_collapsed,
	&export_speedscope,
	&export_csv,
	&export_samples,
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

static int write_file(struct session *s, const struct export_format *format,
		      const char *path)
{
	FILE *file = fopen(path, "we");
	int error = 0;

	if (!file)
		return -errno;
	errno = 0;
	format->write(s, file);
	if (ferror(file))
		error = errno ? -errno : -EIO;
	if (fclose(file) && !error)
		error = -errno;
	return error;
}

static int run_export(struct session *s, int argc, char **argv, struct strbuf *err)
{
	(void)argc;
	for (size_t i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i]->word, argv[0]))
			return command_status(write_file(s, formats[i], argv[1]), argv[1],
					      err);
	strbuf_addf(err, "export writes collapsed, speedscope, csv or samples, not '%s'",
		    argv[0]);
	return CMD_USAGE;
}

const struct cmd cmd_export = {
	.name = "export",
	.args = "FORM FILE",
	.help = "the tree: collapsed, speedscope, csv; or all samples",
	.values = "collapsed speedscope csv samples",
	.run = run_export,
};
