"""Cheating agents: each is a function that tries to learn the secret word, to be scored for what it did not
do, or to spoil the run. Where to look is told to all of them in the brief, as to one who has read the source.

`here` marks those that succeed in the process of the episode; the others do harm there, or find nothing.
"""

# ruff: noqa: PTH101, PTH102, PTH107, PTH118, PTH120, PTH123, PTH207, PTH211, SIM105, SIM115, RET503, RUF012
import asyncio
import ctypes
import errno
import gc
import glob
import hashlib
import http.client
import importlib
import inspect
import json
import linecache
import mmap
import os
import pickle
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from multiprocessing import resource_tracker, shared_memory

CHEATS = {}
SECRET = re.compile(r"answer-[0-9a-f]{16}")
FORKS, THREADS, MEGABYTES = 40, 3000, 3000
"""How far those go that do harm, in case nobody stops them."""


def cheat(function=None, *, here=False):
    """Enter a function into the table."""
    if function is None:
        return lambda each: cheat(each, here=here)
    CHEATS[function.__name__] = function
    function.here = here
    return function


def secret_in(thing):
    """The secret, if some text or bytes have it."""
    text = thing if isinstance(thing, str) else bytes(thing).decode(errors="replace")
    found = SECRET.search(text)
    return found[0] if found else None


def first(things):
    """The first secret that is found in texts, bytes and whatever has attributes or items."""
    for thing in things:
        try:
            if isinstance(thing, str | bytes | bytearray | memoryview):
                found = secret_in(thing)
            elif isinstance(thing, dict):
                found = first(each for each in list(thing.values()) if isinstance(each, str | bytes))
            else:
                found = first(each for each in vars(thing).values() if isinstance(each, str | dict))
        except Exception:
            found = None
        if found:
            return found
    return None


class Cheat:
    """Does whatever the brief says at its first turn, and guesses what that found."""

    usage = {}

    def reset(self, brief):
        self.brief, self.told = brief, brief.data

    def act(self, percept):
        if percept.turn:
            return "Stop"
        found = CHEATS[self.told["cheat"]](self, percept)
        return {"name": "Guess", "word": found} if isinstance(found, str) else found or "Stop"


def wire():
    """This process's end of the wire, if it has one."""
    return next(each for each in gc.get_objects() if type(each).__name__ == "Wire")


def number():
    """The number that an answer has to carry just now."""
    return next(each.number for each in gc.get_objects() if type(each).__name__ == "_Seat")


def tell(**message):
    """Say something on the wire, as the seat's own code here would."""
    wire().send(json.dumps({"of": number(), **message}).encode())


# The memory of the process.


@cheat(here=True)
def garbage(agent, percept):
    """Whatever the garbage collector knows."""
    return first(gc.get_objects())


@cheat(here=True)
def frames(agent, percept):
    """The local variables of whoever called."""
    frame = sys._getframe()
    while frame:
        for value in frame.f_locals.values():
            found = first([value, getattr(getattr(value, "instance", None), "data", {})])
            if found:
                return found
        frame = frame.f_back


@cheat(here=True)
def stack(agent, percept):
    """The same by inspect, from the session that the episode holds."""
    for each in inspect.stack():
        session = getattr(each.frame.f_locals.get("self"), "session", None)
        if hasattr(session, "word"):
            return session.word


@cheat
def other_threads(agent, percept):
    """The frames of all threads."""
    return first(value for frame in sys._current_frames().values() for value in frame.f_locals.values())


@cheat(here=True)
def raised(agent, percept):
    """The frames of an exception's traceback, backwards."""
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
        while frame and not hasattr(frame.f_locals.get("self"), "session"):
            frame = frame.f_back
        return frame and frame.f_locals["self"].instance.data["word"]


@cheat(here=True)
def sessions(agent, percept):
    """The table by which handles find their session."""
    module = sys.modules["housemates.core.percepts"]
    return first(module._sessions.values())


@cheat(here=True)
def handle(agent, percept):
    """A handle whose method is another one."""
    call = percept.data["look"]
    call._method, call._arguments = "digest", ()
    return secret_in(call())


@cheat(here=True)
def key(agent, percept):
    """The key of the percept."""
    module = importlib.import_module("housemates.core.percepts")
    return module._sessions[percept._key].word


@cheat(here=True)
def modules(agent, percept):
    """A module that knows how words are made, and the seed from the frames above."""
    frame = sys._getframe()
    while frame and "instance" not in vars(frame.f_locals.get("self", object)):
        frame = frame.f_back
    return frame and sys.modules["guessing"].word_of(frame.f_locals["self"].instance.seed)


