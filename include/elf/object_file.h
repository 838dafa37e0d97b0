/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of an object (program, shared library) that ran: opened only if it is that
 * file, in the experiment's archive or else where it was, or from a debuginfod server.
 *
 * An archive is a directory in an experiment, see ringprof-experiment(5).  What it has of
 * an object lies in a folder of its own, named by the build-id, or where the object has
 * none by its path: "object" itself, "debug" for its debug file, "alt" for what dwz moved
 * out of both, "dwp" for the package of its split units, or in "dwo" each by its number.
 * An archive comes from elsewhere, as experiments do: no link in it leads out of it.
 */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include <stdint.h>

#include "elf/debuginfod.h"
#include "elf/image.h"
#include "base/strbuf.h"

/* Where to look; texts are borrowed for the call.  Each but PATH may be NULL. */
struct object_place {
	const char *path;          /* as the target's mapping has it */
	const char *root;          /* what to see PATH and debug folders under, e.g.
				      "/proc/PID/root"; NULL or "": our own root */
	const char *build_id;      /* hex, of the file that ran; NULL or "": not known */
	const char *archive;       /* looked into first; NULL: there is none */
	struct debuginfod *online; /* asked last; NULL: nobody is */
	int64_t before; /* where no build-id is known: a file that was changed later
			   (seconds of the epoch) is another one; 0: any is right */
};

/*
 * 0 and an open OUT, or a negative errno.  -ESTALE: it is another file than the one that
 * ran, and what it says would be wrong.  -ENOEXEC: no ELF file.  Else what opening gave.
 * OUT may be released either way.
 */
int object_file_open(const struct object_place *place, struct elf_image *out)
	__attribute__((warn_unused_result));

/* The directory, in an experiment, and what sources are below in it by their whole path.
 */
#define EXP_ARCHIVE "archive"
#define EXP_SOURCES "src"

#define OBJECT_PART_FILE    "object"
#define OBJECT_PART_DEBUG   "debug"
#define OBJECT_PART_ALT     "alt"
#define OBJECT_PART_PACKAGE "dwp"
#define OBJECT_PART_SPLITS  "dwo" /* a folder */

/* A part of PLACE's object in its archive: a descriptor, or a negative errno. */
int object_part_open(const struct object_place *place, const char *part)
	__attribute__((warn_unused_result));

/* The name of its folder there. */
void object_folder(const struct object_place *place, struct strbuf *out);

#endif
