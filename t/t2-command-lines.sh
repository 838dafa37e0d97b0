# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Command lines and parents of running processes: servers with random arguments and titles,
# compared with what Python finds in /proc.
. "$RP_SRC/t/lib.sh"
need_sampling
need python3

cat >live.py <<'EOF'
# live.py EXPERIMENT COLLECT-WORD...: workers with random command lines, recorded; then compared
# with /proc.  They live until the recording has ended, so all of it could be read.
import json, os, random, shutil, signal, string, subprocess, sys, time

rng = random.Random()
spin = "while :; do :; done"
tick = os.sysconf("SC_CLK_TCK")

def word():
    return "".join(rng.choice(string.ascii_letters + " '\"\\$\n\té\x01-=") for _ in range(rng.randint(0, 8)))

def used(pid):
    with open(f"/proc/{pid}/stat") as f:
        words = f.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / tick

def parent(pid):
    with open(f"/proc/{pid}/stat") as f:
        return int(f.read().rpartition(")")[2].split()[1])

def arguments(pid):
    """The arguments, without the padding of a title."""
    with open(f"/proc/{pid}/cmdline", "rb") as f:
        text = f.read(4096)
    if not text: # it is about to execute another program
        return []
    words = text.split(b"\0")
    if words[-1] == b"":
        words.pop()
    if not any(words[1:]) and (len(words) > 2 or b" " in words[0]):
        words = [words[0].rstrip(b" ")]
    return [w.decode() for w in words]

def wait(state, of=None):
    while not state():
        if of is not None and of.poll() is not None:
            sys.exit("the recording ended early")
        time.sleep(0.02)

name = "w" + "".join(rng.choice(string.ascii_lowercase) for _ in range(8))
shutil.copy(shutil.which("sh"), name)
commands = [[f"./{name}", "-c", spin] + [word() for _ in range(rng.randint(0, 5))] for _ in range(3)]
commands.append([f"./{name}", "-c", spin + "; #" + "x" * 6000])
if shutil.which("perl"):
    commands.append(["perl", "-e", f'$0 = "{name}: a worker"; 1 while 1', "old", "arguments"])
# each worker is a child of a shell that waits for it
boss = subprocess.Popen([f"./{name}", "-c", 'echo $$; read line; "$@" & wait $!', "boss"] + commands[0],
                        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
workers = [subprocess.Popen(c) for c in commands[1:]]
boss.stdin.write(b"\n")
boss.stdin.close()
try:
    children = []
    def child():
        children[:] = [int(p) for p in os.listdir("/proc") if p.isdigit() and safe_parent(p) == boss.pid]
        return children and arguments(children[0])[1:3] == ["-c", spin]
    def safe_parent(pid):
        try:
            return parent(pid)
        except OSError:
            return 0
    wait(child)
    pids = children + [w.pid for w in workers]
    if len(commands) == 5:
        wait(lambda: b"a worker" in open(f"/proc/{pids[-1]}/cmdline", "rb").read())
    wait(lambda: all(len(arguments(p)) > 0 for p in pids))
    collect = subprocess.Popen(["collect", "-O", sys.argv[1]] + sys.argv[2:] +
                               (["-P", ",".join(map(str, [boss.pid] + pids))] if "-a" not in sys.argv else []),
                               stderr=open("said", "w"))
    # it has written samples: from now on each worker gets some
    data = os.path.join(sys.argv[1], "data")
    wait(lambda: os.path.exists(data) and os.path.getsize(data) > 200, collect)
    before = {p: used(p) for p in pids}
    # a sample a ms of CPU: none in 0.3 s has the chance e^-300
    wait(lambda: all(used(p) > before[p] + 0.3 for p in pids), collect)
    collect.send_signal(signal.SIGINT)
    collect.wait()
    want = {p: arguments(p) for p in pids}
    parents = {p: parent(p) for p in pids}
finally:
    for pid in [p for p in children] + [w.pid for w in workers] + [boss.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass

rows = json.loads(subprocess.run(["er_print", "-json", "-processes", "all", sys.argv[1]],
                                 check=True, capture_output=True).stdout)["processes"]

def quoted(words):
    safe = set(string.ascii_letters + string.digits + "_-+=./,:@%^")
    one = lambda w: w if w and set(w) <= safe else "'" + w.replace("'", "'\\''") + "'"
    return words[0] if len(words) == 1 else " ".join(map(one, words))

for pid in pids:
    row, = (r for r in rows if r["process"] == pid)
    line = quoted(want[pid])
    if "xxxx" in line: # 4096 bytes with the NULs between
        line += "..."
        assert row["command_line"].endswith("x'...") and len(row["command_line"]) > 4000, row
    assert row["command_line"] == line, (pid, row, line)
    assert row["arguments"] == len(want[pid]), (pid, row, want[pid])
    if pid in children or "-a" in sys.argv:
        assert row["parent"] == parents[pid], (pid, row, parents[pid])
    else:
        assert row["parent"] is None, (pid, row)
EOF
for how in "" "--scope cpu" "-a"; do
	# shellcheck disable=SC2086
	if collect $how -O try.er true >out 2>why; then
		test_set_prereq SCOPE
	else
		test_set_prereq SCOPE "$(head -n 1 why)"
	fi
	test_expect_success SCOPE "running processes $how" "python3 live.py a.er $how || { cat said; false; }"
done
test_done