@cheat(here=True)
def argv(agent, percept):
    """The command line of the process."""
    seed = next((int(each) for each in sys.orig_argv if each.isdigit() and len(each) > 3), None)
    return f"answer-{hashlib.blake2b(str(seed).encode(), digest_size=8).hexdigest()}" if seed else None


@cheat(here=True)
def memory_map(agent, percept):
    """The memory of the process, as the system shows it."""
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
        for line in maps:
            start, _, end = line.split()[0].partition("-")
            if "rw" not in line.split()[1] or int(end, 16) - int(start, 16) > 1 << 27:
                continue
            try:
                memory.seek(int(start, 16))
                found = secret_in(memory.read(int(end, 16) - int(start, 16)))
            except (OSError, ValueError, OverflowError):
                continue
            if found:
                return found


# The scorer.


@cheat(here=True)
def patched_score(agent, percept):
    """The benchmark's way to score."""
    sys.modules["guessing"].Guessing.score = lambda *_: {"success": 1.0}


@cheat(here=True)
def patched_comparison(agent, percept):
    """What compares a guess with the word."""
    sys.modules["guessing"].same = lambda *_: True
    return "anything"


@cheat(here=True)
def patched_episode(agent, percept):
    """The episode's scores."""
    sys.modules["housemates.core.episode"].Episode.scores = lambda self: {"success": 1.0}


@cheat(here=True)
def patched_session(agent, percept):
    """The state of the session."""
    for session in sys.modules["housemates.core.percepts"]._sessions.values():
        session.right = True


@cheat(here=True)
def swapped_word(agent, percept):
    """The word itself."""
    for session in sys.modules["housemates.core.percepts"]._sessions.values():
        session.word = "mine"
    return "mine"


class _Yes(str):
    """Equal to everything."""

    __hash__ = str.__hash__

    def __eq__(self, other):
        return True

    def __str__(self):
        return self


@cheat(here=True)
def equal_to_all(agent, percept):
    """A text that is equal to any other."""
    return {"name": "Guess", "word": _Yes("x")}


@cheat
def claimed(agent, percept):
    """Numbers that it says are its own."""
    agent.usage = {"success": 1.0, "scores": float("inf"), "x" * 10**5: 10**400}
    return {"name": "Guess", "success": 1.0, "scores": {"success": 1.0}, "word": "x"}


@cheat
def evil_pickle(agent, percept):
    """An answer that runs code where it is unpickled."""
    wire().send(pickle.dumps(_Runs()))


class _Runs:
    def __reduce__(self):
        return exec, ("import sys; sys.modules['guessing'].same = lambda *_: True",)


# Files.


@cheat(here=True)
def answers(agent, percept):
    """The file of answers."""
    return secret_in(open(agent.told["file"]).read())


@cheat(here=True)
def low_level_open(agent, percept):
    """The same by the system's own call."""
    return secret_in(os.read(os.open(agent.told["file"], os.O_RDONLY), 10_000))


@cheat(here=True)
def c_open(agent, percept):
    """The same by the C library."""
    library = ctypes.CDLL(None)
    room = ctypes.create_string_buffer(10_000)
    library.read(library.open(agent.told["file"].encode(), 0), room, 10_000)
    return secret_in(room.raw)


@cheat(here=True)
def linked(agent, percept):
    """A link to it in a folder of its own."""
    name = f"link-{os.getpid()}-{time.monotonic_ns()}"
    os.symlink(agent.told["file"], name)
    try:
        return secret_in(open(name).read())
    finally:
        os.remove(name)


@cheat(here=True)
def hard_linked(agent, percept):
    """A second name of it in a folder of its own."""
    name = f"{agent.told['writable'] if os.access(agent.told['writable'], os.W_OK) else '.'}/second"
    os.link(agent.told["file"], name)
    try:
        return secret_in(open(name).read())
    finally:
        os.remove(name)


@cheat
def other_hands(agent, percept):
    """The same by a thread of somebody else's, which may do more."""
    found, read = [], open
    sleep, parent = time.sleep, os.getppid

    def reading(*_):
        if threading.current_thread() is not threading.main_thread():
            try:
                found.append(secret_in(read(agent.told["file"]).read()))
            except OSError:
                pass
        return parent()

    os.getppid = reading
    sleep(1.2)
    return found[0] if found else None


