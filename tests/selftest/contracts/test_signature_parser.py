"""Signatures are read in full; a wrong one is refused with its rule and its place."""

from __future__ import annotations

import pytest

from autograder.contracts import SignatureError, parse_signature
from autograder.contracts.annotations import list_bounds, read_annotations
from autograder.contracts.signature import (
    ArrayKind,
    CacheKind,
    ChoiceKind,
    DictKind,
    GivenKind,
    Interval,
    ListKind,
    ScalarKind,
    ValueKind,
)


def kind_of(text: str) -> object:
    """The kind of an argument."""
    return parse_signature(f"f(x: {text}) -> y").arguments[0].kind


class TestShapes:
    @pytest.mark.parametrize(
        ("text", "axes"),
        [
            ("(N, D)", ["N", "D"]),
            ("(N,)", ["N"]),
            ("(N, D,)", ["N", "D"]),
            ("()", []),
            ("((Dx+1)*H + (H+1)*Dy,)", ["(Dx+1)*H + (H+1)*Dy"]),
            ("(3, N // 2)", ["3", "N // 2"]),
            ("(D[k+1], D[-1])", ["D[k+1]", "D[-1]"]),
        ],
    )
    def test_are_sizes_and_expressions(self, text: str, axes: list[str]) -> None:
        kind = kind_of(text)
        assert isinstance(kind, ArrayKind) and [each.text for each in kind.axes or ()] == axes

    def test_may_be_any(self) -> None:
        assert kind_of("(...)") == ArrayKind(None)

    @pytest.mark.parametrize("entries", ["onehot", "distribution", "bool"])
    def test_stand_behind_a_word(self, entries: str) -> None:
        kind = kind_of(f"{entries} (N, K)")
        assert isinstance(kind, ArrayKind) and kind.entries == entries

    def test_have_conditions(self) -> None:
        kind = kind_of("(N, D) >= 0 distinct")
        assert isinstance(kind, ArrayKind) and (kind.interval, kind.is_distinct) == (Interval(low=0.0), True)

    def test_of_labels_name_the_size_above_them(self) -> None:
        kind = kind_of("(N,) < C")
        assert isinstance(kind, ArrayKind) and kind.below is not None and kind.below.text == "C"


class TestScalars:
    @pytest.mark.parametrize(
        ("text", "interval"),
        [
            ("float", Interval()),
            ("float > 0", Interval(low=0.0, is_low_open=True)),
            ("float >= -1.5", Interval(low=-1.5)),
            ("float > 0 <= 2", Interval(low=0.0, high=2.0, is_low_open=True)),
            ("float [0, 1)", Interval(0.0, 1.0, is_high_open=True)),
            ("float (-1, 1]", Interval(-1.0, 1.0, is_low_open=True)),
            ("float < 1e-3", Interval(high=1e-3, is_high_open=True)),
        ],
    )
    def test_have_intervals(self, text: str, interval: Interval) -> None:
        assert kind_of(text) == ScalarKind("float", interval)

    def test_are_indices_below_a_size(self) -> None:
        kind = kind_of("int < V")
        assert isinstance(kind, ScalarKind) and kind.below is not None and kind.below.names == {"V"}

    @pytest.mark.parametrize(
        ("text", "values"),
        [
            ("1 | 2", (1, 2)),
            ("'a' | 'b'", ("a", "b")),
            ("0.9 | 0.5", (0.9, 0.5)),
            ("-1 | 1", (-1, 1)),
            ("None", (None,)),
        ],
    )
    def test_are_one_of_a_set(self, text: str, values: tuple[object, ...]) -> None:
        assert kind_of(text) == ChoiceKind(values)


