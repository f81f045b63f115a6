"""All commits that there ever were: those in packs, and those in the log that are not reborn (TRIM-11)."""

from tgb import commits, keys
from tgb.refusals import Corrupt, Refusal


def history(folder):
    """Each commit in order: the object it lies in, what it says, and whether a writer gives that object these bytes."""
    packed, is_canonical = None, True
    for version in range(max(0, folder.last()) + 1):
        number, at = divmod(version, keys.PACKED)
        if at == 0:
            packed, is_canonical = _pack(folder, number)
        if packed:
            yield keys.pack(number), packed[at], is_canonical
        else:
            key = keys.log(version)
            data = folder.read(key)
            commit = _decoded(commits.decode, key, data)
            yield key, commit, commits.encode(commit) == data


def reborn(folder):
    """The keys in the log at which something else lies than was there first: what it says never counted."""
    found = []
    for version in folder.versions():
        number, at = divmod(version, keys.PACKED)
        packed, _ = _pack(folder, number)
        if packed and folder.read(keys.log(version)) != commits.encode(packed[at]):
            if version > folder.boundary():
                raise Corrupt("differs from its pack, and nobody can have trimmed it", keys.log(version))
            found.append(keys.log(version))
    return found


def _pack(folder, number):
    """The commits of a pack, if it is there, and whether a writer gives it these bytes."""
    data = folder.find(keys.pack(number))
    if data is None:
        return None, True
    packed = _decoded(commits.decode_pack, keys.pack(number), data)
    return packed, commits.encode_pack(packed) == data


def _decoded(decode, key, data):
    try:
        return decode(data)
    except Refusal as refusal:
        refusal.key = key
        raise
