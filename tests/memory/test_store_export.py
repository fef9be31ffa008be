"""Export and import: everything comes back with its numbers; what is no whole export is refused, naming the line."""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from remembering import add_clip, add_entity, graph_at, remember

from robot_memory.errors import Cancelled, StoreLocked, StoreUnreadable
from robot_memory.memory.fingerprint import fingerprint
from robot_memory.memory.storage.jsonlines import ImportRefused, export_lines, import_lines
from robot_memory.memory.storage.store import Store
from robot_memory.memory.storage.tables import tables

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
NUMBERS = st.integers(-(1 << 63), (1 << 63) - 1)
REALS = st.floats(allow_nan=False)


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with Store(path, readonly=True) as store, store.snapshot() as db:
        names = [*tables(), "sqlite_sequence", "memories_fts"]
        return {name: sorted(map(tuple, db.execute(f"SELECT * FROM {name}")), key=repr) for name in names}


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "memory.sqlite"
    graph = graph_at(path)
    with graph.change() as change:
        clip = add_clip(change.db)
        face = add_entity(change.db, "face", clip)
        for n in range(20):
            remember(change, clip, f"<face_{face}> said “number {n}”\n☕", n, about={f"face_{face}": 1.0 + n / 3})
        change.db.execute("DELETE FROM memories WHERE id = 20")
    graph.store.close()
    return path


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    memories=st.lists(
        st.tuples(TEXTS, NUMBERS, REALS, st.binary(max_size=40), st.none() | TEXTS, st.booleans()), max_size=8
    ),
    derived=st.sets(st.tuples(st.integers(1, 8), st.integers(1, 8)), max_size=5),
    turns=st.lists(st.tuples(TEXTS, NUMBERS), max_size=4),
    details=st.lists(st.dictionaries(TEXTS, TEXTS).map(json.dumps), max_size=3),
)
def test_whatever_is_in_a_memory_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    memories: list[tuple[str, int, float, bytes, str | None, bool]],
    derived: set[tuple[int, int]],
    turns: list[tuple[str, int]],
    details: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("export")
    path, copy = folder / "a.sqlite", folder / "b.sqlite"
    with Store(path) as store, store.write() as db:
        clip = add_clip(db)
        for text, time in turns:
            db.execute(
                "INSERT INTO turns(clip, start_ns, end_ns, text, confidence) VALUES (?, ?, ?, ?, 0.5)",
                (clip, time, time, text),
            )
        for text, time, saliency, blob, pose, archived in memories:
            db.execute(
                "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, saliency, pose, model, embedding,"
                " keep, archived) VALUES (?, 'episodic', ?, ?, ?, '', ?, ?, '', ?, ?, ?)",
                (clip, text, time, time, saliency, pose, blob, -saliency, archived),
            )
        there = range(1, len(memories) + 1)
        db.executemany("INSERT INTO derivations VALUES (?, ?)", [p for p in derived if p[0] in there and p[1] in there])
        db.execute("INSERT INTO running VALUES ('text 1', 2, zeroblob(16))")
        db.execute("INSERT INTO windows SELECT id FROM memories WHERE archived = 0")
        db.execute("INSERT INTO answered(memory, at_ns, cited) SELECT id, 1, 1 FROM memories")
        db.execute("INSERT INTO counts VALUES ('frame', 3)")
        db.execute("INSERT INTO weights VALUES ('cited', 0.5)")
        for detail in details:
            db.execute("INSERT INTO journal(at_ns, actor, action, detail) VALUES (0, '', '', ?)", (detail,))
    export_lines(path, folder / "a.jsonl")
    import_lines(folder / "a.jsonl", copy)
    assert dump(copy) == dump(path)


def test_the_logical_hash_and_the_numbers_are_the_same(filled: Path, tmp_path: Path) -> None:
    with Store(filled) as store, store.write() as db:  # exported while it is open for writing
        assert db is not None
    rows = export_lines(filled, tmp_path / "out.jsonl")
    assert import_lines(tmp_path / "out.jsonl", tmp_path / "copy.sqlite") == rows
    with Store(filled, readonly=True) as one, Store(tmp_path / "copy.sqlite") as other:
        assert fingerprint(one.reader()) == fingerprint(other.reader())
        assert one.generation() == other.generation()
        with other.write() as db:
            clip = add_clip(db, 5)
            new = db.execute(
                "INSERT INTO memories(clip, kind, text, start_ns, end_ns, source, model, embedding)"
                " VALUES (?, 'episodic', '', 0, 0, '', '', '')",
                (clip,),
            ).lastrowid
        assert new == 21, "the number of a memory that was deleted is not given out again"
    assert stat.S_IMODE((tmp_path / "out.jsonl").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "copy.sqlite").stat().st_mode) == 0o600


