"""Agents kept apart: each in a process of its own that has the wire of its seat and nothing else.

`agent.py` sits in the seat and passes everything on, `process.py` starts and ends the process behind it,
`child.py` is what runs there: it shuts itself in (`sandbox.py`, with Linux's `landlock.py` and `seccomp.py`)
before it loads anybody's code (`server.py`). `wire.py` is what passes between the two.
"""
