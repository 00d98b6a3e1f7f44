"""Writes a JAX loss function as Planwright reads it: loss.mlir, signature.json and weights.safetensors.

    import planwright_export as export

    export.export(
        loss,                                   # loss(parameters, **inputs) -> scalar
        parameters,                             # any pytree of arrays
        {"tokens": tokens, "targets": targets}, # one global batch of examples, dimension 0 counts them
        directory="my-model",
        labels=["targets"],
        ranges={"tokens": (0, 512), "targets": (0, 512)},
        token_source={"tokens": "tokens", "targets": "next_tokens"},
        frozen=["encoder.positions"],
    )

Needs jax, numpy and safetensors (PyPI). The graph is the forward loss only: Planwright derives the backward pass.
Errors are ValueErrors that name the argument.
"""
from __future__ import annotations

import json
import os
from typing import Any, Callable, Mapping, Sequence

import jax
import numpy as np
from safetensors.numpy import save_file


def dotted_name(path) -> str:
    """The name of a leaf of a pytree: keys and indices joined by dots ("h.0.attn.kernel")."""
    parts = []
    for entry in path:
        for field in ("key", "name", "idx"):
            if hasattr(entry, field):
                parts.append(str(getattr(entry, field)))
                break
    return ".".join(parts)


def guess_init(array: np.ndarray) -> Any:
    """The rule that draws values like these: "zeros", "ones" or {"normal": standard deviation}."""
    values = np.asarray(array, dtype=np.float64)
    if not np.any(values):
        return "zeros"
    if np.all(values == 1):
        return "ones"
    return {"normal": float(f"{np.std(values):.3g}")}


def describe_parameter(name: str, array: np.ndarray, frozen: Sequence[str]) -> dict:
    row = {"name": name, "role": "parameter", "batch_dim": None, "init": guess_init(array)}
    if name in frozen:
        row["trainable"] = False
    return row


def describe_input(name, array, labels, ranges, token_source) -> dict:
    if array.ndim == 0:
        raise ValueError(f"input {name!r} is a scalar: its first dimension must count examples")
    row = {"name": name, "role": "label" if name in labels else "input", "batch_dim": 0}
    if name in ranges:
        low, high = ranges[name]
        row["range"] = [int(low), int(high)]
    if name in token_source:
        row["from"] = token_source[name]
    return row


def write_signature(path: str, rows: Sequence[dict]) -> None:
    """One argument a line, so that a person can read and edit it."""
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    with open(path, "w") as file:
        file.write(f'{{\n "entry": "main",\n "source": {{"jax": "{jax.__version__}"}},\n "arguments": [\n  {lines}\n ]\n}}\n')


def check_names(kind: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{kind} names {name!r}, which is not one of {', '.join(sorted(known))}")


def export(
    loss: Callable[..., Any],
    parameters: Any,
    inputs: Mapping[str, Any],
    directory: str,
    labels: Sequence[str] = (),
    ranges: Mapping[str, Sequence[int]] = {},
    token_source: Mapping[str, str] = {},
    frozen: Sequence[str] = (),
) -> None:
    """Lowers `loss` for exactly these shapes and writes the three files into `directory`."""
    leaves, tree = jax.tree_util.tree_flatten_with_path(parameters)
    names = [dotted_name(path) for path, _ in leaves]
    input_names = sorted(inputs)
    check_names("labels", labels, input_names)
    check_names("ranges", list(ranges), input_names)
    check_names("token_source", list(token_source), input_names)
    check_names("frozen", frozen, names)
    if len(set(names)) != len(names):
        raise ValueError("two parameters have the same dotted name")

    def flat_loss(*arguments):
        values = jax.tree_util.tree_unflatten(tree, arguments[: len(names)])
        return loss(values, **dict(zip(input_names, arguments[len(names) :])))

    arrays = [np.asarray(leaf) for _, leaf in leaves] + [np.asarray(inputs[name]) for name in input_names]
    shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in arrays]
    result = jax.eval_shape(flat_loss, *shapes)
    if getattr(result, "shape", None) != ():
        raise ValueError(f"the loss must be one scalar, but it is {result}")
    # Every argument stays in the text, used or not, so that positions and signature agree.
    text = jax.jit(flat_loss, keep_unused=True).lower(*shapes).as_text()

    rows = [describe_parameter(name, array, frozen) for name, array in zip(names, arrays)]
    rows += [
        describe_input(name, array, labels, ranges, token_source)
        for name, array in zip(input_names, arrays[len(names) :])
    ]
    for index, (row, array) in enumerate(zip(rows, arrays)):
        row.update(index=index, shape=list(array.shape), dtype=str(array.dtype))
    rows = [{"index": row["index"], **row} for row in rows]

    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "loss.mlir"), "w") as file:
        file.write(text)
    write_signature(os.path.join(directory, "signature.json"), rows)
    weights = {name: np.ascontiguousarray(array) for name, array in zip(names, arrays)}
    save_file(weights, os.path.join(directory, "weights.safetensors"))
