/* SPDX-License-Identifier: Apache-2.0
 * verify_answer.c - see verify_answer.h. The members and their order are those of every answer;
 * what an answer does not have is null or an empty list. */
#include "proto/verify/verify_answer.h"

#include <math.h>
#include <string.h>

#include "core/text/float_text.h"
#include "proto/request/canonical.h"
#include "proto/verify/verify_url.h"

/* Adds a name, a colon and, unless it is the object's first member, a comma before. */
static void add_name(struct buffer *out, const char *name)
{
    bool first = out->len > 0 && out->bytes[out->len - 1] == '{';

    buffer_add_format(out, "%s\"%s\":", first ? "" : ",", name);
}

static void add_text(struct buffer *out, const char *name, const char *text)
{
    add_name(out, name);
    if (text)
        buffer_add_json(out, text, strlen(text));
    else
        buffer_add_text(out, "null");
}

static void add_count(struct buffer *out, const char *name, uint64_t count)
{
    add_name(out, name);
    buffer_add_integer(out, count);
}

/* Adds a number. What is not finite is unbounded. */
static void add_value(struct buffer *out, double value)
{
    char text[FLOAT_TEXT_F64_MAX];

    if (isfinite(value))
        buffer_add(out, text, (size_t)(float_text_f64(text, value) - text));
    else
        buffer_add_text(out, "\"Infinity\"");
}

static void add_number(struct buffer *out, const char *name, double value)
{
    add_name(out, name);
    add_value(out, value);
}

/* ---- the claim -------------------------------------------------------------------------- */

static void add_params(struct buffer *out, const struct pe_args *args)
{
    struct option_values none;

    option_init(&none);
    add_name(out, "params");
    canonical_write_json(out, args, &none, 0);
}

static void add_url(struct buffer *out, const char *name, const struct pe_args *args)
{
    struct buffer url = {0};
    bool written = args && verify_url_write(&url, &(struct verify_url){.args = args});

    add_name(out, name);
    if (url.failed)
        buffer_fail(out);
    else if (written)
        buffer_add_json(out, url.bytes, url.len);
    else
        buffer_add_text(out, "null");
    buffer_fini(&url);
}

/* Writes the object of a claim, or of what was found in place of one. */
static void add_claim(struct buffer *out, const struct verify_request *request, bool found)
{
    buffer_add_text(out, "{");
    add_text(out, "encoding", pe_name(pe_args_encoding(request->args)));
    if (request->model)
        add_text(out, "model", request->model);
    if (request->layer_type)
        add_text(out, "layer_type", request->layer_type);
    add_params(out, request->args);
    if (found)
        add_url(out, "url", request->args);
    buffer_add_text(out, "}");
}

static void add_claims(struct buffer *out, const struct verify_request *request)
{
    add_name(out, "claim");
    if (request->request) {
        add_claim(out, request, false);
        return;
    }
    buffer_add_text(out, "null");
    add_name(out, "identified");
    if (request->args)
        add_claim(out, request, true);
    else
        buffer_add_text(out, "null");
}

/* ---- explanations ----------------------------------------------------------------------- */

static void add_side(struct buffer *out, const char *name,
                     const struct pe_verify_change *change, const char *text)
{
    add_name(out, name);
    if (change->numeric)
        buffer_add_text(out, text);
    else
        buffer_add_json(out, text, strlen(text));
}

static void add_change(struct buffer *out, const struct pe_verify_change *change)
{
    buffer_add_text(out, "{");
    add_text(out, "parameter", change->parameter);
    add_side(out, "found", change, change->found);
    if (change->ranged) {
        add_name(out, "found_range");
        buffer_add_text(out, "[");
        add_value(out, change->low);
        buffer_add_text(out, ",");
        add_value(out, change->high);
        buffer_add_text(out, "]");
    }
    add_side(out, "expected", change, change->expected);
    buffer_add_text(out, "}");
}

static void add_mistake(struct buffer *out, const struct pe_mistake *mistake)
{
    buffer_add_text(out, "{");
    add_text(out, "mistake", mistake->slug);
    add_text(out, "says", mistake->says);
    add_name(out, "repair");
    buffer_add_text(out, "[");
    for (size_t i = 0; i < mistake->change_count; i++) {
        buffer_add_text(out, i > 0 ? "," : "");
        add_change(out, &mistake->change[i]);
    }
    buffer_add_text(out, "]");
    add_name(out, "evidence");
    buffer_add_text(out, "{");
    add_number(out, "max_abs", mistake->evidence.max_abs);
    add_number(out, "within", mistake->evidence.within);
    add_count(out, "rows", mistake->evidence.rows);
    add_number(out, "without", mistake->evidence.without);
    buffer_add_text(out, "}}");
}

static void add_mistakes(struct buffer *out, const struct pe_explanation *explanation)
{
    buffer_add_text(out, "[");
    for (size_t i = 0; i < explanation->count; i++) {
        buffer_add_text(out, i > 0 ? "," : "");
        add_mistake(out, &explanation->mistake[i]);
    }
    buffer_add_text(out, "]");
}

static void add_alternatives(struct buffer *out, const struct pe_verdict *verdict)
{
    add_name(out, "alternatives");
    buffer_add_text(out, "[");
    for (size_t i = 0; verdict && i < verdict->other_count; i++) {
        buffer_add_text(out, i > 0 ? "," : "");
        add_mistakes(out, &verdict->others[i]);
    }
    buffer_add_text(out, "]");
}

