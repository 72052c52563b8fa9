"""The bundled model as an embedder."""

import fcntl
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from docs_search.embedding import minilm
from docs_search.embedding.embedder import EmbeddingError
from docs_search.embedding.minilm import NAME, TOKENIZER_SHA256, WEIGHTS_SHA256, WINDOW, MiniLM, built_model, packaged


@pytest.fixture(scope="module")
def model_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="module")
def embedder(model_dir: Path) -> MiniLM:
    return MiniLM(model_dir, threads=2)


def test_rows_are_float32_of_length_one_in_the_order_of_the_texts(embedder: MiniLM) -> None:
    texts = ["create an index", "a poem about the sea", "how do I build an index on a table?"]

    vectors = embedder.embed(texts)

    assert vectors.shape == (3, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    assert vectors[0] @ vectors[2] > 0.5 > vectors[0] @ vectors[1]


def test_a_vector_does_not_depend_on_the_other_texts(embedder: MiniLM) -> None:
    texts = [f"passage number {number} " * (number % 7 + 1) for number in range(300)]

    together = embedder.embed(texts)

    assert all((together[number] == embedder.embed([texts[number]])[0]).all() for number in (0, 1, 150, 299))


def test_a_query_has_the_vector_that_its_text_has(embedder: MiniLM) -> None:
    assert (embedder.embed_query("create an index") == embedder.embed(["create an index"])[0]).all()


def test_no_texts_give_no_rows(embedder: MiniLM) -> None:
    assert embedder.embed([]).shape == (0, 384)
    assert embedder.count_tokens([]) == []


def test_an_empty_text_has_a_vector(embedder: MiniLM) -> None:
    assert np.linalg.norm(embedder.embed([""])[0]) == pytest.approx(1, abs=1e-5)


def test_tokens_are_counted_without_special_ones_and_beyond_the_window(embedder: MiniLM) -> None:
    assert embedder.count_tokens(["hello world", "", "max_connections", "word " * 1000]) == [2, 0, 3, 1000]


@settings(deadline=None)
@given(
    st.lists(st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from("ab_Z9 .-\n\x00\x1f[]")), max_size=200))
)
@example(
    [
        "[MASK] [CLS]x [UNK",
        "\u00e9 e\u0301 \u2028 \u65e5\u672c \U0001f389",
        "x" * 101,
        "x" * 99 + "_" + "Y" * 150,
        "don't can't",
    ]
)
def test_remembered_words_count_like_the_tokenizer(embedder: MiniLM, texts: list[str]) -> None:
    assert embedder.count_tokens(texts) == [
        len(embedder._tokenizer.encode(text, add_special_tokens=False)) for text in texts
    ]


def test_a_text_is_read_up_to_the_window(embedder: MiniLM) -> None:
    assert embedder.max_tokens == WINDOW - 2
    whole = "index " * embedder.max_tokens

    within, beyond, shorter = embedder.embed([whole, whole + "poem " * 500, whole[: -len("index ")]])

    assert (within == beyond).all()
    assert not (within == shorter).all()


def test_it_loads_nothing_before_it_is_used(tmp_path: Path) -> None:
    assert MiniLM(tmp_path / "absent", threads=1).name == NAME
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_built_completely_under_its_name(tmp_path: Path) -> None:
    path = built_model(tmp_path / "models")

    assert path == tmp_path / "models" / f"{NAME}.onnx"
    assert sorted(each.name for each in path.parent.iterdir()) == [f"{NAME}.lock", f"{NAME}.onnx"]


def test_a_process_waits_for_the_one_that_builds_and_takes_its_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool, (tmp_path / f"{NAME}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = [pool.submit(built_model, tmp_path) for _ in range(2)]
        time.sleep(0.1)
        assert not any(future.done() for future in waiting)
        (tmp_path / f"{NAME}.onnx").write_bytes(b"built by another process")
        fcntl.flock(lock, fcntl.LOCK_UN)

        assert {future.result().read_bytes() for future in waiting} == {b"built by another process"}


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(EmbeddingError, match=r"Cannot write the embedding model to .*file/models") as caught:
        built_model(tmp_path / "file" / "models")

    assert not caught.value.retryable


def test_half_a_file_is_an_embedding_error(tmp_path: Path, model_dir: Path, embedder: MiniLM) -> None:
    embedder.embed(["built"])
    whole = (model_dir / f"{NAME}.onnx").read_bytes()
    (tmp_path / f"{NAME}.onnx").write_bytes(whole[: len(whole) // 2])

    with pytest.raises(EmbeddingError, match="is damaged; delete it"):
        MiniLM(tmp_path, threads=1).embed(["x"])


def graph(operator: str, *, opset: int = 20) -> bytes:
    """A model that reads `input_ids` of one token, and is none of ours."""
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, 1])
    row = helper.make_tensor_value_info("embedding", TensorProto.INT64, [1, 1])
    node = helper.make_node(operator, ["input_ids"], ["embedding"])
    opsets = [helper.make_opsetid("", opset)]
    model = helper.make_model(helper.make_graph([node], "g", [ids], [row]), opset_imports=opsets, ir_version=10)
    return bytes(model.SerializeToString())


@pytest.mark.parametrize("content", [b"", b"text", b"\0" * 9, graph("NoSuchOperator"), graph("Identity", opset=999)])
def test_a_file_that_cannot_be_loaded_is_an_embedding_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / f"{NAME}.onnx"
    path.write_bytes(content)

    with pytest.raises(EmbeddingError, match=f"{path} is damaged; delete it to have it built again") as caught:
        MiniLM(tmp_path, threads=1).embed(["x"])

    assert not caught.value.retryable


def test_a_model_that_fails_as_it_runs_is_an_embedding_error(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.onnx").write_bytes(graph("Identity"))

    with pytest.raises(EmbeddingError, match="The embedding model failed: InvalidArgument") as caught:
        MiniLM(tmp_path, threads=1).embed_query("more than one token")

    assert not caught.value.retryable


def test_other_weights_are_refused() -> None:
    with pytest.raises(EmbeddingError, match=r"tokenizer\.json .* is not the expected file"):
        packaged("tokenizer.json", WEIGHTS_SHA256)
    assert packaged("tokenizer.json", TOKENIZER_SHA256)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package")

    with pytest.raises(EmbeddingError, match="The Python package no_such_package, which carries the model, is missing"):
        packaged("tokenizer.json", TOKENIZER_SHA256)


@pytest.mark.parametrize("name", ["tokenizer.json", "model.safetensors"])
def test_a_file_that_the_package_lacks_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    (tmp_path / "package_without_files").mkdir()
    (tmp_path / "package_without_files" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(minilm, "PACKAGE", "package_without_files")

    with pytest.raises(
        EmbeddingError, match=f"Cannot read {name} in the Python package package_without_files"
    ) as caught:
        packaged(name, "")

    assert not caught.value.retryable
