/* SPDX-License-Identifier: Apache-2.0
 * verify_request.c - see verify_request.h. What the tensors decide is set between the claim's
 * own parameters and the check of all. */
#include "proto/verify/verify_request.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/models/model_use.h"
#include "proto/verify/verify_bits.h"
#include "proto/verify/verify_known.h"

static void list_tensors(struct verify_request *request, const struct tensor_set *set)
{
    _Static_assert((int)TENSOR_MAX == (int)PE_VERIFY_TENSORS, "every tensor is judged");

    request->set = set;
    request->count = request->judged = set->count;
    for (size_t i = 0; i < set->count; i++)
        request->tensors[i] = (struct pe_verify_tensor){.name = set->at[i].name,
                                                        .info = set->at[i].info,
                                                        .complex = set->at[i].complex,
                                                        .text = set->at[i].text,
                                                        .data = set->at[i].data};
}

/* See bfloat16 where its bits came as uint16. */
static void read_bits(struct verify_request *request, struct pe_errors *errors)
{
    for (size_t i = 0; i < request->count; i++) {
        const struct tensor *tensor = &request->set->at[i];

        if (!verify_bits_are(tensor))
            continue;
        request->bits[i] = verify_bits_make(tensor);
        if (!request->bits[i]) {
            pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
            return;
        }
        request->tensors[i].info.dtype = PE_BF16;
        request->tensors[i].data = request->bits[i];
    }
}

const char *verify_request_type(const struct verify_request *request, size_t i)
{
    const struct tensor *tensor = &request->set->at[i];

    if (request->bits[i])
        return VERIFY_BITS_TYPE;
    return tensor->type ? tensor->type : pe_dtype_name(tensor->info.dtype);
}

bool verify_request_leaves_out(const struct verify_request *request, size_t i)
{
    return !request->roles[i].output && !request->roles[i].param;
}

/* Notes the model of the claim by its own id. */
static void note_model(struct verify_request *request)
{
    const struct option_values *values = &request_options(request->request)->values;
    const struct model *model =
        models_find(request->models, values->model, strlen(values->model));

    if (values->model[0] == '\0' || !model)
        return;
    request->model = model->id;
    if (values->layer_type[0] != '\0')
        request->layer_type = values->layer_type;
    else if (values->given[OPTION_LAYER])
        request->layer_type = model_use_layer_type(model, values->value[OPTION_LAYER]);
}

static bool has_output(const struct pe_encoding *enc, const char *name)
{
    size_t count, i = 0;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    while (i < count && strcmp(outputs[i].name, name) != 0)
        i++;
    return i < count;
}

/* Adds the tensors that the claim itself has (table=1,2;3,5) to those of the body. */
static void add_claimed(struct verify_request *request, struct pe_errors *errors)
{
    const struct tensor_set *claimed = request_tensors(request->request);

    for (size_t i = 0; i < claimed->count; i++) {
        const struct tensor *tensor = &claimed->at[i];

        for (size_t j = 0; j < request->set->count; j++)
            if (strcmp(request->set->at[j].name, tensor->name) == 0 &&
                !has_output(request_encoding(request->request), tensor->name))
                pe_fail(errors, PE_REPEATED_PARAMETER, tensor->name,
                        "is given twice, in the claim and in the body; give it once");
        if (request->judged == PE_VERIFY_TENSORS) {
            pe_fail(errors, PE_TOO_LARGE, tensor->name,
                    "is one too many: at most %d tensors are read", PE_VERIFY_TENSORS);
            return;
        }
        request->tensors[request->judged++] = (struct pe_verify_tensor){.name = tensor->name,
                                                                        .info = tensor->info,
                                                                        .text = true,
                                                                        .data = tensor->data};
    }
}

/* Gives the tensors their roles for the claim, and checks its arguments, together with problems
 * that were found before. */
