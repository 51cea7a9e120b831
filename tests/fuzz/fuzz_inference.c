/* SPDX-License-Identifier: Apache-2.0
 * fuzz_inference.c - any bytes as the body of a request of the Open Inference Protocol, up
 * to its response. The first byte chooses the model and the size of the chunks, the next
 * two are Inference-Header-Content-Length. Read whole and in chunks a body has one result,
 * an error is one member of JSON, and so is the head of a response. Targets: the functions
 * of proto/inference/inference_body.c proto/inference/inference_message.c
 * proto/inference/inference_input.c proto/inference/inference_request.c
 * proto/inference/inference_answer.c */
#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/inference/inference_body.h"
#include "proto/inference/inference_error.h"
#include "proto/inference/inference_model.h"
#include "proto/inference/inference_request.h"
#include "proto/text/json_memory.h"
#include "tests/fuzz/exact_piece.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 20, BUDGET = 1 << 22, PIECE = 4096 };

static const char *const names[] = {
    "rope",    "rope.apply", "integer", "rope.llama-3.1-8b",
    "softcap", "alibi",      "dape",    "rope.apply.llama-3.1-8b"};

struct result {
    struct buffer text; /* the response, or its error */
    bool error;
};

static bool reserve(void *context, uint64_t bytes)
{
    uint64_t *left = context;

    if (bytes > *left)
        return false;
    *left -= bytes;
    return true;
}

static void fail(struct result *result, const char *detail, const struct pe_errors *errors)
{
    result->error = true;
    inference_error_write(&result->text, detail, errors);
}

static void read_all(struct result *result, const struct request *request, struct pe_plan *plan)
{
    struct encoder *encoder = encoder_new(request, plan);
    size_t got;

    if (!encoder)
        abort();
    do {
        char *space = buffer_reserve(&result->text, PIECE);

        if (!space)
            abort();
        got = encoder_read(encoder, space, PIECE);
        buffer_advance(&result->text, got);
    } while (got > 0);
    encoder_free(encoder);
}

static void answer(struct result *result, struct inference_body *body, const char *name)
{
    const struct request_limits limits = {.max_elements = 1 << 14,
                                          .max_text_elements = 1 << 13,
                                          .max_prepared = 1 << 14,
                                          .max_operations = 10000000};
    struct pe_errors errors = {0};
    struct pe_plan *plan = NULL;
    struct inference_model model;
    char why[INFERENCE_MODEL_WHY_SIZE];

    if (!inference_model_find(&model, models_embedded(), name, strlen(name), NULL, 0, why) ||
        !inference_body_set_model(body, name, strlen(name),
                                  model.preset ? model.preset->id : NULL))
        abort();
    struct request *request = request_new(model.enc);
    if (!request)
        abort();
    (void)inference_request_set(request, body, &errors);
    if (request_finish(request, NULL, 0, &errors) == PE_OK &&
        request_plan(request, &plan, NULL, &limits, &errors) == PE_OK)
        read_all(result, request, plan);
    else
        fail(result, NULL, &errors);
    pe_plan_free(plan);
    request_free(request);
}

static void run(struct result *result, const uint8_t *data, size_t size, size_t chunk)
{
    uint64_t left = BUDGET;
    const struct inference_source source = {.head = data[1] + 256U * data[2],
                                            .length = INFERENCE_LENGTH_UNKNOWN,
                                            .max_bytes = MAX_BYTES,
                                            .reserve = reserve,
                                            .context = &left};
    struct inference_body *body = inference_body_new(&source);

    *result = (struct result){.error = false};
    if (!body)
        abort();
    for (size_t at = 3; at < size; at += chunk) {
        const size_t len = chunk < size - at ? chunk : size - at;
        char *piece = exact_piece(data + at, len);

        inference_body_add(body, piece, len);
        free(piece);
    }
    if (inference_body_finish(body) == INFERENCE_OK)
        answer(result, body, names[data[0] % 8]);
    else
        fail(result, inference_body_error(body), NULL);
    assert(!result->text.failed && result->text.len > 0);
    inference_body_free(body);
}

/* The text begins with an object of JSON, which is all of it in an error. */
static void check_json(const struct result *result)
{
    size_t flags = result->error ? 0 : JSON_DISABLE_EOF_CHECK;
    json_t *root = json_loadb(result->text.bytes, result->text.len,
                              flags | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);

    assert(json_is_object(root));
    if (result->error)
        assert(json_object_size(root) == 1 && json_is_string(json_object_get(root, "error")));
    else
        assert(json_is_array(json_object_get(root, "outputs")));
    json_decref(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct result whole, chunks;

    json_memory_init();
    if (size < 4)
        return 0;
    run(&whole, data, size, size);
    run(&chunks, data, size, data[0] / 8 + 1U);
    assert(whole.error == chunks.error && whole.text.len == chunks.text.len);
    assert(memcmp(whole.text.bytes, chunks.text.bytes, whole.text.len) == 0);
    check_json(&whole);
    buffer_fini(&whole.text);
    buffer_fini(&chunks.text);
    return 0;
}