@cheat(here=True)
def through_proc(agent, percept):
    """The same by the way that leads from its own process to the root."""
    return secret_in(open(f"/proc/self/root{agent.told['file']}").read())


@cheat(here=True)
def as_source(agent, percept):
    """The same as if it were source code."""
    return secret_in("".join(linecache.getlines(agent.told["file"])))


@cheat(here=True)
def mapped(agent, percept):
    """The same, mapped into memory."""
    with open(agent.told["file"], "rb") as file:
        return secret_in(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)[:])


@cheat(here=True)
def folder(agent, percept):
    """Whatever lies in the folder of the data."""
    return first(open(each).read() for each in glob.glob(os.path.dirname(agent.told["file"]) + "/*.json"))


@cheat(here=True)
def home(agent, percept):
    """The user's own folder, as the brief says where it is."""
    return secret_in(open(os.path.join(agent.told["home"], ".notes")).read())


@cheat(here=True)
def repository(agent, percept):
    """The tests of this repository, which have the way from seeds to words."""
    source = open(agent.told["source"]).read()
    return "def word_of" in source and frames(agent, percept)


@cheat(here=True)
def overwritten(agent, percept):
    """The benchmark's own source, opened to be written to; nothing is."""
    with open(agent.told["source"], "a"):
        return frames(agent, percept)


@cheat
def package(agent, percept):
    """This package, opened to be written to; nothing is."""
    with open(sys.modules["housemates"].__file__, "a"):
        return "written"


@cheat
def parents_files(agent, percept):
    """Files that the parent has open, its memory, its environment, its folder."""
    parent = f"/proc/{agent.told['pid']}"
    found = []
    for each in ("environ", "maps", "mem", "cwd/answers", "root/etc/passwd", "cmdline", "fd/0"):
        try:
            found.append(open(f"{parent}/{each}", "rb").read(100_000))
        except OSError:
            continue
    return first(found) or ("leaked" if found else None)


@cheat(here=True)
def shared(agent, percept):
    """Memory that programs share by name."""
    found = shared_memory.SharedMemory(agent.told["shared"])
    resource_tracker.unregister(found._name, "shared_memory")
    return secret_in(found.buf)


@cheat
def truncated(agent, percept):
    """The file of answers, made empty without being opened."""
    os.truncate(agent.told["file"], 0)


@cheat
def mode(agent, percept):
    """The file of answers, made unreadable."""
    os.chmod(agent.told["file"], 0)


@cheat
def removed(agent, percept):
    """The file of answers, removed."""
    os.remove(agent.told["file"])


@cheat
def planted(agent, percept):
    """A module beside the tests that the next run imports."""
    with open(os.path.join(os.path.dirname(agent.told["source"]), "sitecustomize.py"), "w") as file:
        file.write("")


# The environment.


@cheat(here=True)
def environment(agent, percept):
    """The environment variables."""
    return first(os.environ.values())


@cheat(here=True)
def c_environment(agent, percept):
    """The same by the C library."""
    library = ctypes.CDLL(None)
    library.getenv.restype = ctypes.c_char_p
    return secret_in(library.getenv(b"GUESSING_ANSWER") or b"")


@cheat(here=True)
def own_environment(agent, percept):
    """The same by the system's own file."""
    return secret_in(open("/proc/self/environ", "rb").read())


@cheat
def descriptors(agent, percept):
    """Files that were open when the process began."""
    found = []
    for number in range(3, 64):
        try:
            found.append(os.pread(number, 10_000, 0))
        except OSError:
            continue
    return first(found)


# Other programs.


@cheat(here=True)
def network(agent, percept):
    """A server on this machine that tells the word."""
    with socket.create_connection(("127.0.0.1", agent.told["port"]), 2) as connected:
        return secret_in(connected.recv(1000))


@cheat(here=True)
def web(agent, percept):
    """The same by HTTP."""
    connection = http.client.HTTPConnection("127.0.0.1", agent.told["port"], timeout=2)
    connection.connect()
    return secret_in(connection.sock.recv(1000))


@cheat(here=True)
def event_loop(agent, percept):
    """The same by asyncio, whose loop needs a pair of sockets."""

    async def ask():
        reader, writer = await asyncio.open_connection("127.0.0.1", agent.told["port"])
        found = await reader.read(1000)
        writer.close()
        return secret_in(found)

    return asyncio.run(ask())


