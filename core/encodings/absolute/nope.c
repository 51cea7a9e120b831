/* SPDX-License-Identifier: Apache-2.0
 * nope.c - no positional encoding, in the form of an encoding: rows of zeros to add, the
 * identity to rotate by; and the layers of a model that rotate where some do not.
 *
 *     layer l rotates iff (l + 1) mod no_rope_layer_interval != 0
 *
 * Kazemnejad et al. 2023, The Impact of Positional Encoding on Length Generalization; Llama 4
 * and SmolLM3: every 4th layer has no rotary embedding (transformers no_rope_layers).
 */
#include "core/encoding.h"

enum { ROWS, COS, SIN, LAYERS };

struct nope {
    const struct pe_positions *pos;
    int64_t dim, layers, no_rope_layer_interval;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct nope, true),
    {PE_FIELD(struct nope, dim), .type = PE_INT, .required = true, .min = 1, .max = 65536,
     .summary = "width of a row, or of a head: cos and sin have half as many columns"},
    {PE_FIELD(struct nope, layers), .type = PE_INT, .required = true, .min = 1, .max = 65536,
     PE_OWN("posenc", SHAPE, BASIC),
     .summary = "number of layers of the model (num_hidden_layers)"},
    {PE_FIELD(struct nope, no_rope_layer_interval), .type = PE_INT, .min = 1, .max = 65536,
     .preset = 4, PE_OWN("Hugging Face", SHAPE, BASIC),
     .summary = "interval of the layers that do not rotate: 4 leaves out layers 3, 7, 11 ..., "
                "counted from 0; 1 leaves out all"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows", .sign = PE_NOT_NEGATIVE,
              .summary = "zeros, which change no embedding", .by_default = true,
              .uses = PE_WORDS("pos", "dim"), .bound = "exact"},
    [COS] = {PE_OUTPUT("cos", PE_F32, "pos", "pair"), .label = "Cosines",
             .sign = PE_NOT_NEGATIVE, .columns = PE_COLUMN_PAIR,
             .summary = "ones: cosines of a rotation that changes nothing",
             .uses = PE_WORDS("pos", "dim"), .bound = "exact"},
    [SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "pair"), .label = "Sines", .sign = PE_NOT_NEGATIVE,
             .columns = PE_COLUMN_PAIR,
             .summary = "zeros: sines of a rotation that changes nothing", .group = "cos",
             .uses = PE_WORDS("pos", "dim"), .bound = "exact"},
    [LAYERS] = {PE_OUTPUT("layers", PE_BOOL8, "layer"), .label = "Layers that rotate",
                .sign = PE_NOT_NEGATIVE, .summary = "true for the layers that rotate",
                .uses = PE_WORDS("layers", "no_rope_layer_interval"), .bound = "exact"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct nope *v = values;

    if ((pe_wants(args, COS) || pe_wants(args, SIN)) && v->dim % 2 != 0)
        pe_fail(errors, PE_CONFLICT, "dim", "must be even for cos and sin; got %lld",
                (long long)v->dim);
}

static void fill_constants(const void *state, const struct pe_rect *rect, double *const out[],
                           const void *const input[], void *scratch)
{
    for (uint64_t i = 0; i < rect->rows * rect->cols; i++) {
        if (out[0])
            out[0][i] = 1;
        if (out[1])
            out[1][i] = 0;
    }
}

static double zero(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    return 0;
}

static double rotates(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    return (col + 1) % (uint64_t)((const struct nope *)state)->no_rope_layer_interval != 0;
}

static void prepare(struct pe_build *build, const void *values)
{
    static const struct pe_filler zeros = {.element = zero, .ns_per_element = 1},
                                  identity = {.reference = fill_constants, .ns_per_element = 1},
                                  layers = {.element = rotates, .ns_per_element = 1};

    pe_build_fill(build, ROWS, &zeros, values);
    pe_build_fill(build, COS, &identity, values);
    pe_build_fill(build, LAYERS, &layers, values);
}

const struct pe_encoding pe_encoding_nope = {
    .name = "nope",
    .title = "NoPE: no positional encoding",
    .formula = "rows[p] = 0, cos = 1, sin = 0\n"
               "layers[l] = (l + 1) mod no_rope_layer_interval != 0, l from 0",
    .when_to_use =
        "A decoder with a causal mask learns positions without an encoding and then reads "
        "longer texts than it was trained on (Kazemnejad et al. 2023). Llama 4 and SmolLM3 "
        "leave RoPE out in every fourth layer: layers lists those that keep it.",
    .what_goes_wrong =
        "Layers are counted from 0 and the last of each interval does not rotate: layer 3, "
        "not layers 0 and 4. Hugging Face's no_rope_layers holds 1 for a layer that does "
        "rotate. Without a causal mask a model without positions cannot tell orders apart.",
    .picture = "pos=0:64&dim=64&layers=48",
    .summary = "no positional encoding: zeros, the identity rotation, and which layers have it",
    .source = "Kazemnejad et al. 2023; transformers Llama 4 and SmolLM3, no_rope_layers",
    .examples = PE_WORDS("pos=0:2&dim=4", "out=layers&layers=8", "pos=0:2&dim=4&out=cos,sin"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct nope, params, outputs),
    .check = check,
    .lengths = PE_WORDS("pair=dim/2", "layer=layers"),
    .prepare = prepare,
};
