"""Bytes of a Python file become the text that Python would read, from every editor."""

import codecs

import pytest

from autograder.submission.source_scan import decode_source

CHINESE = "# 词向量\nx = 1\n"
GBK = ("# -*- coding: gbk -*-\n", "#!/usr/bin/env python\n# vim: set fileencoding=GBK :\n", "\n# coding=gb2312\n")
NO_TEXT = ("rot13", "zlib", "punycode", "utf-7", "unicode_escape", "no-such", "undefined")
READ = {  # by what they are
    "empty": (b"", ""),
    "UTF-8": (CHINESE.encode(), CHINESE),
    "BOM": (codecs.BOM_UTF8 + CHINESE.encode(), CHINESE),
    "CRLF": (CHINESE.replace("\n", "\r\n").encode(), CHINESE),
    "CR": (CHINESE.replace("\n", "\r").encode(), CHINESE),
    **{f"declared: {head}": ((head + CHINESE).encode("gbk"), head + CHINESE) for head in GBK},
    "declared after code": ("x = 1\n# coding: gbk\n词".encode(), "x = 1\n# coding: gbk\n词"),
    # A codec that is no encoding of text is not used.
    **{name: (f"# coding: {name}\nx = 1\n".encode(), f"# coding: {name}\nx = 1\n") for name in NO_TEXT},
}


@pytest.mark.parametrize(("data", "text"), READ.values(), ids=READ)
def test_ordinary_files_are_read_without_a_note(data, text):
    assert decode_source(data) == (text, ())


UTF_16 = "is saved as UTF-16, which Python does not read; save it as UTF-8"
LATIN_1 = "is not utf-8 text (line 2); it was read as Latin-1: save it as UTF-8"
NOTED = {
    "UTF-16-LE": (codecs.BOM_UTF16_LE + CHINESE.encode("utf-16-le"), CHINESE, UTF_16),
    "UTF-16-BE": (codecs.BOM_UTF16_BE + CHINESE.encode("utf-16-be"), CHINESE, UTF_16),
    "no encoding": (b"x = 1\n# caf\xe9\n", "x = 1\n# café\n", LATIN_1),
    **{
        name: (
            f"# coding: {name}\n# 词\n".encode(),
            f"# coding: {name}\n# 词\n",
            f"is not {name} text as it says; it was",
        )
        for name in ("gbk", "ascii", "cp9999")
    },
}


@pytest.mark.parametrize(("data", "text", "note"), NOTED.values(), ids=NOTED)
def test_a_file_of_another_encoding_is_read_with_a_note(data, text, note):
    read, notes = decode_source(data)
    assert (read, len(notes)) == (text, 1)
    assert notes[0].startswith(note)
