/* SPDX-License-Identifier: Apache-2.0
 * learned.c - rows of a table that was learned, looked up by position.
 *
 *     row(p) = table[p + offset],   times amplitude, or of length 1 times amplitude (l2norm)
 *
 * An offset wrong by two is the field's oldest bug. BERT, GPT-2, ViT and CLIP have no offset;
 * fairseq and RoBERTa count real tokens from padding_idx + 1 and let padding read row
 * padding_idx; BART and OPT add 2 inside the layer, OPT's padding reads row 1.
 *
 * fairseq modules/learned_positional_embedding.py and utils.py (make_positions); transformers
 * modeling_roberta.py, modeling_bart.py, modeling_opt.py; x-transformers
 * AbsolutePositionalEmbedding (l2norm, scale dim^-1/2); hierarchical: math/hierarchy.h. */
#include <math.h>

#include "core/encodings/absolute/learned.h"
#include "core/math/hierarchy.h"

#define RSQRT_DIM 0 /* value of amplitude for rsqrt_dim */

static const struct pe_choice beyond[] = {
    PE_ONE_AT(LEARNED_ERROR, "error", "a position without a row is refused"),
    PE_ONE_AT(LEARNED_CLAMP, "clamp", "the nearest row: the first or the last"),
    PE_ONE_AT(LEARNED_WRAP, "wrap", "the row pos + offset modulo the number of rows"),
    PE_ONE_AT(LEARNED_ZERO, "zero", "a row of zeros"),
    PE_ONE_AT(LEARNED_HIERARCHICAL, "hierarchical",
              "two rows mixed, which serves as many positions as the "
              "square of the rows"),
    {NULL, NULL, NULL, NULL, NULL}};

static const struct pe_word amplitude_words[] = {{"rsqrt_dim", RSQRT_DIM}, {NULL, 0}};

/* The parameters of the /apply twin come last. */
static const struct pe_param params[] = {
    {PE_FIELD(struct learned, table), .type = PE_TENSOR, .table = true, .required = true,
     .summary = "the learned table, a row a position: 1,2;3,5"},
    {PE_FIELD(struct learned, pos), .type = PE_POSITIONS, .required = true, .unit = "positions",
     .when = "!attention_mask"},
    {PE_FIELD(struct learned, attention_mask), .type = PE_REALS, .matrix = true, .min = 0,
     .max = 1, .multiple_of = 1, .when = "!convention=none|bart",
     .summary =
         "rows of 1 (token) and 0 (padding), one a sequence, as 0,1,1;1,1,1, which give the "
         "positions in place of pos"},
    {PE_FIELD(struct learned, convention), .type = PE_CHOICE, .choices = learned_conventions,
     .summary = "library or model whose offset and rule of padding are followed"},
    {PE_FIELD(struct learned, offset), .type = PE_INT, .optional = true, .min = -0x1p40,
     .max = 0x1p40,
     .summary =
         "added to the positions: row pos + offset; 0 by default, or as convention says"},
    {PE_FIELD(struct learned, padding_idx), .type = PE_INT, .optional = true, .min = 0,
     .max = 0x1p40, .when = "zero_padding_row,convention=fairseq",
     .summary = "row of the table that padding has; 1 by default with convention=fairseq"},
    {PE_FIELD(struct learned, zero_padding_row), .type = PE_BOOL, .optional = true,
     .start = "padding_idx=1", PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "row padding_idx is answered as zeros, whatever the table has there"},
    {PE_FIELD(struct learned, out_of_range), .type = PE_CHOICE, .choices = beyond,
     .summary = "what a position without a row of the table becomes"},
    {PE_FIELD(struct learned, alpha), .type = PE_REAL, .min = 0, .max = 1, .preset = 0.4,
     .group = PE_GROUP_CONVENTION, .when = "out_of_range=hierarchical",
     .summary =
         "weight of row p / rows, rounded down, in a mixed row: between 0 and 1, not 0.5"},
    {PE_FIELD(struct learned, l2norm), .type = PE_BOOL, .optional = true,
     PE_OWN("x-transformers", CONVENTION, ADVANCED),
     .summary = "rows are divided by their Euclidean norm, or by 1e-12 if that is more"},
    {PE_FIELD(struct learned, amplitude), .type = PE_REAL, .preset = 1, .min = 0, .max = 1e6,
     .above_min = true, .words = amplitude_words,
     .summary =
         "factor on the rows, a number or rsqrt_dim, which is dim^-1/2 (x-transformers)"},
    COMBINE_ROWS_ALONE(struct learned),
};

