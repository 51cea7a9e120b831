/* SPDX-License-Identifier: Apache-2.0
 * transformer_xl.c - scores of contents and of sinusoids of the distance, with two learned
 * vectors in place of the query's position.
 *
 *     score = ((q_i + u) . k_j + (q_i + v) . (w_r^T R(i - j))) softmax_scale
 *     R(d) = [sin(d w) | cos(d w)],   w_c = base^(-2 c / d_model)
 *
 * XLNet adds (q_i + r_s_bias) . seg_embed[s] in the bracket, s = 0 within a segment, else 1.
 * raw_bd is the second term, unscaled, before the relative shift; its columns have the
 * distances of table's rows R, which distance_order names. Dai et al. 2019, Transformer-XL,
 * section 3.3; kimiyoung/transformer-xl mem_transformer.py; Yang et al. 2019, XLNet;
 * transformers modeling_xlnet.py; Gulati et al. 2020, Conformer; NVIDIA/NeMo
 * multi_head_attention.py.
 */
#include <math.h>

#include "core/encodings/bias/transformer_xl.h"
#include "core/math/relative/lookup.h"

static const double most_products = 0x1p30; /* that many take some seconds */

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct transformer_xl, pairs),
    {PE_FIELD(struct transformer_xl, max_distance), .type = PE_INT, .optional = true, .min = 1,
     .max = 0x1p40, .summary = "distance beyond which all count as this far (clamp_len)"},
    PE_ROW_BASE(struct transformer_xl),
    {PE_FIELD(struct transformer_xl, softmax_scale), .type = PE_REAL, .optional = true,
     .min = -1e18, .max = 1e18,
     .summary = "factor on the scores; by default dim^-0.5 with the width of a head"},
    {PE_FIELD(struct transformer_xl, distance_order),
     PE_CHOICES(
         PE_ONE_AT(XL_ORDER_XL, "transformer-xl",
                   "Transformer-XL: distances from keys - 1 down to 0"),
         PE_ONE_AT(
             XL_ORDER_XLNET, "xlnet",
             "XLNet: distances from keys down to 1 - queries, or to 0 with attn_type=uni"),
         PE_ONE_AT(XL_ORDER_CONFORMER, "conformer",
                   "Conformer: distances from keys - 1 down to 1 - keys")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary =
         "code whose order of distances the rows of table and the columns of raw_bd have"},
    {PE_FIELD(struct transformer_xl, attn_type),
     PE_CHOICES(
         PE_ONE_AT(XL_ATTN_BI, "bi", "the distances include keys on both sides of the query"),
         PE_ONE_AT(XL_ATTN_UNI, "uni", "the distances include keys of the past only")),
     .when = "distance_order=xlnet", PE_OWN("XLNet", CONVENTION, ADVANCED),
     .summary = "whether the distances include keys after the query"},
    {PE_FIELD(struct transformer_xl, bi_data), .type = PE_BOOL, .when = "distance_order=xlnet",
     PE_OWN("XLNet", CONVENTION, ADVANCED),
     .summary = "each row of table is followed by the row of the negated distance (bi_data)"},
    {PE_FIELD(struct transformer_xl, dim), .type = PE_INT, .required = true, .min = 2,
     .max = 65536, .multiple_of = 2, .summary = "width of the rows of table (d_model)"},
    {PE_WEIGHTS(struct transformer_xl, w_r), .matrix = true, .required = true,
     PE_OWN("Transformer-XL", WEIGHTS, BASIC),
     .summary = "weights that project the sinusoids: d_model rows of heads times dim"},
    {PE_WEIGHTS(struct transformer_xl, u), .matrix = true,
     PE_OWN("Dai et al. 2019", WEIGHTS, BASIC),
     .summary = "learned vector u that meets the keys, a row a head (r_w_bias); 0 by default"},
    {PE_WEIGHTS(struct transformer_xl, v), .matrix = true,
     PE_OWN("Dai et al. 2019", WEIGHTS, BASIC),
     .summary =
         "learned vector v that meets the distances, a row a head (r_r_bias); 0 by default"},
    {PE_WEIGHTS(struct transformer_xl, seg_embed), .matrix = true,
     PE_OWN("XLNet", WEIGHTS, ADVANCED),
     .summary =
         "learned vectors of segments: a row for the same segment and one for another, heads "
         "times dim wide"},
    {PE_WEIGHTS(struct transformer_xl, r_s_bias), .matrix = true, .when = "seg_embed",
     PE_OWN("XLNet", WEIGHTS, ADVANCED),
     .summary = "learned vector that meets seg_embed, a row a head; 0 by default"},
    {PE_FIELD(struct transformer_xl, q_segment_ids), .type = PE_REALS, .required = true,
     .min = 0, .max = 0x1p53, .when = "seg_embed", PE_OWN("posenc", POSITIONS, ADVANCED),
     .summary = "segment of each query (token_type_ids)"},
    {PE_FIELD(struct transformer_xl, k_segment_ids), .type = PE_REALS, .min = 0, .max = 0x1p53,
     .when = "seg_embed", PE_OWN("posenc", POSITIONS, ADVANCED),
     .summary = "segment of each key; by default those of the queries"},
    {PE_TENSOR_TABLE(struct transformer_xl, queries), .required = true,
     .summary = "query vectors, as heads, positions, dim; or of one head"},
    {PE_TENSOR_TABLE(struct transformer_xl, keys), .required = true,
     .summary = "key vectors, as heads, positions, dim; or of one head"},
};

