/* SPDX-License-Identifier: Apache-2.0
 * model_parts.c - see model_parts.h. A use's request has model= and layer_type=, so that it is
 * the request that a client would send for this table alone. */
#include "proto/output/model_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/when_clause.h"
#include "proto/models/model_output.h"
#include "proto/models/model_use.h"
#include "proto/output/model_param.h"
#include "proto/request/query.h"
#include "proto/text/buffer.h"
#include "proto/text/word.h"

/* A client's query, and what was found in it. */
struct asked {
    const struct models *models;
    const struct model *model;
    const struct query *query;
    const struct query_parameter *pos;
    enum model_parts_masks masks;
    bool taken[QUERY_MAX_PARAMETERS]; /* a use has the parameter */
    struct pe_errors *errors;
};

/* ---- the query -------------------------------------------------------------------------- */

const char *model_parts_masks_name(enum model_parts_masks masks)
{
    return model_param_at(MODEL_PARAM_MASKS)->choices[masks];
}

static void read_masks(struct asked *asked, const char *value)
{
    const char *const *names = model_param_at(MODEL_PARAM_MASKS)->choices;

    for (size_t i = 0; names[i]; i++) {
        if (strcmp(value, names[i]) == 0) {
            asked->masks = (enum model_parts_masks)i;
            return;
        }
    }
    pe_fail(asked->errors, PE_BAD_VALUE, "masks", "must be runs, dense or none; got %.40s",
            value);
}

/* Refuses parameters that stand twice, or that belong to the file and not to a table. */
static void read_query(struct asked *asked)
{
    static const char *const of_file[] = {"model",  "layer", "layer_type", "out",
                                          "format", "data",  "pretty",     "rev"};
    const struct query *query = asked->query;

    for (size_t i = 0; i < query->count; i++) {
        const struct query_parameter *at = &query->at[i];

        for (size_t j = 0; j < i; j++)
            if (strcmp(query->at[j].name, at->name) == 0)
                pe_fail(asked->errors, PE_REPEATED_PARAMETER, at->name,
                        "is given twice; give it once");
        for (size_t j = 0; j < sizeof of_file / sizeof *of_file; j++)
            if (strcmp(at->name, of_file[j]) == 0)
                pe_fail(asked->errors, PE_UNKNOWN_PARAMETER, at->name,
                        "has no place here: the file has every table of the model");
        if (strcmp(at->name, "pos") == 0)
            asked->pos = at;
        if (strcmp(at->name, "masks") == 0)
            read_masks(asked, at->value);
        asked->taken[i] = strcmp(at->name, "pos") == 0 || strcmp(at->name, "masks") == 0;
    }
    if (!asked->pos)
        pe_fail(asked->errors, PE_MISSING_PARAMETER, "pos",
                "is required: the positions of every table, as pos=0:4096");
}

/* Finds the ends of "first:end"; false for other lists. */
static bool read_slice(const char *text, long long *first, long long *end)
{
    char rest;

    *first = 0;
    return (text[0] == ':' ? sscanf(text, ":%lld%c", end, &rest) == 1
                           : sscanf(text, "%lld:%lld%c", first, end, &rest) == 2) &&
           *first >= 0 && *end > *first;
}

/* ---- one use ---------------------------------------------------------------------------- */

/* The outputs that a use has tables of. */
struct wanted {
    const struct pe_encoding *enc;
    const struct pe_output *at[PE_MAX_OUTPUTS];
    size_t count;
};

/* Returns whether a table depends on a parameter of the encoding of that very name. */
static bool is_used(const struct wanted *wanted, const char *name)
{
    const struct pe_param *param = pe_param_find(wanted->enc, name, strlen(name));

    if (!param || strcmp(param->name, name) != 0)
        return false;
    for (size_t i = 0; i < wanted->count; i++)
        if (pe_output_uses(wanted->at[i], name))
            return true;
    return false;
}

static bool is_real(const struct wanted *wanted)
{
    for (size_t i = 0; i < wanted->count; i++)
        if (wanted->at[i]->natural == PE_F32 || wanted->at[i]->natural == PE_F64)
            return true;
    return false;
}

static void set(struct request *request, const char *name, const char *text,
                struct pe_errors *errors)
{
    (void)request_set_text(request, name, strlen(name), text, strlen(text), errors);
}

/* Gives the request the positions under a name; a problem is that of the client's pos. */
static void set_pos(struct request *request, const char *name, const char *text,
                    struct pe_errors *errors)
{
    size_t before = errors->count;

    set(request, name, text, errors);
    for (size_t i = before; i < errors->count; i++)
        snprintf(errors->at[i].parameter, sizeof errors->at[i].parameter, "pos");
}

/* Returns whether a parameter of the client takes the place of pos, as grid_sizes does: pos has
 * the condition that the parameter is not given. */