static const struct pe_output outputs[] = {
    [LEARNED_ROWS] =
        {PE_OUTPUT("rows", PE_F32, "...", "dim"), .label = "Rows",
         .one_of = "pos|attention_mask",
         .summary = "a row of the table a position; with attention_mask: batch, token, dim",
         .by_default = true,
         .bound = "0.501 ULP of the table's numbers; f64 1 ULP below 1e270"},
    [LEARNED_INDEX] =
        {PE_OUTPUT("index", PE_I64, "..."), .label = "Index", .one_of = "pos|attention_mask",
         .summary = "row of the table for each position, before out_of_range; with "
                    "attention_mask: batch, token",
         .uses = PE_WORDS("pos", "attention_mask", "convention", "offset", "padding_idx"),
         .bound = "exact"},
};

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct learned *v = values;
    size_t rank = 0;

    if (v->pos) {
        dims[rank++] = pe_positions_count(v->pos);
    } else {
        dims[rank++] = v->attention_mask.rows;
        dims[rank++] = v->attention_mask.cols;
    }
    if (output == LEARNED_ROWS)
        dims[rank++] = v->table.dims[1];
    return rank;
}

enum { CHUNK = 128 };

struct state {
    const struct learned *learned;
    struct dd gain, scale;
    int64_t *numbers; /* table rows of the mask's tokens; NULL where pos is given */
};

/* Reads elements of row k as they are in the table, or as out_of_range says beyond it. */
static void read_row(const struct state *s, const void *data, int64_t k, uint64_t col,
                     uint64_t cols, double *out)
{
    const struct learned *v = s->learned;
    int64_t rows = (int64_t)v->table.dims[0];
    bool inside = k >= 0 && k < rows;

    if (v->out_of_range == LEARNED_CLAMP)
        k = k < 0 ? 0 : k < rows ? k : rows - 1;
    else if (v->out_of_range == LEARNED_WRAP)
        k = (k % rows + rows) % rows;
    if ((v->zero_padding_row && k == v->padding_idx) ||
        (v->out_of_range == LEARNED_ZERO && !inside)) {
        for (uint64_t i = 0; i < cols; i++)
            out[i] = 0;
        return;
    }
    if (inside || v->out_of_range != LEARNED_HIERARCHICAL)
        tensor_row(&v->table, data, (uint64_t)k, col, cols, out);
    else
        hierarchy_row(s->gain, &v->table, data, (uint64_t)k, col, cols, out);
}

/* Returns the factor of the row: amplitude, or amplitude / |row|. The norm is computed of the
 * row times 2^-e, with e from its largest element, so that no square leaves the range of
 * double. */
static struct dd factor_of(const struct state *s, const void *data, int64_t k)
{
    uint64_t dim = s->learned->table.dims[1];
    struct dd squares = {0, 0}, length;
    double row[CHUNK], most = 0;

    if (!s->learned->l2norm)
        return s->scale;
    for (int pass = 0, e = 0; pass < 2; pass++) {
        for (uint64_t col = 0; col < dim; col += CHUNK) {
            uint64_t some = dim - col < CHUNK ? dim - col : CHUNK;

            read_row(s, data, k, col, some, row);
            for (uint64_t i = 0; i < some; i++) {
                double x = scalbn(row[i], -e);

                if (pass == 0)
                    most = fmax(most, fabs(x));
                else
                    squares = elementary_add(squares, elementary_product(x, x));
            }
        }
        if (most == 0)
            return s->scale;
        if (pass == 0) {
            e = ilogb(most);
            continue;
        }
        length = elementary_sqrt(squares);
        length = (struct dd){scalbn(length.hi, e), scalbn(length.lo, e)};
    }
    return elementary_divide(s->scale, length.hi < 1e-12 ? (struct dd){1e-12, 0} : length);
}

/* Returns the row of the table, as it is counted before out_of_range, of an entry of the
 * answer. */
static int64_t row_at(const struct state *s, uint64_t at)
{
    return s->numbers ? s->numbers[at]
                      : (int64_t)pe_positions_at(s->learned->pos, at) + s->learned->offset;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        int64_t k = row_at(s, rect->row + row);
        double *to = out[0] + row * rect->cols;
        struct dd factor;

        read_row(s, input[0], k, rect->col, rect->cols, to);
        factor = factor_of(s, input[0], k);
        for (uint64_t i = 0; i < rect->cols; i++) {
            struct dd product = {to[i] * factor.hi, 0};

            if (factor.lo != 0 && fabs(to[i]) < 0x1p900)
                product = elementary_multiply((struct dd){to[i], 0}, factor);
            to[i] = product.hi + product.lo;
        }
    }
}

static double cost(const void *state, enum pe_dtype dtype)
{
    const struct state *s = state;

    return s->learned->l2norm ? 60 : s->learned->out_of_range == LEARNED_HIERARCHICAL ? 20 : 2;
}

static const struct pe_filler filler = {.reference = fill, .cost = cost, .ns_per_element = 2};

/* A table of one axis is one row; of two axes, a row a sequence. */
static double index_of(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct state *s = state;

    return (double)row_at(s, row * s->learned->attention_mask.cols + col);
}

static const struct pe_filler index_filler = {.element = index_of, .ns_per_element = 4};

/* Real tokens are counted along each row; padding tokens read the row before the first real
 * token's. */
