"""The encoder as a graph, against what is published about the model and a layer computed by hand."""

import numpy as np
import onnxruntime
import pytest
import safetensors.numpy
from numpy.typing import NDArray
from tokenizers import Tokenizer

from docs_search.embedding.bert_onnx import Weights, build_encoder
from docs_search.embedding.minilm import HEADS, LAYERS, TOKENIZER_SHA256, WEIGHTS_SHA256, packaged

TEXTS = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]


@pytest.fixture(scope="module")
def weights() -> Weights:
    return safetensors.numpy.load(packaged("model.safetensors", WEIGHTS_SHA256))


def run(weights: Weights, texts: list[str], *, quantize: bool) -> NDArray[np.float32]:
    model = build_encoder(weights, layers=LAYERS, heads=HEADS, quantize=quantize).SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_buffer(packaged("tokenizer.json", TOKENIZER_SHA256))
    tokenizer.no_padding()
    ids = [np.array([tokenizer.encode(text).ids], np.int64) for text in texts]
    return np.concatenate([session.run(None, {"input_ids": each})[0] for each in ids])


def pairs(vectors: NDArray[np.float32]) -> list[float]:
    similarity = vectors @ vectors.T
    return [float(similarity[0, 1]), float(similarity[0, 2]), float(similarity[1, 2])]


def test_the_float_graph_gives_the_published_similarities(weights: Weights) -> None:
    assert pairs(run(weights, TEXTS, quantize=False)) == pytest.approx([0.6660, 0.1046, 0.1411], abs=5e-5)


def test_integer_products_stay_close_to_the_float_graph(weights: Weights) -> None:
    exact, integer = (run(weights, TEXTS, quantize=quantize) for quantize in (False, True))

    assert (exact * integer).sum(axis=1).min() > 0.99
    assert np.linalg.norm(integer, axis=1) == pytest.approx(1, abs=1e-5)


def test_positions_and_word_order_count(weights: Weights) -> None:
    forwards, backwards = run(weights, ["dog bites man", "man bites dog"], quantize=False)

    assert 0.5 < float(forwards @ backwards) < 0.999
