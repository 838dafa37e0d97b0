/* SPDX-License-Identifier: Apache-2.0 */
/* Why lines are missing, and what brings them. */
#include "sites.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "debuginfod.h"

static bool is_packaged(const char *path)
{
	static const char *const dirs[] = { "/usr/local/", "/usr/", "/lib", "/bin/",
					    "/sbin/" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (!strncmp(path, dirs[i], strlen(dirs[i])))
			return i > 0; /* what lies in the first was built by hand */
	return false;
}

/* How debug information of a packaged file is installed, by what the system has. */
static const struct {
	const char *marker, *command;
} installers[] = {
	{ "/etc/debian_version", "apt-get install $(dpkg -S %s | cut -d: -f1)-dbgsym" },
	{ "/etc/fedora-release", "dnf debuginfo-install %s" },
	{ "/etc/redhat-release", "dnf debuginfo-install %s" },
	{ "/etc/SuSE-release", "zypper install $(rpm -qf %s)-debuginfo" },
};

static void install_command(const char *path, struct strbuf *out)
{
	for (size_t i = 0; i < sizeof(installers) / sizeof(installers[0]); i++) {
		const char *command = installers[i].command;
		size_t head = strcspn(command, "%");
		struct stat st;

		if (stat(installers[i].marker, &st))
			continue;
		strbuf_add(out, command, head);
		strbuf_addf(out, "%s%s", path, command + head + 2);
		return;
	}
	strbuf_addf(out, "install the debug package of %s", path);
}

void sites_remedy(const struct sites *sites, const struct model *model, uint32_t object,
		  struct strbuf *out)
{
	const struct object_lines *lines = &sites->objects.data[object];
	const char *path = object_path(model, object);

	if (!lines->asked)
		return;
	if (lines->error && debuginfod_trouble(model->online))
		strbuf_addf(out, "the server in DEBUGINFOD_URLS %s; ",
			    debuginfod_trouble(model->online));
	if (lines->error == -ESTALE)
		strbuf_addf(out, "bring back the build %s, or record again",
			    model_string(model, lines->build_id));
	else if (lines->error == -ENODATA && is_packaged(path))
		install_command(path, out);
	else if (lines->error == -ENODATA)
		strbuf_addf(out, "compile it with -g");
	else if (lines->error)
		strbuf_addf(out, "put the file back to where it ran");
	else if (lines->missing)
		strbuf_addf(out, "bring back %s", lines->missing);
}

static const struct {
	int error;
	const char *text;
} troubles[] = {
	{ -ESTALE, "has changed since the recording" },
	{ -ENODATA, "has no debug information" },
	{ -ENOEXEC, "is damaged, or its debug information is" },
	{ -ENOENT, "is not there any more" },
	{ 0, "has no line for it in its debug information" },
};

void sites_explain(const struct sites *sites, const struct model *model, uint32_t object,
		   struct strbuf *out)
{
	const struct object_lines *lines = &sites->objects.data[object];
	const char *text = "cannot be read";
	size_t before;

	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++)
		if (troubles[i].error == lines->error)
			text = lines->asked ? troubles[i].text : "is no file";
	strbuf_addf(out, "%s %s: ", object_path(model, object), text);
	before = out->len;
	sites_remedy(sites, model, object, out);
	if (out->len == before)
		strbuf_truncate(out, before - 2);
}
