/* SPDX-License-Identifier: Apache-2.0
 * sinusoidal_choices.c - the words that parameters of sinusoids may be; presets name whose
 * variant is meant. */
#include "core/encodings/absolute/sinusoidal.h"

const struct pe_word sinusoidal_amplitudes[] = {
    {"unit-rows", SINUSOIDAL_UNIT_ROWS},
    {"inverse-sqrt-dim", SINUSOIDAL_INVERSE_SQRT_DIM},
    {NULL, 0}};

const struct pe_choice sinusoidal_ladders[] = {
    {"geometric-open", PE_WORDS("open"), "base^(-i/(dim/2)): the paper, every RoPE", NULL},
    {"geometric-closed", PE_WORDS("closed"),
     "base^(-i/(pairs-1)): tensor2tensor, fairseq, Whisper", NULL},
    {NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_layouts[] = {
    {"interleaved", NULL, "s0 c0 s1 c1 ...", NULL},
    {"interleaved-cs", NULL, "c0 s0 c1 s1 ...", NULL},
    {"concat", PE_WORDS("halves"), "all sines, then all cosines", NULL},
    {"concat-cs", NULL, "all cosines, then all sines", NULL},
    {NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_odds[] = {
    {"error", NULL, "refuse odd widths", NULL},
    {"extra-sin", NULL, "the last frequency without its cosine (Marian, XLM)", NULL},
    {"zero-pad", NULL, "dim-1 columns, then a zero (tensor2tensor, fairseq)", NULL},
    {"zero-last", NULL, "exponents use dim, the last column is zero", NULL},
    {"ceil-truncate", NULL, "dim+1 columns, the last dropped", NULL},
    {NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_measures[] = {
    {"raw", NULL, "inner product of rows", NULL},
    {"cosine", NULL, "inner product divided by the number of pairs", NULL},
    {"euclidean", NULL, "distance of rows", NULL},
    {NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_profiles[] = {
    {"exact", NULL, "the real number, rounded once", NULL}, {NULL, NULL, NULL, NULL}};

const struct pe_choice sinusoidal_presets[] = {
    {"vaswani", PE_WORDS("pytorch-tutorial", "bert4keras"), "the paper; PyTorch tutorial, NeMo",
     "ladder=geometric-open&layout=interleaved"},
    {"tensor2tensor", PE_WORDS("t2t"), "get_timing_signal_1d",
     "ladder=geometric-closed&layout=concat&odd=zero-pad"},
    {"fairseq", PE_WORDS("m2m100", "nllb", "speech-to-text"),
     "give padding_idx for the zero row; positions start at padding_idx + 1",
     "ladder=geometric-closed&layout=concat&odd=zero-pad"},
    {"marian", PE_WORDS("pegasus", "roformer"), "Hugging Face's numpy table",
     "ladder=geometric-open&layout=concat&odd=extra-sin"},
    {"distilbert", PE_WORDS("xlm", "flaubert"), "the same table, interleaved",
     "ladder=geometric-open&layout=interleaved"},
    {"whisper", NULL, "openai/whisper sinusoids", "ladder=geometric-closed&layout=concat"},
    {"musicgen", PE_WORDS("audiocraft"), "cosines first",
     "ladder=geometric-closed&layout=concat-cs"},
    {"transformer-xl", PE_WORDS("xlnet"), "rows at relative distances",
     "ladder=geometric-open&layout=concat"},
    {"keras-hub", NULL, "SinePositionEncoding",
     "ladder=geometric-open&layout=interleaved&odd=extra-sin"},
    {"mlx", NULL, "frequencies from 1 to 1/base, rows of norm 1",
     "ladder=geometric-closed&layout=concat&amplitude=unit-rows"},
    {"x-transformers", NULL, "ScaledSinusoidalEmbedding at its initial scale",
     "ladder=geometric-open&layout=concat&amplitude=inverse-sqrt-dim"},
    {"pyg", NULL, "PositionalEncoding of PyTorch Geometric: give its granularity",
     "ladder=geometric-closed&layout=concat"},
    {"zero-first", NULL, "row 0 is all zeros",
     "ladder=geometric-open&layout=interleaved&padding_idx=0"},
    {NULL, NULL, NULL, NULL}};
