"""A machine whose time, threads and processes a seed decides: everything happens in one thread of ours.

Callbacks of an event loop run in the order in which asyncio promises them. Threads are greenlets: they go on
when the seed says, and give way wherever they wait, at each statement and at each commit.
"""

from __future__ import annotations

import asyncio
import heapq
import pickle
import random
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any

from greenlet import GreenletExit, getcurrent, greenlet

STEPS = 200_000
"""Things that may happen in one schedule; one that takes more does not end."""


class Endless(Exception):
    """A schedule does not end."""


class World:
    """Virtual time and all that is still to happen."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.now = 1000.0
        self.jumped = 0.0
        """How far the wall clock is off."""
        self.steps = 0
        self._waiting: list[tuple[float, int, Machine, Callable[..., object], tuple[Any, ...]]] = []
        self._number = 0
        self.hub = getcurrent()

    def wall(self) -> float:
        """What `time.time` tells."""
        return 1.7e9 + self.now + self.jumped

    def at(self, when: float, machine: Machine, what: Callable[..., object], *arguments: Any) -> None:
        """Have something happen, unless the machine is off by then."""
        self._number += 1
        heapq.heappush(self._waiting, (max(when, self.now), self._number, machine, what, arguments))

    def run(self, until: float, done: Callable[[], bool]) -> None:
        """Let things happen until some moment, or until there is nothing more to wait for."""
        while self._waiting and not done() and self._waiting[0][0] <= until:
            when, _, machine, what, arguments = heapq.heappop(self._waiting)
            if machine.off:
                continue
            self.now = when
            self.steps += 1
            if self.steps > STEPS:
                raise Endless(f"More than {STEPS} things happen.")
            asyncio._set_running_loop(machine)
            try:
                what(*arguments)
            finally:
                asyncio._set_running_loop(None)

    def pause(self, seconds: float) -> None:
        """Let others go on, if this is a thread; the event loop itself takes no time."""
        thread = getcurrent()
        if thread is not self.hub:
            assert isinstance(thread, Thread)
            thread.resume(seconds)
            self.hub.switch()

    def block(self) -> None:
        """Let others go on until somebody resumes this thread; an event loop may never do that."""
        assert getcurrent() is not self.hub, "the event loop is blocked"
        self.hub.switch()


class Thread(greenlet):
    """A thread, as `threading` has it."""

    def __init__(self, machine: Machine, target: Callable[..., object], arguments: tuple[Any, ...]) -> None:
        super().__init__(self._work, parent=machine.world.hub)
        self.machine, self._target, self._arguments = machine, target, arguments
        self.joining: list[Thread] = []

    def _work(self) -> None:
        try:
            self._target(*self._arguments)
        except Exception as error:
            self.machine.faults.append(f"A thread ends: {error!r}")
        self.machine.threads.pop(self, None)
        for each in self.joining:
            each.resume()

    def start(self) -> None:
        """Begin in a moment."""
        self.machine.threads[self] = None
        self.resume(self.machine.world.rng.random() * 1e-3)

    def resume(self, seconds: float = 0.0) -> None:
        """Go on after so long."""
        self.machine.world.at(self.machine.world.now + seconds, self.machine, self._go)

    def _go(self) -> None:
        if not self.dead:
            self.switch()

    def end(self) -> None:
        """Go on no more, with nothing of what is under way."""
        self.machine.threads.pop(self, None)
        if not self.dead:
            self.throw(GreenletExit)


class Machine(asyncio.AbstractEventLoop):
    """An operating system's process: an event loop with its threads. It can be switched off at any moment."""

    def __init__(self, world: World) -> None:
        self.world, self.off = world, False
        self.threads: dict[Thread, None] = {}
        self.tasks: dict[asyncio.Task[Any], None] = {}
        self.faults: list[str] = []
        """What nobody has caught."""
        self._executors: dict[object, tuple[list[int], deque[Callable[[], None]]]] = {}

    def crash(self) -> None:
        """Switch it off: whatever is in memory is gone."""
        self.off = True
        for thread in list(self.threads):
            thread.end()
        for task in list(self.tasks):
            _drop(task)
        self.tasks.clear()

    def thread(self, target: Callable[..., object], *arguments: Any) -> Thread:
        """A thread, not yet started."""
        return Thread(self, target, arguments)

    def time(self) -> float:
        return self.world.now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return self.off

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Coroutine[Any, Any, Any], **named: Any) -> asyncio.Task[Any]:  # type: ignore[override]
        task = asyncio.Task(coro, loop=self, **named)
        self.tasks[task] = None
        task.add_done_callback(lambda _: self.tasks.pop(task, None))
        return task

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        return self.call_at(self.world.now, callback, *args, context=context)

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_later(  # type: ignore[override]
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        return self.call_at(self.world.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self.world.at(when, self, _run, handle)
        return handle

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It stays where it is, and nothing happens then."""

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        answer = self.create_future()

        def work() -> None:
            try:
                settle, value = answer.set_result, func(*args)
            except Exception as error:
                settle, value = answer.set_exception, error
            self.world.pause(self.world.rng.random() * 1e-3)
            self.call_soon(lambda: None if answer.done() else settle(value))
            running[0] -= 1
            if waiting:
                waiting.popleft()()

        def begin() -> None:
            running[0] += 1
            self.thread(work).start()

        running, waiting = self._executors.setdefault(executor, ([0], deque()))
        if running[0] < getattr(executor, "_max_workers", 8):
            begin()
        else:
            waiting.append(begin)
        return answer

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        if not self.off:
            self.faults.append(f"{context.get('message')} {context.get('exception')!r}")

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        self.call_exception_handler(context)


def _run(handle: asyncio.TimerHandle) -> None:
    if not handle.cancelled():
        handle._run()


def _drop(task: asyncio.Task[Any]) -> None:
    """Have a task end without going on; what it would do at its end has no effect any more."""
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    coroutine = task.get_coro()
    for _ in range(50):
        try:
            coroutine.close()  # type: ignore[union-attr]
            return
        except (RuntimeError, ValueError):
            continue


class Lock:
    """As `threading.Lock`."""

    def __init__(self, world: World) -> None:
        self._world, self._waiting, self._held = world, deque[Thread](), False

    def acquire(self) -> None:
        """Wait until nobody has it."""
        while self._held:
            self._waiting.append(getcurrent())  # type: ignore[arg-type]
            self._world.block()
        self._held = True

    def release(self) -> None:
        """Let the next one have it."""
        self._held = False
        while self._waiting:
            thread = self._waiting.popleft()
            if not thread.dead:
                thread.resume()
                return


class Event:
    """As `threading.Event`."""

    def __init__(self, world: World) -> None:
        self._world, self._set = world, False

    def set(self) -> None:
        """Let nobody wait any more."""
        self._set = True

    def wait(self, seconds: float) -> bool:
        """Wait for so long, unless it is set before."""
        if not self._set:
            self._world.pause(seconds)
        return self._set


class Queue:
    """As `queue.Queue`: whoever gets waits for somebody who puts."""

    def __init__(self, world: World) -> None:
        self._world, self._things = world, deque[Any]()
        self._waiting: deque[Thread] = deque()

    def put(self, thing: Any) -> None:
        """Put something in."""
        self._things.append(thing)
        while self._waiting:
            thread = self._waiting.popleft()
            if not thread.dead:
                thread.resume(self._world.rng.random() * 1e-3)
                return

    def get(self) -> Any:
        """Take the first thing out."""
        while not self._things:
            self._waiting.append(getcurrent())  # type: ignore[arg-type]
            self._world.block()
        return self._things.popleft()

    def empty(self) -> bool:
        """Whether there is nothing in it."""
        return not self._things


class Local:
    """As `threading.local`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return getcurrent().__dict__[id(self), name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        getcurrent().__dict__[id(self), name] = value


class Pipe:
    """One end of `multiprocessing.Pipe`: whatever is sent arrives as a copy, later, in order."""

    other: Pipe

    def __init__(self, world: World) -> None:
        self._world, self._queue, self._held = world, Queue(world), 1

    @property
    def _closed(self) -> bool:
        return not self._held

    def hold(self) -> Pipe:
        """Another hold of the same end, for a process: it is closed once all have closed it."""
        self._held += 1
        return self

    def send(self, thing: Any) -> None:
        """Send something; OSError if nobody listens."""
        self._world.pause(self._world.rng.random() * 2e-3)
        if self._closed or self.other._closed:
            raise BrokenPipeError
        self.other._queue.put(pickle.dumps(thing))

    def recv(self) -> Any:
        """What the other end has sent; EOFError if it is closed."""
        found = self._queue.get()
        if found is None:
            self._queue.put(None)
            raise EOFError
        return pickle.loads(found)

    def close(self) -> None:
        """Send and listen no more."""
        self._held = max(0, self._held - 1)
        if self._closed:
            self.other._queue.put(None)


class Process:
    """As `multiprocessing.Process`: a thread of its machine that shares nothing but its pipe."""

    def __init__(self, machine: Machine, target: Callable[..., object], args: tuple[Any, ...]) -> None:
        self._pipe: Pipe = args[0].hold()
        self._thread = machine.thread(target, *args)
        self.pid = id(self)

    def start(self) -> None:
        """Begin in a moment."""
        self._thread.start()

    def kill(self) -> None:
        """End it at once, wherever it is."""
        self._thread.end()
        self._pipe.close()

    terminate = kill

    def is_alive(self) -> bool:
        """Whether it goes on."""
        return not self._thread.dead

    def join(self, _: float) -> None:
        """Nothing is waited for: whoever is ended has ended."""
