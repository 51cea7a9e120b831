/* SPDX-License-Identifier: Apache-2.0
 * verify_answer.c - see verify_answer.h. The members and their order are those of every answer;
 * what an answer does not have is null or an empty list. */
#include "proto/verify/verify_answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "proto/request/canonical.h"
#include "proto/text/json_write.h"
#include "proto/verify/verify_integers.h"
#include "proto/verify/verify_url.h"

static void add_text(struct buffer *out, const char *name, const char *text)
{
    json_write_key(out, name);
    if (text)
        json_write_text(out, NULL, text);
    else
        json_write(out, "null");
}

/* Adds a number. What is not finite is unbounded. */
static void add_number(struct buffer *out, const char *name, double value)
{
    json_write_number(out, name, isfinite(value) ? value : (double)INFINITY);
}

/* ---- the claim -------------------------------------------------------------------------- */

static void add_params(struct buffer *out, const struct pe_args *args)
{
    struct option_values none;

    option_init(&none);
    json_write_key(out, "params");
    canonical_write_json(out, args, &none, 0);
}

static void add_url(struct buffer *out, const char *name, const struct pe_args *args)
{
    struct buffer url = {0};
    bool written = args && verify_url_write(&url, &(struct verify_url){.args = args});

    if (written || url.failed) {
        json_write_buffer(out, name, &url);
        return;
    }
    add_text(out, name, NULL);
    buffer_fini(&url);
}

static void add_claim(struct buffer *out, const struct verify_request *request)
{
    json_write(out, "'claim':{");
    add_text(out, "encoding", pe_name(pe_args_encoding(request->args)));
    json_write_text(out, "model", request->model);
    json_write_text(out, "layer_type", request->layer_type);
    add_params(out, request->args);
    json_write(out, "}");
}

/* Writes what was found in place of a claim: parameters, and the models that have them. */
static void add_identified(struct buffer *out, const struct verify_request *request)
{
    json_write(out, "'identified':{");
    add_text(out, "encoding", pe_name(pe_args_encoding(request->args)));
    json_write(out, "'models':[");
    for (size_t i = 0; i < request->named_count && i < VERIFY_REQUEST_NAMES; i++)
        json_write_text(out, NULL, request->named[i]);
    json_write(out, "]");
    json_write_integer(out, "model_count", request->named_count);
    add_params(out, request->args);
    add_url(out, "url", request->args);
    json_write(out, "}");
}

static void add_claims(struct buffer *out, const struct verify_request *request)
{
    if (request->request) {
        add_claim(out, request);
        return;
    }
    add_text(out, "claim", NULL);
    if (request->args)
        add_identified(out, request);
    else
        add_text(out, "identified", NULL);
}

/* ---- explanations ----------------------------------------------------------------------- */

static void add_side(struct buffer *out, const char *name,
                     const struct pe_verify_change *change, const char *text)
{
    json_write_key(out, name);
    if (change->numeric)
        buffer_add_text(out, text);
    else
        json_write_text(out, NULL, text);
}

static void add_change(struct buffer *out, const struct pe_verify_change *change)
{
    json_write(out, "{");
    add_text(out, "parameter", change->parameter);
    add_side(out, "found", change, change->found);
    if (change->ranged) {
        json_write(out, "'found_range':[");
        add_number(out, NULL, change->low);
        add_number(out, NULL, change->high);
        json_write(out, "]");
    }
    add_side(out, "expected", change, change->expected);
    json_write(out, "}");
}

static void add_mistake(struct buffer *out, const struct pe_mistake *mistake)
{
    json_write(out, "{");
    add_text(out, "mistake", mistake->slug);
    add_text(out, "says", mistake->says);
    json_write(out, "'repair':[");
    for (size_t i = 0; i < mistake->change_count; i++)
        add_change(out, &mistake->change[i]);
    json_write(out, "]");
    add_text(out, "fix", *mistake->fix ? mistake->fix : NULL);
    add_text(out, "code", *mistake->code ? mistake->code : NULL);
    json_write(out, "'page':'%s%s','evidence':{", VERIFY_URL_PAGES,
               verify_url_page(mistake->slug));
    add_number(out, "max_abs", mistake->evidence.max_abs);
    add_number(out, "within", mistake->evidence.within);
    json_write_integer(out, "rows", mistake->evidence.rows);
    add_number(out, "without", mistake->evidence.without);
    json_write(out, "}}");
}

static void add_mistakes(struct buffer *out, const struct pe_explanation *explanation)
{
    json_write(out, "[");
    for (size_t i = 0; i < explanation->count; i++)
        add_mistake(out, &explanation->mistake[i]);
    json_write(out, "]");
}

