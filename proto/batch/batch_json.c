/* SPDX-License-Identifier: Apache-2.0
 * batch_json.c - the answer to a batch as JSON: each response has the bytes of the answer that
 * a request by itself gets, as "result" or "problem". */
#include "proto/batch/batch_writer.h"
#include "proto/http/format.h"
#include "proto/text/json_write.h"

static void open_response(struct batch_answer *answer, const char *id, unsigned status)
{
    struct buffer *text = &answer->text;

    if (answer->count == 0)
        json_write(text, "{'responses':[");
    json_write(text, "{");
    json_write_text(text, "id", id);
    json_write_integer(text, "status", status);
}

/* Ends the line that the answer of a request ends with. */
static void close_response(struct buffer *text)
{
    if (text->len > 0 && text->bytes[text->len - 1] == '\n')
        text->len--;
    json_write(text, "}");
}

static void add(struct batch_answer *answer, const char *id, const char *bytes, size_t len)
{
    open_response(answer, id, 200);
    json_write_key(&answer->text, "result");
    buffer_add(&answer->text, bytes, len);
    close_response(&answer->text);
}

static void add_problem(struct batch_answer *answer, const char *id,
                        const struct problem *problem)
{
    open_response(answer, id, problem_status(problem->kind));
    json_write_key(&answer->text, "problem");
    problem_write(&answer->text, problem);
    close_response(&answer->text);
}

static void finish(struct batch_answer *answer)
{
    json_write(&answer->text, "]}\n");
}

const struct batch_writer batch_json = {
    .format = &format_json,
    .add = add,
    .add_problem = add_problem,
    .finish = finish,
};
