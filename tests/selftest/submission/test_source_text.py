"""Bytes of a Python file become the text that Python would read, from every editor."""

import codecs

import pytest

from autograder.submission.source_text import decode_source

CHINESE = "# 词向量\nx = 1\n"


@pytest.mark.parametrize(
    "data",
    [
        CHINESE.encode(),
        codecs.BOM_UTF8 + CHINESE.encode(),
        CHINESE.replace("\n", "\r\n").encode(),
        CHINESE.replace("\n", "\r").encode(),
    ],
    ids=["UTF-8", "BOM", "CRLF", "CR"],
)
def test_ordinary_files_are_read_without_a_note(data):
    assert decode_source(data) == (CHINESE, ())


@pytest.mark.parametrize(
    "head",
    ["# -*- coding: gbk -*-\n", "#!/usr/bin/env python\n# vim: set fileencoding=GBK :\n", "\n# coding=gb2312\n"],
    ids=["first line", "second line", "second line after a blank one"],
)
def test_a_declared_encoding_is_used(head):
    text = head + CHINESE
    assert decode_source(text.encode("gbk")) == (text, ())


def test_a_declaration_after_code_does_not_count():
    text, notes = decode_source(b"x = 1\n# coding: gbk\n" + "词".encode())
    assert text.endswith("词")
    assert notes == ()


@pytest.mark.parametrize("name", ["rot13", "zlib", "punycode", "utf-7", "unicode_escape", "no-such", "undefined"])
def test_a_codec_that_is_no_encoding_of_text_is_not_used(name):
    text = f"# coding: {name}\nx = 1\n"
    assert decode_source(text.encode()) == (text, ())


@pytest.mark.parametrize(("mark", "encoding"), [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")])
def test_utf16_is_read_with_a_note(mark, encoding):
    text, notes = decode_source(mark + CHINESE.encode(encoding))
    assert text == CHINESE
    assert notes == ("is saved as UTF-16, which Python does not read; save it as UTF-8",)


def test_bytes_in_no_encoding_are_read_as_latin_1_with_their_line():
    text, notes = decode_source(b"x = 1\n# caf\xe9\n")
    assert text == "x = 1\n# café\n"
    assert notes == ("is not utf-8 text (line 2); it was read as Latin-1: save it as UTF-8",)


@pytest.mark.parametrize("declared", ["gbk", "ascii", "cp9999"])
def test_a_wrong_declaration_gives_way_to_utf8(declared):
    data = f"# coding: {declared}\n# 词\n".encode()
    text, notes = decode_source(data)
    assert text == data.decode()
    assert notes == (f"is not {declared} text as it says; it was read as UTF-8",)


def test_a_nul_is_noted_with_its_line():
    assert decode_source(b"x = 1\ny = \0\n")[1] == ("holds a NUL character in line 2, which Python does not accept",)


def test_an_empty_file_is_empty_text():
    assert decode_source(b"") == ("", ())


def test_every_byte_string_is_read():
    for start in range(256):
        decode_source(bytes((start + step) % 256 for step in range(300)))