/* ---- tensors ---------------------------------------------------------------------------- */

static void add_indices(struct buffer *out, const char *name, const uint64_t *indices,
                        size_t count)
{
    add_name(out, name);
    buffer_add_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        buffer_add_text(out, i > 0 ? "," : "");
        buffer_add_integer(out, indices[i]);
    }
    buffer_add_text(out, "]");
}

static void add_shown(struct buffer *out, const char *name, const struct pe_verify_shown *shown,
                      size_t count)
{
    add_name(out, name);
    buffer_add_text(out, "[");
    for (size_t i = 0; i < count; i++) {
        buffer_add_format(out, "%s[", i > 0 ? "," : "");
        buffer_add_integer(out, shown[i].index);
        buffer_add_text(out, ",");
        add_value(out, shown[i].max_abs);
        buffer_add_text(out, "]");
    }
    buffer_add_text(out, "]");
}

static void add_judgement(struct buffer *out, const struct pe_tensor_verdict *tensor)
{
    bool differs = tensor->differs > 0;

    add_text(out, "fits", *tensor->fits ? tensor->fits : NULL);
    add_count(out, "differs", tensor->differs);
    add_count(out, "of", tensor->of);
    add_number(out, "max_abs", tensor->max_abs);
    if (differs)
        add_indices(out, "max_abs_at", tensor->max_abs_at, tensor->rank);
    add_number(out, "max_rel", tensor->max_rel);
    add_number(out, "max_ulp", tensor->max_ulp);
    if (differs)
        add_indices(out, "first", tensor->first, tensor->rank);
    add_shown(out, "rows", tensor->rows, tensor->row_count);
    add_shown(out, tensor->has_pairs ? "pairs" : "columns", tensor->pairs, tensor->pair_count);
    if (!tensor->finite)
        buffer_add_text(out, ",\"nonfinite\":true");
}

/* Writes a tensor. judged is NULL if nothing was identified; a tensor that serves the claim has
 * no verdict either. */
static void add_tensor(struct buffer *out, const struct verify_request *request, size_t i,
                       const struct pe_tensor_verdict *judged)
{
    const struct tensor *tensor = &request->set->at[i];
    bool serves = !judged || !judged->role;

    buffer_add_text(out, "{");
    add_text(out, "name", request->tensors[i].name);
    add_text(out, "role", serves ? request->roles[i].name : judged->role);
    add_text(out, "dtype", tensor->type ? tensor->type : pe_dtype_name(tensor->info.dtype));
    add_indices(out, "shape", tensor->info.dims,
                tensor->complex ? tensor->info.rank - 1 : tensor->info.rank);
    add_text(out, "verdict", serves ? NULL : pe_verdict_name(judged->kind));
    if (!serves)
        add_judgement(out, judged);
    buffer_add_text(out, "}");
}

static void add_tensors(struct buffer *out, const struct verify_request *request,
                        const struct pe_verdict *verdict)
{
    add_name(out, "tensors");
    buffer_add_text(out, "[");
    for (size_t i = 0; i < request->count; i++) {
        buffer_add_text(out, i > 0 ? "," : "");
        add_tensor(out, request, i, verdict ? &verdict->tensor[i] : NULL);
    }
    buffer_add_text(out, "]");
}

/* ---- the whole -------------------------------------------------------------------------- */

static void add_profile(struct buffer *out, const struct pe_verdict *verdict)
{
    bool fits = verdict && verdict->kind == PE_PROFILE;

    add_text(out, "profile", fits ? verdict->profile : NULL);
    if (!fits)
        return;
    add_number(out, "agree", verdict->agree);
    add_name(out, "warnings");
    buffer_add_text(out, "[");
    if (*verdict->warning)
        buffer_add_json(out, verdict->warning, strlen(verdict->warning));
    buffer_add_text(out, "]");
}

static void add_search(struct buffer *out, const struct pe_verdict *verdict)
{
    add_count(out, "tested", verdict ? verdict->tested : 0);
    add_name(out, "next_best");
    if (verdict && verdict->next_slug) {
        buffer_add_text(out, "{");
        add_text(out, "mistake", verdict->next_slug);
        add_number(out, "max_abs", verdict->next_max_abs);
        buffer_add_text(out, "}");
    } else {
        buffer_add_text(out, "null");
    }
    if (verdict && verdict->budget_spent)
        add_text(out, "budget", "spent");
}

void verify_answer_write(struct buffer *out, const struct verify_request *request,
                         const struct pe_verdict *verdict)
{
    static const struct pe_explanation none = {.count = 0};
    const struct pe_explanation *explanation = verdict ? &verdict->explanation : &none;

    buffer_add_text(out, "{");
    add_text(out, "verdict", pe_verdict_name(verdict ? verdict->kind : PE_UNEXPLAINED));
    add_text(out, "says", verdict ? verdict->says : request->unknown);
    add_claims(out, request);
    add_profile(out, verdict);
    add_name(out, "mistakes");
    add_mistakes(out, explanation);
    add_alternatives(out, verdict);
    add_url(out, "url", request->args);
    add_url(out, "found_url", explanation->found);
    add_tensors(out, request, verdict);
    add_search(out, verdict);
    buffer_add_text(out, "}\n");
}
