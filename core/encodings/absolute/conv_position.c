/* SPDX-License-Identifier: Apache-2.0
 * conv_position.c - positions from a learned convolution of the vectors themselves:
 *
 *     y[l][c] = x[l][c] + act(b[c] + sum over i, t of w[c][i][t] x[l + t - K/2][first + i])
 *
 * where channel c sees the channels of its group, from `first` on, and zeros beyond the ends
 * (K/2 is rounded down; an even kernel's last result is left out). With a kernel of two axes l
 * and t are places of a grid. Weights are the products g v/|v| where a checkpoint stores both.
 *
 * Baevski et al. 2020, wav2vec 2.0 (kernel 128, 16 groups, GELU); Chu et al. 2021, Conditional
 * Positional Encodings for Vision Transformers (PEG: 3x3, a group a channel, no activation).
 * convolution.c has the sums. */
#include <math.h>

#include "core/encodings/absolute/convolution.h"
#include "core/math/tensor_row.h"

enum { X };
enum { GELU, NONE };
enum {
    MOST_TAPS = 1 << 16,    /* of a kernel */
    MOST_NUMBERS = 1 << 20, /* taps times channels of a group */
};

struct conv_position {
    struct pe_tensor x, weight, conv_bias; /* inputs, in the order of convolution.h */
    struct pe_grid grid;
    int64_t groups;
    int activation;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct conv_position, x), .type = PE_TENSOR, .required = true,
     .summary = "vectors: their last two axes are positions and dim"},
    {PE_FIELD(struct conv_position, weight), .type = PE_TENSOR, .table = true, .required = true,
     PE_OWN("PyTorch", WEIGHTS, BASIC),
     .summary =
         "weights of the convolution: axes dim, channels of a group, kernel (one axis or "
         "two), or dim, kernel"},
    {PE_FIELD(struct conv_position, conv_bias), .type = PE_TENSOR, .table = true,
     .optional = true, PE_OWN("PyTorch", WEIGHTS, ADVANCED),
     .summary = "bias of the convolution, a number a channel; 0 by default"},
    {PE_FIELD(struct conv_position, groups), .type = PE_INT, .optional = true, .min = 1,
     .max = 65536, PE_OWN("PyTorch", SHAPE, ADVANCED),
     .summary =
         "groups of channels (num_conv_pos_embedding_groups of wav2vec 2.0); as weight has "
         "by default"},
    {PE_FIELD(struct conv_position, grid), .type = PE_GRID, .optional = true,
     .summary =
         "cells that the positions are, HEIGHTxWIDTH, as 14x14, for a kernel of two axes"},
    {PE_FIELD(struct conv_position, activation),
     PE_CHOICES(PE_ONE_AT(GELU, "gelu", "GELU, computed by the error function (wav2vec 2.0)"),
                PE_ONE_AT(NONE, "none",
                          "the convolution as it is (PEG of "
                          "conditional encodings)")),
     .summary = "activation of the convolution before it is added to the vectors"},
};