static bool count_tokens(struct pe_build *build, struct state *s)
{
    const struct pe_reals *mask = &s->learned->attention_mask;

    s->numbers = pe_build_alloc(build, mask->rows * mask->cols * sizeof *s->numbers);
    for (size_t row = 0; s->numbers && row < mask->rows; row++) {
        int64_t next = s->learned->offset;

        for (size_t i = row * mask->cols; i < (row + 1) * mask->cols; i++)
            s->numbers[i] = mask->values[i] != 0 ? next++ : s->learned->offset - 1;
    }
    return s->numbers != NULL;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct learned *v = values;
    struct state *s = pe_build_alloc(build, sizeof *s);
    struct dd one = {1, 0};

    if (!s)
        return;
    s->learned = v;
    if (!v->pos && !count_tokens(build, s))
        return;
    if (!pe_args_encoding(pe_build_args(build))->rows_of) /* learned/apply has vectors alone */
        pe_build_fill(build, LEARNED_INDEX, &index_filler, s);
    if (!pe_build_wants(build, LEARNED_ROWS))
        return;
    s->scale = (struct dd){v->amplitude, 0};
    if (v->amplitude == RSQRT_DIM)
        s->scale =
            elementary_divide(one, elementary_sqrt((struct dd){(double)v->table.dims[1], 0}));
    if (v->out_of_range == LEARNED_HIERARCHICAL)
        s->gain = hierarchy_gain(v->alpha);
    pe_build_fact(build, "max_position", (double)learned_row_count(v) - 1 - (double)v->offset);
    pe_build_fill(build, LEARNED_ROWS, &filler, s);
}

const struct pe_encoding pe_encoding_learned = {
    .name = "learned",
    .title = "Learned absolute embeddings",
    .formula = "rows[p] = amplitude * table[p + offset], index[p] = p + offset\n"
               "l2norm: rows[p] = amplitude * table[p + offset] / |table[p + offset]|\n"
               "attention_mask: p = tokens of the sequence up to this one - 1, padding "
               "has p = -1",
    .when_to_use =
        "BERT, GPT-2, ViT, CLIP, RoBERTa, BART, OPT and most early transformers, whose table "
        "comes from the checkpoint. It has no row beyond the trained length: for longer "
        "texts take out_of_range=hierarchical or resize-table-1d, for other resolutions of "
        "images resize-table-2d.",
    .what_goes_wrong =
        "An offset wrong by two is the oldest bug of ports: RoBERTa and fairseq begin at row "
        "padding_idx + 1, BART and OPT at row 2, BERT and GPT-2 at row 0. RoBERTa and OPT "
        "count tokens by the mask, so that left padding without attention_mask moves all "
        "positions. The usable length is rows - offset: 512 of RoBERTa's 514.",
    .picture =
        "table=0,3,1,-2;1,3,-1,-2;2,2,-2,-1;3,1,-2,0;3,0,-1,1;3,-1,1,2;2,-2,2,2;1,-3,2,1;0,"
        "-3,1,0;-1,-3,-1,-1;-2,-2,-2,-2;-3,-1,-2,-2;-3,0,-1,-1;-3,1,1,0;-2,2,2,1;-1,3,2,2&"
        "pos=0:16",
    .summary = "rows of a learned table by position: every convention of offsets",
    .source = "fairseq learned_positional_embedding.py; transformers modeling_roberta.py, "
              "modeling_bart.py, modeling_opt.py; x-transformers AbsolutePositionalEmbedding",
    .examples = PE_WORDS("table=1,2;3,5&pos=1,0", "table=1,2;3,5&pos=0&offset=1",
                         "table=1,2;3,5&pos=0:4&out_of_range=hierarchical",
                         "table=0,0;9,9;1,2;3,4&attention_mask=0,1,1&convention=roberta",
                         "table=3,4;6,8&pos=-1:3&out_of_range=wrap&l2norm=1",
                         "table=3,4;6,8&pos=0,5&out_of_range=clamp&amplitude=rsqrt_dim",
                         "out=index&attention_mask=0,1,1&convention=roberta"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES_PART(struct learned, params, 0, PE_LEN(params) - COMBINE_COUNT_ALONE, outputs),
    .resolve = learned_resolve,
    .check = learned_check,
    .shape = shape,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_learned_apply = {
    .name = "learned/apply",
    .title = "Vectors with learned absolute embeddings",
    .picture =
        "table=1,0,2,0;0,1,0,2;2,0,1,0;0,2,0,1&pos=0:4&x=1,0,0,0;0,1,0,0;0,0,1,0;0,0,0,1",
    .summary = "embeddings with their learned rows added, put beside or multiplied",
    .source = "fairseq learned_positional_embedding.py; transformers modeling_bert.py",
    .examples = PE_WORDS("table=1,2;3,5&pos=1&x=1,2",
                         "table=1,2;3,5&pos=0&x=7&combine=concat&x_scale=sqrt_dim"),
    COMBINE_APPLY(struct learned, pe_encoding_learned, PE_ABSOLUTE, 0, NULL),
};
