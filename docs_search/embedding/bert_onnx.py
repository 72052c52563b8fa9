"""Build the ONNX graph of a BERT sentence encoder from its weights, without torch.

The graph takes the token ids of one text and gives its sentence vector: BERT (Devlin et al., 2019), the mean over all
tokens, scaled to length 1, as sentence-transformers does it. It has no attention mask: one text needs no padding, and
a CPU runs texts of a passage's length one by one as fast as in padded batches.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Weights = Mapping[str, NDArray[np.float32]]

# Weights are rounded to 7 bits: an x86 processor without VNNI sums two products of an unsigned and a signed byte in 16
# bits, which 8-bit weights overflow. So every processor computes the same integers.
LARGEST_WEIGHT = 63
LAYER_NORM_EPSILON = 1e-12
OPSET = 23  # the first with Attention
IR_VERSION = 11


def build_encoder(weights: Weights, *, layers: int, heads: int, quantize: bool) -> onnx.ModelProto:
    """An ONNX model with the input `input_ids` (1, tokens) int64 and the output `embedding` (1, dimension) float32.

    `weights` are those of a Hugging Face BertModel under their names there. With `quantize`, the matrix products of
    the layers run on integers: weights scaled per output channel, activations per run (dynamic quantisation).
    """
    graph = _Graph(weights, quantize=quantize)
    hidden = graph.token_embeddings("input_ids")
    for layer in range(layers):
        hidden = graph.encoder_layer(hidden, f"encoder.layer.{layer}", heads=heads)
    mean = graph.op("ReduceMean", hidden, graph.constant("token_axis", np.array([1], np.int64)), keepdims=0)
    return graph.model(graph.op("LpNormalization", mean, axis=-1, p=2))


class _Graph:
    """The nodes so far. Methods append nodes and return the name of the tensor that the last of them gives."""

    def __init__(self, weights: Weights, *, quantize: bool) -> None:
        self.weights = weights
        self.quantize = quantize
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def op(self, kind: str, *inputs: str, **attributes: Any) -> str:
        return self.ops(kind, *inputs, outputs=1, **attributes)[0]

    def ops(self, kind: str, *inputs: str, outputs: int, **attributes: Any) -> list[str]:
        name = f"{kind}_{len(self.nodes)}"
        names = [f"{name}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name, **attributes))
        return names

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def token_embeddings(self, ids: str) -> str:
        """Word, position and segment embeddings; a single text is all in segment 0."""
        words = self.op("Gather", self.weight("embeddings.word_embeddings.weight"), ids)
        places = (
            self.weights["embeddings.position_embeddings.weight"]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        start = self.constant("start", np.array([0], np.int64))
        tokens = self.op("Shape", ids, start=1, end=2)
        positions = self.op("Slice", self.constant("positions", places), start, tokens, start)
        return self.layer_norm(self.op("Add", words, positions), "embeddings.LayerNorm")

    def encoder_layer(self, hidden: str, name: str, *, heads: int) -> str:
        (attended,) = self.dense(
            self.op(
                "Attention",
                *self.dense(hidden, *(f"{name}.attention.self.{part}" for part in ("query", "key", "value"))),
                q_num_heads=heads,
                kv_num_heads=heads,
            ),
            f"{name}.attention.output.dense",
        )
        hidden = self.layer_norm(self.op("Add", attended, hidden), f"{name}.attention.output.LayerNorm")
        (widened,) = self.dense(hidden, f"{name}.intermediate.dense")
        (narrowed,) = self.dense(self.op("Gelu", widened), f"{name}.output.dense")
        return self.layer_norm(self.op("Add", narrowed, hidden), f"{name}.output.LayerNorm")

    def layer_norm(self, hidden: str, name: str) -> str:
        parameters = (self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))
        return self.op("LayerNormalization", hidden, *parameters, axis=-1, epsilon=LAYER_NORM_EPSILON)

    def dense(self, hidden: str, *names: str) -> list[str]:
        """The output of each named linear layer for the same input, which is quantised once."""
        quantized = self.ops("DynamicQuantizeLinear", hidden, outputs=3) if self.quantize else []
        outputs = []
        for name in names:
            # Hugging Face stores (out, in).
            matrix = self.weights[f"{name}.weight"].T
            product = (
                self.integer_product(name, matrix, *quantized)
                if quantized
                else self.op("MatMul", hidden, self.constant(f"{name}.weight", matrix))
            )
            outputs.append(self.op("Add", product, self.weight(f"{name}.bias")))
        return outputs

    def integer_product(
        self, name: str, matrix: NDArray[np.float32], quantized: str, scale: str, zero_point: str
    ) -> str:
        scales = np.maximum(np.abs(matrix).max(axis=0), np.finfo(np.float32).tiny) / np.float32(LARGEST_WEIGHT)
        integers = np.round(matrix / scales).astype(np.int8)
        product = self.op(
            "MatMulInteger",
            quantized,
            self.constant(f"{name}.weight", integers),
            zero_point,
            self.constant(f"{name}.zero_point", np.zeros(len(scales), np.int8)),
        )
        rescale = self.op("Mul", scale, self.constant(f"{name}.scale", scales))
        return self.op("Mul", self.op("Cast", product, to=TensorProto.FLOAT), rescale)

    def model(self, output: str) -> onnx.ModelProto:
        self.nodes.append(helper.make_node("Identity", [output], ["embedding"]))
        graph = helper.make_graph(
            self.nodes,
            "sentence_encoder",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])],
            [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, [1, "dimension"])],
            list(self.constants.values()),
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
        onnx.checker.check_model(model)
        return model
