"""Signatures are read in full; a wrong one is refused with its rule and its place."""

import pytest

from autograder.contracts import SignatureError, parse_signature
from autograder.contracts.interval import Interval
from autograder.contracts.kinds import (
    ArrayKind,
    ChoiceKind,
    DictKind,
    GeneratorKind,
    GivenKind,
    ListKind,
    ScalarKind,
    ValueKind,
)
from autograder.contracts.size_expression import Expression, read_expression


def sizes(*texts: str) -> tuple[Expression, ...]:
    """The axes with these sizes."""
    return tuple(map(read_expression, texts))


INDEX = ScalarKind("int", below=read_expression("V"))
KINDS: dict[str, object] = {
    "(N, D)": ArrayKind(sizes("N", "D")),
    "(N,)": ArrayKind(sizes("N")),
    "(N, D,)": ArrayKind(sizes("N", "D")),
    "()": ArrayKind(()),
    "(...)": ArrayKind(None),
    "((Dx+1)*H + (H+1)*Dy,)": ArrayKind(sizes("(Dx+1)*H + (H+1)*Dy")),
    "(3, N // 2)": ArrayKind(sizes("3", "N // 2")),
    "(D[k+1], D[-1])": ArrayKind(sizes("D[k+1]", "D[-1]")),
    "onehot (N, K)": ArrayKind(sizes("N", "K"), "onehot"),
    "distribution (N, K)": ArrayKind(sizes("N", "K"), "distribution"),
    "bool (N, K)": ArrayKind(sizes("N", "K"), "bool"),
    "(N, D) >= 0 distinct": ArrayKind(sizes("N", "D"), interval=Interval(low=0.0), is_distinct=True),
    "(N,) < C": ArrayKind(sizes("N"), below=read_expression("C")),
    "float": ScalarKind("float"),
    "float > 0": ScalarKind("float", Interval(low=0.0, is_low_open=True)),
    "float >= -1.5": ScalarKind("float", Interval(low=-1.5)),
    "float > 0 <= 2": ScalarKind("float", Interval(low=0.0, high=2.0, is_low_open=True)),
    "float [0, 1)": ScalarKind("float", Interval(0.0, 1.0, is_high_open=True)),
    "float (-1, 1]": ScalarKind("float", Interval(-1.0, 1.0, is_low_open=True)),
    "float < 1e-3": ScalarKind("float", Interval(high=1e-3, is_high_open=True)),
    "int < V": INDEX,
    "1 | 2": ChoiceKind((1, 2)),
    "'a' | 'b'": ChoiceKind(("a", "b")),
    "0.9 | 0.5": ChoiceKind((0.9, 0.5)),
    "-1 | 1": ChoiceKind((-1, 1)),
    "None": ChoiceKind((None,)),
    "= (N, H + 1)": ValueKind(read_expression("(N, H + 1)")),
    "[int < V]": ListKind(INDEX),
    "any": GivenKind("any"),
    "Dataset": GivenKind("Dataset"),
    "generator": GeneratorKind(),
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items(), ids=KINDS)
def test_the_kind_of_an_argument_is_read(text: str, kind: object) -> None:
    assert parse_signature(f"f(x: {text}) -> y").arguments[0].kind == kind


def test_an_expression_over_sizes_has_a_value() -> None:
    assert read_expression("(N, H + 1)").evaluate({"N": 2, "H": 3}) == (2, 4)
    assert read_expression("D[k+1] * 2").evaluate({"D": (5, 7), "k": 0}) == 14
    assert read_expression("D[k+1] * N").names == {"D", "k", "N"}


