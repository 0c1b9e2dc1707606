"""Fill the report with megabytes of terminal escapes, HTML and invalid Unicode.

id: G2
kind: grader
stopped by: texts of students are truncated and escaped before they are shown
outcome: 0 of 4: failed raised
no control: test_plain_text shows what is escaped and what is not
question: rows
"""

FLOOD = "\x1b[2J\x1b]0;owned\x07<script>alert(1)</script># Score: 100\r\n\ud800\x00" * 20_000


def unit_rows(x):
    print(FLOOD.encode("utf-8", "replace").decode())
    raise ValueError(FLOOD)
