/* SPDX-License-Identifier: Apache-2.0
 * inference_request.c - see inference_request.h. All problems are collected, so that one
 * sentence tells all of them. */
#include "proto/inference/inference_request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/inference/inference_format.h"
#include "proto/inference/inference_input.h"
#include "proto/inference/inference_word.h"
#include "proto/request/json_param.h"
#include "proto/request/param_names.h"

/* ---- parameters ------------------------------------------------------------------------- */

static enum pe_status refuse_word(const char *name, enum inference_word word,
                                  const char *advice, struct pe_errors *errors)
{
    char echo[41];

    snprintf(echo, sizeof echo, "%.40s", name);
    return pe_fail(errors, PE_UNKNOWN_PARAMETER, echo, "%s",
                   word == INFERENCE_UNSUPPORTED ? "is not served here" : advice);
}

static enum pe_status give_parameter(struct request *request, const struct inference_body *body,
                                     const struct json_body_value *value,
                                     struct pe_errors *errors)
{
    const char *advice = NULL;
    enum inference_word word = inference_word_of(value->name, &advice);
    struct pe_given given = {.text = value->text, .len = value->text_len};
    const struct pe_param *param =
        param_names_find(request_encoding(request), value->name, value->name_len);
    struct json_param read;

    if (word == INFERENCE_IGNORED || word == INFERENCE_FORM)
        return PE_OK;
    if (word != INFERENCE_NAMES)
        return refuse_word(value->name, word, advice, errors);
    if (value->kind == JSON_BODY_NUMBER && param) {
        enum pe_status status =
            json_param_read(&read, param, inference_body_json(body), value, errors);

        if (status != PE_OK)
            return status;
        given = read.given;
    } else if (value->kind == JSON_BODY_NUMBER) {
        given.kind = PE_GIVEN_NUMBER;
        given.number = value->number;
    } else if (value->kind == JSON_BODY_BOOL) {
        given.text = value->flag ? "true" : "false";
        given.len = strlen(given.text);
    } else if (value->kind != JSON_BODY_STRING) {
        char echo[41];

        snprintf(echo, sizeof echo, "%.40s", value->name);
        return pe_fail(errors, PE_BAD_VALUE, echo,
                       "must be a string, a number, true or false; a list is \"1,2;3,4\", or a "
                       "tensor of inputs");
    }
    return request_give(request, value->name, value->name_len, &given, errors);
}

static void give_parameters(struct request *request, struct inference_body *body,
                            struct pe_errors *errors)
{
    const struct inference_message *message = inference_body_message(body);
    const struct json_body *json = inference_body_json(body);
    struct json_body_value at;

    if (!message->has_parameters)
        return;
    for (json_body_walk(json, &message->parameters, &at); json_body_next(json, &at);)
        (void)give_parameter(request, body, &at, errors);
}

/* Refuses names of the query that this protocol says otherwise. */
static void check_query(const struct request *request, struct pe_errors *errors)
{
    const char *name, *advice = NULL;

    for (size_t i = 0; (name = inference_word_elsewhere(i)) != NULL; i++) {
        enum inference_word word = inference_word_of(name, &advice);

        if (request_is_given(request, name))
            (void)refuse_word(name, word, advice, errors);
    }
}

static void give_preset(struct request *request, const char *preset, struct pe_errors *errors)
{
    struct pe_given given = {.text = preset, .len = strlen(preset)};

    if (request_is_given(request, "model"))
        pe_fail(errors, PE_REPEATED_PARAMETER, "model", "is in the model's name; leave it out");
    else
        (void)request_give(request, "model", strlen("model"), &given, errors);
}

/* ---- outputs ---------------------------------------------------------------------------- */

static const struct pe_output *find_output(const struct pe_encoding *enc, const char *name)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    for (size_t i = 0; i < count; i++)
        if (strcmp(outputs[i].name, name) == 0)
            return &outputs[i];
    return NULL;
}

static void refuse_output(const struct pe_encoding *enc, const char *name,
                          struct pe_errors *errors)
{
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);
    char names[160];
    size_t len = 0;

    for (size_t i = 0; i < count && len < sizeof names; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", i > 0 ? ", " : "",
                                outputs[i].name);
    pe_fail(errors, PE_BAD_VALUE, "outputs", "must be outputs of %s: %s; got %.40s",
            pe_name(enc), names, name);
}

/* Asks for the outputs, and notes their order and form. */
static void give_outputs(struct request *request, const struct inference_message *message,
                         struct inference_answer *answer, struct pe_errors *errors)
{
    const struct pe_encoding *enc = request_encoding(request);
    char out[PE_MAX_OUTPUTS * 48];
    size_t len = 0, before = errors->count;

    for (size_t i = 0; i < message->output_count; i++) {
        const struct pe_output *output = find_output(enc, message->outputs[i].name);

        if (!output) {
            refuse_output(enc, message->outputs[i].name, errors);
            continue;
        }
        answer->at[answer->count].name = output->name;
        answer->at[answer->count++].binary = message->outputs[i].binary;
        if (len < sizeof out)
            len += (size_t)snprintf(out + len, sizeof out - len, "%s%s", len > 0 ? "," : "",
                                    output->name);
    }
    answer->binary = message->binary;
    if (message->output_count == 0 || errors->count > before ||
        request_is_given(request, "out"))
        return;
    (void)request_give(request, "out", strlen("out"),
                       &(struct pe_given){.text = out, .len = len}, errors);
}

/* ---- the whole -------------------------------------------------------------------------- */

static char *copy(const char *text)
{
    size_t size = strlen(text) + 1;
    char *made = malloc(size);

    return made ? memcpy(made, text, size) : NULL;
}

static struct inference_answer *answer_new(const char *name, unsigned version, const char *id)
{
    struct inference_answer *answer = calloc(1, sizeof *answer);

    if (!answer)
        return NULL;
    answer->version = version;
    answer->name = copy(name);
    answer->id = id ? copy(id) : NULL;
    if (answer->name && (!id || answer->id))
        return answer;
    inference_answer_free(answer);
    return NULL;
}

bool inference_request_is_mixed(const struct request *request)
{
    const struct inference_answer *answer = request_format_context(request);

    return answer && inference_answer_is_mixed(answer);
}

uint64_t inference_request_copied(const struct pe_encoding *enc, struct inference_body *body)
{
    const struct inference_message *message = inference_body_message(body);
    uint64_t bytes = 0;

    for (size_t i = 0; i < message->input_count; i++)
        bytes += inference_input_copied(enc, &message->inputs[i]);
    return bytes;
}

enum pe_status inference_request_set(struct request *request, struct inference_body *body,
                                     struct pe_errors *errors)
{
    struct inference_message *message = inference_body_message(body);
    struct inference_answer *answer = answer_new(
        inference_body_model(body), pe_revision(request_encoding(request)), message->id);
    const char *preset = inference_body_preset(body);

    if (!answer)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    check_query(request, errors);
    give_parameters(request, body, errors);
    if (preset)
        give_preset(request, preset, errors);
    for (size_t i = 0; i < message->input_count; i++)
        (void)inference_input_give(request, &message->inputs[i], errors);
    give_outputs(request, message, answer, errors);
    request_set_format(request, inference_format_of(answer), answer, inference_answer_free);
    for (size_t i = 0; i < errors->count; i++)
        if (errors->at[i].status == PE_NO_MEMORY)
            return PE_NO_MEMORY;
    return errors->count > 0 ? errors->at[0].status : PE_OK;
}
