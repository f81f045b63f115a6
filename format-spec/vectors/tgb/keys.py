"""Where objects lie, and what names may be (LAYOUT-1, LAYOUT-2)."""

import re

PACKED = 64
DROPPED = 999_999_999_999_999_999
_FOLDER = 4096
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
_PATH_PART = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9_-])?")


def number(value):
    return f"{value:020d}"


def log(version):
    return f"log/{number(version // _FOLDER)}/{number(version)}"


def pack(at):
    return f"packs/{number(at // _FOLDER)}/{number(at)}"


def boundary(version, time):
    return f"boundary/{number(version)}-{number(time)}"


def state(version):
    return f"state/{number(version)}"


def segment(first, last):
    return f"segments/{number(first // _FOLDER)}/{number(first)}-{number(last)}"


def data(claim, part):
    producer, epoch, sequence = claim["producer"], claim["epoch"], claim["sequence"]
    folder = f"data/{producer}/{number(epoch)}/{number(sequence // _FOLDER)}"
    return f"{folder}/{number(sequence)}{f'-{part}' if part else ''}.arrow"


def is_name(text):
    """Whether a namespace, a dataset or an axis may have this name."""
    return _NAME.fullmatch(text) is not None


def is_path_part(text):
    """Whether a producer, a count or a feature may have this name."""
    return _PATH_PART.fullmatch(text) is not None
