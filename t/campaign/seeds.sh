#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# seeds.sh objects DIR: programs and libraries with debug information in the forms that
# compilers and tools give it, as arguments for hostile_objects in DIR/list.
# seeds.sh experiments DIR: recordings for hostile_experiments, DIR/*.er; mkexp, collect and
# er_print are found in PATH.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
what=$1
mkdir -p "$2" && cd "$2"

source_text() {
	cat <<-\END_OF_SOURCE
	struct pair { int a, b; };
	static inline __attribute__((always_inline)) int twice(int x) { return x + x; }
	__attribute__((noinline)) int work(struct pair *p, int n)
	{
		volatile int s = 0;
		for (int i = 0; i < n; i++)
			s += twice(p->a) ^ twice(i);
		return s;
	}
	__attribute__((noinline)) int f(int n) { struct pair p = { n, 2 }; return work(&p, n) + n; }
	#ifdef PROGRAM
	void *malloc(unsigned long);
	void free(void *);
	int main(int argc, char **argv)
	{
		void *p = malloc(100);
		int n = argc > 1 ? 0 : 3000000;
		(void)argv;
		free(p);
		return f(n) == 42;
	}
	#endif
	END_OF_SOURCE
}

# built NAME WORDS…: a library that is listed, where the compiler can make it.
built() {
	name=$1 && shift
	source_text >"$name.c"
	# shellcheck disable=SC2086
	${CC:-cc} -O1 -fPIC "$@" -o "$name" "$name.c" 2>/dev/null || return 0
	[ -n "${unlisted:-}" ] || echo "$PWD/$name" >>list
}

library() { built "$@" -shared -nostdlib -Wl,-z,noseparate-code; }

# section OBJECT NAME FILE
section() { objcopy --add-section "$2=$3" --set-section-flags "$2=readonly" "$1"; }

make_objects() {
	: >list
	library v4 -gdwarf-4 -Wl,--hash-style=sysv -Wl,--build-id
	library v5 -gdwarf-5 -Wl,--hash-style=gnu -fno-stack-protector
	library gz -g -gz
	library frames -g -fno-asynchronous-unwind-tables
	library types -gdwarf-4 -fdebug-types-section -g3
	built program -g -DPROGRAM -Wl,-z,lazy
	built static -g1 -DPROGRAM -fcf-protection=none -no-pie -fno-pie
	unlisted=1 library split4 -gdwarf-4 -gsplit-dwarf && echo "$PWD/split4$(dwo split4)" >>list
	unlisted=1 library split5 -gdwarf-5 -gsplit-dwarf && echo "$PWD/split5$(dwo split5)" >>list
	packed
	# Names alone, as Fedora's .gnu_debugdata; and in a debug file by its link.
	library mini -g0 -Wl,--build-id
	cp mini stripped && strip stripped && xz -kf mini
	section stripped .gnu_debugdata mini.xz && echo "$PWD/stripped" >>list
	unlisted=1 library linked -g && objcopy --only-keep-debug linked linked.debug &&
		strip -g linked && objcopy --add-gnu-debuglink=linked.debug linked &&
		echo "$PWD/linked,$PWD/linked.debug" >>list
	alternate
}

# dwo NAME: its split unit, with a comma in front.
dwo() {
	for unit in "$1.dwo" "$1-$1.dwo"; do
		[ ! -f "$unit" ] || { echo ",$PWD/$unit" && return; }
	done
}

packed() {
	unlisted=1 library package -gdwarf-5 -gsplit-dwarf && command -v dwp >/dev/null || return 0
	{ dwp -e package -o package.dwp || llvm-dwp -e package -o package.dwp; } 2>/dev/null || return 0
	rm -f package.dwo package-package.dwo && echo "$PWD/package,$PWD/package.dwp" >>list
}

# What dwz would have moved is in a file of the build-id that the link says.
alternate() {
	unlisted=1 library moved -g -Wl,--build-id=0x3031323334353637383961626364656630313233
	unlisted=1 library dwz -g -Wl,--build-id
	{ printf 'moved\0' && printf '0123456789abcdef0123'; } >altlink
	section dwz .gnu_debugaltlink altlink && echo "$PWD/dwz,$PWD/moved" >>list
}

stacks() {
	cat <<-\END_OF_STACKS
	event totalcpu ns 1000000 0 1 Total CPU Time
	event cycles cycles 1000003 2e9 1.5 CPU Cycles
	arg ./a.out
	note warning something was wrong
	end truncated 2
	throttled 3
	lost 2
	rusage 0.02
	main;f 3
	main;f;f;g@2 2
	on totalcpu
	main;libx.so!h;[kernel]!sys_read 4
	thread 100 101 io
	cpu 1
	main;work~a.c#1 1
	main;work~b.c#2 2
	main;?;f 1
	<truncated>;g 1
	loss 2
	thread 200 200 sh
	args sh -c work it's $HOME
	group /user.slice/a.scope
	flush
	weight 5
	. 2
	main;libx.so!+1230 2
	<unsampled> 3
	END_OF_STACKS
}

# Lives and waits of two threads, one of which executes a program.
states() {
	cat <<-\END_OF_STATES
	event totalcpu ns 1000000 0 1 Total CPU Time
	state wait
	state lock
	state sleep
	state unknown
	thread 100 100 main
	life 0 50000000 2
	on totalcpu
	main;f 3
	step 0
	on lock
	time 9000000
	weight 2000000
	main;f;libc.so.6!pthread_mutex_lock;[kernel]!futex_wait 2
	on wait
	time 20000000
	main;g 1
	thread 100 101 worker
	life 1000000 20000000 1
	life 20000000 49000000
	on sleep
	time 30000000
	weight 9000000
	work;nap 1
	on unknown
	time 40000000
	<unsampled> 1
	END_OF_STATES
}

# The first is a small good one, which hostile_experiments reads beside others.
make_experiments() {
	rm -rf ./*.er
	printf 'main;f 3\nmain;_ZN3abc3runEi;f 2\n' | mkexp a-small.er
	stacks | mkexp stacks.er
	{ stacks && echo running; } | mkexp nameless.er
	states | mkexp states.er
	built program -g -DPROGRAM
	python3 "$here/../mkperf" rich.perf.data rich identifier
	collect --import rich.perf.data -O rich.er
	if collect -p hi -O real.er ./program; then
		er_print -lines -functions real.er
	fi
}

exec 3>&1 >log 2>&1
trap '[ $? -eq 0 ] || cat log >&3' EXIT
"make_$what"
