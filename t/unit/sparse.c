/* SPDX-License-Identifier: Apache-2.0 */
#include "sparse.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sanitizer.h"

struct headers {
	Elf64_Ehdr file;
	Elf64_Phdr segments[2];
	Elf64_Shdr sections[2];
};

static uint16_t host_machine(void)
{
#if defined(__x86_64__)
	return EM_X86_64;
#else
	return EM_AARCH64;
#endif
}

int sparse_make(const struct sparse *file)
{
	struct headers h = {
		.file = { .e_type = ET_DYN,
			  .e_machine = host_machine(),
			  .e_version = EV_CURRENT,
			  .e_ehsize = sizeof(h.file),
			  .e_phentsize = sizeof(h.segments[0]),
			  .e_shentsize = sizeof(h.sections[0]) },
		.segments = { file->segment, file->load },
	};
	int fd = memfd_create("sparse", MFD_CLOEXEC);

	memcpy(h.file.e_ident, ELFMAG "\2\1\1", SELFMAG + 3);
	if (file->segment.p_type) {
		h.file.e_phoff = offsetof(struct headers, segments);
		h.file.e_phnum = 2;
		if (!h.segments[0].p_offset)
			h.segments[0].p_offset = SPARSE_HOLE;
	}
	if (file->sections) {
		h.file.e_shoff = offsetof(struct headers, sections);
		h.file.e_shstrndx = file->names_size ? 1 : 0;
		h.sections[0].sh_size = file->sections;
		h.sections[1].sh_type = SHT_STRTAB;
		h.sections[1].sh_offset = SPARSE_HOLE;
		h.sections[1].sh_size = file->names_size;
	}
	if (fd < 0 || ftruncate(fd, (off_t)file->size) ||
	    pwrite(fd, &h, sizeof(h), 0) != sizeof(h) ||
	    pwrite(fd, file->first, sizeof(file->first), SPARSE_HOLE) < 0) {
		perror("memfd_create");
		exit(99); /* the harness's fault */
	}
	return fd;
}

bool sparse_has_limit(void)
{
	return !HAS_SANITIZER;
}

/* What RLIMIT_AS counts. */
static size_t address_space(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (!f || fscanf(f, "%lu", &pages) != 1)
		_exit(99);
	fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

int sparse_use(int fd, size_t more, sparse_fn *fn)
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		size_t most = address_space() + more;

		if (setrlimit(RLIMIT_AS, &(struct rlimit){ most, most }))
			_exit(99);
		_exit(fn(fd));
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}