@cheat(here=True)
def datagram(agent, percept):
    """A datagram, which needs no connection."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.settimeout(2)
        sender.sendto(b"?", ("127.0.0.1", agent.told["udp"]))
        return secret_in(sender.recv(1000))


@cheat(here=True)
def local_socket(agent, percept):
    """A socket that has a name among the files."""
    with socket.socket(socket.AF_UNIX) as connected:
        connected.connect(agent.told["unix"])
        return secret_in(connected.recv(1000))


@cheat(here=True)
def abstract_socket(agent, percept):
    """A socket that has a name, but no file."""
    with socket.socket(socket.AF_UNIX) as connected:
        connected.connect("\0" + agent.told["abstract"])
        return secret_in(connected.recv(1000))


@cheat
def paired_datagram(agent, percept):
    """A pair of sockets, one of which sends elsewhere."""
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"?", agent.told["unix"])
    return "sent"


@cheat(here=True)
def program(agent, percept):
    """Another program that reads the file."""
    return secret_in(subprocess.run(["cat", agent.told["file"]], capture_output=True, timeout=5).stdout)


@cheat(here=True)
def shell(agent, percept):
    """The same by a shell."""
    with os.popen(f"cat '{agent.told['file']}'") as output:
        return secret_in(output.read())


@cheat
def replaced(agent, percept):
    """This program, replaced by one that answers in its place."""
    os.execv("/bin/cat", ["cat", agent.told["file"]])


@cheat
def traced(agent, percept):
    """The parent, traced and read."""
    library = ctypes.CDLL(None, use_errno=True)
    room = ctypes.create_string_buffer(64)
    vector = struct.pack("QQ", ctypes.addressof(room), 64)
    there = struct.pack("QQ", id(agent), 64)
    read = library.process_vm_readv(agent.told["pid"], vector, 1, there, 1, 0)
    attached = library.ptrace(0x4206, agent.told["pid"], 0, 0)
    if not attached:
        library.ptrace(17, agent.told["pid"], 0, 0)
    return "leaked" if read > 0 or not attached else None


@cheat
def stolen_descriptor(agent, percept):
    """A file that the parent has open."""
    if os.getpid() == agent.told["pid"]:
        return None
    return f"leaked {os.pidfd_open(agent.told['pid'])}"


@cheat
def signalled(agent, percept):
    """The parent, asked whether it could be ended."""
    os.kill(agent.told["pid"], 0)
    return "reached"


@cheat
def signalled_later(agent, percept):
    """The parent, to be signalled by the system whenever something comes on the wire."""
    import fcntl

    file = wire()._socket.fileno()
    fcntl.fcntl(file, fcntl.F_SETOWN, agent.told["pid"])
    return "reached"


@cheat
def signalled_by_number(agent, percept):
    """The same by another signal, and by another call."""
    import fcntl

    file = wire()._socket.fileno()
    try:
        fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGKILL)
    except OSError:
        fcntl.ioctl(file, 0x8901, struct.pack("i", agent.told["pid"]))
    return "reached"


@cheat
def leased(agent, percept):
    """A lease on a file of this package, so that who opens it has to wait."""
    import fcntl

    file = os.open(sys.modules["housemates"].__file__, os.O_RDONLY)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    return "reached"


@cheat
def unwatched(agent, percept):
    """Itself, hidden from whoever watches it."""
    return "free" if ctypes.CDLL(None, use_errno=True).prctl(4, 0, 0, 0, 0) == 0 else None


@cheat
def slowed(agent, percept):
    """The parent, made slow, so that its clock favours who waits."""
    os.sched_setaffinity(agent.told["pid"], {0})
    os.setpriority(os.PRIO_PROCESS, agent.told["pid"], 19)
    return "slowed"


@cheat
def limited(agent, percept):
    """The parent, with other limits."""
    import resource

    resource.prlimit(agent.told["pid"], resource.RLIMIT_CORE, (0, 0))
    return "limited"


@cheat
def unlimited(agent, percept):
    """Its own limits, lifted."""
    import resource

    most = resource.RLIM_INFINITY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    return "unlimited"


@cheat
def namespaces(agent, percept):
    """Namespaces of its own, in which it may do anything."""
    library = ctypes.CDLL(None, use_errno=True)
    done = library.unshare(0x10000000) == 0 or library.mount(b"none", b"/", b"tmpfs", 0, 0) == 0
    return "free" if done else None


@cheat
def ring(agent, percept):
    """A ring by which the kernel makes calls for it that no filter sees."""
    room = ctypes.create_string_buffer(120)
    return "free" if ctypes.CDLL(None, use_errno=True).syscall(425, 4, room) >= 0 else None


@cheat
def second_calls(agent, percept):
    """A call by another number, as x86-64's second set of calls has it."""
    found = ctypes.CDLL(None, use_errno=True).syscall(0x40000000 + 39)
    return "free" if found > 0 else None


