/* SPDX-License-Identifier: Apache-2.0
 * gguf_in.c - reads a GGUF file as the inverse frequencies that llama.cpp computes from it: of
 * the base, the rotated columns and the linear or YaRN scaling in its metadata, which is linear
 * where a factor has no type (llama.cpp's src/llama-model.cpp), divided by the tensor
 * rope_freqs.weight, into which its converter puts Llama 3's scaling. Weights are passed over,
 * so a file that is cut behind rope_freqs.weight is enough. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/gguf/gguf.h"
#include "proto/tensors/gguf/gguf_type.h"
#include "proto/tensors/tensor_format.h"

enum { PAIRS_MOST = 1024, WORD_SIZE = 16, ELEMENT_MOST = 8 };
#define FREQ_FACTORS "rope_freqs.weight"

struct gguf_body {
    struct gguf head;
    double base, rotary_dim, key_length, width, heads;
    double factor, scale_linear, context, context_length, beta_fast, beta_slow;
    char scaling[WORD_SIZE]; /* "": none is named */
    bool not_finite;         /* a number of these is not */
    bool has_lists, has_factors;
    struct gguf_tensor factors;      /* rope_freqs.weight, if the file has it */
    const struct element_type *type; /* of its numbers; NULL: they are not read */
    unsigned char bytes[PAIRS_MOST * ELEMENT_MOST]; /* its numbers, as in the file */
    size_t have;                                    /* bytes of them so far */
    bool wrong_factors;                             /* it is no list of a length that is read */
};

/* ---- metadata ---------------------------------------------------------------------------- */

/* The keys that are read: a key is the name of an architecture and one of these ends. Its
 * number is stored at the offset. */
static const struct {
    const char *end;
    size_t offset;
} keys[] = {
    {".rope.freq_base", offsetof(struct gguf_body, base)},
    {".rope.dimension_count", offsetof(struct gguf_body, rotary_dim)},
    {".attention.key_length", offsetof(struct gguf_body, key_length)},
    {".embedding_length", offsetof(struct gguf_body, width)},
    {".attention.head_count", offsetof(struct gguf_body, heads)},
    {".rope.scaling.factor", offsetof(struct gguf_body, factor)},
    {".rope.scale_linear", offsetof(struct gguf_body, scale_linear)},
    {".rope.scaling.original_context_length", offsetof(struct gguf_body, context)},
    {".rope.scaling.yarn_beta_fast", offsetof(struct gguf_body, beta_fast)},
    {".rope.scaling.yarn_beta_slow", offsetof(struct gguf_body, beta_slow)},
    {".context_length", offsetof(struct gguf_body, context_length)},
};

/* Returns whether the key is the name of an architecture, and then `end`. */
static bool is_key(const char *key, const char *end)
{
    const char *dot = strchr(key, '.');

    return dot && strcmp(dot, end) == 0;
}

static void take_number(void *context, const char *key, double value)
{
    struct gguf_body *body = context;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!is_key(key, keys[i].end))
            continue;
        memcpy((char *)body + keys[i].offset, &value, sizeof value);
        body->not_finite = body->not_finite || !isfinite(value);
    }
}

static void take_text(void *context, const char *key, const char *value)
{
    struct gguf_body *body = context;

    if (is_key(key, ".rope.scaling.type"))
        snprintf(body->scaling, sizeof body->scaling, "%.*s", WORD_SIZE - 1, value);
}

static void take_tensor(void *context, const struct gguf_tensor *tensor)
{
    struct gguf_body *body = context;

    if (strncmp(tensor->name, "rope_factors_", strlen("rope_factors_")) == 0)
        body->has_lists = true;
    if (strcmp(tensor->name, FREQ_FACTORS) != 0)
        return;
    body->has_factors = true;
    body->factors = *tensor;
    const struct gguf_type *type = gguf_type_find(tensor->type);
    body->type = type && type->element ? element_type_find(type->element) : NULL;
    body->wrong_factors =
        tensor->rank != 1 || tensor->dims[0] == 0 || tensor->dims[0] > PAIRS_MOST;
}

