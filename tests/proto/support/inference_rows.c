/* SPDX-License-Identifier: Apache-2.0
 * inference_rows.c - rows of the Open Inference Protocol (proto_row.h). A body is read in
 * chunks of many sizes, with one result. infer rope?dim=4 {"inputs": [...]} a request; "+
 * 32 " before the { adds as many bytes of zeros behind the JSON, whose length is told
 * answer: {"model_name": ...} the JSON of the response binary: 32 the bytes behind it;
 * none: not told error: dim: must be ... the sentence of the error headers: Content-Type:
 * ... joined by " | " inference-model rope.apply 3 a name, and perhaps a version is:
 * rope/apply the encoding, and perhaps the preset refused: there is no model ...
 * inference-metadata rope.llama-3.1-8b inputs: pos INT64 [-1] outputs: cos FP32 [-1,64] |
 * ... inference-path rope/versions/1/infer behind /v2/models/ parts: rope 1
 * inference-path-suggest /v2/models/rope/apply means: rope.apply */
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/inference/inference_path.h"
#include "proto/inference/inference_shape.h"
#include "proto/tensors/element_type.h"
#include "tests/proto/support/inference_run.h"
#include "tests/proto/support/proto_row.h"

enum { BUDGET = 1 << 22, NAME_MAX_SIZE = 120 };

/* The input of a row, in its parts. */
struct input {
    char model[NAME_MAX_SIZE], query[NAME_MAX_SIZE];
    char *body;
    size_t len, head;
};

static struct input read_input(const char *text)
{
    struct input input = {.query = ""};
    size_t model = strcspn(text, " ?"), zeros = 0, json;
    const char *rest = text + model;

    snprintf(input.model, sizeof input.model, "%.*s", (int)model, text);
    if (*rest == '?') {
        size_t query = strcspn(rest + 1, " ");

        snprintf(input.query, sizeof input.query, "%.*s", (int)query, rest + 1);
        rest += 1 + query;
    }
    rest += *rest == ' ';
    if (*rest == '+') {
        char *end;

        zeros = (size_t)strtoul(rest + 1, &end, 10);
        rest = end + 1;
    }
    char *decoded = proto_row_decode(rest, &json);
    input.body = calloc(1, json + zeros + 1);
    memcpy(input.body, decoded, json);
    input.head = zeros > 0 ? json : 0;
    input.len = json + zeros;
    free(decoded);
    return input;
}

static void put(struct buffer *out, const struct buffer *text)
{
    if (text->len > 0)
        buffer_add(out, text->bytes, text->len);
}

/* Runs the row in chunks of several sizes; the last run is the result. */
static void run_all(struct inference_run *last, const struct input *input)
{
    static const size_t chunks[] = {1, 13, 1 << 20};

    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        struct inference_run run = {.model = input->model,
                                    .query = input->query,
                                    .body = input->body,
                                    .len = input->len,
                                    .head = input->head,
                                    .chunk = chunks[i],
                                    .budget = BUDGET};

        inference_run(&run);
        if (i > 0) {
            ck_assert_uint_eq(run.answer.len, last->answer.len);
            ck_assert_mem_eq(run.answer.len ? run.answer.bytes : "",
                             run.answer.len ? last->answer.bytes : "", run.answer.len);
            ck_assert_str_eq(run.error.len ? run.error.bytes : "",
                             run.error.len ? last->error.bytes : "");
            inference_run_fini(last);
        }
        *last = run;
    }
}

static size_t told_length(const struct inference_run *run)
{
    static const char name[] = "Inference-Header-Content-Length: ";
    const char *line = run->headers.len ? strstr(run->headers.bytes, name) : NULL;

    return line ? (size_t)strtoul(line + sizeof name - 1, NULL, 10) : run->answer.len;
}

