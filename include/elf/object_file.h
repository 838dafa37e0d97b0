/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and opens the file of an object (program, shared library) that ran, and no other.
 * Names, lines, inlined functions and instructions all use object_file_open, so that they
 * agree on the file.
 *
 * It looks in the experiment's archive, where pathmap says, below the directories of symfs, at the original
 * path, and on a debuginfod server.  A recorded build-id decides.  Without one, the file
 * at the path must have the recorded attributes (file_mark), and one by pathmap or symfs is
 * accepted on the user's word.
 *
 * An archive is a directory in an experiment, see ringprof-experiment(5).  Each object
 * has a directory there, named by its build-id or, without one, by its path.  It contains
 * "object" itself, "debug" (its debug file), "alt" (data that dwz moved out of both),
 * "dwp" (the package of its split units), and "dwo" with single split units, by number.
 * Like experiments, archives come from elsewhere: no link in them is followed.
 */
#ifndef OBJECT_FILE_H
#define OBJECT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "elf/debuginfod.h"
#include "elf/image.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/named_file.h"
#include "base/strbuf.h"

/* Files of the directory FROM are in TO here. */
struct path_change {
	char *from, *to;
};

/* Appends PATH by the last change that fits; false: none does. */
bool path_change_put(const struct path_change *changes, size_t count, const char *path,
		     struct strbuf *out);

/* Where to look besides its path; borrowed by the places that name it. */
struct object_search {
	const struct path_change *changes;
	size_t change_count;
	const char *const *symfs;  /* directories that hold the files of the machine that
				      was recorded, ends with NULL; or NULL */
	struct debuginfod *online; /* asked last; NULL: no server */
};

struct debug_sums;

/* Where to look.  Pointers are borrowed for the call; all but PATH may be NULL. */
struct object_place {
	const char *path;             /* as the target's mapping has it */
	const char *root;             /* what to see PATH and debug folders under, e.g.
				      "/proc/PID/root"; NULL or "": our own root */
	const char *build_id;         /* hex, of the file that ran; NULL or "": unknown */
	const struct folder *archive; /* searched first; NULL: none */
	const struct object_search *search;
	const struct file_mark *mark;    /* of the file that ran; NULL: unknown */
	const struct namer_of_files *by; /* who named PATH and what it names; or NULL */
	struct debug_sums *sums; /* debugfile.h; NULL: no debug file is remembered */
	bool trusted;            /* without a build-id, any file at PATH is right */
};

/* Why a file was accepted. */
enum object_proof {
	OBJECT_NONE, /* no file was found */
	OBJECT_ARCHIVED,
	OBJECT_BUILD_ID,
	OBJECT_MARK,   /* it is unchanged */
	OBJECT_STATED, /* on the user's word: pathmap, symfs, or a trusted place */
	OBJECT_ONLINE, /* a server has that build-id */
};

struct object_found {
	enum object_proof proof;
	char *path; /* on this machine; NULL: in no file system here */
};

void object_found_release(struct object_found *found);

/*
 * 0 and an open OUT, or a negative errno: -ESTALE if it is not the file that ran, so its
 * data would be wrong; -ENOKEY if nothing proves that it is; -ENOEXEC if it is not ELF;
 * else the error from opening.  OUT may be released either way.  FOUND may be NULL; else
 * it is overwritten, and the caller releases it.
 */
int object_file_find(const struct object_place *place, struct elf_image *out,
		     struct object_found *found) __attribute__((warn_unused_result));
int object_file_open(const struct object_place *place, struct elf_image *out)
	__attribute__((warn_unused_result));

/*
 * The same as object_file_find, of a file that is not being written: it waits for that, a
 * second at most, and -ESTALE says that it still is.
 */
int object_file_settled(const struct object_place *place, struct elf_image *out,
			struct object_found *found) __attribute__((warn_unused_result));

/*
 * The roots below which to look for the object's paths: those of symfs, then its own.
 * False beyond the last; *ROOT may be NULL.
 */
bool object_root(const struct object_place *place, size_t index, const char **root);

/* The first regular file PATH under those roots: a descriptor, or a negative errno. */
int object_open_below(const struct object_place *place, const char *path)
	__attribute__((warn_unused_result));

/* The directory in an experiment, and the one in it for sources, by their whole path. */
#define EXP_ARCHIVE "archive"
#define EXP_SOURCES "src"

#define OBJECT_PART_FILE    "object"
#define OBJECT_PART_DEBUG   "debug"
#define OBJECT_PART_ALT     "alt"
#define OBJECT_PART_PACKAGE "dwp"
#define OBJECT_PART_SPLITS  "dwo" /* a folder */

/*
 * Receives a part of an object as it was read: its NAME in an archive, its bytes, and the
 * status of the file that they come from.  All are valid during the call.
 */
typedef void object_part_fn(void *ctx, const char *name, const struct stat *like,
			    const void *bytes, size_t len);

/* Opens a part of PLACE's object in its archive.  A descriptor or a negative errno. */
int object_part_open(const struct object_place *place, const char *part)
	__attribute__((warn_unused_result));

/* The name of its directory there. */
void object_folder(const struct object_place *place, struct strbuf *out);

#endif