static void add_alternatives(struct buffer *out, const struct pe_verdict *verdict)
{
    json_write(out, "'alternatives':[");
    for (size_t i = 0; verdict && i < verdict->other_count; i++)
        add_mistakes(out, &verdict->others[i]);
    json_write(out, "]");
}

/* ---- tensors ---------------------------------------------------------------------------- */

static void add_shown(struct buffer *out, const char *name, const struct pe_verify_shown *shown,
                      size_t count)
{
    json_write(out, "'%s':[", name);
    for (size_t i = 0; i < count; i++) {
        json_write(out, "[");
        json_write_integer(out, NULL, shown[i].index);
        add_number(out, NULL, shown[i].max_abs);
        json_write(out, "]");
    }
    json_write(out, "]");
}

/* Writes runs of rows or columns as [first, end]. */
static void add_ranges(struct buffer *out, const char *name,
                       const struct pe_verify_where *where)
{
    json_write(out, "'%s':[", name);
    for (size_t i = 0; i < where->range_count; i++)
        json_write_integers(out, NULL,
                            (const uint64_t[]){where->range[i].first, where->range[i].end}, 2);
    json_write(out, "]");
}

/* Writes distances for a picture, in three digits. */
static void add_distances(struct buffer *out, const char *name,
                          const struct pe_verify_where *where)
{
    char digits[32];

    json_write(out, "'%s':{", name);
    json_write_integer(out, "step", where->step);
    json_write(out, "'max_abs':[");
    for (size_t i = 0; i < where->bin_count; i++) {
        snprintf(digits, sizeof digits, "%.3g", where->most[i]);
        add_number(out, NULL, strtod(digits, NULL));
    }
    json_write(out, "]}");
}

static void add_where(struct buffer *out, const struct pe_tensor_verdict *tensor)
{
    const bool pairs = tensor->has_pairs;

    json_write(out, "'where':{");
    add_ranges(out, "rows", &tensor->wrong_rows);
    json_write_integer(out, "more_rows", tensor->wrong_rows.more);
    add_ranges(out, pairs ? "pairs" : "columns", &tensor->wrong_columns);
    json_write_integer(out, pairs ? "more_pairs" : "more_columns", tensor->wrong_columns.more);
    if (pairs)
        json_write_text(out, "columns_of_pair", tensor->pair_columns);
    add_distances(out, "by_row", &tensor->wrong_rows);
    add_distances(out, pairs ? "by_pair" : "by_column", &tensor->wrong_columns);
    json_write(out, "}");
}

static void add_judgement(struct buffer *out, const struct pe_tensor_verdict *tensor)
{
    bool differs = tensor->differs > 0;

    add_text(out, "fits", *tensor->fits ? tensor->fits : NULL);
    json_write_integer(out, "differs", tensor->differs);
    json_write_integer(out, "of", tensor->of);
    add_number(out, "max_abs", tensor->max_abs);
    if (differs)
        json_write_integers(out, "max_abs_at", tensor->max_abs_at, tensor->rank);
    add_number(out, "max_rel", tensor->max_rel);
    add_number(out, "max_ulp", tensor->max_ulp);
    if (differs)
        json_write_integers(out, "first", tensor->first, tensor->rank);
    add_shown(out, "rows", tensor->rows, tensor->row_count);
    add_shown(out, tensor->has_pairs ? "pairs" : "columns", tensor->pairs, tensor->pair_count);
    if (!tensor->finite) {
        json_write_flag(out, "nonfinite", true);
        json_write_integers(out, "nonfinite_at", tensor->nonfinite_at, tensor->rank);
    }
    if (tensor->kind >= PE_MISTAKE && tensor->wrong_rows.range_count > 0)
        add_where(out, tensor);
}

/* Writes a tensor. judged is NULL if nothing was identified; a tensor that serves the claim has
 * no verdict either. */
static void add_tensor(struct buffer *out, const struct verify_request *request, size_t i,
                       const struct pe_tensor_verdict *judged)
{
    const struct tensor *tensor = &request->set->at[i];
    bool serves = !judged || !judged->role;

    json_write(out, "{");
    add_text(out, "name", request->tensors[i].name);
    add_text(out, "role", serves ? request->roles[i].name : judged->role);
    add_text(out, "dtype", verify_request_type(request, i));
    json_write_integers(out, "shape", tensor->info.dims,
                        tensor->complex ? tensor->info.rank - 1 : tensor->info.rank);
    add_text(out, "verdict", serves ? NULL : pe_verdict_name(judged->kind));
    if (!serves)
        add_judgement(out, judged);
    json_write(out, "}");
}