/* Returns the bytes of rope_freqs.weight, 0 where there are none that are read. */
static size_t size_of_factors(const struct gguf_body *body)
{
    return body->type && !body->wrong_factors ? (size_t)body->factors.dims[0] * body->type->size
                                              : 0;
}

/* Keeps the bytes of rope_freqs.weight that are among these, which begin at byte `at`. */
static void keep_factors(struct gguf_body *body, uint64_t at, const char *bytes, size_t len)
{
    const size_t size = size_of_factors(body);
    uint64_t next;

    if (body->have == size ||
        __builtin_add_overflow(body->head.data, body->factors.offset, &next) ||
        __builtin_add_overflow(next, body->have, &next) || next < at || next - at >= len)
        return;
    const size_t skip = (size_t)(next - at), left = size - body->have;
    const size_t part = len - skip < left ? len - skip : left;

    memcpy(body->bytes + body->have, bytes + skip, part);
    body->have += part;
}

/* ---- frequencies ------------------------------------------------------------------------- */

static double rotary_dim(const struct gguf_body *body)
{
    if (body->rotary_dim > 0)
        return body->rotary_dim;
    if (body->key_length > 0)
        return body->key_length;
    return body->heads > 0 ? floor(body->width / body->heads) : 0;
}

static void set(struct pe_args *args, const char *name, double value, struct pe_errors *errors)
{
    pe_args_set_number(args, name, strlen(name), value, errors);
}

static void set_word(struct pe_args *args, const char *name, const char *word,
                     struct pe_errors *errors)
{
    pe_args_set_text(args, name, strlen(name), word, strlen(word), errors);
}

/* Sets YaRN's blend of the scaled and the unscaled frequencies. */
static void set_yarn(struct pe_args *args, const struct gguf_body *body,
                     struct pe_errors *errors)
{
    const double context = body->context > 0 ? body->context : body->context_length;

    set(args, "ext_factor", 1, errors);
    if (body->beta_fast > 0)
        set(args, "beta_fast", body->beta_fast, errors);
    if (body->beta_slow > 0)
        set(args, "beta_slow", body->beta_slow, errors);
    if (context > 0)
        set(args, "original_max_position_embeddings", context, errors);
}

static void set_scaling(struct pe_args *args, const struct gguf_body *body,
                        struct pe_errors *errors)
{
    const double factor = body->factor > 0 ? body->factor : body->scale_linear;
    double factors[PAIRS_MOST], elements[PAIRS_MOST]; /* of at most eight bytes */
    const size_t count = body->has_factors ? (size_t)body->factors.dims[0] : 0;

    set_word(args, "scaling", "ggml", errors);
    if (factor > 0 && strcmp(body->scaling, "none") != 0)
        set(args, "freq_scale", (double)(float)(1 / factor), errors);
    if (strcmp(body->scaling, "yarn") == 0)
        set_yarn(args, body, errors);
    if (count == 0)
        return;
    (void)element_type_read(body->type, false, elements, 1, body->bytes, count);
    pe_dtype_to_f64(body->type->dtype, factors, elements, count);
    pe_args_set_reals(args, "freq_factors", strlen("freq_factors"), factors, 1, count, errors);
}

/* Plans the inverse frequencies as float32; the plan keeps the arguments. */
static enum pe_status plan(struct pe_plan **made, const struct gguf_body *body,
                           struct pe_errors *errors)
{
    const struct pe_limits limits = {.max_elements = PAIRS_MOST,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct pe_args *args = pe_args_new(pe_find("rope", 4));
    enum pe_status status = PE_NO_MEMORY;

    if (!args)
        return pe_fail(errors, PE_NO_MEMORY, "", "out of memory");
    set(args, "dim", rotary_dim(body), errors);
    if (body->base > 0)
        set(args, "base", body->base, errors);
    set_scaling(args, body, errors);
    set_word(args, "out", "inv_freq", errors);
    status = errors->count > 0 ? errors->at[0].status : pe_args_check(args, errors);
    if (status == PE_OK)
        status = pe_plan_new(made, args, NULL, &limits, errors);
    pe_args_free(args);
    return status;
}

static void hand_over(struct tensor_reader *reader, const struct pe_plan *made)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(made, 0);
    const struct pe_tensor info = {.dtype = PE_F32, .rank = 1, .dims = {tensor->cols}};
    const struct tensor_layout layout = tensor_layout_of(&info);
    const struct pe_rect all = {.rows = 1, .cols = tensor->cols};
    float inv_freq[PAIRS_MOST];
    void *scratch = aligned_alloc(64, (pe_plan_scratch(made, tensor->cols) + 64) / 64 * 64);