static void check_claim(struct verify_request *request, struct pe_errors *errors)
{
    struct pe_args *args = request_args(request->request);
    const struct pe_encoding *enc = request_encoding(request->request);
    bool clear = errors->count == 0;

    add_claimed(request, errors);
    for (size_t i = 0; i < request->count; i++)
        request->tensors[i].optional = true;
    enum pe_status status =
        pe_verify_assign(enc, request->tensors, request->judged, request->roles, errors);

    request->wrong_body = clear && (status == PE_UNKNOWN_PARAMETER || status == PE_BAD_VALUE);
    if (status != PE_OK || pe_verify_prepare(args, request->tensors, request->judged,
                                             request->roles, errors) != PE_OK)
        return;
    const struct pe_limits limits = {.max_elements = VERIFY_FILE_ELEMENTS,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    if (pe_verify_complete(&request->args, args, request->tensors, request->judged,
                           request->roles, &limits, errors) != PE_OK)
        request->args = NULL;
}

/* Gives the only tensor of a body without names the name in the query. */
static void take_name(struct verify_request *request, const struct verify_source *source,
                      const struct verify_body *body)
{
    if (source->named || *body->name == '\0' || request->count != 1)
        return;
    memcpy(request->name, body->name, sizeof request->name);
    request->tensors[0].name = request->name;
}

/* Gives the tensors the roles that their sender says. */
static void take_roles(struct verify_request *request, const struct verify_source *source,
                       struct pe_errors *errors)
{
    verify_words_read(&request->words, source->query, request->tensors, request->count, errors);
    if (source->role && request->count == 1)
        snprintf(request->words.role[0], sizeof request->words.role[0], "%s", source->role);
    for (size_t i = 0; i < request->count; i++)
        if (request->words.role[i][0] != '\0')
            request->tensors[i].role = request->words.role[i];
}

static bool is_output(const char *name)
{
    bool found = false;

    for (size_t i = 0; i < pe_count() && !found; i++)
        found = pe_verify_is_named(pe_at(i), name);
    return found;
}

/* Refuses a role that no encoding has; where the claim has one, its outputs decide. */
static void check_roles(const struct verify_request *request, struct pe_errors *errors)
{
    for (size_t i = 0; i < request->count; i++)
        if (request->tensors[i].role && !is_output(request->tensors[i].role))
            pe_fail(
                errors, PE_BAD_VALUE, request->tensors[i].name,
                "has the role %.40s, which is an output of no encoding; cos, inv_freq, bias "
                "and mask are some",
                request->tensors[i].role);
}

/* Reads the source as it is. */
static enum pe_status read_source(struct verify_request *request,
                                  const struct verify_source *source, struct pe_errors *errors)
{
    struct verify_claim claim;

    *request = (struct verify_request){.models = source->models};
    list_tensors(request, source->tensors);
    read_bits(request, errors);
    verify_claim_read(&claim, source, errors);
    take_name(request, source, &claim.body);
    take_roles(request, source, errors);
    if (!claim.request)
        check_roles(request, errors);
    request->request = claim.request;
    request->config = claim.config;
    request->beside = claim.beside;
    if (claim.config.models)
        request->models = claim.config.models;
    if (claim.complete)
        check_claim(request, errors);
    if (errors->count > 0) {
        bool wrong_body = request->wrong_body;

        verify_request_fini(request);
        request->wrong_body = wrong_body;
        return errors->at[0].status;
    }
    if (claim.request && !request->config.config)
        note_model(request);
    return PE_OK;
}

enum pe_status verify_request_read(struct verify_request *request,
                                   const struct verify_source *source, struct pe_errors *errors)
{
    struct verify_source with = *source, without = *source;
    const size_t before = errors->count;
    struct pe_errors tried;

    with.takes_config = source->tensors->config != NULL;
    without.takes_config = false;
    enum pe_status status = read_source(request, &with, errors);
    if (status == PE_OK || status == PE_NO_MEMORY || !with.takes_config || before > 0)
        return status;
    pe_errors_clear(&tried); /* the file's configuration is no claim that its tensors have */
    const bool wrong_body = request->wrong_body;
    if (read_source(request, &without, &tried) == PE_OK) {
        pe_errors_clear(errors);
        return PE_OK;
    }
    request->wrong_body = wrong_body;
    return status;
}

void verify_request_fini(struct verify_request *request)
{
    request_free(request->request);
    pe_args_free(request->args);
    verify_config_fini(&request->config);
    json_body_free(request->beside);
    for (size_t i = 0; i < PE_VERIFY_TENSORS; i++)
        free(request->bits[i]);
    *request = (struct verify_request){.count = 0};
}

struct request *verify_request_take_claim(struct verify_request *request)
{
    struct request *claim = request->request;

    request->request = NULL;
    return claim;
}

/* Names the models of the known claims that are the one found; those of a model adjoin. */
static void name_models(struct verify_request *request, const struct verify_known *known,
                        const bool *named)
{
    const char *last = NULL;

    for (size_t i = 0; i < known->count; i++) {
        if (!named[i] || known->at[i].name == last)
            continue;
        last = known->at[i].name;
        if (request->named_count < VERIFY_REQUEST_NAMES)
            request->named[request->named_count] = last;
        request->named_count++;
    }
}

static enum pe_status identify(struct verify_request *request, const struct pe_limits *limits,
                               struct pe_errors *errors)
{
    struct verify_known known;

    if (!verify_known_init(&known, request->models))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    bool *named = calloc(known.count + 1, sizeof *named);
    enum pe_status status =
        named ? pe_verify_identify(&request->args, named, request->tensors, request->judged,
                                   known.at, known.count, request->roles, limits, errors)
              : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    if (status == PE_OK)
        name_models(request, &known, named);
    free(named);
    verify_known_fini(&known);
    return status;
}

static const struct pe_verify_tolerance *tolerance_of(const struct verify_request *request)
{
    return request->words.has_tolerance ? &request->words.tolerance : NULL;
}

enum pe_status verify_request_run_quickly(struct verify_request *request,
                                          struct pe_verdict **verdict, double *search,
                                          const struct pe_limits *limits,
                                          struct pe_errors *errors)
{
    return pe_verify_quickly(verdict, search, request->args, request->tensors, request->judged,
                             request->roles, tolerance_of(request), limits, errors);
}

double verify_request_operations(const struct verify_request *request,
                                 const struct pe_limits *limits)
{
    return request->args ? pe_verify_operations(request->args, request->tensors,
                                                request->judged, request->roles, limits)
                         : INFINITY;
}

double verify_request_identify_operations(const struct verify_request *request)
{
    return request->args ? 0 : pe_verify_identify_operations(request->tensors, request->count);
}

enum pe_status verify_request_run(struct verify_request *request, struct pe_verdict **verdict,
                                  const struct pe_limits *limits, struct pe_errors *errors)
{
    enum pe_status status = request->args ? PE_OK : identify(request, limits, errors);

    *verdict = NULL;
    if (status == PE_UNKNOWN_NAME) {
        snprintf(request->unknown, sizeof request->unknown, "%s", errors->at[0].detail);
        pe_errors_clear(errors);
        return PE_OK;
    }
    if (status != PE_OK)
        return status;
    status = pe_verify(verdict, request->args, request->tensors, request->judged,
                       request->roles, tolerance_of(request), limits, errors);
    request->wrong_body = status == PE_BAD_VALUE;
    return status;
}