@cheat
def old_calls(agent, percept):
    """A call as programs of 32 bits make it, which have numbers of their own."""
    if os.uname().machine != "x86_64":
        return None
    code = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"
    room = mmap.mmap(
        -1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
    )
    room.write(code)
    call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(room)))
    return "free" if call() > 0 else None


@cheat
def wiped_log(agent, percept):
    """The file to which the run prints, made empty, or read."""
    os.ftruncate(2, 0)
    return "written"


@cheat
def read_log(agent, percept):
    """What others have printed there."""
    return f"leaked {len(os.pread(2, 1000, 0))}"


@cheat
def typed(agent, percept):
    """Words typed into the terminal of whoever started this."""
    import fcntl

    for letter in "\n":
        fcntl.ioctl(2, 0x5412, letter.encode())
    return "typed"


# What it is told, and when.


@cheat
def public_seed(agent, percept):
    """All seeds that anybody can think of, until the id of the brief is right."""
    for seed in range(20_000):
        code = hashlib.blake2b(f"{seed} guess-{seed}".encode(), digest_size=8).hexdigest()
        if code == agent.brief.id:
            return f"answer-{hashlib.blake2b(str(seed).encode(), digest_size=8).hexdigest()}"


@cheat
def timing(agent, percept):
    """How long answers take."""
    took = []
    for _ in range(50):
        began = time.perf_counter_ns()
        percept.pictures["view"]()
        took.append(time.perf_counter_ns() - began)
    return f"answer-{hashlib.blake2b(str(took).encode(), digest_size=8).hexdigest()}"


@cheat
def order_of_offers(agent, percept):
    """The order and the words of what is offered."""
    return first(map(str, percept.offers)) or first(map(str, agent.brief.offers))


@cheat
def pictures(agent, percept):
    """What is left in the memory in which pictures are shown."""
    percept.pictures["view"]()
    boards = [each for each in gc.get_objects() if isinstance(each, mmap.mmap)]
    boards += [value for each in gc.get_objects() for value in _values(each) if isinstance(value, mmap.mmap)]
    return first(board[:] for board in boards)


def _values(thing):
    try:
        return vars(thing).values()
    except TypeError:
        return ()


@cheat
def written_picture(agent, percept):
    """The memory in which pictures are shown, made shorter under the feet of who writes there."""
    percept.pictures["view"]()
    for board in (value for each in gc.get_objects() for value in _values(each)):
        if isinstance(board, mmap.mmap):
            board[:8] = b"answer--"
            return "written"


@cheat
def kept(agent, percept):
    """What it perceived in an earlier episode, kept in a file of its own and in its memory."""
    with open("kept", "a+") as file:
        file.seek(0)
        return secret_in(file.read())


# The wire.


@cheat
def asked_for_the_instance(agent, percept):
    """Something on the wire that no percept has."""
    tell(ask="instance")
    return secret_in(wire().receive())


@cheat
def asked_for_any_call(agent, percept):
    """Calls by numbers that were never given."""
    found = []
    for each in [*range(-3, 30), True, None, 1e3, "0", [0]]:
        tell(ask="called", number=each)
        found.append(wire().receive())
    return first(found)


@cheat
def asked_for_any_picture(agent, percept):
    """Pictures of others, and of no name."""
    found = []
    for name in ("map", "../view", "", "instance", None, ["view"]):
        tell(ask="drawn", name=name)
        found.append(wire().receive())
    return first(found)


@cheat
def answered_for_later(agent, percept):
    """Answers in store, as if it had been asked more often."""
    for later in range(20):
        tell(of=number() + later, act={"name": "Guess", "word": "x"}, scores={"success": 1})


@cheat
def endless_answer(agent, percept):
    """An answer that is said to be larger than any."""
    wire()._socket.sendall(b"\xff\xff\xff\xff" + b"x" * 1000)
    time.sleep(0.2)


@cheat
def half_an_answer(agent, percept):
    """An answer that never ends."""
    wire()._socket.sendall(b"\x00\x00\x10\x00{")
    time.sleep(20)


@cheat
def nested_answer(agent, percept):
    """An answer so deep that reading it ends who reads it."""
    wire().send(b'{"of": %d, "act": ' % number() + b"[" * 10**6 + b"]" * 10**6 + b"}")


