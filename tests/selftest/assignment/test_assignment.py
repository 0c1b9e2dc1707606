"""assignment.toml is read as declared, and each error in it is reported to staff with its place and its remedy."""

import codecs

import pytest

from autograder.assignment import AnswerKind, AssignmentError, GoneKeyError, WorkerLimits, read_assignment

GOOD = """
title = "Homework"
[[questions]]
id = "climb"
title = "Climb"
points = 12
files = ["climb.py", "q1_climb.py"]
  [[questions.functions]]
  name = "climb_step"
  also_in = ["steps.py"]
  placeholders = ["theta"]
  [[questions.functions]]
  name = "Climb.step"
  [[questions.variants]]
  id = "2017"
  tells = ["climbStep"]
  names = { climb_step = "climbStep" }
  dropped_arguments = { "Climb.step" = [1, 3] }
"""


def load(tmp_path, text):
    path = tmp_path / "assignment.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_assignment(path)


def refuse(tmp_path, text):
    """Load a file that is refused; return the message after its path."""
    with pytest.raises(AssignmentError) as failure:
        load(tmp_path, text)
    path = f"{tmp_path / 'assignment.toml'}: "
    assert str(failure.value).startswith(path)
    return str(failure.value).removeprefix(path)


def test_everything_declared_is_there(tmp_path):
    assignment = load(tmp_path, GOOD)
    (question,) = assignment.questions
    step, method = question.functions
    (variant,) = question.variants
    assert (assignment.title, assignment.question_ids) == ("Homework", ("climb",))
    assert (question.question_id, question.title, repr(question.points)) == ("climb", "Climb", "12.0")
    assert question.files == ("climb.py", "q1_climb.py")
    assert question.borrowed_files == ()
    assert (step.name, step.also_in, step.placeholders) == ("climb_step", ("steps.py",), ("theta",))
    assert (method.name, method.also_in, method.placeholders) == ("Climb.step", (), ())
    assert (variant.id, variant.tells, variant.names) == ("2017", ("climbStep",), {"climb_step": "climbStep"})
    assert variant.dropped_arguments == {"Climb.step": (1, 3)}


QUESTION, FUNCTION = "questions[1] (climb): ", "questions[1] (climb), functions[1]: "


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Homework"', "", "top level: the key `title` is missing; write a text in quotes"),
        (
            'title = "Homework"',
            'titel = "x"\ntitle = "y"',
            "top level: unknown key 'titel' in line 2; did you mean 'title'?",
        ),
        (
            'title = "Homework"',
            'titel = "x"',
            "`title` is missing, and there is an unknown key `titel` in line 2; write a text",
        ),
        ('title = "Homework"', 'title = "x"\nzzz = 1', "top level: unknown key 'zzz' in line 3; remove it or correct"),
        ('id = "climb"', 'id = "a-b"', "questions[1]: `id` is 'a-b'; write a Python name"),
        ("points = 12", 'points = "12"', QUESTION + "`points` is '12' (str); write a number above 0"),
        ('["climb.py", "q1_climb.py"]', "[]", QUESTION + "`files` is empty; write at least one, a name that Python"),
        ('["climb.py", "q1_climb.py"]', '"climb.py"', QUESTION + "`files` is 'climb.py' (str); write a list of texts"),
        ('"q1_climb.py"', '"src/climb.py"', QUESTION + "`files` holds 'src/climb.py'; write a name that Python can"),
        ('"q1_climb.py"', '"climb.py"', QUESTION + "the `files` entry 'climb.py' is declared 2 times; declare it once"),
        ('name = "climb_step"', 'name = "a.b.c"', FUNCTION + "`name` is 'a.b.c'; write the name of a function or"),
        ('name = "Climb.step"', 'name = "climb_step"', QUESTION + "the function 'climb_step' is declared 2 times"),
        ('["theta"]', '["a b"]', FUNCTION + "`placeholders` holds 'a b'; write a Python name"),
        ('["climbStep"]', "[]", "variants[1] (2017): `tells` is empty; write at least one, a Python name that only"),
        (
            "{ climb_step =",
            "{ walk =",
            "`names` has the key 'walk', which is no function of this question (climb_step,",
        ),
        ('= "climbStep" }', "= 3 }", "(2017): `names` of climb_step is 3 (int); write a Python name"),
        ("[1, 3]", "[-1]", "`dropped_arguments` of Climb.step is [-1]; write a list of positions that count from 0"),
    ],
)
def test_a_mistake_names_its_place_and_its_remedy(tmp_path, old, new, message):
    assert old in GOOD
    assert message in refuse(tmp_path, GOOD.replace(old, new, 1))


def test_limits_of_workers_are_read(tmp_path):
    assert load(tmp_path, GOOD).limits == WorkerLimits()
    assert load(tmp_path, f"{GOOD}[limits]\ncpu_seconds = 60\n").limits == WorkerLimits(cpu_seconds=60)
    declared = load(tmp_path, f"{GOOD}[limits]\ncpu_seconds = 2\nmemory_mib = 4096\n").limits
    assert declared == WorkerLimits(cpu_seconds=2, memory_mib=4096)


