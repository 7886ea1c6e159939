"""Keeps a coprocess running."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

from ._coprocess import Coprocess

_services: weakref.WeakSet[Service] = weakref.WeakSet()


def _after_fork():
    for service in list(_services):
        service._lock = threading.Lock()  # another thread of the parent may hold it


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Service:
    """A coprocess that is started when it is used: first, after it has failed, and after a fork. It
    ends with close() or the last reference to this. Any thread; arguments as for Coprocess."""

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments
        self._lock = threading.Lock()
        self._closed = False
        self._coprocess: Coprocess | None = None
        self._finalizer: Any = None
        _services.add(self)

    def running(self) -> Coprocess:
        """The coprocess. Error, once, if its predecessor has ended with a state that was carried."""
        with self._lock:
            self.require_open()
            if self._coprocess and self._coprocess.failure and self._coprocess.holds_state:
                raise self._coprocess.failed()
            if self._coprocess is None or self._coprocess.failure:
                self._coprocess = Coprocess(*self._arguments)
                if self._finalizer:
                    self._finalizer.detach()  # it holds the former coprocess
                self._finalizer = weakref.finalize(self, self._coprocess.kill)
            return self._coprocess

    def require_open(self) -> None:
        """ValueError after close()."""
        if self._closed:
            raise ValueError("the model is closed")

    def close(self) -> None:
        """Ends the coprocess for good; closing again does nothing."""
        with self._lock:
            self._closed = True
            coprocess, self._coprocess = self._coprocess, None
        if coprocess:
            coprocess.close()
