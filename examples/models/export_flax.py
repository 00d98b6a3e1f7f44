"""Exports a small Flax language model for Planwright. Usage: python export_flax.py OUTPUT_DIRECTORY

Needs jax, flax, numpy and safetensors (PyPI), and tools/export on PYTHONPATH.
"""
import sys

import flax.linen as nn
import jax
import jax.numpy as jnp
import planwright_export as export

VOCABULARY, HIDDEN, HEADS, LAYERS, BATCH, SEQUENCE = 256, 64, 4, 2, 8, 32


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        mask = nn.make_causal_mask(jnp.zeros(x.shape[:2]))
        attention = nn.MultiHeadDotProductAttention(num_heads=HEADS, deterministic=True)
        x = x + attention(nn.LayerNorm()(x), mask=mask)
        return x + nn.Dense(HIDDEN)(nn.gelu(nn.Dense(4 * HIDDEN)(nn.LayerNorm()(x))))


class LanguageModel(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(VOCABULARY, HIDDEN)(tokens)
        x = x + self.param("positions", nn.initializers.normal(0.02), (SEQUENCE, HIDDEN))
        for _ in range(LAYERS):
            x = Block()(x)
        return nn.Dense(VOCABULARY, use_bias=False)(nn.LayerNorm()(x))


def loss(parameters, tokens, targets):
    logits = LanguageModel().apply(parameters, tokens)
    log_probabilities = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1))


tokens = jnp.zeros((BATCH, SEQUENCE), jnp.int32)
export.export(
    loss,
    LanguageModel().init(jax.random.PRNGKey(0), tokens),
    {"tokens": tokens, "targets": tokens},
    directory=sys.argv[1],
    labels=["targets"],
    ranges={"tokens": (0, VOCABULARY), "targets": (0, VOCABULARY)},
    token_source={"tokens": "tokens", "targets": "next_tokens"},
)