static void add_tensors(struct buffer *out, const struct verify_request *request,
                        const struct pe_verdict *verdict)
{
    json_write(out, "'tensors':[");
    for (size_t i = 0; i < request->count; i++)
        add_tensor(out, request, i, verdict ? &verdict->tensor[i] : NULL);
    json_write(out, "]");
}

/* ---- the whole -------------------------------------------------------------------------- */

/* Writes what the sender should know of right numbers too: what their arithmetic costs, which
 * tensors were left out, whose names may be mistyped, and which have integers for fractions. */
static void add_warnings(struct buffer *out, const struct verify_request *request,
                         const struct pe_verdict *verdict)
{
    json_write(out, "'warnings':[");
    if (verdict && *verdict->warning)
        json_write_text(out, NULL, verdict->warning);
    for (size_t i = 0; i < request->count; i++) {
        struct buffer text = {0};

        if (verdict && verify_request_leaves_out(request, i)) {
            buffer_add_format(&text, "%s " VERIFY_REQUEST_LEFT_OUT, request->tensors[i].name);
            json_write_buffer(out, NULL, &text);
        } else if (verify_integers_are(request, verdict, i)) {
            verify_integers_write(&text, request, i);
            json_write_buffer(out, NULL, &text);
        }
    }
    json_write(out, "]");
}

static bool is_warned(const struct verify_request *request, const struct pe_verdict *verdict)
{
    bool warned = verdict && verdict->kind == PE_PROFILE;

    for (size_t i = 0; i < request->count; i++)
        warned = warned || (verdict && verify_request_leaves_out(request, i)) ||
                 verify_integers_are(request, verdict, i);
    return warned;
}

static void add_profile(struct buffer *out, const struct verify_request *request,
                        const struct pe_verdict *verdict)
{
    bool fits = verdict && verdict->kind == PE_PROFILE;

    add_text(out, "profile", fits ? verdict->profile : NULL);
    if (fits)
        add_number(out, "agree", verdict->agree);
    if (verdict && verdict->kind == PE_CLOSE)
        json_write_integer(out, "digits", (uint64_t)verdict->digits);
    if (verdict && request->words.has_tolerance)
        json_write_flag(out, "tolerance_holds", verdict->holds);
    if (is_warned(request, verdict))
        add_warnings(out, request, verdict);
}

static void add_findings(struct buffer *out, const struct pe_verdict *verdict)
{
    json_write(out, "'findings':[");
    for (size_t i = 0; verdict && i < verdict->finding_count; i++) {
        const struct pe_verify_finding *finding = &verdict->finding[i];

        json_write(out, "{'axis':'%s'", finding->axis);
        json_write_integer(out, "from", finding->from);
        json_write_integer(out, "to", finding->to);
        json_write_flag(out, "right", finding->right);
        json_write_text(out, "is", finding->is);
        json_write(out, "}");
    }
    json_write(out, "]");
}

static void add_search(struct buffer *out, const struct pe_verdict *verdict)
{
    json_write_integer(out, "tested", verdict ? verdict->tested : 0);
    if (verdict && verdict->next_slug) {
        json_write(out, "'next_best':{'mistake':'%s'", verdict->next_slug);
        add_number(out, "max_abs", verdict->next_max_abs);
        json_write(out, "}");
    } else {
        add_text(out, "next_best", NULL);
    }
    if (!verdict || verdict->most == 0) {
        add_text(out, "budget", NULL);
        return;
    }
    json_write(out, "'budget':{'operations':%" PRIu64 ",'most':%" PRIu64,
               (uint64_t)verdict->operations, (uint64_t)verdict->most);
    json_write_flag(out, "spent", verdict->budget_spent);
    json_write(out, "}");
}

void verify_answer_write(struct buffer *out, const struct verify_request *request,
                         const struct pe_verdict *verdict)
{
    static const struct pe_explanation none = {.count = 0};
    const struct pe_explanation *explanation = verdict ? &verdict->explanation : &none;

    json_write(out, "{");
    add_text(out, "verdict", pe_verdict_name(verdict ? verdict->kind : PE_UNEXPLAINED));
    add_text(out, "says", verdict ? verdict->says : request->unknown);
    add_claims(out, request);
    add_profile(out, request, verdict);
    json_write_key(out, "mistakes");
    add_mistakes(out, explanation);
    add_alternatives(out, verdict);
    add_url(out, "url", request->args);
    add_url(out, "found_url", explanation->found);
    add_tensors(out, request, verdict);
    add_findings(out, verdict);
    add_search(out, verdict);
    json_write(out, "}\n");
}