static bool is_replaced(const struct asked *asked, const struct wanted *wanted)
{
    const struct pe_param *pos = pe_param_find(wanted->enc, "pos", strlen("pos"));
    const char *when = pos ? pos->when : NULL;
    struct when_clause clause;

    while (when_clause_next(&when, &clause))
        for (size_t i = 0; clause.negated && i < asked->query->count; i++)
            if (word_is(asked->query->at[i].name, clause.name, clause.name_len))
                return true;
    return false;
}

/* Gives the request the positions under the names that the encoding has for them: pos; q and k;
 * a length that the model has not, and the length that chooses dynamic frequencies, where
 * positions are 0:N. */
static void set_positions(const struct asked *asked, struct request *request,
                          const struct model_use *use, const struct wanted *wanted,
                          struct pe_errors *errors)
{
    const char *pos = asked->pos->value, *scaling = model_output_setting(use, "scaling");
    const char *variant = model_output_setting(use, "scaling_variant");
    long long first, end;
    char length[24];
    bool slice = read_slice(pos, &first, &end);
    bool dynamic = scaling && strcmp(scaling, "dynamic") == 0 && is_used(wanted, "seq_len") &&
                   !(variant && strcmp(variant, "alpha") == 0);

    snprintf(length, sizeof length, "%lld", slice ? end : 0);
    if (is_used(wanted, "pos") && !is_replaced(asked, wanted))
        set_pos(request, "pos", pos, errors);
    if (is_used(wanted, "q") && is_used(wanted, "k")) {
        set_pos(request, "q", pos, errors);
        set_pos(request, "k", pos, errors);
    } else if (is_used(wanted, "len") && slice && first == 0 &&
               !model_output_setting(use, "len")) {
        set(request, "len", length, errors);
    }
    for (size_t i = 0; i < asked->query->count; i++)
        dynamic &= strcmp(asked->query->at[i].name, "seq_len") != 0;
    if (dynamic && slice && !model_output_setting(use, "seq_len"))
        set(request, "seq_len", length, errors);
}

/* Gives the request the client's other parameters, as far as a table depends on them. seq_len
 * is no other spelling of len here, but a parameter of its own of a rotation beside a mask. */
static void set_others(struct asked *asked, struct request *request,
                       const struct wanted *wanted, struct pe_errors *errors)
{
    for (size_t i = 0; i < asked->query->count; i++) {
        const struct query_parameter *at = &asked->query->at[i];
        const struct pe_param *param = pe_param_find(wanted->enc, at->name, at->name_len);
        bool dtype = strcmp(at->name, "dtype") == 0;
        bool spelt = param && strcmp(param->name, "len") == 0 && strcmp(at->name, "len") != 0;

        if (at == asked->pos || strcmp(at->name, "masks") == 0)
            continue;
        if (dtype ? is_real(wanted) : param && is_used(wanted, param->name) && !spelt) {
            asked->taken[i] = true;
            set(request, at->name, at->value, errors);
        }
    }
}

static void set_outputs(struct request *request, const struct wanted *wanted,
                        struct pe_errors *errors)
{
    struct buffer names = {0};

    for (size_t i = 0; i < wanted->count; i++)
        buffer_add_format(&names, "%s%s", i == 0 ? "" : ",", wanted->at[i]->name);
    if (names.failed)
        pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    else
        set(request, "out", names.bytes, errors);
    buffer_fini(&names);
}

/* Returns whether all that is wrong is that parameters are missing, whose names it notes. */
static bool is_left_out(struct model_part *part, const struct pe_errors *errors)
{
    size_t used = 0;

    for (size_t i = 0; i < errors->count; i++)
        if (errors->at[i].status != PE_MISSING_PARAMETER)
            return false;
    for (size_t i = 0; i < errors->count && used < sizeof part->needs; i++)
        used += (size_t)snprintf(part->needs + used, sizeof part->needs - used, "%s%s",
                                 i == 0 ? "" : ",", errors->at[i].parameter);
    return errors->count > 0;
}

static bool is_told(const struct pe_errors *errors, const struct pe_problem *problem)
{
    for (size_t i = 0; i < errors->count; i++)
        if (strcmp(errors->at[i].parameter, problem->parameter) == 0 &&
            strcmp(errors->at[i].detail, problem->detail) == 0)
            return true;
    return false;
}

/* Adds the problems of a use's request: those of the client's parameters once for all uses,
 * others with the table that they are of. */
static enum pe_status tell(const struct asked *asked, const struct model_part *part,
                           const struct pe_errors *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct pe_problem *problem = &found->at[i];
        bool given = false;

        for (size_t j = 0; j < asked->query->count; j++)
            given |= strcmp(asked->query->at[j].name, problem->parameter) == 0;
        if (!given)
            pe_fail(asked->errors, problem->status, problem->parameter, "%s (%s)",
                    problem->detail, part->name);
        else if (!is_told(asked->errors, problem))
            pe_fail(asked->errors, problem->status, problem->parameter, "%s", problem->detail);
    }
    return found->count > 0 ? found->at[0].status : PE_NO_MEMORY;
}

/* Makes the request of a use. Its problems are kept apart, since a use that lacks something is
 * left out, and all others are told. */
