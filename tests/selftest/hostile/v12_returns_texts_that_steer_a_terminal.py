r"""Return texts that colour a terminal, end a line, or are no Unicode.

id: V12
kind: value
stopped by: texts are escaped where they are shown; see test_plain_text
outcome: \x1b[2J\x00\ud800\r<script>
no control: the text itself does no harm
"""


def attack(target):
    return "\x1b[2J\x00\ud800\r<script>"
