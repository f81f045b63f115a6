"""CRC-32C (Castagnoli), eight bits at a time."""


def _entry(byte):
    for _ in range(8):
        byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
    return byte


_TABLE = tuple(_entry(byte) for byte in range(256))


def crc32c(data):
    """The checksum as an unsigned number of 32 bits."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def signed(crc):
    """The same 32 bits as the signed int that a commit carries."""
    return crc - (1 << 32) if crc >= 1 << 31 else crc
