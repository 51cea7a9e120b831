/* SPDX-License-Identifier: Apache-2.0
 * request_check.c - the rules that options, model, tensors, arguments and format must meet
 * together. A rule does not repeat the problem of another rule. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/http/format.h"
#include "proto/models/model_use.h"
#include "proto/models/models.h"
#include "proto/request/json_param.h"
#include "proto/request/request_internal.h"
#include "proto/text/buffer.h"

/* A problem found by a rule belongs to the body if its parameter was given there, or is missing
 * in the whole request. */
void request_check_mark(const struct request *request, struct pe_errors *errors, size_t before)
{
    for (size_t i = before; request->has_body && i < errors->count; i++) {
        char *parameter = errors->at[i].parameter;
        bool in_query = parameter[0] == '\0';

        for (size_t j = 0; j < request->given_count; j++)
            in_query |= strcmp(request->given[j].param->name, parameter) == 0 &&
                        !request->given[j].in_body;
        if (!in_query)
            json_param_mark_name(&errors->at[i]);
    }
}

/* Tells the arguments which of their parameters were given values that were refused: the
 * parameter of the problem is a name, or a pointer, "#/pos/3". */
static void note_refused(struct request *request, const struct pe_errors *errors)
{
    for (size_t i = 0; i < errors->count; i++) {
        const char *name = errors->at[i].parameter;

        name += strncmp(name, "#/", 2) == 0 ? 2 : 0;
        const struct pe_param *param = pe_param_find(request->enc, name, strcspn(name, "/"));
        if (param)
            pe_args_refuse(request->args, param);
    }
}

/* Adds the problem of an option that was given with a format that it does not suit. */
static void fail_without_effect(const struct option *option, const char *format,
                                struct pe_errors *errors)
{
    char suited[80] = "";
    size_t len = 0;

    for (size_t i = 0; option->only_formats[i] && len < sizeof suited; i++)
        len += (size_t)snprintf(suited + len, sizeof suited - len, "%sformat=%s",
                                i == 0 ? "" : " or ", option->only_formats[i]);
    pe_fail(errors, PE_CONFLICT, option->param.name,
            "has no effect with format=%s, only with %s; leave it out", format, suited);
}

/* The problem has the revision that is served as its limit (problem.h). */
static void fail_revision(const struct pe_encoding *enc, int64_t wanted,
                          struct pe_errors *errors)
{
    const unsigned rev = pe_revision(enc);
    const size_t before = errors->count;

    pe_fail(errors, PE_UNKNOWN_NAME, "rev",
            "must be %u, the revision of %s that this server has; got %" PRId64, rev,
            pe_name(enc), wanted);
    if (errors->count > before) {
        errors->at[before].limit = rev;
        errors->at[before].requested = (uint64_t)wanted;
    }
}

static void check_options(const struct request *request, struct pe_errors *errors)
{
    const struct option_values *values = &request->options.values;
    char printed[OPTION_TEXT_SIZE];
    const char *format = option_print(values, OPTION_FORMAT, printed);

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = option_at(i);

        if (values->given[i] && !option_suits(option, format))
            fail_without_effect(option, format, errors);
    }
}

static void check_revision(const struct request *request, struct pe_errors *errors)
{
    const struct option_values *values = &request->options.values;

    if (values->given[OPTION_REV] && values->value[OPTION_REV] != 0 &&
        values->value[OPTION_REV] != (int64_t)pe_revision(request->enc))
        fail_revision(request->enc, values->value[OPTION_REV], errors);
}

/* Gives the arguments the settings of the named model in place of the defaults. */
static enum pe_status expand_model(struct request *request, struct pe_errors *errors)
{
    const struct option_values *values = &request->options.values;
    struct model_use_layer layer = {.index = -1};

    if (!values->given[OPTION_MODEL]) {
        for (size_t i = OPTION_LAYER; i <= OPTION_LAYER_TYPE; i++) {
            if (values->given[i])
                pe_fail(errors, PE_CONFLICT, option_at(i)->param.name,
                        "has no effect without model; leave it out");
        }
        return PE_OK;
    }
    if (values->model[0] == '\0')
        return PE_BAD_VALUE; /* an unreadable name is a problem already */
    const struct model *model =
        models_find(request->models, values->model, strlen(values->model));
    if (!model)
        return models_refuse(request->models, values->model, strlen(values->model), errors);
    if (values->given[OPTION_LAYER])
        layer.index = values->value[OPTION_LAYER];
    if (values->layer_type[0] != '\0')
        layer.type = values->layer_type;
    const struct model_use *use = model_use_choose(model, request->enc, &layer, errors);
    const char *given[PARAM_NAMES_MAX];
    for (size_t i = 0; i < request->given_count; i++)
        given[i] = request->given[i].param->name;
    return !use ? PE_BAD_VALUE
                : model_use_apply(use, request->args, given, request->given_count, errors);
}

/* Refuses a format that holds one tensor if the request wants several. */
static void check_single(struct request *request, struct pe_errors *errors)
{
    size_t wanted[PE_MAX_OUTPUTS], outputs;
    size_t count = pe_args_wanted(request->args, wanted);
    const struct pe_output *output = pe_outputs(request->enc, &outputs);
    struct buffer names = {0};

    request_format_fit(request, count);
    if (!request->options.format->single || count == 1)
        return;
    for (size_t i = 0; i < count; i++)
        buffer_add_format(&names, "%s%s", i == 0 ? "" : ", ", output[wanted[i]].name);
    if (names.failed) {
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
        return;
    }
    pe_fail(errors, PE_CONFLICT, "out",
            "must name one tensor, because format=%s holds one; choose one of %s",
            request->options.format->name, names.bytes);
    pe_hint(errors, "out=%s, or format=%s for several", output[wanted[0]].name,
            format_binary(count)->name);
    buffer_fini(&names);
}

enum pe_status request_expand(struct request *request, struct pe_errors *errors)
{
    request_write_old_names(request);
    note_refused(request, errors);
    enum pe_status status =
        inputs_finish(&request->inputs, request->args, &request->options.values, errors);
    return status == PE_OK ? expand_model(request, errors) : status;
}

const struct tensor_set *request_tensors(const struct request *request)
{
    return &request->inputs.set;
}

void request_check(struct request *request, struct pe_errors *errors)
{
    struct request_options *options = &request->options;
    size_t before = errors->count;

    if (options->format)
        check_options(request, errors);
    check_revision(request, errors);
    if (request_expand(request, errors) == PE_OK &&
        pe_args_check(request->args, errors) == PE_OK && options->format)
        check_single(request, errors);
    request_check_mark(request, errors, before);
}

/* ---- old names --------------------------------------------------------------------------- */

void request_write_old_names(struct request *request)
{
    static const char end[] = "; the next release no longer accepts old names";
    char *text = request->old_names;
    size_t len = 0, space = sizeof request->old_names - sizeof end;

    for (size_t i = 0; i < request->given_count; i++) {
        const struct pe_spelling *spelling = request->given[i].spelling;
        char more[128];

        if (!spelling || !spelling->old)
            continue;
        size_t size = (size_t)snprintf(more, sizeof more, "%s%s is the old name of %s",
                                       len > 0 ? ", " : "", spelling->name, spelling->means);
        if (len + size > space)
            break;
        memcpy(text + len, more, size);
        len += size;
    }
    if (len > 0)
        memcpy(text + len, end, sizeof end);
}

const char *request_old_names(const struct request *request)
{
    return request->old_names;
}
