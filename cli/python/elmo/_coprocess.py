"""A process of the program that answers the requests of several threads."""

from __future__ import annotations

import collections
import contextlib
import copy
import io
import itertools
import os
import queue
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from ._errors import Error, UsageError, error_of
from ._program import messages_file, program, require_interpreter, start, starting
from ._texts import Record

# Text that is sent ahead of the answers, in bytes, and how much at once: while a batch is computed,
# the text of the next one arrives, so that no worker waits.
_AHEAD = 1 << 17
_BLOCK = 1 << 14
_RECORD_BYTES = 64  # of a record, beside its text

# Part of an answer: rows [begin, end) of a batch of the reader.
Piece = tuple[Any, int, int]

_running: weakref.WeakSet[Coprocess] = weakref.WeakSet()


def _after_fork():
    for coprocess in list(_running):
        coprocess.abandon()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _pipe(reader: contextlib.ExitStack, writer: contextlib.ExitStack) -> tuple[int, int]:
    """The ends of a pipe, which these close."""
    with starting():
        ends = os.pipe()
    for stack, end in zip((reader, writer), ends):
        stack.callback(os.close, end)
    return ends


def _next(answers: queue.SimpleQueue[Any]) -> Any:
    """Returns the next answer. The waits are short because a signal does not end one that it comes
    just before, nor one of the main thread if another thread takes it: Ctrl-C would be lost."""
    while True:
        with contextlib.suppress(queue.Empty):
            return answers.get(timeout=1)


