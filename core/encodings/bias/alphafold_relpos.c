/* SPDX-License-Identifier: Apache-2.0
 * alphafold_relpos.c - relative positions of the residues of a protein, and of its chains.
 *
 *     residue bin: clamp(r_i - r_j + r_max, 0, 2 r_max), of other chains 2 r_max + 1
 *     token bin:   clamp(t_i - t_j + r_max, 0, 2 r_max) in one residue, else 2 r_max + 1 (3)
 *     entity:      1 for chains of the same entity                        (multimer, 3)
 *     chain bin:   clamp(s_i - s_j + s_max, 0, 2 s_max), else 2 s_max + 1 (multimer, 3)
 *
 * features has a one-hot of each side by side, bias the sum of their rows of a table. Jumper et
 * al. 2021, AlphaFold 2, algorithm 4; Evans et al. 2021, AlphaFold-Multimer; Abramson et al.
 * 2024, AlphaFold 3, algorithm 3; aqlaboratory/openfold, bytedance/Protenix embedders.py.
 */
#include <math.h>

#include "core/encoding.h"
#include "core/math/number/elementary.h"
#include "core/math/tensor_row.h"

enum { INDEX, FEATURES, BIAS };
enum { VERSION_2, VERSION_MULTIMER, VERSION_3 };
enum { RULE_ENTITY, RULE_CHAIN };
enum { ACTIVE_MOST = 4 };

struct alphafold_relpos {
    const struct pe_positions *residue_index, *asym_id, *entity_id, *sym_id, *token_index;
    int64_t r_max, s_max;
    int version, chain_rule;
    struct pe_tensor table;
};

static const struct pe_choice rules[] = {
    PE_ONE_AT(RULE_ENTITY, "entity",
              "residues of the same entity have a chain bin (code of AlphaFold)"),
    PE_ONE_AT(RULE_CHAIN, "chain",
              "residues of different chains have a chain bin (text of the AlphaFold 3 paper)"),
    {NULL, NULL, NULL, NULL, NULL}};

/* A picture of two chains of one entity. */
#define TWO_CHAINS                                                                             \
    "residue_index=0:4,0:4&r_max=8&asym_id=1,1,1,1,2,2,2,2&entity_id=1,1,1,1,1,1,1,1&"         \
    "sym_id=1,1,1,1,2,2,2,2"

static const struct pe_param params[] = {
    {PE_FIELD(struct alphafold_relpos, residue_index), .type = PE_POSITIONS, .required = true,
     PE_OWN("AlphaFold", POSITIONS, BASIC),
     .summary = "number of each residue in its chain, gaps included: 0:4 or 3,4,9"},
    {PE_FIELD(struct alphafold_relpos, asym_id), .type = PE_POSITIONS, .required = true,
     .when = "!version=2", PE_OWN("AlphaFold", POSITIONS, BASIC),
     .summary = "number of the chain of each residue: 1,1,2,2"},
    {PE_FIELD(struct alphafold_relpos, entity_id), .type = PE_POSITIONS, .required = true,
     .when = "!version=2", PE_OWN("AlphaFold", POSITIONS, BASIC),
     .summary = "number of the entity of each residue: chains of equal sequence share one"},
    {PE_FIELD(struct alphafold_relpos, sym_id), .type = PE_POSITIONS, .required = true,
     .when = "!version=2", PE_OWN("AlphaFold", POSITIONS, BASIC),
     .summary = "number of each residue's chain among the chains of its entity"},
    {PE_FIELD(struct alphafold_relpos, token_index), .type = PE_POSITIONS, .required = true,
     .when = "version=3", PE_OWN("AlphaFold", POSITIONS, BASIC),
     .summary = "number of each token: atoms of a modified residue are tokens of their own"},
    {PE_FIELD(struct alphafold_relpos, r_max), .type = PE_INT, .min = 0, .max = 65536,
     .preset = 32, PE_OWN("AlphaFold", DISTANCE, BASIC),
     .summary = "largest difference of residues and of tokens: farther ones count as this far"},
    {PE_FIELD(struct alphafold_relpos, s_max), .type = PE_INT, .min = 0, .max = 65536,
     .preset = 2, .when = "!version=2", PE_OWN("AlphaFold", DISTANCE, BASIC),
     .summary = "largest difference of chains of an entity: farther ones count as this far"},
    {PE_FIELD(struct alphafold_relpos, version),
     PE_CHOICES(PE_ONE_AT(VERSION_2, "2", "AlphaFold 2: differences of residues of one chain"),
                PE_ONE_AT_WITH(VERSION_MULTIMER, "multimer",
                               "AlphaFold-Multimer: residues, entity and chain", TWO_CHAINS),
                PE_ONE_AT_WITH(VERSION_3, "3",
                               "AlphaFold 3: residues, tokens, entity and chain",
                               TWO_CHAINS "&token_index=0:8")),
     .level = PE_BASIC, .summary = "version of AlphaFold that decides which bins there are"},
    {PE_FIELD(struct alphafold_relpos, chain_rule), .type = PE_CHOICE, .choices = rules,
     .when = "!version=2", PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "which pairs of residues have a chain bin"},
    {PE_TENSOR_TABLE(struct alphafold_relpos, table), .required = true,
     .summary = "learned table, a row for each feature, a column a channel"},
};

