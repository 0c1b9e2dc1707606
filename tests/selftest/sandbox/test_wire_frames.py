"""A stream of frames yields its payloads in pieces of any size; a false length is refused at once."""

import struct
import time
import tracemalloc

import pytest

from autograder.sandbox.protocol.wire import FRAME_LIMIT, FrameReader, WireError, pack_frame

PAYLOADS = [b"first", b"", b"x" * 40, b"\0\0\0\0", b"last"]
STREAM = b"".join(map(pack_frame, PAYLOADS))


def read_in_pieces(stream: bytes, size: int) -> list[bytes]:
    reader = FrameReader()
    return [payload for start in range(0, len(stream), size) for payload in reader.feed(stream[start : start + size])]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64, 1000])
def test_pieces_of_any_size_give_the_payloads(size: int) -> None:
    assert read_in_pieces(STREAM, size) == PAYLOADS


def test_every_split_point_gives_the_payloads() -> None:
    for cut in range(len(STREAM) + 1):
        reader = FrameReader()
        assert reader.feed(STREAM[:cut]) + reader.feed(STREAM[cut:]) == PAYLOADS


def test_a_payload_comes_as_soon_as_it_is_whole() -> None:
    reader = FrameReader()
    assert reader.feed(pack_frame(b"ab")[:-1]) == []
    assert reader.feed(b"b" + pack_frame(b"cd") + b"\x05") == [b"ab", b"cd"]
    assert reader.feed(b"") == []


def test_payload_over_the_limit_is_not_packed() -> None:
    with pytest.raises(WireError, match="16777217 bytes are over the limit of 16777216"):
        pack_frame(bytes(FRAME_LIMIT + 1))


@pytest.mark.parametrize("claim", [FRAME_LIMIT + 1, 2**31, 2**32 - 1])
def test_header_that_claims_too_much_is_refused_before_any_body(claim: int) -> None:
    reader = FrameReader()
    assert reader.feed(pack_frame(b"fine")) == [b"fine"]
    with pytest.raises(WireError, match=f"{claim} bytes are over the limit of 16777216"):
        reader.feed(struct.pack("<I", claim))


def test_header_of_the_largest_frame_allocates_nothing() -> None:
    reader = FrameReader()
    tracemalloc.start()
    try:
        assert reader.feed(struct.pack("<I", FRAME_LIMIT) + b"a few bytes") == []
        assert tracemalloc.get_traced_memory()[1] < 10_000
    finally:
        tracemalloc.stop()


def test_largest_frame_in_small_pieces_takes_linear_time() -> None:
    stream = pack_frame(bytes(FRAME_LIMIT))
    started = time.process_time()
    assert read_in_pieces(stream, 2**16) == [bytes(FRAME_LIMIT)]
    assert time.process_time() - started < 5  # 0.1 s; 20 s if each piece copies all earlier ones


def test_many_empty_frames_at_once_take_linear_time() -> None:
    started = time.process_time()
    assert len(FrameReader().feed(pack_frame(b"") * 200_000)) == 200_000
    assert time.process_time() - started < 5  # 0.1 s; a minute if each frame shifts the rest
