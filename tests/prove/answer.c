/* SPDX-License-Identifier: Apache-2.0
 * answer.c - asks through the public interface, filling in blocks as a server does. */
#include "tests/prove/answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const answer_encodings[ANSWER_ENCODINGS] = {"rope", "sinusoidal"};

enum { BLOCK_ROWS = 100 };

static void check(enum pe_status status, const struct pe_errors *errors)
{
    if (status == PE_OK)
        return;
    for (size_t i = 0; i < errors->count; i++)
        fprintf(stderr, "%s %s\n", errors->at[i].parameter, errors->at[i].detail);
    exit(2);
}

static void *memory(size_t bytes)
{
    void *block = aligned_alloc(64, (bytes + 64) / 64 * 64);

    if (!block)
        abort();
    return block;
}

static struct pe_plan *plan_of(const struct question *question)
{
    static struct pe_errors errors;

    pe_errors_clear(&errors);
    const char *name = answer_encodings[question->encoding];
    struct pe_args *args = pe_args_new(pe_find(name, strlen(name)));
    const char *dtype = pe_dtype_name(question->dtype);
    check(pe_args_set_text(args, "dtype", 5, dtype, strlen(dtype), &errors), &errors);
    check(pe_args_set_number(args, "base", 4, question->base, &errors), &errors);
    check(pe_args_set_number(args, "dim", 3, (double)question->dim, &errors), &errors);
    check(pe_args_set_reals(args, "pos", 3, question->positions, 1, question->count, &errors),
          &errors);
    if (question->scale != 1)
        check(pe_args_set_number(args, "scale", 5, question->scale, &errors), &errors);
    if (question->amplitude != 1)
        check(pe_args_set_number(args, "amplitude", 9, question->amplitude, &errors), &errors);
    check(pe_args_check(args, &errors), &errors);
    const struct pe_limits limits = {.max_elements = 1 << 30,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    struct pe_plan *plan;
    check(pe_plan_new(&plan, args, NULL, &limits, &errors), &errors);
    pe_args_free(args);
    return plan;
}

/* Returns all elements of the group as exact doubles, slot by slot. */
static void fill_all(const struct pe_plan *plan, size_t slots, double *const values[])
{
    const struct pe_tensor_info *first = pe_plan_tensor(plan, 0);
    const size_t size = pe_dtype_size(first->dtype);
    void *scratch = memory(pe_plan_scratch(plan, BLOCK_ROWS * first->cols));
    void *block[2] = {memory(BLOCK_ROWS * first->cols * size),
                      memory(BLOCK_ROWS * first->cols * size)};

    for (uint64_t row = 0; row < first->rows; row += BLOCK_ROWS) {
        struct pe_rect rect = {row, first->rows - row, 0, first->cols};

        rect.rows = rect.rows < BLOCK_ROWS ? rect.rows : BLOCK_ROWS;
        pe_fill(plan, first->group, &rect, block, NULL, scratch);
        for (size_t slot = 0; slot < slots; slot++)
            pe_dtype_to_f64(first->dtype, values[slot] + row * first->cols, block[slot],
                            rect.rows * rect.cols);
    }
    free(block[0]);
    free(block[1]);
    free(scratch);
}

struct answer answer_ask(const struct question *question)
{
    const size_t pairs = question->dim / 2, cells = question->count * pairs;
    struct answer answer = {memory(cells * sizeof(double)), memory(cells * sizeof(double))};
    struct pe_plan *plan = plan_of(question);

    if (question->encoding == ANSWER_ROPE) {
        fill_all(plan, 2, (double *const[]){answer.cosine, answer.sine});
    } else {
        double *rows = memory(2 * cells * sizeof(double));

        fill_all(plan, 1, (double *const[]){rows});
        for (size_t i = 0; i < cells; i++) {
            answer.sine[i] = rows[2 * i];
            answer.cosine[i] = rows[2 * i + 1];
        }
        free(rows);
    }
    pe_plan_free(plan);
    return answer;
}

void answer_free(struct answer *answer)
{
    free(answer->sine);
    free(answer->cosine);
}