#define ID_NAMES                                                                               \
    "residue_index", "asym_id", "entity_id", "sym_id", "token_index", "r_max", "s_max",        \
        "version", "chain_rule"

static const struct pe_output outputs[] = {
    [INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"), .label = "Residue bins",
               .summary = "number of the residue bin of each pair", .sign = PE_NOT_NEGATIVE,
               .by_default = true, .uses = PE_WORDS(ID_NAMES), .bound = "exact"},
    [FEATURES] = {PE_OUTPUT("features", PE_F32, "q", "k", "feature"), .label = "Features",
                  .summary = "bins of each pair as ones and zeros, kind after kind",
                  .sign = PE_NOT_NEGATIVE, .uses = PE_WORDS(ID_NAMES), .bound = "exact"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "q", "k", "channel"), .label = "Bias",
              .summary = "sum of the rows of the table of the pair's features",
              .bound = "0.501 ULP; f64 1 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static uint64_t residues(const struct alphafold_relpos *a)
{
    return pe_positions_count(a->residue_index);
}

/* Checks that a list, if it is given, has one number a residue. */
static void check_list(const struct alphafold_relpos *a, const char *name,
                       const struct pe_positions *list, struct pe_errors *errors)
{
    if (list && pe_positions_count(list) != residues(a))
        pe_fail(errors, PE_CONFLICT, name, "must have one number a residue, %llu; got %llu",
                (unsigned long long)residues(a), (unsigned long long)pe_positions_count(list));
}

static int64_t bins(int64_t most) /* counts the bin of pairs without a clipped difference too */
{
    return 2 * most + 2;
}

static int64_t columns(const struct alphafold_relpos *a)
{
    if (a->version == VERSION_2)
        return 2 * a->r_max + 1;
    return (a->version == VERSION_3 ? 2 : 1) * bins(a->r_max) + 1 + bins(a->s_max);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct alphafold_relpos *a = values;

    check_list(a, "asym_id", a->asym_id, errors);
    check_list(a, "entity_id", a->entity_id, errors);
    check_list(a, "sym_id", a->sym_id, errors);
    check_list(a, "token_index", a->token_index, errors);
    if (pe_wants(args, BIAS) &&
        !tensor_row_check(&a->table, "table", "columns,channels", errors) &&
        a->table.dims[0] != (uint64_t)columns(a))
        pe_fail(errors, PE_CONFLICT, "table", "must have %lld rows, one a column; got %llu",
                (long long)columns(a), (unsigned long long)a->table.dims[0]);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct alphafold_relpos *a = values;

    return (struct pe_interval){0, (double)(2 * a->r_max + (a->version != VERSION_2))};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct alphafold_relpos *a = values;

    dims[0] = dims[1] = residues(a);
    dims[2] = output == FEATURES ? (uint64_t)columns(a) : a->table.dims[1];
    return output == INDEX ? 2 : 3;
}

/* ---- bins -------------------------------------------------------------------------------- */

static double clip(double difference, int64_t most)
{
    return fmin(fmax(difference + (double)most, 0), 2 * (double)most);
}

static double difference(const struct pe_positions *list, uint64_t i, uint64_t j)
{
    return pe_positions_at(list, i) - pe_positions_at(list, j);
}

/* Writes the numbers of the columns that hold 1, the residue bin first, and returns their
 * count. */
static size_t active(const struct alphafold_relpos *a, uint64_t i, uint64_t j,
                     double out[ACTIVE_MOST])
{
    double residue = difference(a->residue_index, i, j), first = 0;
    bool same_chain, same_entity, has_bin;
    size_t count = 0;

    if (a->version == VERSION_2) {
        out[0] = clip(residue, a->r_max);
        return 1;
    }
    same_chain = difference(a->asym_id, i, j) == 0;
    same_entity = difference(a->entity_id, i, j) == 0;
    out[count++] = same_chain ? clip(residue, a->r_max) : (double)bins(a->r_max) - 1;
    first += (double)bins(a->r_max);
    if (a->version == VERSION_3) {
        out[count++] = first + (same_chain && residue == 0
                                    ? clip(difference(a->token_index, i, j), a->r_max)
                                    : (double)bins(a->r_max) - 1);
        first += (double)bins(a->r_max);
    }
    if (same_entity)
        out[count++] = first;
    has_bin = a->chain_rule == RULE_ENTITY ? same_entity : !same_chain;
    out[count++] =
        first + 1 +
        (has_bin ? clip(difference(a->sym_id, i, j), a->s_max) : (double)bins(a->s_max) - 1);
    return count;
}

static double index_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    double bin[ACTIVE_MOST];

    active(state, row, col, bin);
    return bin[0];
}