    if (!scratch) {
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
        return;
    }
    pe_fill(made, tensor->group, &all, (void *const[]){inv_freq}, NULL, scratch);
    free(scratch);
    if (tensor_reader_expect(reader, "inv_freq", &layout) != TENSOR_OK)
        return;
    tensor_reader_begin_tensor(reader);
    if (reader->state == TENSOR_OK)
        (void)tensor_reader_fill(reader, (const char *)inv_freq,
                                 (size_t)tensor->cols * sizeof *inv_freq);
    reader->in_data = true;
}

static void compute(struct tensor_reader *reader, const struct gguf_body *body)
{
    struct pe_errors errors = {.count = 0};
    struct pe_plan *made = NULL;

    if (plan(&made, body, &errors) == PE_OK)
        hand_over(reader, made);
    else if (errors.at[0].status == PE_NO_MEMORY)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    else
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the metadata gives no rotation: %.40s %.120s",
                           errors.at[0].parameter, errors.at[0].detail);
    pe_plan_free(made);
}

/* ---- the body ---------------------------------------------------------------------------- */

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    static const struct gguf_calls calls = {take_number, take_text, take_tensor};
    struct gguf_body *body = reader->head;
    const size_t used = gguf_read(&body->head, &calls, body, bytes, len);

    if (len > reader->source.max_bytes - reader->taken)
        tensor_reader_fail(reader, TENSOR_TOO_LARGE, "a body has at most %ju bytes",
                           (uintmax_t)reader->source.max_bytes);
    else if (body->head.why)
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%s", body->head.why);
    else if (body->head.over)
        keep_factors(body, reader->taken + used, bytes + used, len - used);
    return len;
}

/* Refuses numbers of a type that is not read. */
static void refuse_type(struct tensor_reader *reader, uint32_t number)
{
    const struct gguf_type *type = gguf_type_find(number);

    if (type)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           FREQ_FACTORS " is quantised in blocks (%s), which are not read: "
                                        "convert it to F32, as llama.cpp writes it",
                           type->name);
    else
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           FREQ_FACTORS " has type %" PRIu32 " of ggml, which is not known: "
                                        "convert it to F32",
                           number);
}

static void finish(struct tensor_reader *reader)
{
    const struct gguf_body *body = reader->head;
    const size_t size = size_of_factors(body);

    if (!body->head.over)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the file ends within its metadata and list of tensors");
    else if (body->not_finite)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "a number of the metadata about rotation is not finite");
    else if (body->has_lists)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the file has rope_factors_long.weight, whose frequencies depend on "
                           "the length: send the inv_freq of one length");
    else if (body->wrong_factors)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           FREQ_FACTORS " must be a list of 1 to %d numbers", PAIRS_MOST);
    else if (body->has_factors && !body->type)
        refuse_type(reader, body->factors.type);
    else if (body->has_factors && body->have < size)
        tensor_reader_fail(reader, TENSOR_MALFORMED, "the file ends before " FREQ_FACTORS);
    else if (rotary_dim(body) == 0)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the metadata has no .rope.dimension_count and no "
                           ".attention.key_length");
    else
        compute(reader, body);
}

static const char *const media_types[] = {"application/x-gguf", NULL};

const struct tensor_format gguf_in = {
    .media_types = media_types,
    .summary = "a file of llama.cpp, of which the inverse frequencies are judged that its "
               "metadata and rope_freqs.weight make",
    .judged = true,
    .sniff = gguf_is,
    .state_size = sizeof(struct gguf_body),
    .head = head,
    .finish = finish,
};
