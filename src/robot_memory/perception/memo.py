"""A bounded memory of results by the bytes they were computed from, so that two lanes do the same work once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Memo(Generic[Result]):
    """Keeps the `size` most recently used results. Thread-safe: while one thread computes, the others wait for it."""

    def __init__(self, size: int) -> None:
        self.size, self.hits, self.misses = size, 0, 0
        self._results: OrderedDict[bytes, Result] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, data: bytes, compute: Callable[[], Result]) -> Result:
        """The result for `data`; computed (and kept) if it is not known. An exception of `compute` is not kept."""
        key = blake2b(data, digest_size=16).digest()
        with self._lock:
            if key in self._results:
                self.hits += 1
                self._results.move_to_end(key)
                return self._results[key]
            self.misses += 1
            result = self._results[key] = compute()
            while len(self._results) > self.size:
                self._results.popitem(last=False)
            return result
