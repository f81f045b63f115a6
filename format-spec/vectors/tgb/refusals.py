"""Why an object is refused; the class of a refusal is part of the golden vectors."""


class Refusal(Exception):
    """Something that a reader must not use; `key` is the object's, once it is known."""

    why = ""

    def __init__(self, reason, key=None):
        super().__init__(reason)
        self.key = key


class Corrupt(Refusal):
    """The bytes are not what a writer that keeps the rules has written."""

    why = "corrupt"


class Missing(Refusal):
    """An object that must be there is not."""

    why = "missing"


class Dropped(Refusal):
    """The dataset is no more; what is left of it means nothing."""

    why = "dropped"


class Unsupported(Refusal):
    """The object may be whole, but newer software is needed to know what it means."""

    why = "unsupported"