static void write_infer(struct buffer *out, const char *text, const struct row *row)
{
    struct input input = read_input(text);
    struct inference_run run;

    run_all(&run, &input);
    if (strcmp(row->claim, "error") == 0 && run.error.len > 0) {
        size_t skip = strlen("{\"error\":\"");

        buffer_add(out, run.error.bytes + skip, run.error.len - skip - strlen("\"}"));
    } else if (strcmp(row->claim, "binary") == 0 && run.error.len == 0) {
        buffer_add_format(out, "%zu", run.answer.len - told_length(&run));
    } else if (strcmp(row->claim, "headers") == 0 && run.error.len == 0) {
        for (size_t i = 0; i + 1 < run.headers.len; i++)
            buffer_add(out, run.headers.bytes[i] == '\n' ? " | " : &run.headers.bytes[i],
                       run.headers.bytes[i] == '\n' ? 3 : 1);
    } else {
        put(out, &run.error);
        if (run.answer.len > 0)
            buffer_add(out, run.answer.bytes, told_length(&run));
    }
    inference_run_fini(&run);
    free(input.body);
}

static void write_model(struct buffer *out, const char *text, const struct row *row)
{
    const char *space = strchr(text, ' ');
    size_t len = space ? (size_t)(space - text) : strlen(text);
    char why[INFERENCE_MODEL_WHY_SIZE];
    struct inference_model model;

    (void)row;
    if (inference_model_find(&model, models_embedded(), text, len, space ? space + 1 : NULL,
                             space ? strlen(space + 1) : 0, why))
        buffer_add_format(out, "%s%s%s", pe_name(model.enc), model.preset ? " " : "",
                          model.preset ? model.preset->id : "");
    else
        buffer_add_text(out, why);
}

static void write_metadata(struct buffer *out, const char *text, const struct row *row)
{
    struct inference_shape shape;
    struct inference_model model;
    char why[INFERENCE_MODEL_WHY_SIZE];
    bool inputs = strcmp(row->claim, "inputs") == 0;

    ck_assert_msg(
        inference_model_find(&model, models_embedded(), text, strlen(text), NULL, 0, why), "%s",
        why);
    ck_assert(inference_shape_find(&shape, &model, models_embedded()));
    if ((inputs ? shape.input_count : shape.output_count) == 0)
        buffer_add_text(out, "none");
    for (size_t i = 0; i < (inputs ? shape.input_count : shape.output_count); i++) {
        const struct inference_tensor *tensor = inputs ? &shape.inputs[i] : &shape.outputs[i];

        buffer_add_format(out, "%s%s %s [", i > 0 ? " | " : "", tensor->name,
                          element_type_of(tensor->dtype)->inference);
        for (size_t axis = 0; axis < tensor->rank; axis++)
            buffer_add_format(out, "%s%" PRId64, axis > 0 ? "," : "", tensor->dims[axis]);
        buffer_add_format(out, "]%s", tensor->optional ? " or another" : "");
    }
}

static void write_path(struct buffer *out, const char *text, const struct row *row)
{
    struct inference_path path = inference_path_read(text, strlen(text));

    (void)row;
    buffer_add(out, path.name, path.name_len);
    if (path.version) {
        buffer_add_text(out, " ");
        buffer_add(out, path.version, path.version_len);
    }
}

static void write_suggestion(struct buffer *out, const char *text, const struct row *row)
{
    char name[INFERENCE_PATH_NAME_SIZE];
    const char *found = inference_path_suggest(text, strlen(text), name);

    (void)row;
    buffer_add_text(out, found ? found : "nothing");
}

/* The input is a path, and perhaps a prefix behind a blank. */
static void write_is_inference(struct buffer *out, const char *text, const struct row *row)
{
    const char *space = strchr(text, ' ');
    size_t len = space ? (size_t)(space - text) : strlen(text);

    (void)row;
    buffer_add_text(out, inference_path_is(text, len, space ? space + 1 : NULL) ? "yes" : "no");
}

const struct proto_row_kind proto_row_inference[] = {
    {"infer", "answer", write_infer},
    {"infer", "binary", write_infer},
    {"infer", "error", write_infer},
    {"infer", "headers", write_infer},
    {"inference-model", "is", write_model},
    {"inference-model", "refused", write_model},
    {"inference-metadata", "inputs", write_metadata},
    {"inference-metadata", "outputs", write_metadata},
    {"inference-path", "parts", write_path},
    {"inference-path-is", "below /v2", write_is_inference},
    {"inference-path-suggest", "means", write_suggestion},
    {0},
};