def test_a_byte_order_mark_and_other_line_ends_are_read_over(tmp_path):
    text = GOOD.replace("\n", "\r\n").encode()
    assert load(tmp_path, codecs.BOM_UTF8 + text) == load(tmp_path, GOOD)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"title = ", "is not valid TOML in UTF-8: "),
        (b'title = "\xff"', "is not valid TOML in UTF-8: "),
        ('title = "x"', "no [[questions]] was found; write one for each question"),
        ('title = "x"\nquestions = ["climb"]', "top level: `questions` is ['climb']; write [[questions]] tables"),
        (
            GOOD + GOOD.partition('"Homework"')[2],
            "top level: the question id 'climb' is declared 2 times; declare it once",
        ),
        (GOOD + GOOD[GOOD.index("  [[questions.variants]]") :], "the variant '2017' is declared 2 times"),
        ('late = 3\ntitle = "x"', "top level: `late` is 3 (int); write [late]"),
        (GOOD[: GOOD.index("  [[questions.functions]]")], "no [[questions.functions]] was found; write one for each"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(tmp_path, text, message):
    assert message in refuse(tmp_path, text)


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ("[partial_credit]\nslip = 0.5", "partial_credit: delete this section: known"),
        ("[attempts]\nmost = 2\nwindow_hours = 24", "attempts: delete this section: the number of submissions"),
        ("[feedback]\nattempts = 1", "feedback: delete this section: visible checks are shown"),
    ],
)
def test_a_section_that_is_gone_is_refused_with_what_to_do(tmp_path, section, told):
    with pytest.raises(GoneKeyError, match=rf"assignment\.toml: {told}"):
        load(tmp_path, f"{GOOD}{section}\n")


def test_a_folder_that_has_moved_is_refused_with_where_to_put_it(tmp_path):
    for name in ("reference", "starter_modules"):
        (tmp_path / name).mkdir()
    with pytest.raises(GoneKeyError, match=r"/starter_modules: .* reference/starter_modules; move this folder there"):
        load(tmp_path / "reference", GOOD)


LATE = """
[late]
percent_per_day = 10
most_percent = 50
"""


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("[limits]\ncpu_seconds = 1", "limits: `cpu_seconds` is 1; write a whole number from 2 to 60"),
        ("[limits]\ncpu_seconds = 2.5", "limits: `cpu_seconds` is 2.5 (float); write a whole number from 2 to 60"),
        ("[limits]\nmemory_mib = 191", "limits: `memory_mib` is 191; write a whole number from 192 to 4096"),
        (
            "[late]\npercent_per_day = 10",
            "late: the key `most_percent` is missing; write a number above 0, at most 100",
        ),
        (LATE.replace("50", "120"), "late: `most_percent` is 120; write a number above 0, at most 100"),
        (LATE.replace("10", "-1"), "late: `percent_per_day` is -1; write a number above 0"),
        (f"{LATE}free_days = 1.5", "late: `free_days` is 1.5 (float); write a whole number that is 0 or more"),
        (f"{LATE}days_left = {{ ann = 1 }}", "late: `days_left` holds 'ann' = 1; write an email and a whole number"),
        (f"{LATE}days_left = {{ 'a@b' = -1 }}", "late: `days_left` holds 'a@b' = -1; write an email and a whole"),
        ("[starter_modules]\nold = 3", "starter_modules: `old` is 3 (int); write a table such as { ... }"),
        ("[starter_modules]\nold = { origin = 'a', names = [] }", "starter_modules, old: `names` is empty; write at"),
    ],
)
def test_an_error_in_a_section_is_named(tmp_path, section, message):
    assert refuse(tmp_path, f"{GOOD}{section}\n").startswith(message)


ANSWERS = """
title = "Homework"
[[questions]]
id = "essay"
title = "Essay"
points = 4
files = ["essay.toml"]
  [[questions.answers]]
  key = "algebra.square"
  kind = "formula"
  names = ["x"]
  [[questions.answers]]
  key = "logic.moves"
  kind = "table"
  columns = ["from", "to"]
  data = { start = 3 }
  [[questions.answers]]
  key = "logic.why"
  kind = "text"
  title = "Why"
  number = "1.3"
  points_by_hand = 2
"""


def test_answers_are_declared_with_what_their_kind_needs(tmp_path):
    question = load(tmp_path, ANSWERS).questions[0]
    square, moves, why = question.answers
    assert (square.name, square.kind, square.words) == ("algebra_square", AnswerKind.FORMULA, ("x",))
    assert (moves.words, moves.data) == (("from", "to"), {"start": 3})
    assert (why.title, why.number, why.points_by_hand) == ("Why", "1.3", 2)
    assert [function.name for function in question.functions] == ["algebra_square", "logic_moves"]
    assert question.texts == (why,)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"formula"', '"poem"', "(algebra.square): `kind` is 'poem'; write one of formula, count, choice, table, text"),
        ('names = ["x"]', "", "(algebra.square): the key `names` is missing; write a list of texts"),
        ('names = ["x"]', "names = []", "(algebra.square): `names` is empty; write at least one, a text in quotes"),
        ("algebra.square", "a b", "`key` is 'a b'; write the name of a table, a dot and a name"),
        ("logic.moves", "algebra.square", "the answer 'algebra.square' is declared 2 times; declare it once"),
        ('["essay.toml"]', '["essay.py"]', "functions are in .py files, answers in .toml files"),
        (
            "[[questions.answers]]",
            '[[questions.functions]]\nname = "f"\n[[questions.answers]]',
            "functions and answers",
        ),
    ],
)
def test_an_answer_that_is_not_whole_is_refused(tmp_path, old, new, message):
    assert old in ANSWERS
    assert message in refuse(tmp_path, ANSWERS.replace(old, new, 1))
