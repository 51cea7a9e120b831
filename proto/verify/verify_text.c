/* SPDX-License-Identifier: Apache-2.0
 * verify_text.c - see verify_text.h. The first line is enough for a log; the rest shows where
 * the tensors differ, and what repairs them. */
#include "proto/verify/verify_text.h"

#include <inttypes.h>
#include <string.h>

#include "proto/verify/verify_integers.h"
#include "proto/verify/verify_url.h"

/* ---- words ------------------------------------------------------------------------------ */

static const char *const red = "\033[31m", *const green = "\033[32m",
                         *const yellow = "\033[33m", *const bold = "\033[1m",
                         *const plain = "\033[0m";

struct writing {
    struct buffer *out;
    const struct verify_request *request;
    const struct pe_verdict *verdict; /* NULL: nothing was identified */
    bool coloured;
};

static void add_coloured(const struct writing *writing, const char *colour, const char *text)
{
    buffer_add_format(writing->out, "%s%s%s", writing->coloured ? colour : "", text,
                      writing->coloured ? plain : "");
}

static const char *colour_of(enum pe_verdict_kind kind)
{
    if (kind <= PE_PROFILE)
        return green;
    return kind == PE_MISTAKE ? red : yellow;
}

/* Writes "[1,29]". */
static void add_place(struct buffer *out, const uint64_t *indices, size_t rank)
{
    buffer_add_text(out, "[");
    for (size_t i = 0; i < rank; i++)
        buffer_add_format(out, "%s%" PRIu64, i > 0 ? "," : "", indices[i]);
    buffer_add_text(out, "]");
}

/* ---- the first line --------------------------------------------------------------------- */

static void add_head(const struct writing *writing, const char *file)
{
    const struct pe_verdict *verdict = writing->verdict;
    enum pe_verdict_kind kind = verdict ? verdict->kind : PE_UNEXPLAINED;
    struct buffer *out = writing->out;

    buffer_add_format(out, "%s: ", file);
    add_coloured(writing, colour_of(kind), pe_verdict_name(kind));
    if (kind == PE_PROFILE)
        buffer_add_format(out, ": %s", verdict->profile);
    for (size_t i = 0; kind == PE_MISTAKE && i < verdict->explanation.count; i++) {
        buffer_add_text(out, i == 0 ? ": " : ", ");
        add_coloured(writing, bold, verdict->explanation.mistake[i].slug);
    }
    buffer_add_text(out, "\n");
}

/* ---- tensors ---------------------------------------------------------------------------- */

/* Returns how many axes a tensor has, of which the two parts of complex numbers are none. */
static size_t rank_of(const struct tensor *tensor)
{
    return tensor->complex ? tensor->info.rank - 1 : tensor->info.rank;
}

static void add_shape(struct buffer *out, const struct tensor *tensor)
{
    const size_t rank = rank_of(tensor);

    if (rank == 0)
        buffer_add_text(out, "scalar");
    for (size_t i = 0; i < rank; i++)
        buffer_add_format(out, "%s%" PRIu64, i > 0 ? "x" : "", tensor->info.dims[i]);
}

static uint64_t count_rows(const struct tensor *tensor)
{
    const size_t rank = rank_of(tensor);
    uint64_t rows = 1;

    for (size_t i = 0; i + 1 < rank; i++)
        rows *= tensor->info.dims[i];
    return rows;
}

/* Writes the pairs or columns that are wrong where they are few runs, and not all. */
static void add_columns(struct buffer *out, const struct pe_tensor_verdict *judged)
{
    const struct pe_verify_where *where = &judged->wrong_columns;

    if (where->range_count == 0 || where->range_count > 3 || where->more > 0 || where->whole)
        return;
    buffer_add_format(out, "; only %s ", judged->has_pairs ? "pairs" : "columns");
    for (size_t i = 0; i < where->range_count; i++)
        buffer_add_format(out, "%s%" PRIu64 ":%" PRIu64, i > 0 ? ", " : "",
                          where->range[i].first, where->range[i].end);
    if (judged->has_pairs)
        buffer_add_format(out, " (pair i is columns %s)", judged->pair_columns);
}

static void add_difference(struct buffer *out, const struct tensor *tensor,
                           const struct pe_tensor_verdict *judged)
{
    uint64_t rows = count_rows(tensor);

    if (judged->kind >= PE_MISTAKE && rows > 1 && judged->rows_differ > 0)
        buffer_add_format(out, "%" PRIu64 " of %" PRIu64 " rows differ, first ",
                          judged->rows_differ, rows);
    else
        buffer_add_format(out, "%" PRIu64 " of %" PRIu64 " elements differ, first ",
                          judged->differs, judged->of);
    add_place(out, judged->first, judged->rank);
    buffer_add_format(out, ", worst %.2g at ", judged->max_abs);
    add_place(out, judged->max_abs_at, judged->rank);
    if (judged->kind >= PE_MISTAKE)
        add_columns(out, judged);
}

static void add_tensor(struct buffer *out, const struct verify_request *request, size_t i,
                       const struct pe_tensor_verdict *judged)
{
    const struct tensor *tensor = &request->set->at[i];
    const char *given = request->tensors[i].name;
    const char *role = judged && judged->role ? judged->role : "-";

    buffer_add_format(out, "  %s  %s ", *given ? given : role, verify_request_type(request, i));
    add_shape(out, tensor);
    if (judged) {
        buffer_add_text(out, "  ");
        if (!judged->role && verify_request_leaves_out(request, i))
            buffer_add_text(out, VERIFY_REQUEST_LEFT_OUT);
        else if (!judged->role)
            buffer_add_text(out, "is read for the claim, not judged");
        else if (judged->kind != PE_EXACT && judged->of == 0)
            buffer_add_text(out, "has another shape than the claim");
        else if (judged->differs > 0)
            add_difference(out, tensor, judged);
        else
            buffer_add_text(out, "exact");
        if (strcmp(judged->fits, "columns first") == 0)
            buffer_add_text(out, ", columns first");
    }
    buffer_add_text(out, "\n");
}