class TestTheRest:
    def test_a_default_may_be_left_out(self) -> None:
        key, rate = parse_signature("f(options: {a: int = absent}, rate: float = 0.5) -> y").arguments
        assert rate.default is not None and rate.default.evaluate({}) == 0.5
        assert isinstance(key.kind, DictKind) and key.kind.items[0].may_be_absent

    def test_parts_and_a_condition(self) -> None:
        text = "f(x: (H,), w: (A,), pad: 0 | 1) -> out: (H,), cache where A <= H + 2*pad and H != 1"
        signature = parse_signature(text)
        assert [each.name for each in signature.parts] == ["out", "cache"]
        assert signature.condition.evaluate({"A": 4, "H": 2, "pad": 1})
        assert not signature.condition.evaluate({"A": 5, "H": 2, "pad": 1})

    def test_the_name_may_stand_beside_the_text(self) -> None:
        assert parse_signature("x: (N,) -> y", name="f") == parse_signature("f(x: (N,)) -> y")
        with pytest.raises(SignatureError, match="the function is named g, and the text begins with f"):
            parse_signature("f(x: (N,)) -> y", name="g")


@pytest.mark.parametrize(
    ("text", "rule", "place"),
    [
        ("f(x) -> y", "an argument is a name, a colon and a kind", ") -> y"),
        ("f(x: (N D)) -> y", "an expression is made of sizes", "N D"),
        ("f(x: (N)) -> y", r"one size needs a comma: \(N,\)", ")) -> y"),
        ("f(x: str (N, M)) -> y", r"a list of texts has one length: str \(N,\)", ") -> y"),
        ("f(x: (N,) -> y", "expected a comma, or the end", "-> y"),
        ("f(x: (N,))", "after the arguments comes ->", ""),
        ("x: (N,) -> y", "a signature begins with the name of the function", "x:"),
        ("f(x: float [1, 0)) -> y", "an interval is two numbers", ") -> y"),
        ("f(x: float [a, 0)) -> y", "an interval is two numbers", "a, 0"),
        ("f(x: float [0 1)) -> y", "an interval is two numbers", "1)) ->"),
        ("f(x: (N,) > M) -> y", "only < may come before a size", "M) -> y"),
        ("f(x: float distinct) -> y", "a kind is a shape", "distinct"),
        ("f(x: bool distinct) -> y", "expected a comma", "distinct"),
        ("f(x: onehot) -> y", "a shape is sizes with commas", ") -> y"),
        ("f(x: (..., N)) -> y", "a shape is sizes with commas", ", N"),
        ("f(x: [(N,) -> y", r"a list is \[kind\]", "-> y"),
        ("f(x: cache of g) -> y", "what takes a cache is called by a driver=, which calls the function", "of g) -> y"),
        ("f(x: ) -> y", "a kind is a shape, float", ") -> y"),
        ("f(x: float = ) -> y", "expected a value or a size", ") -> y"),
        ("f(x: (N ** 2,)) -> y", "an expression has no such part", "N ** 2"),
        ("f(x: (g(N),)) -> y", "an expression has no such part", "g(N)"),
        ("f(x: (N,)) -> y where N = 2", "an expression is made of sizes", "N = 2"),
        ("f(x: 1 | N) -> y", "a value of a closed set is a number, a text", "N) -> y"),
        ("f(x: float > 'a') -> y", "a bound is a number", "'a') -> y"),
        ("f(x: 1 | 1j) -> y", "a constant is a number, a text", "1j) -> y"),
        ("f(x: £) -> y", "this sign is not used", "£"),
        ("f(x: float = 1, z: int) -> y", "behind x, which has a default, every argument has one", "z:"),
        ("f(x: int, x: int) -> y", "two arguments have the name x", "x: int) ->"),
        ("f(x: int) -> y, y", "two parts have the name y", "y"),
    ],
)
def test_a_wrong_signature_is_refused_with_its_rule_and_its_place(text: str, rule: str, place: str) -> None:
    with pytest.raises(SignatureError, match=rule) as refused:
        parse_signature(text)
    shown, mark = str(refused.value).splitlines()[1:]
    assert shown.strip() == text
    assert shown[mark.index("^") :].startswith(place)