static void fill_features(const void *state, const struct pe_rect *rect, double *const out[],
                          const void *const input[], void *scratch)
{
    const struct alphafold_relpos *a = state;
    double on[ACTIVE_MOST];

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t pair = rect->row + row;
        size_t count = active(a, pair / residues(a), pair % residues(a), on);

        for (uint64_t col = 0; col < rect->cols; col++) {
            double value = 0;

            for (size_t t = 0; t < count; t++)
                value += on[t] == (double)(rect->col + col);
            out[0][row * rect->cols + col] = value;
        }
    }
}

static void fill_bias(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch)
{
    const struct alphafold_relpos *a = state;
    uint64_t channels = a->table.dims[1];
    double on[ACTIVE_MOST];

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t pair = rect->row + row;
        size_t count = active(a, pair / residues(a), pair % residues(a), on);

        for (uint64_t col = 0; col < rect->cols; col++) {
            struct dd sum = {0, 0};

            for (size_t t = 0; t < count; t++)
                sum = elementary_add(sum, (struct dd){tensor_row_at(&a->table, input[0],
                                                                    (uint64_t)on[t] * channels +
                                                                        rect->col + col),
                                                      0});
            out[0][row * rect->cols + col] = sum.hi + sum.lo;
        }
    }
}

static const struct pe_filler index_filler = {.element = index_at, .ns_per_element = 60};
static const struct pe_filler features_filler = {.reference = fill_features,
                                                 .ns_per_element = 5};
static const struct pe_filler bias_filler = {.reference = fill_bias, .ns_per_element = 40};

static void prepare(struct pe_build *build, const void *values)
{
    pe_build_fill(build, FEATURES, &features_filler, values);
    pe_build_fill(build, BIAS, &bias_filler, values);
    pe_build_fact(build, "columns", (double)columns(values));
}

const struct pe_encoding pe_encoding_alphafold_relpos = {
    .name = "alphafold-relpos",
    .title = "AlphaFold relative positions",
    .formula = "residue bin = clamp(r_i - r_j + r_max, 0, 2 r_max), 2 r_max + 1 for other "
               "chains; chain bin = clamp(s_i - s_j + s_max, 0, 2 s_max), else 2 s_max + 1; "
               "bias = features . table",
    .when_to_use = "AlphaFold 2, AlphaFold-Multimer, AlphaFold 3 and their ports (OpenFold, "
                   "Protenix) add it to the pair representation.",
    .what_goes_wrong =
        "Residues that are missing from a structure leave gaps in residue_index, which 0:n "
        "hides. The text of the AlphaFold 3 paper gives a chain bin to different chains, the "
        "code to residues of the same entity (chain_rule).",
    .picture = "residue_index=0:20,26:38&r_max=8"
               "&table=8;7;6;5;4;3;2;1;0;-1;-2;-3;-4;-5;-6;-7;-8",
    .summary = "relative positions of residues and chains of proteins",
    .source = "Jumper et al. 2021, AlphaFold 2, algorithm 4; AlphaFold-Multimer; Abramson et "
              "al. 2024, AlphaFold 3, algorithm 3; openfold, Protenix embedders.py",
    .examples = PE_WORDS(
        "residue_index=0:4&r_max=2", "residue_index=0:2&r_max=1&out=features",
        "residue_index=0,1,0,1&asym_id=1,1,2,2&entity_id=1,1,1,1&sym_id=1,1,2,2"
        "&version=multimer&r_max=1&s_max=1&out=features",
        "residue_index=0,0,1&asym_id=1,1,2&entity_id=1,1,2&sym_id=1,1,1&token_index=0:3"
        "&version=3&chain_rule=chain",
        "residue_index=0:2&r_max=1&out=bias&table=1,2;3,4;5,6"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct alphafold_relpos, params, outputs),
    .check = check,
    .range = range,
    .shape = shape,
    .filler = &index_filler,
    .prepare = prepare,
};
