"""What can go wrong, by what the caller does next.

Texts read "Cannot X Y: reason; what to do".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class BatchWeaveError(Exception):
    """The kind of all errors of this package."""


class InvalidRequest(BatchWeaveError, ValueError):
    """The request is wrong: mend it."""


class NoAccess(BatchWeaveError):
    """The address, the credentials or their permissions are wrong: mend them."""


class Unavailable(BatchWeaveError):
    """What was waited for did not come in time: the same step can be asked for again."""


class Fenced(BatchWeaveError):
    """Another session, or another start of this producer, has replaced this one: stop."""


class Expired(BatchWeaveError):
    """The step is swept.

    Attributes:
        first_step: the first step that is kept, if it was told.
    """

    def __init__(self, message: str, first_step: int | None = None) -> None:
        super().__init__(message)
        self.first_step = first_step

    def __reduce__(self) -> tuple[type[Expired], tuple[str, int | None]]:
        return Expired, (str(self), self.first_step)


class Corrupt(BatchWeaveError):
    """Stored bytes are not what was written: a person must look. The reader has ended."""


class CommitUnknown(BatchWeaveError):
    """A commit may be in or not: ask for the same again."""


class Unsupported(BatchWeaveError):
    """The dataset needs a newer BatchWeave: upgrade."""


class Internal(BatchWeaveError):
    """A fault of BatchWeave itself: the sidecar's log tells more."""


class CannotStart(BatchWeaveError):
    """No sidecar or command could be started here: the text says what it takes."""


KINDS: Mapping[str, type[BatchWeaveError]] = {
    "invalid": InvalidRequest,
    "no-access": NoAccess,
    "unavailable": Unavailable,
    "fenced": Fenced,
    "expired": Expired,
    "corrupt": Corrupt,
    "unknown": CommitUnknown,
    "unsupported": Unsupported,
    "internal": Internal,
}


def from_reply(error: Mapping[str, Any]) -> BatchWeaveError:
    """The exception for the ``error`` of a reply; a kind that is not known is internal."""
    kind = KINDS.get(str(error.get("kind")), Internal)
    message = str(error.get("message") or f"the sidecar tells no reason: {dict(error)}")
    if kind is Expired:
        first_step = error.get("first_step")
        return Expired(message, None if first_step is None else int(first_step))
    return kind(message)