#define DISTANCE_NAMES "len", "q", "k", "max_distance"

static const struct pe_output outputs[] = {
    [XL_DISTANCE] = {PE_OUTPUT("distance", PE_I64, "q", "k"), .label = "Distance",
                     .one_of = QUERY_KEY_ONE_OF, .picture = "len=48&max_distance=16",
                     .summary = "distance whose sinusoid belongs to each query and key",
                     .by_default = true, .uses = PE_WORDS(DISTANCE_NAMES), .bound = "exact"},
    [XL_SCORES] =
        {PE_OUTPUT("scores", PE_F32, "heads", "q", "k"), .label = "Scores",
         .one_of = QUERY_KEY_ONE_OF,
         .summary = "attention scores of each head, query and key: all terms together",
         .uses = PE_WORDS(DISTANCE_NAMES, "base", "softmax_scale", "w_r", "u", "v", "seg_embed",
                          "r_s_bias", "q_segment_ids", "k_segment_ids", "queries", "keys"),
         .bound = "0.501 ULP of sums above 2^-20 of their terms; f64 2^-52 of the terms"},
    [XL_RAW_BD] = {PE_OUTPUT("raw_bd", PE_F32, "heads", "q", "column"),
                   .label = "Second term, unshifted", .one_of = QUERY_KEY_ONE_OF,
                   .summary = "second term before the relative shift, as code computes it",
                   .uses = PE_WORDS(DISTANCE_NAMES, "base", "distance_order", "attn_type",
                                    "w_r", "v", "queries"),
                   .bound =
                       "0.501 ULP of sums above 2^-20 of their terms; f64 2^-52 of the terms"},
    [XL_TABLE] = {PE_OUTPUT("table", PE_F32, "distance", "batch", "dim"),
                  .label = "Table of sinusoids", .one_of = QUERY_KEY_ONE_OF,
                  .picture = "len=48&dim=32", .columns = PE_COLUMN_ELEMENT,
                  .summary = "sinusoids R, a row a distance in distance_order",
                  .uses = PE_WORDS(DISTANCE_NAMES, "base", "distance_order", "attn_type",
                                   "bi_data", "dim"),
                  .bound = "0.501 ULP; f64 1 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct transformer_xl *xl = values;

    lookup_one_head(&xl->queries);
    lookup_one_head(&xl->keys);
    if (xl->distance_order != XL_ORDER_XLNET)
        xl->attn_type = -1; /* only XLNet's order uses it */
    query_key_resolve(args, offsetof(struct transformer_xl, pairs), true, true, errors);
}

static void check_bias(const char *name, const struct pe_reals *bias,
                       const struct pe_tensor *queries, struct pe_errors *errors)
{
    if (bias->rows > 0 && (bias->rows != queries->dims[0] || bias->cols != queries->dims[2]))
        pe_fail(errors, PE_CONFLICT, name,
                "must have a row a head, %llu, of %llu elements; got %zu of %zu",
                (unsigned long long)queries->dims[0], (unsigned long long)queries->dims[2],
                bias->rows, bias->cols);
}

static void check_order(const struct pe_args *args, const struct transformer_xl *xl,
                        struct pe_errors *errors)
{
    if (xl->distance_order == XL_ORDER_CONFORMER &&
        pe_positions_count(xl->pairs.q) != pe_positions_count(xl->pairs.k))
        pe_fail(errors, PE_CONFLICT, "distance_order",
                "conformer has as many queries as keys; got %llu and %llu",
                (unsigned long long)pe_positions_count(xl->pairs.q),
                (unsigned long long)pe_positions_count(xl->pairs.k));
}

static void check_projection(const struct pe_args *args, const struct transformer_xl *xl,
                             struct pe_errors *errors)
{
    uint64_t wide = xl->queries.dims[0] * xl->queries.dims[2];
    double products;

    if (xl->w_r.cols != wide || xl->w_r.rows % 2 != 0)
        pe_fail(errors, PE_CONFLICT, "w_r",
                "must have an even count of rows (d_model) of %llu elements, heads times dim; "
                "got %zu of %zu",
                (unsigned long long)wide, xl->w_r.rows, xl->w_r.cols);
    products = transformer_xl_scores_products(args, xl);
    if (errors->count > 0 || products <= most_products)
        return;
    pe_fail(errors, PE_TOO_LARGE, "w_r", "needs %.0f products for all distances; at most %.0f",
            products, most_products);
    pe_note_limit(errors, (uint64_t)most_products, (uint64_t)fmin(products, 0x1p63));
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct transformer_xl *xl = values;
    bool scores = pe_wants(args, XL_SCORES), raw = pe_wants(args, XL_RAW_BD);

    if (raw || pe_wants(args, XL_TABLE))
        check_order(args, xl, errors);
    if (!scores && !raw)
        return;
    lookup_check_vectors(&xl->queries, "queries", "queries", pe_positions_count(xl->pairs.q),
                         errors);
    if (scores && errors->count == 0)
        lookup_check_vectors(&xl->keys, "keys", "keys", pe_positions_count(xl->pairs.k),
                             errors);
    if (scores && errors->count == 0)
        lookup_check_alike(&xl->keys, "keys", &xl->queries, errors);
    if (errors->count > 0)
        return;
    check_bias("u", &xl->u, &xl->queries, errors);
    check_bias("v", &xl->v, &xl->queries, errors);
    check_bias("r_s_bias", &xl->r_s_bias, &xl->queries, errors);
    if (scores)
        transformer_xl_segments_check(xl, errors);
    check_projection(args, xl, errors);
}

double transformer_xl_distance(const struct transformer_xl *xl, double difference)
{
    double most = xl->max_distance == PE_ABSENT_INT ? INFINITY : (double)xl->max_distance;

    return fmin(fmax(difference, -most), most);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct transformer_xl *xl = values;
    double low, high;

    query_key_range(&xl->pairs, &low, &high);
    return (struct pe_interval){transformer_xl_distance(xl, low),
                                transformer_xl_distance(xl, high)};
}

uint64_t transformer_xl_rows(const struct transformer_xl *xl, double *first)
{
    uint64_t queries = pe_positions_count(xl->pairs.q), keys = pe_positions_count(xl->pairs.k);

    *first = (double)keys - (xl->distance_order == XL_ORDER_XLNET ? 0 : 1);
    if (xl->distance_order == XL_ORDER_XLNET)
        return keys + (xl->attn_type == XL_ATTN_UNI ? 1 : queries);
    return xl->distance_order == XL_ORDER_CONFORMER && keys > 0 ? 2 * keys - 1 : keys;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct transformer_xl *xl = values;
    double first;

    if (output == XL_DISTANCE)
        return query_key_shape(&xl->pairs, dims);
    if (output == XL_TABLE)
        return transformer_xl_table_shape(xl, dims);
    dims[0] = xl->queries.dims[0];
    query_key_shape(&xl->pairs, dims + 1);
    if (output == XL_RAW_BD)
        dims[2] = transformer_xl_rows(xl, &first);
    return 3;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const double pairs =
        pe_wants(args, XL_TABLE) ? (double)((const struct transformer_xl *)values)->dim / 2 : 0;

    return 10 * transformer_xl_scores_products(args, values) + 350 * pairs;
}

static double distance_at(const void *rule, double difference)
{
    return transformer_xl_distance(rule, difference);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct transformer_xl *xl = values;

    query_key_fill_difference(build, XL_DISTANCE, distance_at, xl, &xl->pairs);
    transformer_xl_scores_fill(build, xl);
    if (pe_wants(pe_build_args(build), XL_TABLE))
        transformer_xl_table_fill(build, xl);
    pe_build_fact_text(build, "sign", "distances are query - key");
}

const struct pe_encoding pe_encoding_transformer_xl = {
    .name = "transformer-xl",
    .title = "Transformer-XL and XLNet",
    .formula = "score = ((q_i + u) . k_j + (q_i + v) . (w_r^T R(i - j))) softmax_scale; R(d) = "
               "[sin(d w) | cos(d w)]",
    .when_to_use =
        "Transformer-XL, XLNet, Conformer and NeMo speech models compute scores in this way. "
        "shaw has learned vectors in place of the sinusoids.",
    .what_goes_wrong =
        "R has all sines, then all cosines, and its rows run from the largest distance down: "
        "the relative shift depends on that order. XLNet's table has more rows than "
        "Transformer-XL's, and the sign of the distance differs in its cosines only by "
        "symmetry.",
    .picture =
        "len=8&w_r=0,0.841,0.909,0.141;0.909,0.141,-0.757,-0.959;-0.757,-0.959,-0.279,0.657;"
        "-0.279,0.657,0.989,0.412&queries=1,0.54,-0.416,-0.99;0.765,-0.129,-0.904,-0.848;"
        "0.17,-0.737,-0.967,-0.307;-0.505,-0.999,-0.575,0.378;-0.942,-0.791,0.087,0.886;"
        "-0.936,-0.211,0.709,0.977;-0.49,0.469,0.997,0.608;0.187,0.927,0.816,-0.046&keys=0,"
        "0.891,0.808,-0.158;0.389,0.997,0.516,-0.53;0.717,0.946,0.141,-0.818;0.932,0.746,"
        "-0.256,-0.978;1,0.427,-0.612,-0.982;0.909,0.042,-0.872,-0.832;0.675,-0.351,-0.994,"
        "-0.551;0.335,-0.688,-0.959,-0.182&u=1,0,0,1&v=0,1,1,0&dim=4",
    .summary = "scores of contents and of sinusoids of the distance (XLNet too)",
    .source = "Dai et al. 2019, Transformer-XL, section 3.3; kimiyoung/transformer-xl "
              "mem_transformer.py; Yang et al. 2019, XLNet; Gulati et al. 2020, Conformer",
    .examples = PE_WORDS("q=2:4&k=0:4", "len=4&max_distance=2",
                         "len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&u=1,2",
                         "len=2&out=scores&w_r=1,2;3,4&queries=1,0;0,1&keys=1,1;2,0&"
                         "seg_embed=1,2;3,4&q_segment_ids=0,1",
                         "len=3&out=table&dim=4&distance_order=xlnet&bi_data=1",
                         "len=2&out=raw_bd&distance_order=xlnet&w_r=1,2;3,4&queries=1,0;"
                         "0,1&v=1,0"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct transformer_xl, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
