/* SPDX-License-Identifier: Apache-2.0
 * digest_answer.c - asks libposenc and fills the answer in one of two ways. */
#include "tests/golden/digest_answer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, PIECE_ROWS = 7, PIECE_COLS = 13, TENSORS = 8, NUMBERS = 1 << 16 };

static void *memory(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 64) / 64 * 64);

    if (!block)
        abort();
    return block;
}

/* ---- tensors --------------------------------------------------------------------------- */

/* The numbers are multiples of 2^-9 between -4 and 4; each tensor of a question begins with the
 * first one. */
static const void *const *inputs(void)
{
    static float numbers[NUMBERS];
    static const void *data[TENSORS];

    for (uint32_t i = 0; !data[0] && i < NUMBERS; i++)
        numbers[i] = (float)((int32_t)(i * 2654435761u >> 20) - 2048) / 512;
    for (size_t i = 0; i < TENSORS; i++)
        data[i] = numbers;
    return data;
}

static void give_shape(struct pe_args *args, const char *name, size_t len, const char *shape,
                       struct pe_errors *errors)
{
    struct pe_tensor tensor = {.dtype = PE_F32};
    uint64_t count = 1;

    for (const char *at = shape + 1; *at != ']' && tensor.rank < PE_MAX_RANK;
         at += *at == ',') {
        char *end;
        tensor.dims[tensor.rank++] = strtoull(at, &end, 10);
        count *= tensor.dims[tensor.rank - 1];
        if (end == at || count > NUMBERS)
            abort();
        at = end;
    }
    pe_args_set_tensor(args, name, len, &tensor, errors);
}

/* ---- asking ---------------------------------------------------------------------------- */

static struct pe_args *args_of(const char *question, struct pe_errors *errors)
{
    const char *mark = strchr(question, '?');
    const struct pe_encoding *enc = mark ? pe_find(question, (size_t)(mark - question)) : NULL;
    struct pe_args *args = enc ? pe_args_new(enc) : NULL;

    if (!args)
        return NULL;
    for (const char *at = mark + 1; *at != '\0';) {
        const size_t len = strcspn(at, "&"), name = strcspn(at, "=&");
        const size_t value = name < len ? name + 1 : len;

        if (at[value] == '[')
            give_shape(args, at, name, at + value, errors);
        else
            pe_args_set_text(args, at, name, at + value, len - value, errors);
        at += len + (at[len] == '&');
    }
    return args;
}

static struct pe_plan *plan_of(const char *question)
{
    static struct pe_errors errors;
    const struct pe_limits limits = {.max_elements = 1 << 26,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct pe_plan *plan = NULL;

    pe_errors_clear(&errors);
    struct pe_args *args = args_of(question, &errors);
    if (!args)
        fprintf(stderr, "digest: %s: no such encoding\n", question);
    else if (pe_args_check(args, &errors) != PE_OK ||
             pe_plan_new(&plan, args, NULL, &limits, &errors) != PE_OK)
        plan = NULL;
    for (size_t i = 0; i < errors.count; i++)
        fprintf(stderr, "digest: %s: %s %s\n", question, errors.at[i].parameter,
                errors.at[i].detail);
    pe_args_free(args);
    return plan;
}

/* ---- filling ----------------------------------------------------------------------------- */

/* A tensor's group is filled with only that tensor wanted. */
static void fill(const struct pe_plan *plan, const struct pe_tensor_info *info,
                 const struct pe_rect *rect, void *out)
{
    void *outs[PE_MAX_OUTPUTS] = {NULL};
    void *scratch = memory(pe_plan_scratch(plan, rect->rows * rect->cols));

    outs[info->slot] = out;
    pe_fill(plan, info->group, rect, outs, inputs(), scratch);
    free(scratch);
}

static uint64_t at_most(uint64_t count, uint64_t most)
{
    return count < most ? count : most;
}

/* Fills the share of one thread: every THREADS-th band of rows, cut into small rectangles. */
struct share {
    pthread_t thread;
    const struct pe_plan *plan;
    const struct pe_tensor_info *info;
    char *out;
    uint64_t number;
};

static void *fill_share(void *argument)
{
    const struct share *share = argument;
    const struct pe_tensor_info *info = share->info;
    const size_t size = pe_dtype_size(info->dtype);
    char *piece = memory(PIECE_ROWS * PIECE_COLS * size);

    for (uint64_t row = share->number * PIECE_ROWS; row < info->rows;
         row += (uint64_t)THREADS * PIECE_ROWS)
        for (uint64_t col = 0; col < info->cols; col += PIECE_COLS) {
            const struct pe_rect rect = {row, at_most(info->rows - row, PIECE_ROWS), col,
                                         at_most(info->cols - col, PIECE_COLS)};

            fill(share->plan, info, &rect, piece);
            for (uint64_t r = 0; r < rect.rows; r++)
                memcpy(share->out + ((row + r) * info->cols + col) * size,
                       piece + r * rect.cols * size, rect.cols * size);
        }
    free(piece);
    return NULL;
}

static void fill_pieces(const struct pe_plan *plan, const struct pe_tensor_info *info,
                        char *out)
{
    struct share shares[THREADS];

    for (uint64_t i = 0; i < THREADS; i++) {
        shares[i] = (struct share){.plan = plan, .info = info, .out = out, .number = i};
        if (pthread_create(&shares[i].thread, NULL, fill_share, &shares[i]) != 0)
            abort();
    }
    for (uint64_t i = 0; i < THREADS; i++)
        pthread_join(shares[i].thread, NULL);
}

bool digest_answer_new(struct digest_answer *answer, const char *question, enum digest_way way)
{
    struct pe_plan *plan = plan_of(question);

    if (!plan)
        return false;
    inputs(); /* made before there are threads */
    *answer = (struct digest_answer){NULL, 0};
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *info = pe_plan_tensor(plan, i);

        answer->size += info->rows * info->cols * pe_dtype_size(info->dtype);
    }
    char *out = answer->bytes = memory(answer->size);
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *info = pe_plan_tensor(plan, i);
        const struct pe_rect all = {0, info->rows, 0, info->cols};

        if (way == DIGEST_PIECES)
            fill_pieces(plan, info, out);
        else
            fill(plan, info, &all, out);
        out += info->rows * info->cols * pe_dtype_size(info->dtype);
    }
    pe_plan_free(plan);
    return true;
}

void digest_answer_free(struct digest_answer *answer)
{
    free(answer->bytes);
}
