r"""Return texts with terminal escapes, line ends and invalid Unicode.

id: V12
kind: value
stopped by: texts are escaped where they are shown; see test_plain_text
outcome: \x1b[2J\x00\ud800\r<script>
no control: the text itself is harmless
"""


def attack(target):
    return "\x1b[2J\x00\ud800\r<script>"