static const struct pe_output outputs[] = {
    [X] = {PE_OUTPUT("x", PE_F32, "...", "dim"), .label = "Vectors",
           .summary = "the vectors plus the convolution around their positions",
           .by_default = true,
           .bound = "0.501 ULP; f64 2 ULP; where terms cancel 2^-51 of the larger"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static uint64_t dim_of(const struct conv_position *v)
{
    return v->x.dims[v->x.rank - 1];
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct conv_position *v = values;
    struct pe_tensor *weight = &v->weight;

    if (weight->rank == 1)
        tensor_row_widen(weight, 2);
    if (weight->rank == 2) { /* each channel is a group */
        weight->rank = 3;
        weight->dims[2] = weight->dims[1];
        weight->dims[1] = 1;
    }
    if (v->groups == PE_ABSENT_INT && weight->rank > 2 && weight->dims[1] > 0 &&
        v->x.rank > 0 && dim_of(v) / weight->dims[1] <= INT64_MAX)
        v->groups = (int64_t)(dim_of(v) / weight->dims[1]);
}

static enum pe_status check_weight(const struct pe_args *args, const struct conv_position *v,
                                   struct pe_errors *errors)
{
    const uint64_t dim = dim_of(v), groups = (uint64_t)v->groups;
    const bool map = v->grid.height > 0;
    enum pe_status status = tensor_row_check(
        &v->weight, "weight", map ? "dim,channels,kernel_h,kernel_w" : "dim,channels,kernel",
        errors);

    if (status)
        return status;
    if (v->weight.dims[0] != dim)
        return pe_fail(errors, PE_CONFLICT, "weight",
                       "must have %llu along axis 0, the last axis of x; got %llu",
                       (unsigned long long)dim, (unsigned long long)v->weight.dims[0]);
    if (!PE_GIVEN(args, struct conv_position, groups) && dim % v->weight.dims[1] != 0)
        return pe_fail(errors, PE_CONFLICT, "weight",
                       "must have a divisor of dim, %llu, along axis 1; got %llu",
                       (unsigned long long)dim, (unsigned long long)v->weight.dims[1]);
    if (groups == 0 || dim % groups != 0 || v->weight.dims[1] != dim / groups)
        return pe_fail(errors, PE_CONFLICT, "weight",
                       "must have dim/groups channels along axis 1, dim %llu and groups %llu; "
                       "got %llu",
                       (unsigned long long)dim, (unsigned long long)groups,
                       (unsigned long long)v->weight.dims[1]);
    return PE_OK;
}

/* The channels around one place are laid out in memory, so their number has a limit. */
static void check_window(const struct conv_position *v, struct pe_errors *errors)
{
    const struct pe_tensor *weight = &v->weight;
    const double taps =
        (double)weight->dims[2] * (weight->rank > 3 ? (double)weight->dims[3] : 1);
    const double numbers = taps * (double)weight->dims[1];

    if (taps > MOST_TAPS)
        pe_fail(errors, PE_TOO_LARGE, "weight",
                "must have a kernel of at most %d numbers; got %.0f", MOST_TAPS, taps);
    else if (numbers > MOST_NUMBERS)
        pe_fail(errors, PE_TOO_LARGE, "weight",
                "must have at most %d numbers a channel, channels of a group times "
                "kernel; got "
                "%.0f",
                MOST_NUMBERS, numbers);
    else
        return;
    pe_note_limit(errors, taps > MOST_TAPS ? MOST_TAPS : MOST_NUMBERS,
                  (uint64_t)fmin(taps > MOST_TAPS ? taps : numbers, 0x1p60));
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct conv_position *v = values;
    const uint64_t places = (uint64_t)v->grid.height * (uint64_t)v->grid.width;

    if (v->x.dtype > PE_BF16)
        pe_fail(errors, PE_CONFLICT, "x", "must hold reals, f32, f64, f16 or bf16; got %s",
                pe_dtype_name(v->x.dtype));
    else if (v->x.rank < 2)
        pe_fail(errors, PE_CONFLICT, "x",
                "must have axes of positions and dim, 1,2;3,4; got one axis");
    else if (places > 0 && v->x.dims[v->x.rank - 2] != places)
        pe_fail(errors, PE_CONFLICT, "x", "must have %llu positions, those of grid; got %llu",
                (unsigned long long)places, (unsigned long long)v->x.dims[v->x.rank - 2]);
    if (errors->count > 0)
        return;
    check_weight(args, v, errors);
    if (errors->count == 0)
        check_window(v, errors);
    if (errors->count == 0 && v->conv_bias.rank > 0)
        tensor_row_check(&v->conv_bias, "conv_bias", "dim", errors);
    if (errors->count == 0 && v->conv_bias.rank > 0 && v->conv_bias.dims[0] != dim_of(v))
        pe_fail(errors, PE_CONFLICT, "conv_bias", "must have %llu numbers, as x; got %llu",
                (unsigned long long)dim_of(v), (unsigned long long)v->conv_bias.dims[0]);
}

/* ---- the plan ---------------------------------------------------------------------------- */

static void prepare(struct pe_build *build, const void *values)
{
    const struct conv_position *v = values;
    const bool map = v->grid.height > 0;
    struct convolution *k = pe_build_alloc(build, sizeof *k);

    if (!k)
        return;
    k->x = &v->x;
    k->bias = &v->conv_bias;
    k->gelu = v->activation == GELU;
    k->height = map ? (uint64_t)v->grid.height : 1;
    k->width = map ? (uint64_t)v->grid.width : v->x.dims[v->x.rank - 2];
    k->rows = map ? v->weight.dims[2] : 1;
    k->cols = v->weight.dims[v->weight.rank - 1];
    k->taps = k->rows * k->cols;
    k->channels = v->weight.dims[1];
    k->weight = (struct pe_tensor){.dtype = v->weight.dtype,
                                   .rank = 2,
                                   .dims = {dim_of(v), k->channels * k->taps}};
    pe_build_fill(build, X, &convolution_filler, k);
}

const struct pe_encoding pe_encoding_conv_position = {
    .name = "conv-position",
    .title = "Convolutional position embedding",
    .formula =
        "y[l][c] = x[l][c] + activation(conv_bias[c] + sum over i, t of weight[c][i][t] x[l "
        "+ t - K/2][first + i])\n"
        "K: length of the kernel; first: first channel of the group of c; x is 0 "
        "beyond the ends",
    .when_to_use =
        "Speech models (wav2vec 2.0, HuBERT, data2vec: kernel 128, 16 groups, GELU) and "
        "vision transformers with conditional encodings (PEG, Twins: 3x3, a group a channel, "
        "activation=none). It needs no longest length. pad-demo shows why zeros beyond the "
        "ends tell positions.",
    .what_goes_wrong =
        "Checkpoints of wav2vec 2.0 store weight_g and weight_v: weight is g v / |v|, with "
        "the norm over the first two axes, one a kernel tap. With an even kernel and padding "
        "K/2 a convolution has one result too many, and the last is dropped. Padding tokens "
        "must be 0 before the convolution, otherwise they leak into their neighbours.",
    .picture =
        "x=0,0,0,0;0,0,0,0;1,0,0,0;0,0,0,0;0,1,0,0;0,0,0,0;0,0,0,0;0,0,1,0;0,0,0,0;0,0,0,1;0,"
        "0,0,0;0,0,0,0&weight=0.1,0.3,0.5,0.3,0.1;-0.2,0,0.5,0,-0.2;0.5,0.4,0.3,0.2,0.1;-0.1,"
        "0.4,-0.8,0.4,-0.1&activation=none",
    .summary = "vectors with positions from a learned convolution (wav2vec 2.0, PEG)",
    .source = "Baevski et al. 2020, wav2vec 2.0; Chu et al. 2021, Conditional Positional "
              "Encodings for Vision Transformers",
    .examples = PE_WORDS("x=1;1;1;1;1&weight=1,1,1&activation=none",
                         "x=1,2;3,4;5,6&weight=1,0.5;0,-1&conv_bias=0.1,0.2"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES(struct conv_position, params, outputs),
    .resolve = resolve,
    .check = check,
    .prepare = prepare,
};