class Coprocess:
    """A command of the program that reads JSON Lines, for any number of threads.

    A request has a number, and the id of its record k is "NUMBER:k". One thread reads all answers
    while the process runs and hands them to the queues of the requests; so whoever writes records
    never waits for a reader. Another thread writes the records: Ctrl-C raises KeyboardInterrupt in
    the main thread only, so it never cuts a record short. Once the process has ended, `failure`
    says why. Relative paths in the command start at `folder`.

    reader      makes an iterable of batches from the command's output. A batch has rows, each a sentence:
                documents() has their ids, and row k the tokens [ends[k], ends[k + 1]) of the batch
    boundaries  number of tokens that the program adds to each sentence that has tokens
    carries     each sentence starts from the state of an earlier one. Then requests follow one
                another, and one that is given up ends the process, because nobody knows its state.
    """

    def __init__(self, command: list[str], folder: str | None, reader: Callable[[BinaryIO], Any],
                 boundaries: int, carries: bool) -> None:
        require_interpreter()
        self.failure: Error | None = None
        self.holds_state = False  # carried, and nobody knows that it is lost
        self._unanswered = False  # of carried state: a record has been sent, its answer is not complete
        self._boundaries = boundaries
        self._turn = threading.Lock() if carries else None
        self._owner = os.getpid()
        self._records: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()  # to be written
        self._queues: dict[int, queue.SimpleQueue[Any]] = {}  # of the requests, by number
        self._numbers = itertools.count()
        # Pipes of our own: a forked child closes them without touching objects of other threads.
        self._input: int | None
        self._output: int | None
        with contextlib.ExitStack() as ours:
            with contextlib.ExitStack() as theirs:
                self._messages = ours.enter_context(messages_file())
                their_input, self._input = _pipe(theirs, ours)
                self._output, their_output = _pipe(ours, theirs)
                self._process = start(*command, folder=folder, stdin=their_input,
                                      stdout=their_output, stderr=self._messages)
            ours.pop_all()  # _end() closes them
        self._writer = threading.Thread(target=self._write, daemon=True, name="elmo records")
        self._reader = threading.Thread(target=self._read, daemon=True, name="elmo answers")
        _running.add(self)
        try:
            self._writer.start()
            file = io.BufferedReader(io.FileIO(self._output, closefd=False), 1 << 16)
            self.stream = reader(file)
            self._reader.start()
        except EOFError:
            raise self._end() from None
        except ValueError as error:
            self._process.kill()
            self._end()
            raise Error(f"cannot read the answer of {program(folder)}: {error}; expected "
                        "the program elmo of this package") from None
        except BaseException:
            self._process.kill()
            self._end()
            raise

    def answers(self, records: Iterable[Record]) -> Iterator[list[Piece]]:
        """Sends records and yields the answer of each, in order, as soon as it is complete.

        Up to 128 KiB of text are sent ahead of the answers, and at least one record, because its
        answer may be what tells that the one before it is complete.
        """
        if self._turn and not self._turn.acquire(blocking=False):
            raise UsageError("initial_state='carry': another call is in progress, whose sentences come "
                             "first; end it")
        number = next(self._numbers)
        answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._queues[number] = answers
        try:
            if self.failure:
                raise self.failed()
            yield from self._exchange(number, answers, iter(records))
        finally:
            if self._turn:
                if self._unanswered and not self.failure:
                    self.failure = Error("a call ended before its last answer; the next one starts "
                                         "from zero")
                    self.kill()
                self._turn.release()
            self._queues.pop(number, None)

    def failed(self) -> Error:
        """The failure, as an exception of the caller's own: one that is raised keeps the frames of
        its caller. Tells the first caller that carried state is lost."""
        failure = copy.copy(self.failure)
        assert failure is not None
        if self.holds_state:
            self.holds_state = False
            failure.args = (f"the state carried from earlier sentences is lost: {failure}",)
        return failure

    def _exchange(self, number, answers, records):
        sizes, ahead = collections.deque(), 0  # of the records whose answers are not complete
        answered = 0                           # records whose answers are complete
        rows, complete, all_sent = [], None, False
        tokens, empty = 0, 0                   # of `rows`; sentences without tokens after them
        while True:
            lines, block_end = [], ahead + _BLOCK
            while not all_sent and (ahead < block_end <= _AHEAD or len(sizes) < 2):
                record = next(records, None)
                if record is None:
                    all_sent = True
                    if sizes and complete is None:  # only another answer tells that it is complete
                        lines.append(f'{{"id":"{number}:{answered + len(sizes)}","tokens":[]}}\n')
                    break
                members, size, complete = record
                lines.append(f'{{"id":"{number}:{answered + len(sizes)}",{members}}}\n')
                sizes.append(size + _RECORD_BYTES)
                ahead += sizes[-1]
            if lines:
                self.holds_state = self._unanswered = self._turn is not None
                self._records.put("".join(lines).encode("ascii"))
                if not all_sent:
                    continue
            if all_sent and len(sizes) == 1 and (tokens, empty) == complete:
                self._unanswered = False
                yield rows
                return
            if not sizes:
                return
            require_interpreter()
            answer = _next(answers)
            if answer is None:
                raise self.failed()
            batch, begin, end, index = answer
            while answered < index:
                yield rows
                rows, tokens, empty = [], 0, 0
                ahead -= sizes.popleft()
                answered += 1
            rows.append((batch, begin, end))
            for before, after in zip(batch.ends[begin:end], batch.ends[begin + 1:end + 1]):
                if before == after:
                    empty += 1
                else:
                    tokens, empty = tokens + after - before - self._boundaries, 0

    def _write(self):
        while True:
            data = self._records.get()
            if data is None:
                return
            view = memoryview(data)
            try:
                while view:
                    view = view[os.write(self._input, view):]
            except BrokenPipeError:
                return  # the reader knows why

    def _read(self):
        try:
            for batch in self.stream:
                self._hand_out(batch)
        except EOFError:
            pass
        except Exception as error:  # of a bug here, which must not leave anybody waiting
            self._process.kill()
            self.failure = Error(f"cannot read the program's answer: {error!r}")
        self._end()

    def _hand_out(self, batch):
        ids = batch.documents()
        begin = 0
        for end in range(1, len(ids) + 1):
            if end < len(ids) and ids[end] == ids[begin]:
                continue
            number, _, index = ids[begin].partition(":")
            answers = self._queues.get(int(number))
            if answers is not None:  # otherwise given up
                answers.put((batch, begin, end, int(index)))
            begin = end

    def _end(self) -> Error:
        """Takes the exit code of the process, which has ended, and tells everybody that it did."""
        code = self._process.wait()
        self._messages.seek(0)
        message = self._messages.read().decode("utf-8", "replace")
        self._messages.close()
        self.failure = self.failure or error_of(code, message)
        _running.discard(self)
        self._records.put(None)
        if self._writer.ident is not None:  # otherwise the system has no thread left
            self._writer.join()
        self._close_pipes()
        self._tell()
        return copy.copy(self.failure)

    def _tell(self):
        for answers in list(self._queues.values()):
            answers.put(None)

    def _close_pipes(self):
        for pipe in (self._input, self._output):
            os.close(pipe)
        self._input = self._output = None

    def abandon(self) -> None:
        """In a forked child, which has the parent's pipes but none of its threads: closes them, so
        that the child does not keep the process alive, and never waits for it. Calls in progress
        fail in the child."""
        self.failure = Error("the call was in progress when this process was forked, and is "
                             "answered in the parent only; call again"
                             if self._queues else "it stays in the process that was forked")
        self._tell()
        self._process.returncode = 0
        if self._input is not None:
            self._close_pipes()

    def kill(self) -> None:
        """Ends the process, unless it is that of the parent of a fork. Takes no lock, so that a
        finalizer can call it at any time."""
        if os.getpid() == self._owner:
            self._process.kill()

    def close(self) -> None:
        """Ends the process and waits until nothing of it is left. Calls in progress fail."""
        if os.getpid() == self._owner:
            self.failure = self.failure or Error("the model was closed during the call")
            self.kill()
            if not sys.is_finalizing():
                self._reader.join()
