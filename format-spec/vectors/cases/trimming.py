"""Logs that are trimmed behind a boundary, and their packs (TRIM-3, TRIM-8, TRIM-11); one that is dropped (DROP-1)."""

from cases.build import (
    MIDNIGHT,
    alter,
    attach,
    checkpoint,
    claim,
    commit_bytes,
    create,
    open_producer,
    publish,
    seal,
    sweep,
)
from cases.saving import Saved
from tgb import commits, keys

BOUNDARY = keys.PACKED - 1


def cases():
    return [
        _trimmed(),
        _to_its_end(),
        _reborn(),
        _announced(),
        _half_done(),
        _short_pack(),
        _damaged_pack(),
        _absent_pack(),
        _no_state(),
        _older_state(),
        _dropped(),
    ]


class _Trimmed(Saved):
    """A case whose first 64 commits may be gone."""

    @property
    def version(self):
        return len(self.verdicts)

    def begins(self):
        """Two steps, of which the first is swept, and then settings up to the boundary."""
        self.commit(create(), open_producer("p", 1))
        self.commit(publish(claim("p", 0, 0)), publish(claim("p", 0, 1)))
        self.commit(attach("j", 1), checkpoint("j", 1, "", "c", 1))
        self.commit(sweep(1), open_producer("p", 2))
        return self.grows_to(BOUNDARY)

    def grows_to(self, version):
        while self.version <= version:
            self.commit(alter(MaxLead=self.version))
        return self

    def announces(self):
        """The boundary says that commits may be gone."""
        self.objects[keys.boundary(BOUNDARY, MIDNIGHT + 1000 * self.version)] = b""
        return self

    def packs_them(self):
        packed = [commits.decode(self.objects[keys.log(version)]) for version in range(keys.PACKED)]
        self.objects[keys.pack(0)] = commits.encode_pack(packed)
        self.packs = [keys.pack(0)]
        return self

    def deletes(self, but=()):
        """The commits that are packed are gone."""
        for version in set(range(keys.PACKED)) - set(but):
            del self.objects[keys.log(version)]
        return self

    def sweeps(self):
        key = keys.data(claim("p", 0, 0), 0)
        del self.objects[key]
        self.swept.add(key)
        return self

    def bears_again(self, version, *entries):
        """A request that was under way for long creates what was trimmed."""
        self.objects[keys.log(version)] = commit_bytes(version, entries, MIDNIGHT)
        self.reborn.append(keys.log(version))

    def loses_history(self, key, why):
        """Nothing of the history is read, and the dataset can be opened all the same."""
        self.refused = (key, why)
        self.verdicts, self.packs, self.opened = [], [], self.state.version
        return self


def _of(name, about):
    return _Trimmed(name, about).begins()


def _trimmed():
    case = _of("valid/trimmed", "The newest State stands for the commits that only a pack has (LOG-11, TRIM-11)")
    case.saves().commit(publish(claim("p", 3, 2)), alter(MaxLead=0))
    case.saves().announces().packs_them().deletes().sweeps()
    # What comes now builds on the State, and names what was trimmed.
    case.commit(publish(claim("p", 3, 2)).but("already in"), publish(claim("p", 0, 3)).but("fenced"))
    case.commit(publish(claim("p", 3, 3)), open_producer("p", 2).but("already in"))
    return case.commit(checkpoint("j", 1, "", "d", 3))


def _to_its_end():
    case = _of("valid/trimmed-to-its-end", "The State of the boundary itself stands for all there is (TRIM-3, TRIM-6)")
    # Names that the format does not give say nothing (LAYOUT-1).
    for stray in (f"boundary/{keys.number(127)}", "state/latest", f"{keys.log(64)}-0", f"{keys.pack(1)}-0"):
        case.objects[stray] = b"stray"
    return case.saves().announces().packs_them().deletes().sweeps()


def _reborn():
    case = _of("valid/trimmed-and-reborn", "What was trimmed and created again counts for nothing (TRIM-5, TRIM-11)")
    case.saves().announces().packs_them().deletes().sweeps()
    case.bears_again(0, create(dataset_id="d0000000-0000-4000-8000-000000000002"), open_producer("thief", 7))
    case.bears_again(1, publish(claim("thief", 0, 0)))
    case.bears_again(BOUNDARY, seal())
    return case.commit(alter(MaxLead=7))


def _announced():
    about = "A boundary, and all commits are there and in no pack: they count (TRIM-8, TRIM-11)"
    case = _of("valid/trimming-announced", about)
    return case.saves().announces().sweeps().commit(alter(MaxLead=7))


def _half_done():
    about = "Commits that are packed and not deleted yet, in any order (TRIM-8, TRIM-11)"
    case = _of("valid/trimming-half-done", about)
    case.saves().announces().packs_them().deletes(but=(1, 40, BOUNDARY)).sweeps()
    return case.commit(alter(MaxLead=7))


def _short_pack():
    case = _of("invalid/pack-of-63", "A pack of 63 commits (CODEC-1, TRIM-11); the newest State can be read")
    case.saves().announces().packs_them().deletes().sweeps().commit(alter(MaxLead=7))
    packed = commits.decode_pack(case.objects[keys.pack(0)])
    case.objects[keys.pack(0)] = commits.encode_pack(packed[:-1])
    return case.loses_history(keys.pack(0), "corrupt")


def _damaged_pack():
    case = _of("invalid/pack-damaged", "A pack in which one bit is wrong (CODEC-2); the newest State can be read")
    case.saves().announces().packs_them().deletes().sweeps().commit(alter(MaxLead=7))
    data = case.objects[keys.pack(0)]
    case.objects[keys.pack(0)] = data[:-40] + bytes([data[-40] ^ 1]) + data[-39:]
    return case.loses_history(keys.pack(0), "corrupt")


def _absent_pack():
    case = _of("invalid/pack-absent", "Commits are gone, and no pack has them (TRIM-11); the newest State can be read")
    case.saves().announces().deletes().sweeps().commit(alter(MaxLead=7))
    return case.loses_history(keys.log(0), "missing")


def _no_state():
    case = _of("invalid/boundary-without-state", "Commits are trimmed, and no State stands for them (TRIM-3)")
    case.announces().packs_them().deletes().sweeps().commit(alter(MaxLead=7))
    case.refused = (keys.state(BOUNDARY), "missing")
    return case


def _older_state():
    about = "The newest State is older than the boundary: its next version is absent, and not the end (TRIM-3, TRIM-6)"
    case = _Trimmed("invalid/boundary-above-states", about)
    case.commit(create(), open_producer("p", 1)).grows_to(48).saves().grows_to(BOUNDARY)
    case.announces().packs_them().deletes()
    case.refused = (keys.state(BOUNDARY), "missing")
    return case


def _dropped():
    about = "The commits and the State are still there, and the dataset is not: it was dropped (DROP-1, DROP-2)"
    case = _Trimmed("invalid/dropped", about)
    case.commit(create(), open_producer("p", 1)).commit(publish(claim("p", 0, 0))).commit(seal()).saves()
    del case.objects[keys.data(claim("p", 0, 0), 0)]
    stone = keys.boundary(keys.DROPPED, MIDNIGHT + 9000)
    case.objects[stone] = b""
    case.refused = (stone, "dropped")
    case.verdicts = []
    return case
