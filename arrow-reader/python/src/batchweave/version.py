"""The version of this package, and of the protocol that it speaks with the sidecar."""

VERSION = "0.1.0"

#: Another one is refused by either side.
PROTOCOL = 1