def lines_of(filled: Path, tmp_path: Path) -> list[bytes]:
    export_lines(filled, tmp_path / "out.jsonl")
    return (tmp_path / "out.jsonl").read_bytes().splitlines(keepends=True)


def spoil(line: bytes, column: str, value: object) -> bytes:
    row = json.loads(line)
    row["row"][column] = value
    return json.dumps(row).encode() + b"\n"


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("start_ns", "yesterday"),
        ("start_ns", 1.5),
        ("start_ns", True),
        ("start_ns", 1 << 63),
        ("start_ns", None),
        ("text", 3),
        ("text", "\ud800"),
        ("text", {"base64": "AAAA"}),
        ("embedding", "AAAA"),
        ("embedding", {"base64": "not base64!"}),
        ("saliency", {"real": "nan"}),
        ("saliency", []),
        ("favourite", 1),
    ],
)
def test_a_value_of_another_type_is_refused_naming_its_line(
    filled: Path, tmp_path: Path, column: str, value: object
) -> None:
    lines = lines_of(filled, tmp_path)
    at = next(n for n, line in enumerate(lines) if b'"memories"' in line and n > 0) + 3
    lines[at] = spoil(lines[at], column, value)
    refused(lines, tmp_path, f"line {at + 1} ")


def refused(lines: list[bytes], tmp_path: Path, match: str) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"".join(lines))
    with pytest.raises(ImportRefused, match=match):
        import_lines(tmp_path / "bad.jsonl", tmp_path / "new" / "copy.sqlite")
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["copy.sqlite.lock"], "all or nothing"


@pytest.mark.parametrize(
    "line", [b"{\n", b"[]\n", b"7\n", b'{"table":"memories"}\n', b'{"table":["x"],"row":{}}\n',
             b'{"table":"spoons","row":{}}\n',
             b'{"table":"memories","row":[]}\n', b"\xff\xfe\n", b"[" * 100_000 + b"\n", b"\n"]
)  # fmt: skip
def test_a_line_that_is_no_row_is_refused_naming_it(filled: Path, tmp_path: Path, line: bytes) -> None:
    lines = lines_of(filled, tmp_path)
    refused([*lines[:9], line, *lines[9:]], tmp_path, "line 10 ")


def test_an_export_that_is_cut_short_is_refused(filled: Path, tmp_path: Path) -> None:
    lines = lines_of(filled, tmp_path)
    refused(lines[:-1], tmp_path, "promises [0-9]+ [a-z]+ and holds [0-9]+")
    refused([*lines[:-1], lines[-1][:-4]], tmp_path, f"line {len(lines)} is cut off")
    refused([], tmp_path, "no export of ours")


def test_rows_without_their_partner_or_twice_are_refused(filled: Path, tmp_path: Path) -> None:
    lines = lines_of(filled, tmp_path)
    at = next(n for n, line in enumerate(lines) if b'"memories"' in line and n > 0)
    refused(
        [*lines[:at], spoil(lines[at], "clip", 99), *lines[at + 1 :]], tmp_path, "memories belongs to a row of clips"
    )
    refused([*lines[: at + 1], *lines[at:]], tmp_path, "does not fit")


def test_other_files_and_newer_exports_are_refused(filled: Path, tmp_path: Path) -> None:
    head, *rest = lines_of(filled, tmp_path)
    refused([b"id,text\n", b"1,soup\n"], tmp_path, "line 1 is not JSON")
    newer = {**json.loads(head), "format": 99}
    refused([json.dumps(newer).encode() + b"\n", *rest], tmp_path, "format 99.*upgrade it")
    refused([base64.b64encode(filled.read_bytes()[:4000])], tmp_path, "line 1 ")
    with pytest.raises(ImportRefused, match="there is no file"):
        import_lines(tmp_path / "nowhere", tmp_path / "copy.sqlite")


def test_a_memory_is_never_imported_over(filled: Path, tmp_path: Path) -> None:
    lines_of(filled, tmp_path)
    before = dump(filled)
    with pytest.raises(StoreUnreadable, match="holds a memory already"):
        import_lines(tmp_path / "out.jsonl", filled)
    assert dump(filled) == before
    (tmp_path / "empty.sqlite").touch()
    import_lines(tmp_path / "out.jsonl", tmp_path / "empty.sqlite")
    assert dump(tmp_path / "empty.sqlite") == before