/* ---- explanations ----------------------------------------------------------------------- */

/* Returns a value of a parameter; one that it has not is left out of a call. */
static const char *value_of(const char *text)
{
    return *text != '\0' ? text : "(left out)";
}

static void add_repair(struct buffer *out, const struct pe_mistake *mistake)
{
    for (size_t i = 0; i < mistake->change_count; i++) {
        const struct pe_verify_change *change = &mistake->change[i];

        buffer_add_format(out, "%s%s: %s -> %s", i == 0 ? "" : ", ", change->parameter,
                          value_of(change->found), value_of(change->expected));
        if (change->ranged)
            buffer_add_format(out, " (%.4g to %.4g give these numbers)", change->low,
                              change->high);
    }
}

static void add_mistake(struct buffer *out, const struct pe_mistake *mistake)
{
    buffer_add_format(out,
                      "  %s\n    without it  max |\xce\x94| %.3g      with it  max |\xce\x94| "
                      "%.2g (rounding)\n",
                      mistake->says, mistake->evidence.without, mistake->evidence.max_abs);
    if (mistake->change_count > 0) {
        buffer_add_text(out, "  repair: ");
        add_repair(out, mistake);
        buffer_add_text(out, "\n");
    }
    if (*mistake->fix)
        buffer_add_format(out, "  fix:    %s\n", mistake->fix);
    if (*mistake->code)
        buffer_add_format(out, "  code:   %s\n", mistake->code);
    buffer_add_format(out, "  page:   %s%s\n", VERIFY_URL_PAGES,
                      verify_url_page(mistake->slug));
}

static void add_alternative(struct buffer *out, const struct pe_explanation *other)
{
    buffer_add_text(out, "  or:     ");
    for (size_t i = 0; i < other->count; i++) {
        buffer_add_text(out, i > 0 ? ", and " : "");
        if (other->mistake[i].change_count > 0)
            add_repair(out, &other->mistake[i]);
        else
            buffer_add_text(out, other->mistake[i].says);
    }
    buffer_add_text(out, "\n");
}

/* Writes a line with the words of the arguments; false: no words say them, for a tensor that
 * came with the numbers is one of them. */
static bool add_words(struct buffer *out, const char *before,
                      const struct verify_request *request, const char *after)
{
    struct verify_url url = {.args = request->args,
                             .model = request->model,
                             .layer_type = request->layer_type,
                             .models = request->models};
    struct buffer words = {0};

    const bool said = verify_url_write_words(&words, &url) && !words.failed;
    if (said)
        buffer_add_format(out, "%s%s%s\n", before, words.bytes, after);
    if (words.failed)
        buffer_fail(out);
    buffer_fini(&words);
    return said;
}

enum { NAMES = 2 }; /* models that are named where more than one other has the same */

/* Writes the models that have what was found, the most used first. */
static void add_models(struct buffer *out, const struct verify_request *request)
{
    const size_t count = request->named_count;
    const size_t told = count <= NAMES + 1 ? count : NAMES;

    for (size_t i = 0; i < told; i++)
        buffer_add_format(out, "%s%s",
                          i == 0          ? "  models: "
                          : i + 1 < count ? ", "
                                          : " and ",
                          request->named[i]);
    if (told < count)
        buffer_add_format(out, " and %zu more", count - told);
    if (count > 0)
        buffer_add_text(out, "\n");
}

static void add_search(struct buffer *out, const struct pe_verdict *verdict)
{
    buffer_add_format(out, "(tested %" PRIu64, verdict->tested);
    if (verdict->next_slug)
        buffer_add_format(out, ", next best: %s, %.2g", verdict->next_slug,
                          verdict->next_max_abs);
    buffer_add_text(out, verdict->budget_spent ? ", search ended early)\n" : ")\n");
}

/* ---- the whole -------------------------------------------------------------------------- */

void verify_text_write(struct buffer *out, const char *file,
                       const struct verify_request *request, const struct pe_verdict *verdict,
                       bool coloured)
{
    struct writing writing = {out, request, verdict, coloured};
    bool wrong = verdict && verdict->kind >= PE_MISTAKE;

    add_head(&writing, file);
    for (size_t i = 0; i < request->count; i++)
        add_tensor(out, request, i, verdict ? &verdict->tensor[i] : NULL);
    if (!verdict || verdict->kind != PE_MISTAKE)
        buffer_add_format(out, "  %s\n", verdict ? verdict->says : request->unknown);
    if (!request->request && request->args && !add_words(out, "  found:  ", request, ""))
        buffer_add_format(out, "  found:  %s, with the tensors of the file\n",
                          pe_name(pe_args_encoding(request->args)));
    add_models(out, request);
    for (size_t i = 0; i < request->count; i++)
        if (verify_integers_are(request, verdict, i)) {
            buffer_add_text(out, "  warning: ");
            verify_integers_write(out, request, i);
            buffer_add_text(out, "\n");
        }
    if (!verdict)
        return;
    if (*verdict->warning)
        buffer_add_format(out, "  warning: %s\n", verdict->warning);
    for (size_t i = 0; i < verdict->explanation.count; i++)
        add_mistake(out, &verdict->explanation.mistake[i]);
    for (size_t i = 0; i < verdict->other_count; i++)
        add_alternative(out, &verdict->others[i]);
    if (wrong) {
        (void)add_words(out, "  right:  posencd compute ", request, " -o right.safetensors");
        add_search(out, verdict);
    }
}
