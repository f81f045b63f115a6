"""Where datasets are."""

from __future__ import annotations

import os


def uri(warehouse: str | os.PathLike[str]) -> str:
    """The warehouse for a process that works in another folder: what is a path here is made whole."""
    told = os.fspath(warehouse)
    return told if "://" in told or told.startswith("file:") else os.path.abspath(told)