class TestTheRest:
    def test_a_default_may_be_left_out(self) -> None:
        key, rate = parse_signature("f(options: {a: int = absent}, rate: float = 0.5) -> y").arguments
        assert rate.default is not None and rate.default.evaluate({}) == 0.5
        assert isinstance(key.kind, DictKind) and key.kind.items[0].may_be_absent

    def test_a_value_is_made_of_sizes(self) -> None:
        kind = kind_of("= (N, H + 1)")
        assert isinstance(kind, ValueKind) and kind.expression.evaluate({"N": 2, "H": 3}) == (2, 4)

    def test_lists_caches_and_given_values(self) -> None:
        assert kind_of("[int < V]") == ListKind(kind_of("int < V"))  # type: ignore[arg-type]
        assert kind_of("cache of forward") == CacheKind("forward")
        assert (kind_of("any"), kind_of("Dataset")) == (GivenKind("any"), GivenKind("Dataset"))

    def test_parts_and_a_condition(self) -> None:
        text = "f(x: (H,), w: (A,), pad: 0 | 1) -> out: (H,), cache where A <= H + 2*pad and H != 1"
        signature = parse_signature(text)
        assert [each.name for each in signature.parts] == ["out", "cache"]
        assert signature.condition is not None
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
        ("f(x: (N)) -> y", r"one size stands with a comma: \(N,\)", ")) -> y"),
        ("f(x: str (N, M)) -> y", r"a list of texts has one length: str \(N,\)", ") -> y"),
        ("f(x: (N,) -> y", "here stands a comma, or the end", "-> y"),
        ("f(x: (N,))", "behind the arguments stands ->", ""),
        ("x: (N,) -> y", "a signature begins with the name of the function", "x:"),
        ("f(x: float [1, 0)) -> y", "an interval is two numbers", ") -> y"),
        ("f(x: float [a, 0)) -> y", "an interval is two numbers", "a, 0"),
        ("f(x: float [0 1)) -> y", "an interval is two numbers", "1)) ->"),
        ("f(x: (N,) > M) -> y", "only < may stand before a size", "M) -> y"),
        ("f(x: float distinct) -> y", "a kind is a shape", "distinct"),
        ("f(x: bool distinct) -> y", "here stands a comma", "distinct"),
        ("f(x: onehot) -> y", "a shape is sizes with commas", ") -> y"),
        ("f(x: (..., N)) -> y", "a shape is sizes with commas", ", N"),
        ("f(x: [(N,) -> y", r"a list is \[kind\]", "-> y"),
        ("f(x: cache f) -> y", "a cache is that of a function", "f) -> y"),
        ("f(x: cache of 1) -> y", "a cache is that of a function", "1) -> y"),
        ("f(x: ) -> y", "a kind is a shape, float", ") -> y"),
        ("f(x: float = ) -> y", "here stands a value or a size", ") -> y"),
        ("f(x: (N ** 2,)) -> y", "an expression has no such part", "N ** 2"),
        ("f(x: (g(N),)) -> y", "an expression has no such part", "g(N)"),
        ("f(x: (N,)) -> y where N = 2", "an expression is made of sizes", "N = 2"),
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


class TestAnnotations:
    def test_in_jaxtypings_notation_are_a_signature(self) -> None:
        def blend(x, rate=0.5):  # type: ignore[no-untyped-def]
            raise NotImplementedError

        returned = 'tuple[float, Bool[Array, "N"], Float[Array, "..."]]'
        blend.__annotations__ = {"x": 'Float[Array, "N D"]', "rate": "float", "return": returned}
        assert read_annotations(blend) == (
            "blend(x: (N, D), rate: float = 0.5) -> value1: float, value2: bool (N,), value3: (...)"
        )

    def test_say_below_which_size_integers_may_be(self) -> None:
        def pick(E, words):  # type: ignore[no-untyped-def]
            raise NotImplementedError

        pick.__annotations__ = {"E": 'Float[Array, "V D"]', "words": 'Int[Array, "N"]', "return": 'Float[Array, ""]'}
        assert list_bounds(pick) == ["V", "D"]
        assert read_annotations(pick, "V") == "pick(E: (V, D), words: (N,) < V) -> value: float"
        with pytest.raises(SignatureError, match="below which size the entries of words are; write the signature"):
            read_annotations(pick)

    def test_of_another_form_are_refused(self) -> None:
        def blend(x, y: list):  # type: ignore[no-untyped-def,type-arg]
            raise NotImplementedError

        with pytest.raises(SignatureError, match="blend: x has the annotation none; write the signature beside"):
            read_annotations(blend)
