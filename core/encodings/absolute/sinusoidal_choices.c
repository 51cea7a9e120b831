/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_choices.c - the choices of the sinusoidal encoding: ladders, layouts, odd widths,
 * measures, and the variants of libraries as presets. */
#include "core/encodings/absolute/sinusoidal.h"

const struct pe_word sinusoidal_amplitudes[] = {
    {"unit-rows", SINUSOIDAL_UNIT_ROWS},
    {"inverse-sqrt-dim", SINUSOIDAL_INVERSE_SQRT_DIM},
    {NULL, 0}};

const struct pe_choice sinusoidal_ladders[] = {
    {"geometric-open", PE_WORDS("open"), "base^(-i/(dim/2)), as in the paper and in RoPE", NULL,
     NULL},
    {"geometric-closed", PE_WORDS("closed"),
     "base^(-i/(pairs-1)), whose last frequency is 1/base (tensor2tensor, fairseq, Whisper)",
     NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_layouts[] = {
    PE_ONE("interleaved", "the sine and the cosine of a pair side by side: s0 c0 s1 c1"),
    PE_ONE("interleaved-cs", "the cosine and the sine of a pair side by side: c0 s0 c1 s1"),
    {"concat", PE_WORDS("halves"), "all sines, then all cosines", NULL, NULL},
    PE_ONE("concat-cs", "all cosines, then all sines"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_odds[] = {
    PE_ONE("error", "an odd dim is refused"),
    PE_ONE("extra-sin", "exponents by dim, the last sine has no cosine (Marian, XLM)"),
    PE_ONE("zero-pad", "the row of dim - 1 columns, then a zero (tensor2tensor, fairseq)"),
    PE_ONE("zero-last", "exponents by dim, then a zero in the last column"),
    PE_ONE("ceil-truncate", "the row of dim + 1 columns without its last"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_measures[] = {
    PE_ONE("raw", "inner product of two rows"),
    PE_ONE("cosine", "inner product of two rows divided by their squared norm"),
    PE_ONE("euclidean", "Euclidean distance of two rows"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_profiles[] = {
    PE_ONE("exact", "the real number, rounded once"), {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_presets[] = {
    {"vaswani", PE_WORDS("pytorch-tutorial", "bert4keras"),
     "the paper, the PyTorch tutorial, NeMo: sines and cosines alternate",
     "ladder=geometric-open&layout=interleaved", NULL},
    {"tensor2tensor", PE_WORDS("t2t"),
     "get_timing_signal_1d: all sines, then all cosines, the last frequency is 1/base",
     "ladder=geometric-closed&layout=concat&odd=zero-pad", NULL},
    {"fairseq", PE_WORDS("m2m100", "nllb", "speech-to-text"),
     "rows of tensor2tensor at positions from padding_idx + 1 on; padding_idx, to be given, "
     "has the row of zeros",
     "ladder=geometric-closed&layout=concat&odd=zero-pad", NULL},
    {"marian", PE_WORDS("pegasus", "roformer"),
     "Marian, Pegasus and RoFormer of Hugging Face: all sines, then all cosines",
     "ladder=geometric-open&layout=concat&odd=extra-sin", NULL},
    {"distilbert", PE_WORDS("xlm", "flaubert"),
     "DistilBERT, XLM and FlauBERT of Hugging Face: sines and cosines alternate",
     "ladder=geometric-open&layout=interleaved", NULL},
    {"whisper", NULL,
     "the encoder of Whisper: all sines, then all cosines, the last frequency is 1/base",
     "ladder=geometric-closed&layout=concat", NULL},
    {"musicgen", PE_WORDS("audiocraft"),
     "audiocraft: all cosines, then all sines, the last frequency is 1/base",
     "ladder=geometric-closed&layout=concat-cs", NULL},
    {"transformer-xl", PE_WORDS("xlnet"),
     "Transformer-XL and XLNet: all sines, then all cosines; pos are relative distances",
     "ladder=geometric-open&layout=concat", NULL},
    {"keras-hub", NULL,
     "SinePositionEncoding of KerasHub: sines and cosines alternate, an odd dim ends with a "
     "sine",
     "ladder=geometric-open&layout=interleaved&odd=extra-sin", NULL},
    {"mlx", NULL,
     "SinusoidalPositionalEncoding of MLX: the last frequency is 1/base, rows have norm 1",
     "ladder=geometric-closed&layout=concat&amplitude=unit-rows", NULL},
    {"x-transformers", NULL,
     "ScaledSinusoidalEmbedding of x-transformers at its initial scale, dim^-0.5",
     "ladder=geometric-open&layout=concat&amplitude=inverse-sqrt-dim", NULL},
    {"pyg", NULL,
     "PositionalEncoding of PyTorch Geometric, whose granularity is to be given beside it",
     "ladder=geometric-closed&layout=concat", NULL},
    {"zero-first", NULL,
     "older copies of attention-is-all-you-need-pytorch: the row of position 0 is zeros",
     "ladder=geometric-open&layout=interleaved&padding_idx=0", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