def test_an_export_that_is_stopped_leaves_what_was_there(filled: Path, tmp_path: Path) -> None:
    (tmp_path / "out.jsonl").write_text("earlier")

    def stop(share: float) -> None:
        raise Cancelled("enough")

    with pytest.raises(Cancelled):
        export_lines(filled, tmp_path / "out.jsonl", stop)
    assert (tmp_path / "out.jsonl").read_text() == "earlier"
    assert not list(tmp_path.glob("*.copying"))


@pytest.mark.parametrize(
    ("table", "column", "value", "match"),
    [
        ("persons", "merged_into", 1, "merged into themself"),
        ("memories", "embedding", {"base64": base64.b64encode(b"\0" * 6).decode()}, "a vector of 3 numbers"),
        ("memories", "embedding", {"base64": base64.b64encode(b"\0" * 15).decode()}, "no finite float16"),
        ("memories", "embedding", {"base64": base64.b64encode(b"\xff\x7f" * 8).decode()}, "no finite float16"),
        ("edges", "weight", {"real": "inf"}, "not finite"),
        ("journal", "detail", "[]", "no JSON object"),
        ("journal", "detail", "[" * 100_000, "no JSON object"),
        ("names", "name", "Anna\x1b[31m", "control characters"),
    ],
)
def test_what_would_stumble_later_is_refused_naming_its_line(
    filled: Path, tmp_path: Path, table: str, column: str, value: object, match: str
) -> None:
    with Store(filled) as store, store.write() as db:
        db.execute("INSERT INTO journal(at_ns, actor, action, detail) VALUES (0, '', 'name', '{}')")
        db.execute("INSERT INTO names(entity, name, source, at_ns) VALUES (1, 'Anna', 'said', 0)")
    lines = lines_of(filled, tmp_path)
    at = [n for n, line in enumerate(lines) if n and f'"{table}"'.encode() in line][-1]
    lines[at] = spoil(lines[at], column, value)
    refused(lines, tmp_path, f"line {at + 1} has .*{match}")


def test_persons_merged_in_a_circle_and_vectors_of_another_model_are_refused(filled: Path, tmp_path: Path) -> None:
    with Store(filled) as store, store.write() as db:
        db.execute("INSERT INTO persons(id, merged_into) VALUES (8, 1), (9, 8)")
    lines = lines_of(filled, tmp_path)
    import_lines(tmp_path / "out.jsonl", tmp_path / "fine.sqlite")
    at = next(n for n, line in enumerate(lines) if n and b'"persons"' in line)
    circle = [*lines[:at], spoil(lines[at], "merged_into", 9), *lines[at + 1 :]]
    refused(circle, tmp_path, f"line {at + 1} has a person .* in a circle")
    with Store(filled) as store, store.write() as db:
        db.execute("INSERT INTO embedders(name, role, dimension, checksum) VALUES ('text 1', 'text_embedding', 9, '')")
    at = next(n for n, line in enumerate(lines) if n and b'"memories"' in line)
    refused(lines_of(filled, tmp_path), tmp_path, f"line {at + 1} has a vector of 8 numbers, of a model that has 9")


def test_two_exports_to_one_place_do_not_cut_each_other(filled: Path, tmp_path: Path) -> None:
    refusals = []

    def meanwhile(share: float) -> None:
        try:
            export_lines(filled, tmp_path / "out.jsonl")
        except StoreLocked as refused:
            refusals.append(str(refused))

    (tmp_path / "out.jsonl.copying").write_text("left by one that was killed")
    rows = export_lines(filled, tmp_path / "out.jsonl", meanwhile)
    assert refusals and "another copy is being made" in refusals[0]
    assert import_lines(tmp_path / "out.jsonl", tmp_path / "copy.sqlite") == rows
    assert not (tmp_path / "out.jsonl.copying").exists()


def test_a_folder_is_no_export(filled: Path, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused, match="Is a directory"):
        import_lines(tmp_path, tmp_path / "new.sqlite")
    with pytest.raises(StoreUnreadable, match="too long"):
        import_lines(tmp_path / "out.jsonl", tmp_path / ("n" * 250))


def test_the_whole_store_is_never_held_in_memory(tmp_path: Path) -> None:
    """30 MB of pictures: neither way may take more than a few rows' worth."""
    import tracemalloc

    path = tmp_path / "memory.sqlite"
    with Store(path) as store, store.write() as db:
        clip = add_clip(db)
        for n in range(3000):
            db.execute("INSERT INTO snapshots(clip, stamp_ns, jpeg) VALUES (?, ?, randomblob(10000))", (clip, n))
    tables()
    tracemalloc.start()
    export_lines(path, tmp_path / "out.jsonl")
    wrote = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    import_lines(tmp_path / "out.jsonl", tmp_path / "copy.sqlite")
    read = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert wrote < 3e6 and read < 12e6, (wrote, read)
