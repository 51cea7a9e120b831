/* SPDX-License-Identifier: Apache-2.0
 * vectors.c - checks the shapes of tensors, which errors name; see vectors.h. */
#include "core/encodings/rotary/vectors.h"

#include <stdio.h>

enum { SHAPE_TEXT = 128, SENTENCE = 240, DIM_MOST = 65536 };

static const char *const names[VECTORS_COUNT] = {"x", "q", "k"};

const struct pe_choice vectors_pairings[] = {
    [VECTORS_HALF] = {"half", PE_WORDS("neox", "rotate_half"),
                      "pair k is columns k and k + r/2: GPT-NeoX, Llama in Hugging Face", NULL,
                      NULL},
    [VECTORS_ADJACENT] = {"adjacent", PE_WORDS("interleaved", "gptj"),
                          "pair k is columns 2k and 2k + 1: RoFormer, GPT-J, Meta's Llama",
                          NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice vectors_maths[] = {
    PE_ONE_AT(VECTORS_UPCAST, "upcast", "in float64, rounded once to the dtype of the answer"),
    [VECTORS_IN_DTYPE] =
        {"in_dtype", PE_WORDS("in-dtype"),
         "cosines, sines, products and sums each rounded as the tensor's dtype (eager HF)",
         NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_tensor *vectors_tensor(const struct vectors *vectors, size_t number)
{
    const struct pe_tensor *all[VECTORS_COUNT] = {&vectors->x, &vectors->q, &vectors->k};

    return all[number];
}

static enum pe_status first_status(const struct pe_errors *errors)
{
    return errors->count ? errors->at[0].status : PE_OK;
}

/* Prints a shape as in "(5, 2, 128)". */
static const char *print_shape(const struct pe_tensor *tensor, char text[SHAPE_TEXT])
{
    size_t len = (size_t)snprintf(text, SHAPE_TEXT, "(");

    for (size_t i = 0; i < tensor->rank; i++)
        len += (size_t)snprintf(text + len, SHAPE_TEXT - len, "%s%llu", i ? ", " : "",
                                (unsigned long long)tensor->dims[i]);
    snprintf(text + len, SHAPE_TEXT - len, ")");

    return text;
}

/* ---- the last axis ---------------------------------------------------------------------- */

static void check_dim(const struct pe_tensor *tensor, const char *name, int64_t *dim,
                      struct pe_errors *errors)
{
    uint64_t last = tensor->dims[tensor->rank - 1];

    if (tensor->dtype > PE_BF16)
        pe_fail(errors, PE_CONFLICT, name, "must hold reals, f32, f64, f16 or bf16; got %s",
                pe_dtype_name(tensor->dtype));
    else if (last < 2 || last > DIM_MOST)
        pe_fail(errors, PE_CONFLICT, name,
                "must have vectors of 2..%d elements (its last axis); got %llu", DIM_MOST,
                (unsigned long long)last);
    else if (*dim == PE_ABSENT_INT)
        *dim = (int64_t)last;
    else if ((uint64_t)*dim != last)
        pe_fail(errors, PE_CONFLICT, name,
                "must have %lld elements along its last axis, dim; got %llu", (long long)*dim,
                (unsigned long long)last);
}

enum pe_status vectors_resolve_dim(const struct pe_args *args, const struct vectors *vectors,
                                   int64_t *dim, struct pe_errors *errors)
{
    for (size_t i = 0; i < VECTORS_COUNT; i++)
        if (pe_wants(args, i))
            check_dim(vectors_tensor(vectors, i), names[i], dim, errors);
    return first_status(errors);
}

/* ---- the sequence axis ------------------------------------------------------------------ */

static uint64_t vectors_per_place(const struct pe_tensor *tensor, size_t axis)
{
    uint64_t count = 1;

    for (size_t i = 0; i + 1 < tensor->rank; i++)
        if (i != axis && __builtin_mul_overflow(count, tensor->dims[i], &count))
            return UINT64_MAX;
    return count;
}

/* Guessing would be a silent mistake, so the error says what each choice means. */
static void ask_for_axis(const struct pe_tensor *tensor, const char *name, uint64_t positions,
                         struct pe_errors *errors)
{
    char shape[SHAPE_TEXT], choices[SENTENCE] = "";
    size_t len = 0, fitting = 0, fits = 0;

    for (size_t i = 0; i + 1 < tensor->rank && len < sizeof choices; i++) {
        len += (size_t)snprintf(choices + len, sizeof choices - len,
                                "%s%zu means %llu positions of %llu vectors each",
                                i ? "; " : "", i, (unsigned long long)tensor->dims[i],
                                (unsigned long long)vectors_per_place(tensor, i));
        if (tensor->dims[i] == positions) {
            fitting++;
            fits = i;
        }
    }
    pe_fail(errors, PE_MISSING_PARAMETER, "seq_axis", "is required for %s of shape %s: %s",
            name, print_shape(tensor, shape), choices);
    if (fitting == 1)
        pe_hint(errors, "seq_axis=%zu has as many positions as were given", fits);
}

static void check_axis(const struct vectors *vectors, size_t number, const char *name,
                       uint64_t positions, struct pe_errors *errors)
{
    const struct pe_tensor *tensor = vectors_tensor(vectors, number);
    size_t axis = vectors->seq_axis == PE_ABSENT_INT ? 0 : (size_t)vectors->seq_axis;
    uint64_t places = tensor->rank == 1 ? 1 : 0;
    char shape[SHAPE_TEXT];

    if (tensor->rank >= 3 && vectors->seq_axis == PE_ABSENT_INT) {
        ask_for_axis(tensor, names[number], positions, errors);
        return;
    }
    if (tensor->rank == 1 && vectors->seq_axis != PE_ABSENT_INT) {
        pe_fail(errors, PE_CONFLICT, "seq_axis",
                "has no effect on %s, which is one vector; leave it out", names[number]);
        return;
    }
    if (tensor->rank > 1 && axis + 1 >= tensor->rank) {
        pe_fail(errors, PE_CONFLICT, "seq_axis",
                "must be below %zu, the last axis of %s of shape %s, which is the vector",
                tensor->rank - 1, names[number], print_shape(tensor, shape));
        return;
    }
    if (tensor->rank > 1)
        places = tensor->dims[axis];
    if (places != positions)
        pe_fail(errors, PE_CONFLICT, name,
                "must hold %llu positions, as many as %s of shape %s has along axis %zu; got "
                "%llu",
                (unsigned long long)places, names[number], print_shape(tensor, shape), axis,
                (unsigned long long)positions);
}

enum pe_status vectors_resolve_axis(const struct pe_args *args, struct vectors *vectors,
                                    const char *name, uint64_t positions,
                                    struct pe_errors *errors)
{
    bool has_axis = false;

    for (size_t i = 0; i < VECTORS_COUNT; i++) {
        if (!pe_wants(args, i))
            continue;
        check_axis(vectors, i, name, positions, errors);
        has_axis = has_axis || vectors_tensor(vectors, i)->rank > 1;
    }
    if (has_axis && vectors->seq_axis == PE_ABSENT_INT)
        vectors->seq_axis = 0;
    return first_status(errors);
}

/* ---- the axis of heads ------------------------------------------------------------------ */

void vectors_resolve_heads_of(struct vectors *vectors, size_t number, uint64_t heads,
                              struct pe_errors *errors)
{
    const struct pe_tensor *tensor = vectors_tensor(vectors, number);
    char shape[SHAPE_TEXT];
    int64_t axis = vectors->head_axis;

    print_shape(tensor, shape);
    if (axis == PE_ABSENT_INT && tensor->rank == 3)
        axis = 1 - vectors->seq_axis;
    if (axis == PE_ABSENT_INT)
        pe_fail(errors, PE_MISSING_PARAMETER, "head_axis",
                "is required for %s of shape %s: which of its axes are the %llu heads",
                names[number], shape, (unsigned long long)heads);
    else if ((size_t)axis + 1 >= tensor->rank || axis == vectors->seq_axis)
        pe_fail(errors, PE_CONFLICT, "head_axis",
                "must be an axis of %s of shape %s that is neither its last nor seq_axis; got "
                "%lld",
                names[number], shape, (long long)axis);
    else if (tensor->dims[axis] != heads)
        pe_fail(errors, PE_CONFLICT, names[number],
                "must have %llu heads along axis %lld; its shape is %s",
                (unsigned long long)heads, (long long)axis, shape);
    else
        vectors->head_axis = axis;
}

enum pe_status vectors_resolve_heads(const struct pe_args *args, struct vectors *vectors,
                                     uint64_t heads, struct pe_errors *errors)
{
    if (heads <= 1 && vectors->head_axis != PE_ABSENT_INT)
        pe_fail(errors, PE_CONFLICT, "head_axis", "has no effect where all heads turn alike");
    for (size_t i = 0; heads > 1 && i < VECTORS_COUNT; i++)
        if (pe_wants(args, i))
            vectors_resolve_heads_of(vectors, i, heads, errors);
    return first_status(errors);
}

/* ---- answers ---------------------------------------------------------------------------- */

void vectors_lay(const struct pe_args *args, const struct vectors *vectors, size_t number,
                 struct rotate *rotate)
{
    const struct pe_tensor *tensor = vectors_tensor(vectors, number);

    rotate->input = number;
    rotate->span.from = tensor->dtype;
    rotate->span.to = pe_args_dtype(args, number);
    rotate->span.dim = (size_t)tensor->dims[tensor->rank - 1];
    rotate->places = rotate->inner = 1;
    if (tensor->rank > 1)
        rotate_lay(rotate, tensor, (size_t)vectors->seq_axis);
    if (rotate->heads > 1)
        rotate_lay_heads(rotate, tensor, (size_t)vectors->head_axis);
}

bool vectors_prepare_one(struct pe_build *build, const struct vectors *vectors, size_t number,
                         const struct rotate *like)
{
    struct rotate *rotate = pe_build_alloc(build, sizeof *rotate);

    if (!rotate)
        return false;
    *rotate = *like;
    vectors_lay(pe_build_args(build), vectors, number, rotate);
    pe_build_fill(build, number, &rotate_filler, rotate);
    return true;
}

bool vectors_prepare(struct pe_build *build, const struct vectors *vectors,
                     const struct rotate *like)
{
    for (size_t i = 0; i < VECTORS_COUNT; i++)
        if (pe_wants(pe_build_args(build), i) && !vectors_prepare_one(build, vectors, i, like))
            return false;
    return true;
}
