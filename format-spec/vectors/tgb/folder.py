"""The objects of a dataset, in a folder that nobody changes meanwhile."""

import re

from tgb import keys
from tgb.refusals import Dropped, Missing

_NUMBER = re.compile(r"[0-9]{20}")
_BOUNDARY = re.compile(r"([0-9]{20})-[0-9]{20}")


class Folder:
    def __init__(self, path):
        self.path = path

    def find(self, key):
        """The bytes of an object, or None."""
        path = self.path / key
        return path.read_bytes() if path.is_file() else None

    def read(self, key):
        data = self.find(key)
        if data is None:
            raise Missing("absent", key)
        return data

    def versions(self):
        """The versions at which there are commits in the log, ascending."""
        return self._numbers("log/*/*", _NUMBER)

    def packs(self):
        return self._numbers("packs/*/*", _NUMBER)

    def states(self):
        return self._numbers("state/*", _NUMBER)

    def boundary(self):
        """The commits up to this version may be gone; -1: none may."""
        return max(self._numbers("boundary/*", _BOUNDARY), default=-1)

    def demand_there(self):
        """Refuses a dataset that was dropped."""
        if self.boundary() == keys.DROPPED:
            stone = max(path.name for path in self.path.glob(f"boundary/{keys.number(keys.DROPPED)}-*"))
            raise Dropped("the dataset was dropped", f"boundary/{stone}")

    def last(self):
        """The highest version that anything speaks of; -1: none."""
        packed = [(number + 1) * keys.PACKED - 1 for number in self.packs()]
        return max([*self.versions(), *packed, *self.states(), self.boundary()])

    def _numbers(self, pattern, name):
        """The first numbers in the names of this form; what has another name is no object of the format."""
        found = [name.fullmatch(path.name) for path in self.path.glob(pattern)]
        return sorted(int(match[0][:20]) for match in found if match)
