/* SPDX-License-Identifier: Apache-2.0
 * convert.c - puts numbers in another order: rows of sines and cosines between layouts; tables,
 * vectors and projection weights between pairings.
 *
 *     out[slot] = in[index[slot]],   half -> adjacent of 8: 0 4 1 5 2 6 3 7
 *
 * A wrong order gives plausible numbers and a silently broken model. llama.cpp's "permute" of
 * Hugging Face weights is half -> adjacent; Meta's to Hugging Face's is the inverse. */
#include <string.h>

#include "core/encoding.h"

enum { X, INDEX };
enum { ROWS, TABLE, VECTORS, WEIGHTS };
enum { INTERLEAVED, INTERLEAVED_CS, CONCAT, CONCAT_CS, GROUPED_2D, TILED, HALF, ADJACENT };

struct convert {
    int content, from, to;
    int64_t dim, rotary_dim, offset_dims;
    struct pe_tensor x;
};

static const struct pe_choice whats[] = {
    PE_ONE_WITH("rows", "rows of sines and cosines, which change their layout",
                "from=interleaved&to=concat"),
    PE_ONE("table",
           "tables of cosines or of sines, each value twice, which change their pairing"),
    PE_ONE("vectors", "queries and keys, which change their pairing"),
    PE_ONE(
        "weights",
        "weights and biases of projections, whose rows (axis 0) change their pairing head by "
        "head"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_choice orders[] = {
    PE_ONE_AT(INTERLEAVED, "interleaved", "s0 c0 s1 c1 ...: sines and cosines in turn"),
    PE_ONE_AT_WITH(INTERLEAVED_CS, "interleaved-cs",
                   "c0 s0 c1 s1 ...: cosines and sines in turn",
                   "content=rows&from=interleaved&to=concat"),
    PE_ONE_AT_WITH(CONCAT, "concat", "all sines, then all cosines",
                   "content=rows&from=interleaved&to=concat"),
    PE_ONE_AT_WITH(CONCAT_CS, "concat-cs", "all cosines, then all sines",
                   "content=rows&from=interleaved&to=concat"),
    PE_ONE_AT_WITH(GROUPED_2D, "grouped-2d",
                   "sines of the grid's rows, of its columns, then cosines of both (timm)",
                   "content=rows&from=interleaved&to=concat"),
    PE_ONE_AT_WITH(TILED, "tiled",
                   "sine and cosine of the column, sine and cosine of the row, in turn (LoFTR)",
                   "content=rows&from=interleaved&to=concat"),
    [HALF] = {"half", PE_WORDS("neox", "rotate_half"), "pair k is columns k and k + r/2", NULL,
              NULL},
    [ADJACENT] = {"adjacent", PE_WORDS("gptj"), "pair k is columns 2k and 2k + 1", NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct convert, content), .type = PE_CHOICE, .choices = whats, .optional = true,
     PE_OWN("posenc", VECTORS, BASIC),
     .summary =
         "what x holds; by default vectors where from and to are pairings, rows where they "
         "are layouts"},
    {PE_FIELD(struct convert, from), .type = PE_CHOICE, .choices = orders, .required = true,
     .summary = "layout or pairing that x has"},
    {PE_FIELD(struct convert, to), .type = PE_CHOICE, .choices = orders, .required = true,
     PE_OWN("posenc", CONVENTION, BASIC), .summary = "layout or pairing that the answer gets"},
    {PE_FIELD(struct convert, dim), .type = PE_INT, .optional = true, .min = 2, .max = 65536,
     .summary =
         "width of a row or of a head; by default the last axis of x; required for weights"},
    {PE_FIELD(struct convert, rotary_dim), .type = PE_INT, .optional = true, .min = 2,
     .max = 65536, .multiple_of = 2,
     .summary = "number of columns that are turned and so move; dim by default"},
    {PE_FIELD(struct convert, offset_dims), .type = PE_INT, .min = 0, .max = 65534,
     .summary = "number of first columns, which are not turned and stay"},
    {PE_FIELD(struct convert, x), .type = PE_TENSOR, .required = true,
     .summary = "rows, tables, vectors or weights to convert"},
};

#define NAMES "content", "from", "to", "dim", "rotary_dim", "offset_dims"

static const struct pe_output outputs[] = {
    [X] = {PE_OUTPUT("x", PE_F32, "..."), .label = "Converted",
           .summary = "numbers of x in the other order", .by_default = true, .bound = "exact"},
    [INDEX] = {PE_OUTPUT("index", PE_I64, "dim"), .label = "Index", .sign = PE_NOT_NEGATIVE,
               .summary = "column of x from which each column of the answer comes",
               .uses = PE_WORDS(NAMES), .bound = "exact"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool is_pairing(int order)
{
    return order >= HALF;
}

static void resolve_orders(struct convert *c, struct pe_errors *errors)
{
    bool pairings;

    if (c->content < 0)
        c->content = is_pairing(c->from) || is_pairing(c->to) ? VECTORS : ROWS;
    pairings = c->content != ROWS;
    if (pairings && c->from == INTERLEAVED)
        c->from = ADJACENT;
    if (pairings && c->to == INTERLEAVED)
        c->to = ADJACENT;
    for (int i = 0; i < 2; i++) {
        int order = i == 0 ? c->from : c->to;

        if (is_pairing(order) != pairings)
            pe_fail(errors, PE_CONFLICT, i == 0 ? "from" : "to",
                    "must be %s with content=%s; got %s",
                    pairings ? "half or adjacent" : "a layout, interleaved or concat ...",
                    whats[c->content].name, orders[order].name);
    }
}

/* dim follows from the tensor, except for weights, whose shape does not show the heads. */
static void resolve_dim(const struct pe_args *args, struct convert *c, struct pe_errors *errors)
{
    uint64_t axis;

    if (!pe_wants(args, X) || c->content == WEIGHTS) {
        if (c->dim == PE_ABSENT_INT) {
            pe_fail(errors, PE_MISSING_PARAMETER, "dim",
                    c->content == WEIGHTS
                        ? "is required with content=weights: the rows of one head"
                        : "is required: the width of what is converted");
            return;
        }
    }
    if (!pe_wants(args, X))
        return;
    axis = c->x.dims[c->content == WEIGHTS ? 0 : c->x.rank - 1];
    if (c->content == WEIGHTS && axis % (uint64_t)c->dim != 0) {
        pe_fail(errors, PE_CONFLICT, "x",
                "must have whole heads of %lld rows along axis 0; got %llu rows",
                (long long)c->dim, (unsigned long long)axis);
        return;
    }
    if (c->content == WEIGHTS)
        return;
    if (axis < 2 || axis > 65536) {
        pe_fail(errors, PE_CONFLICT, "x",
                "must have 2..65536 elements along its last axis; got %llu",
                (unsigned long long)axis);
        return;
    }
    if (c->dim == PE_ABSENT_INT)
        c->dim = (int64_t)axis;
    if ((uint64_t)c->dim != axis)
        pe_fail(errors, PE_CONFLICT, "x",
                "must have %lld elements along its last axis, dim; got %llu", (long long)c->dim,
                (unsigned long long)axis);
}

static void resolve_span(struct convert *c, struct pe_errors *errors)
{
    bool in_fours =
        c->from == GROUPED_2D || c->from == TILED || c->to == GROUPED_2D || c->to == TILED;

    if (c->rotary_dim == PE_ABSENT_INT)
        c->rotary_dim = c->dim - c->offset_dims;
    if (c->rotary_dim < 2 || c->offset_dims + c->rotary_dim > c->dim)
        pe_fail(errors, PE_CONFLICT, "rotary_dim",
                "must leave %lld of dim, %lld, to what stands before and after; got "
                "%lld",
                (long long)c->offset_dims, (long long)c->dim, (long long)c->rotary_dim);
    else if (c->rotary_dim % (in_fours ? 4 : 2) != 0)
        pe_fail(errors, PE_CONFLICT, "dim", "must be a multiple of %d; got %lld",
                in_fours ? 4 : 2, (long long)c->rotary_dim);
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    resolve_orders(values, errors);
    if (errors->count == 0)
        resolve_dim(args, values, errors);
    if (errors->count == 0)
        resolve_span(values, errors);
}

/* ---- the order -------------------------------------------------------------------------- */

/* Returns the content of a slot of 2m: number `pair` of the sines or first coordinates
 * (0..m-1), or m more for the cosines or second coordinates. Of two axes, rows come first. */
static size_t content(int order, size_t m, size_t slot)
{
    size_t turn = slot % 2, pair = slot / 2;

    switch (order) {
    case INTERLEAVED:
    case ADJACENT:
        return turn * m + pair;
    case INTERLEAVED_CS:
        return (1 - turn) * m + pair;
    case CONCAT_CS:
        return slot < m ? slot + m : slot - m;
    case TILED: /* each number has columns, then rows */
        return turn * m + (slot % 4 < 2 ? m / 2 : 0) + slot / 4;
    default: /* HALF, CONCAT, GROUPED_2D */
        return slot;
    }
}

struct state {
    const struct convert *convert;
    double *index; /* [dim]: source of each slot */
    size_t dim, size;
    uint64_t inner; /* weights: rows of the flattened tensor to a row of axis 0 */
    bool by_rows;   /* weights of rank 2 and more: whole rows move */
};

static bool make_index(struct pe_build *build, struct state *state)
{
    const struct convert *c = state->convert;
    size_t m = (size_t)c->rotary_dim / 2, offset = (size_t)c->offset_dims;
    double *where = pe_build_alloc(build, 2 * m * sizeof *where);

    state->index = pe_build_alloc(build, state->dim * sizeof *state->index);
    if (!where || !state->index)
        return false;
    for (size_t slot = 0; slot < 2 * m; slot++)
        where[content(c->from, m, slot)] = (double)slot;
    for (size_t slot = 0; slot < state->dim; slot++)
        state->index[slot] = (double)slot;
    for (size_t slot = 0; slot < 2 * m; slot++)
        state->index[offset + slot] = (double)offset + where[content(c->to, m, slot)];
    return true;
}

/* ---- filling ---------------------------------------------------------------------------- */

static void fill_index(const void *state, const struct pe_rect *rect, double *const out[],
                       const void *const input[], void *scratch)
{
    const struct state *s = state;

    if (out[0])
        memcpy(out[0], s->index + rect->col, rect->cols * sizeof *out[0]);
}

/* Returns the index in the tensor that the element comes from. */
static uint64_t source(const struct state *s, uint64_t row, uint64_t col, uint64_t cols)
{
    uint64_t axis = s->by_rows ? row / s->inner : col, from;

    from = axis / s->dim * s->dim + (uint64_t)s->index[axis % s->dim];
    return s->by_rows ? (from * s->inner + row % s->inner) * cols + col : row * cols + from;
}

static uint64_t columns(const struct state *s)
{
    return s->convert->x.dims[s->convert->x.rank - 1];
}

static void fill_doubles(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct state *s = state;
    uint64_t i = 0, cols = columns(s);

    for (uint64_t row = rect->row; out[0] && row < rect->row + rect->rows; row++) {
        for (uint64_t col = rect->col; col < rect->col + rect->cols; col++)
            pe_dtype_to_f64(s->convert->x.dtype, &out[0][i++],
                            (const char *)input[0] + source(s, row, col, cols) * s->size, 1);
    }
}

/* Moves bytes, since the dtype stays. */
static bool fill_bytes(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                       void *const out[], const void *const input[], void *scratch)
{
    const struct state *s = state;
    uint64_t cols = columns(s);
    char *to = out[0];
    const char *from = input[0];

    if (dtype != s->convert->x.dtype)
        return false;
    for (uint64_t row = rect->row; to && row < rect->row + rect->rows; row++) {
        if (s->by_rows) {
            memcpy(to, from + source(s, row, rect->col, cols) * s->size, rect->cols * s->size);
            to += rect->cols * s->size;
            continue;
        }
        for (uint64_t col = rect->col; col < rect->col + rect->cols; col++, to += s->size)
            memcpy(to, from + source(s, row, col, cols) * s->size, s->size);
    }
    return true;
}

static const struct pe_filler index_filler = {.reference = fill_index, .ns_per_element = 1};
static const struct pe_filler filler = {
    .reference = fill_doubles, .vectors = fill_bytes, .ns_per_element = 4};

static void prepare(struct pe_build *build, const void *values)
{
    const struct convert *c = values;
    struct state *state = pe_build_alloc(build, sizeof *state);

    if (!state)
        return;
    *state = (struct state){.convert = c, .dim = (size_t)c->dim, .inner = 1};
    state->size = pe_dtype_size(c->x.dtype);
    state->by_rows = c->content == WEIGHTS && c->x.rank > 1;
    for (size_t i = 1; i + 1 < c->x.rank; i++)
        state->inner *= c->x.dims[i];
    if (!make_index(build, state))
        return;
    pe_build_fill(build, X, &filler, state);
    pe_build_fill(build, INDEX, &index_filler, state);
}

const struct pe_encoding pe_encoding_convert = {
    .name = "convert",
    .title = "Conversion of layouts and pairings",
    .formula =
        "half to adjacent: new[2k] = old[k], new[2k + 1] = old[k + r/2]; out=index gives the "
        "permutation",
    .when_to_use =
        "Weights of Meta's Llama become those of Hugging Face in this way, and those of "
        "Hugging Face become GGUF files. Rows of sinusoidal tables change between frameworks "
        "too.",
    .what_goes_wrong =
        "Converted twice, weights have the right shape and the wrong order. Only the columns "
        "that are turned move: partial rotary models keep the others. Query and key weights "
        "are converted, values are not.",
    .picture =
        "dim=16&rotary_dim=16&from=half&to=adjacent&x=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
    .summary = "rows, tables, vectors and weights in another layout or pairing",
    .source =
        "transformers convert_llama_weights_to_hf.py and llama.cpp convert_hf_to_gguf.py, "
        "permute; timm and LoFTR, layouts of two axes",
    .examples = PE_WORDS("dim=8&from=half&to=adjacent&out=index",
                         "from=adjacent&to=half&x=1,2,3,4,5,6,7,8",
                         "from=interleaved&to=concat&x=0,1,0,1",
                         "content=weights&dim=4&from=half&to=adjacent&x=1,2,3,4,5,6,7,8"),
    .family = PE_ROTARY,
    .kind = PE_INPUT,
    PE_TABLES(struct convert, params, outputs),
    .resolve = resolve,
    .most = PE_WORDS("index=dim-1"),
    .prepare = prepare,
};
