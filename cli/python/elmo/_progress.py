"""A line that says how far a call is."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def with_progress(items: Iterable[Item], total: int | None, what: str) -> Iterator[Item]:
    """Yields the items and shows their number on standard error, in a terminal or a notebook; shows
    nothing if sys.stderr is None, as in a program without a console."""
    begin = shown = time.monotonic()
    count = 0
    of_all = f" of {total:,}" if total is not None else ""

    def show(end: str) -> None:
        if sys.stderr is None:
            return
        rate = count / max(time.monotonic() - begin, 1e-9)
        sys.stderr.write(f"\r{count:,}{of_all} {what}, {rate:,.0f}/s{end}")
        sys.stderr.flush()

    try:
        for item in items:
            yield item
            count += 1
            if time.monotonic() - shown > 0.25:
                shown = time.monotonic()
                show("")
    finally:
        show("\n")  # also before the message of an error
