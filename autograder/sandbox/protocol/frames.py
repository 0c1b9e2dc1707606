"""Frames: turns payloads into a byte stream and back; a frame is a little-endian u32 length and that many bytes.

Run by both sides, with the rights of each. Trusts no length: memory is allocated for received bytes only.
"""

from autograder.sandbox.protocol.wire_format import U32, check_size


def pack_frame(payload: bytes) -> bytes:
    """Prefix a payload with its length. WireError over FRAME_LIMIT."""
    check_size(len(payload))
    return U32.pack(len(payload)) + payload


class FrameReader:
    """The unread bytes of a stream. After a WireError the rest of the stream is meaningless: discard the reader."""

    def __init__(self) -> None:
        self._unread = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the payloads that `data` completes. WireError as soon as a header exceeds FRAME_LIMIT."""
        unread = self._unread
        unread += data
        start, payloads = 0, []
        while len(unread) - start >= U32.size:
            (length,) = U32.unpack_from(unread, start)
            check_size(length)
            stop = start + U32.size + length
            if stop > len(unread):
                break
            with memoryview(unread) as view:
                payloads.append(bytes(view[start + U32.size : stop]))
            start = stop
        del unread[:start]
        return payloads
