# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Libraries loaded in the place of others: their samples have their own names, in
# agreement with the program's own times.
. "$RP_SRC/t/lib.sh"
need_sampling
need cc python3

cat >work.c <<'END'
#include <time.h>

#define NS(t) ((t).tv_sec * 1000000000L + (t).tv_nsec)

/* Until this thread has used so many ns more. */
long WORK(long ns)
{
	struct timespec t;
	volatile long n = 0;
	long end;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	end = NS(t) + ns;
	do {
		for (int i = 0; i < 20000; i++)
			n = n + i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (NS(t) < end);
	return NS(t) - end + ns;
}
END

# turns TIMES (FILE FUNCTION)…: each FILE in turn is loaded, works for 3 ms and is unloaded; one
# without a slash is first made lib.so, by a link.
cat >turns.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int kinds = (argc - 2) / 2, moved = 0;
	long *spent = calloc(kinds, sizeof(*spent));
	void *place = NULL;

	for (int i = 0; i < atoi(argv[1]) * kinds; i++) {
		const char *file = argv[2 + 2 * (i % kinds)], *path = file;
		long (*work)(long);
		void *lib;

		if (!strchr(file, '/')) {
			path = "./lib.so";
			unlink("lib.new");
			if (link(file, "lib.new") || rename("lib.new", path))
				return 1;
			unlink("lib.new"); /* rename leaves it where both are one file */
		}
		lib = dlopen(path, RTLD_NOW);
		work = lib ? (long (*)(long))dlsym(lib, argv[3 + 2 * (i % kinds)]) : NULL;
		if (!work)
			return 1;
		moved += place && place != (void *)work;
		place = (void *)work;
		spent[i % kinds] += work(3000000);
		dlclose(lib);
	}
	for (int k = 0; k < kinds; k++)
		printf("%s %.9f\n", argv[3 + 2 * k], spent[k] / 1e9);
	printf("moved %d\n", moved);
	return 0;
}
END

FUNCTIONS='work_a work_b work_c work_d work_e work_f work_g work_h work_i work_j work_k work_l'

# build TAG OPTION…: libraries that are alike but for the name of their function.
build() {
	tag=$1
	shift
	for f in $FUNCTIONS; do
		cc -O1 -shared -fPIC -DWORK="$f" "$@" -o "$tag-$f.so" work.c || return
	done
}

cc -O1 -o turns turns.c -ldl && build id -Wl,--build-id && build no -Wl,--build-id=none ||
	test_bug 'the libraries cannot be built'

# recorded NAME TAG [DIR]: of the libraries of TAG, each by its own path where DIR is given.
recorded() {
	words=
	for f in $FUNCTIONS; do words="$words ${3:-}$2-$f.so $f"; done
	# shellcheck disable=SC2086 # words
	collect -O "$1.er" ./turns 30 $words >"$1.out" 2>"$1.said" &&
		cat "$1.out" "$1.said" && test_grep "^moved 0$" "$1.out" &&
		er_print -json -functions "$1.er" >"$1.json" &&
		er_print -functions "$1.er" >"$1.txt" && cat "$1.txt"
}

# Each function was there 30 times for 3 ms.  Where a turn begins within the clock's period is
# chance, so that its samples vary by 0.41 at each turn, 2.2 in all: a quarter of 90 is ten
# standard deviations.  A library that is taken for another gives it all of its own.
#
# A hypervisor's part may be in the program's clock and not in samples, or the reverse.
#
# told NAME: the program's own times of each function, for Python.
told() { sed -n "s/^\(work_.\) \(.*\)/('\1', \2),/p" "$1.out"; }

# most NAME: no function has more than the program says.
most() {
	test 12 = "$(told "$1" | wc -l)" &&
		holds "$1.json" "all(incl(f) < 1.25 * cpu + taken for f, cpu in [$(told "$1")])"
}

# exact NAME: nor less, and all samples are some function's.
exact() {
	most "$1" && holds "$1.json" "all(incl(f) > 0.75 * cpu - taken for f, cpu in [$(told "$1")])" &&
		test_no_grep "<.*\.so>+" "$1.txt"
}

test_expect_success 'libraries by turns at one address, with build-ids' '
	undisturbed id.json "exact id" recorded id id ./
'

test_expect_success 'without build-ids the file distinguishes them' '
	undisturbed no.json "exact no" recorded no no ./
'

# What has lost its path can only be opened while it is mapped, and as root.  What cannot be opened
# has no name; it never has another one'"'"'s.
test_expect_success 'at one path, with build-ids' '
	undisturbed path-id.json "most path-id" recorded path-id id
'

test_expect_success 'at one path, without build-ids' '
	undisturbed path-no.json "most path-no" recorded path-no no
'

test_done
