/* SPDX-License-Identifier: Apache-2.0
 * hierarchical.c - extends a learned table of R rows to R^2 positions.
 *
 *     p(k) = alpha u[floor(k / R)] + (1 - alpha) u[k mod R]
 *     u[k] = (E[k] - alpha E[0]) / (1 - alpha)
 *
 * p(k) is E[k] itself for k < R (math/hierarchy.h): BERT's 512 rows reach 262144 positions.
 *
 * Su 2020, kexue.fm/archives/7947; bert4keras layers.py, PositionEmbedding(hierarchical). */
#include "core/math/hierarchy.h"

enum { ROWS };

struct hierarchical {
    struct pe_tensor table;
    const struct pe_positions *pos;
    double alpha;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct hierarchical, table), .type = PE_TENSOR, .table = true, .required = true,
     .summary = "the learned table, a row a position: 1,2;3,5"},
    PE_ROW_POS(struct hierarchical, false),
    {PE_FIELD(struct hierarchical, alpha), .type = PE_REAL, .min = 0, .max = 1, .preset = 0.4,
     .group = PE_GROUP_CONVENTION,
     .summary =
         "weight of row p / rows, rounded down, in a mixed row: between 0 and 1, not 0.5"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .summary =
                  "a row a position; positions within the table have the table's own rows",
              .by_default = true, .bound = "0.501 ULP of the table's numbers; f64 1 ULP"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct hierarchical *v = values;
    double low, high, rows;

    hierarchy_check(v->alpha, errors);
    if (errors->count == 0)
        tensor_row_check(&v->table, "table", "rows,dim", errors);
    if (errors->count > 0)
        return;
    pe_positions_range(v->pos, &low, &high);
    rows = (double)hierarchy_rows(v->table.dims[0]);
    if (low >= 0 && high < rows)
        return;
    pe_fail(errors, PE_OUT_OF_RANGE, "pos",
            "must be 0..%.0f, the square of the table's rows; got %.0f", rows - 1,
            low < 0 ? low : high);
}

struct state {
    const struct hierarchical *values;
    struct dd gain;
};

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;
    const struct hierarchical *v = s->values;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t k = (uint64_t)pe_positions_at(v->pos, rect->row + row);

        hierarchy_row(s->gain, &v->table, input[0], k, rect->col, rect->cols,
                      out[0] + row * rect->cols);
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 20};

static void prepare(struct pe_build *build, const void *values)
{
    struct state *s = pe_build_alloc(build, sizeof *s);

    if (!s)
        return;
    s->values = values;
    s->gain = hierarchy_gain(s->values->alpha);
    pe_build_fact(build, "max_position", (double)hierarchy_rows(s->values->table.dims[0]) - 1);
    pe_build_fill(build, ROWS, &filler, s);
}

const struct pe_encoding pe_encoding_hierarchical = {
    .name = "hierarchical",
    .title = "Hierarchical decomposition of a learned table",
    .formula = "rows[p] = alpha u[floor(p / R)] + (1 - alpha) u[p mod R], R = rows of table\n"
               "u[k] = (table[k] - alpha table[0]) / (1 - alpha)",
    .when_to_use =
        "Stretches the learned positions of a trained model without training: the 512 rows "
        "of BERT reach 262144 positions, and the first 512 keep their rows. The same rule is "
        "out_of_range=hierarchical of learned; to stretch a table smoothly take "
        "resize-table-1d.",
    .what_goes_wrong =
        "With alpha=0.5 positions (i, j) and (j, i) would have one row, so it is refused. "
        "Computed in float32, the first R rows differ from the table in their last bits, "
        "while they are the table's own here. Rows beyond R have a larger norm than the "
        "model has seen, where alpha is near 1.",
    .picture =
        "table=0,4,1,0,2,1;1,3,0,2,1,0;2,2,1,4,0,1;3,1,2,2,1,3;4,0,3,0,2,1;3,1,4,1,3,0;2,2,3,"
        "3,4,1;1,3,2,1,3,2&pos=0:64",
    .summary = "learned rows mixed in pairs, for the square of a table's positions",
    .source = "Su 2020, kexue.fm/archives/7947; bert4keras layers.py, PositionEmbedding",
    .examples = PE_WORDS("table=1,2;3,5&pos=0:4", "table=1,2;3,5;0,-1&pos=8,3&alpha=0.25"),
    .family = PE_ABSOLUTE,
    .kind = PE_INPUT,
    PE_TABLES(struct hierarchical, params, outputs),
    .check = check,
    .lengths = PE_WORDS("dim=table.1"),
    .prepare = prepare,
};