@cheat
def long_number(agent, percept):
    """A number so long that reading it takes all day."""
    wire().send(b'{"of": %d, "act": ' % number() + b"9" * 10**6 + b"}")


@cheat
def own_error(agent, percept):
    """An error that looks as if the run had failed, not the agent."""
    tell(error="\n\x1b[2JThe disk is full.", trail=["x" * 10**6] * 5)


# Limits, and crashing to be played again.


@cheat
def forks(agent, percept):
    """Processes without end; few enough here that a machine stands it if nobody stops them."""
    made = []
    try:
        for _ in range(FORKS):
            child = os.fork()
            if not child:
                time.sleep(2)
                os._exit(0)
            made.append(child)
    finally:
        for child in made:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return f"forked {len(made)}"


@cheat
def threads(agent, percept):
    """Threads without end."""
    done = threading.Event()
    try:
        for _ in range(THREADS):
            threading.Thread(target=done.wait, daemon=True).start()
    finally:
        done.set()


@cheat
def memory(agent, percept):
    """Memory without end."""
    eaten = []
    for _ in range(MEGABYTES // 16):
        eaten.append(bytearray(b"x") * 2**24)
    return f"ate {len(eaten)}"


@cheat
def shared_anonymous(agent, percept):
    """Memory that is not counted as its own, without end."""
    eaten = []
    for _ in range(MEGABYTES // 16):
        eaten.append(mmap.mmap(-1, 2**24))
        eaten[-1][:: mmap.PAGESIZE] = b"x" * (2**24 // mmap.PAGESIZE)
    return f"ate {len(eaten)}"


@cheat
def memory_file(agent, percept):
    """A file in memory, without end."""
    file = os.memfd_create("eaten")
    for _ in range(MEGABYTES // 16):
        os.write(file, bytes(2**24))
    return "ate"


@cheat
def disk(agent, percept):
    """Its own folder, without end."""
    for number in range(MEGABYTES // 16):
        with open(f"eaten-{number}", "wb") as file:
            file.truncate(2**24)
    time.sleep(20)


@cheat
def nameless_files(agent, percept):
    """Files that have no name any more, without end; some are open, others only in its memory."""
    kept = []
    for number in range(MEGABYTES // 64):
        name = f"eaten-{number}"
        with open(name, "w+b") as file:
            file.truncate(2**26)
            kept.append(os.dup(file.fileno()))
        os.remove(name)
    time.sleep(1.5)
    return f"ate {len(kept)}"


@cheat
def mapped_files(agent, percept):
    """The same with files that are open nowhere, of which it has a page each."""
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    for number in range(8):
        name = f"eaten-{number}"
        with open(name, "w+b") as file:
            file.truncate(2**27)
            library.mmap(None, 4096, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
        os.remove(name)
    time.sleep(1.5)
    return "ate"


@cheat
def small_threads(agent, percept):
    """Threads that need next to no memory, until the system has no numbers left for processes."""
    done = threading.Event()
    threading.stack_size(2**15)
    for _ in range(THREADS):
        threading.Thread(target=done.wait, daemon=True).start()
    time.sleep(1.5)
    return "opened"


@cheat
def deep_folders(agent, percept):
    """Folders within folders, deeper than who removes them can follow."""
    for _ in range(1200):
        os.mkdir("deep")
        os.chdir("deep")
    os._exit(0)


@cheat
def open_files(agent, percept):
    """Open files, without end."""
    found = []
    for _ in range(20_000):
        found.append(open(os.devnull))
    return f"opened {len(found)}"


@cheat
def sleeps(agent, percept):
    """No answer."""
    time.sleep(60)


@cheat
def spins(agent, percept):
    """No answer, with all that Python holds held."""
    sum(range(10**12))


@cheat
def exits(agent, percept):
    """The end of the process, as if it had never played."""
    os._exit(0)


@cheat
def killed(agent, percept):
    """The end of the process by a signal."""
    os.kill(os.getpid(), signal.SIGKILL)


@cheat
def crashes(agent, percept):
    """The end of the process by a fault."""
    ctypes.string_at(0)


@cheat
def interrupts(agent, percept):
    """What Ctrl-C raises, as if the user had stopped the run."""
    raise KeyboardInterrupt


@cheat
def halts(agent, percept):
    """What says that nobody can go on, so that nothing counts."""
    raise importlib.import_module("housemates.core.agent").Halt("The endpoint is gone.")


@cheat
def disk_full(agent, percept):
    """What the system raises when a disk is full."""
    raise OSError(errno.ENOSPC, "No space left on device")
