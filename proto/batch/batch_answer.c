/* SPDX-License-Identifier: Apache-2.0
 * batch_answer.c - what the formats of batches share, and the rows of them. */
#include <assert.h>

#include "proto/batch/batch_writer.h"
#include "proto/http/format.h"

static const struct format *const formats[] = {&format_json, &format_safetensors};
static const struct batch_writer *const writers[] = {&batch_json, &batch_safetensors};
enum { WRITERS = sizeof writers / sizeof writers[0] };
_Static_assert(sizeof formats / sizeof formats[0] == WRITERS, "a writer for each format");

const struct format *const *batch_answer_formats(size_t *count)
{
    *count = WRITERS;
    return formats;
}

void batch_answer_init(struct batch_answer *answer, const struct format *format)
{
    size_t i = 0;

    while (formats[i] != format) {
        i++;
        assert(i < WRITERS);
    }
    *answer = (struct batch_answer){.writer = writers[i], .worst = PROBLEM_COUNT};
}

void batch_answer_fini(struct batch_answer *answer)
{
    buffer_fini(&answer->text);
    buffer_fini(&answer->metadata);
    buffer_fini(&answer->places);
    buffer_fini(&answer->entries);
    for (size_t i = 0; i < BATCH_ANSWER_SIZES; i++)
        buffer_fini(&answer->data[i]);
}

void batch_answer_add(struct batch_answer *answer, const char *id, const char *bytes,
                      size_t len)
{
    answer->writer->add(answer, id, bytes, len);
    answer->count++;
}

/* A failure of the machine outranks errors of the client, since it may be over soon. */
static void note_kind(struct batch_answer *answer, enum problem_kind kind)
{
    const enum problem_kind worst = answer->worst;

    if (worst == PROBLEM_COUNT || problem_status(kind) >= 500)
        answer->worst = kind;
    else if (worst != kind && problem_status(worst) < 500)
        answer->worst = PROBLEM_INVALID_PARAMETER;
}

void batch_answer_add_problem(struct batch_answer *answer, const char *id,
                              const struct problem *problem)
{
    answer->writer->add_problem(answer, id, problem);
    note_kind(answer, problem->kind);
    answer->count++;
    answer->failed++;
}

void batch_answer_finish(struct batch_answer *answer)
{
    answer->writer->finish(answer);
}

bool batch_answer_is_problem(const struct batch_answer *answer)
{
    return answer->writer->whole && answer->failed > 0;
}

bool batch_answer_failed(const struct batch_answer *answer)
{
    bool failed = answer->text.failed || answer->metadata.failed || answer->places.failed ||
                  answer->entries.failed;

    for (size_t i = 0; i < BATCH_ANSWER_SIZES; i++)
        failed |= answer->data[i].failed;
    return failed;
}

uint64_t batch_answer_len(const struct batch_answer *answer)
{
    uint64_t len =
        answer->text.len + answer->metadata.len + answer->places.len + answer->entries.len;

    for (size_t i = 0; i < BATCH_ANSWER_SIZES; i++)
        len += answer->data[i].len;
    return len;
}

uint64_t batch_answer_held(const struct batch_answer *answer)
{
    uint64_t held =
        answer->text.size + answer->metadata.size + answer->places.size + answer->entries.size;

    for (size_t i = 0; i < BATCH_ANSWER_SIZES; i++)
        held += answer->data[i].size;
    return held;
}