static enum pe_status make_request(struct asked *asked, const struct model_use *use,
                                   const struct wanted *wanted, struct model_part *part,
                                   struct pe_errors *found)
{
    struct request *request = request_new(wanted->enc);

    if (!request)
        return pe_fail(asked->errors, PE_NO_MEMORY, NULL, "out of memory");
    request_set_models(request, asked->models);
    set(request, "model", asked->model->id, found);
    set(request, "layer_type", model_use_group(use), found);
    set(request, "format", "safetensors", found);
    set_positions(asked, request, use, wanted, found);
    set_others(asked, request, wanted, found);
    set_outputs(request, wanted, found);
    if (request_finish(request, NULL, 0, found) == PE_OK && found->count == 0) {
        part->request = request;
        return PE_OK;
    }
    request_free(request);
    return is_left_out(part, found) ? PE_OK : tell(asked, part, found);
}

/* Notes what the default outputs of a use lack of which there is no table. */
static void note_needs(struct model_part *part, const struct model_use *use)
{
    const struct pe_encoding *enc = model_output_encoding(use);
    const char *names[MODEL_OUTPUT_NEEDS_MAX];
    size_t outputs, used = 0;
    const struct pe_output *output = pe_outputs(enc, &outputs);

    for (size_t i = 0; i < outputs && used == 0; i++) {
        size_t count =
            output[i].by_default ? model_output_needs(use, enc, &output[i], names) : 0;

        for (size_t j = 0; j < count && used < sizeof part->needs; j++)
            used += (size_t)snprintf(part->needs + used, sizeof part->needs - used, "%s%s",
                                     j == 0 ? "" : ",", names[j]);
    }
}

/* Returns "all_layers.rope"; NULL: out of memory. */
static char *name_of(const struct model_use *use)
{
    struct buffer text = {0};
    size_t len;

    buffer_add_format(&text, "%s.%s", model_use_group(use), use->encoding);
    return buffer_take(&text, &len);
}

static enum pe_status add_part(struct asked *asked, struct model_parts *parts,
                               const struct model_use *use, struct pe_errors *found)
{
    struct model_part *part = &parts->at[parts->count];
    struct wanted wanted = {.enc = model_output_encoding(use)};

    if (!wanted.enc ||
        (asked->masks == MODEL_PARTS_NONE && pe_family_of(wanted.enc) == PE_MASK))
        return PE_OK;
    *part = (struct model_part){.name = name_of(use),
                                .left_out = use->left_out ? strdup(use->left_out) : NULL};
    parts->count++;
    if (!part->name || (use->left_out && !part->left_out))
        return pe_fail(asked->errors, PE_NO_MEMORY, NULL, "out of memory");
    wanted.count = model_output_tables(use, asked->masks == MODEL_PARTS_DENSE, wanted.at);
    if (wanted.count == 0) {
        note_needs(part, use);
        return PE_OK;
    }
    pe_errors_clear(found);
    return make_request(asked, use, &wanted, part, found);
}

/* ---- all uses --------------------------------------------------------------------------- */

/* Refuses a parameter that no table depends on. */
static void check_taken(const struct asked *asked)
{
    for (size_t i = 0; i < asked->query->count; i++)
        if (!asked->taken[i])
            pe_fail(asked->errors, PE_UNKNOWN_PARAMETER, asked->query->at[i].name,
                    "no table of %s depends on it", asked->model->id);
}

static enum pe_status add_parts(struct asked *asked, struct model_parts *parts)
{
    const struct model *model = asked->model;
    struct pe_errors *found = calloc(1, sizeof *found);

    parts->at = calloc(model->use_count + 1, sizeof *parts->at);
    if (!parts->at || !found) {
        free(found);
        return pe_fail(asked->errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    for (size_t i = 0; i < model->use_count; i++)
        (void)add_part(asked, parts, &model->uses[i], found);
    free(found);
    if (asked->errors->count == 0)
        check_taken(asked);
    return asked->errors->count > 0 ? asked->errors->at[0].status : PE_OK;
}

enum pe_status model_parts_init(struct model_parts *parts, const struct models *models,
                                const struct model *model, const char *query, size_t len,
                                struct pe_errors *errors)
{
    struct asked asked = {.models = models, .model = model, .errors = errors};
    struct query parsed = {.count = 0};
    enum pe_status status = PE_OK;

    *parts = (struct model_parts){.count = 0};
    asked.query = &parsed;
    if (len > 0)
        status = query_parse(&parsed, query, len, errors);
    read_query(&asked);
    if (status == PE_OK && errors->count > 0)
        status = errors->at[0].status;
    if (status == PE_OK)
        status = add_parts(&asked, parts);
    parts->masks = asked.masks;
    query_fini(&parsed);
    if (status != PE_OK)
        model_parts_fini(parts);
    return status;
}

void model_parts_fini(struct model_parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        request_free(parts->at[i].request);
        free(parts->at[i].name);
        free(parts->at[i].left_out);
    }
    free(parts->at);
    *parts = (struct model_parts){.count = 0};
}
