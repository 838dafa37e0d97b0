/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xalloc.h"

/* The value behind the colon, if LINE begins with KEY; else NULL. */
static char *value_of(char *line, const char *key)
{
	char *value = strchr(line, ':');

	if (strncmp(line, key, strlen(key)) || !value)
		return NULL;
	value += 1 + strspn(value + 1, " \t");
	value[strcspn(value, "\n")] = '\0';
	return value;
}

/*
 * x86 gives the model's name and the current clock rate; arm64 only numbers, and no rate.
 */
static void read_cpuinfo(struct exp_log *log, const char *root)
{
	FILE *f = file_fopen(root, "/proc/cpuinfo");
	char line[1024], *part = NULL;

	while (f && fgets(line, sizeof(line), f) && !(log->cpu && log->hz)) {
		char *value;

		if (!log->cpu && (value = value_of(line, "model name")))
			log->cpu = xstrdup(value);
		else if (!log->hz && (value = value_of(line, "cpu MHz")))
			log->hz = strtod(value, NULL) * 1e6;
		else if (!part && (value = value_of(line, "CPU part")))
			part = xasprintf("ARM part %s", value);
	}
	if (f)
		fclose(f);
	if (!log->cpu)
		log->cpu = part ? part : xstrdup("unknown");
	else
		free(part);
}

/* The CPU's nominal rate is steadier than the current one. */
static void read_base_frequency(struct exp_log *log, const char *root)
{
	FILE *f = file_fopen(root, "/sys/devices/system/cpu/cpu0/cpufreq/base_frequency");
	double khz;

	if (!f)
		return;
	if (fscanf(f, "%lf", &khz) == 1 && khz > 0)
		log->hz = khz * 1e3;
	fclose(f);
}

void machine_describe(struct exp_log *log, const char *root)
{
	struct utsname names;

	if (uname(&names) < 0)
		memset(&names, 0, sizeof(names));
	log->hostname = xstrdup(names.nodename);
	log->kernel = xasprintf("%s %s", names.sysname, names.release);
	log->arch = xstrdup(names.machine);
	log->cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	log->page_size = (unsigned)sysconf(_SC_PAGESIZE);
	read_cpuinfo(log, root);
	read_base_frequency(log, root);
}
