"""Wire: exports every name that one side needs to exchange values with the other.

Run by both sides, with the rights of each. Trusts no byte; see wire_format for the format and its limits.
"""

from autograder.sandbox.protocol.decoder import decode
from autograder.sandbox.protocol.encoder import encode
from autograder.sandbox.protocol.frames import FrameReader, pack_frame
from autograder.sandbox.protocol.wire_format import (
    FRAME_LIMIT,
    NAME_LIMIT,
    Export,
    Handle,
    Tensor,
    WireError,
    type_name,
)

__all__ = [
    "FRAME_LIMIT",
    "NAME_LIMIT",
    "Export",
    "FrameReader",
    "Handle",
    "Tensor",
    "WireError",
    "decode",
    "encode",
    "pack_frame",
    "type_name",
]
