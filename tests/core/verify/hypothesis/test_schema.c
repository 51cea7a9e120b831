/* SPDX-License-Identifier: Apache-2.0
 * test_schema.c - numbers made with another value of a choice or a truth value are
 * explained by that value, or by another explanation that gives the same numbers; and a
 * parameter that no hypothesis changes is named here, with its reason. */
#include "core/verify/hypothesis/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/when.h"
#include "core/encoding.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

/* A claim, numbers for it, and what it may be changed to. */
struct trial {
    struct verify_case own;
    struct claim claim;
    struct hypotheses list;
};

/* False where the claim is refused. */
static bool trial_begin(struct trial *trial, const char *request)
{
    struct pe_errors errors = {.count = 0};
    struct verify_case *own = &trial->own;

    verify_case_of(own, request);
    if (verify_case_try_claim(own, request, &errors)) {
        verify_case_free(own);
        return false;
    }
    ck_assert(claim_init(&trial->claim, own->claim, own->tensor, own->count, own->role, NULL,
                         &verify_case_limits));
    trial->list = (struct hypotheses){.count = 0};
    schema_add_values(&trial->list, &trial->claim);
    return true;
}

static void trial_end(struct trial *trial)
{
    hypothesis_free(&trial->list);
    claim_fini(&trial->claim);
    verify_case_free(&trial->own);
}

/* ---- one other value --------------------------------------------------------------------- */

/* Returns whether the numbers of two answers differ by more than rounding explains. */
static bool differ(const struct verify_case *one, const struct verify_case *other)
{
    const size_t last = one->count - 1;
    const uint64_t count = verify_case_elements(one, last);
    double most = 0, largest = 0;

    if (one->count != other->count || count != verify_case_elements(other, last))
        return true;
    for (uint64_t i = 0; i < count; i++) {
        double a = verify_case_get(one, last, i), b = verify_case_get(other, last, i);

        if (isinf(a) || isinf(b) || isnan(a) || isnan(b)) {
            if (a != b && !(isnan(a) && isnan(b)))
                return true;
            continue;
        }
        most = fmax(most, fabs(a - b));
        largest = fmax(largest, fabs(a));
    }
    return most > 1e-3 * largest;
}

static bool equal(const struct verify_case *one, const struct verify_case *other)
{
    const size_t last = one->count - 1;

    return one->count == other->count &&
           verify_case_elements(one, last) == verify_case_elements(other, last) &&
           one->tensor[last].info.dtype == other->tensor[last].info.dtype &&
           memcmp(one->data[last], other->data[last],
                  verify_case_elements(one, last) *
                      pe_dtype_size(one->tensor[last].info.dtype)) == 0;
}

/* Returns whether the shape alone shows the change, and the numbers are those of the claim (the
 * width of a table), or differ in what nothing determines (signs and bases of eigenvectors). */
static bool is_free(const struct pe_verdict *verdict, size_t last)
{
    return (verdict->kind == PE_EXACT && verdict->tensor[last].fits[0] != '\0') ||
           (verdict->kind == PE_PROFILE &&
            (strcmp(verdict->profile, "sign") == 0 || strcmp(verdict->profile, "basis") == 0));
}

/* Returns whether a claim that leaves the choice open took it from the numbers. */
static bool is_taken(const struct pe_verdict *verdict, const struct changes *changes)
{
    char text[CHANGE_TEXT];

    for (size_t i = 0; i < pe_args_value_count(verdict->claim); i++)
        if (strcmp(pe_args_value(verdict->claim, i)->name, changes->at[0].param->name) == 0) {
            pe_args_print(verdict->claim, i, text, sizeof text);
            return strcmp(text, changes->at[0].text) == 0;
        }
    return false;
}

/* Writes why the verdict does not explain the numbers; nothing if it does. */
static void judge(struct verify_case *made, const char *request, const struct changes *changes,
                  FILE *wrong)
{
    char change[200];

    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict = NULL;

    snprintf(change, sizeof change, "%s=%.100s", changes->at[0].param->name,
             changes->at[0].text);
    if (verify_case_try_claim(made, request, &errors) ||
        verify_case_try(made, &verdict, &errors)) {
        fprintf(wrong, "\n%s, made with %s: %s %s", request, change, errors.at[0].parameter,
                errors.at[0].detail);
        return;
    }
    char *text = verify_case_text(verdict);
    if (verdict->kind != PE_MISTAKE && !is_free(verdict, made->count - 1) &&
        !(verdict->kind == PE_EXACT && is_taken(verdict, changes)))
        fprintf(wrong, "\n%s, made with %s, is %s", request, change, text);
    else if (verdict->explanation.found) {
        struct verify_case found;

        verify_case_of_args(&found, verdict->explanation.found);
        if (!equal(made, &found))
            fprintf(wrong, "\n%s, made with %s, is %s, which gives other numbers", request,
                    change, text);
        verify_case_free(&found);
    }
    free(text);
    pe_verdict_free(verdict);
}

static void try_change(struct claim *claim, const struct verify_case *right,
                       const char *request, const struct changes *changes, FILE *wrong)
{
    struct pe_args *args =
        claim_args(claim, claim->enc, changes, claim->outputs, CLAIM_NATURAL, NULL);
    struct verify_case made;

    if (!args)
        return;
    verify_case_of_args(&made, args);
    if (differ(&made, right))
        judge(&made, request, changes, wrong);
    verify_case_free(&made);
    pe_args_free(args);
}

/* Makes the claim's own numbers in the way in which those of a change are made. */
static void make_right(struct claim *claim, struct verify_case *right)
{
    struct pe_args *args =
        claim_args(claim, claim->enc, NULL, claim->outputs, CLAIM_NATURAL, NULL);

    ck_assert_ptr_nonnull(args);
    verify_case_of_args(right, args);
    pe_args_free(args);
}

static void try_changes(const char *request, FILE *wrong)
{
    struct verify_case right;
    struct trial trial;

    if (!trial_begin(&trial, request))
        return;
    make_right(&trial.claim, &right);
    for (size_t i = 0; i < trial.list.count; i++) {
        const struct changes *changes = &trial.list.at[i].changes;
        enum pe_type type = changes->at[0].param->type;

        if (type == PE_CHOICE || type == PE_BOOL)
            try_change(&trial.claim, &right, request, changes, wrong);
    }
    verify_case_free(&right);
    trial_end(&trial);
}

START_TEST(numbers_of_another_choice_are_explained)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    char request[VERIFY_CASE_REQUEST], *text = NULL;
    size_t size = 0;
    FILE *wrong = open_memstream(&text, &size);

    for (size_t i = 0; i < enc->output_count; i++)
        if (verify_case_request(request, enc, pe_examples(enc)[0], enc->outputs[i].name, NULL))
            try_changes(request, wrong);
    fclose(wrong);
    ck_assert_msg(size == 0, "%s", text);
    free(text);
}
END_TEST

/* ---- parameters that no hypothesis changes ----------------------------------------------- */

enum { NAMES = 32 };

/* Each of the names is a parameter that a claim of an example has and no hypothesis changes. */
static const struct {
    const char *reason;
    const char *names[NAMES];
} unchanged[] = {
    {"it says how numbers are rounded, which is a profile and no mistake",
     {"profile", "powf", "rotate_math"}},
    {"it is a tensor that is sent beside the numbers",
     {"x",
      "q",
      "k",
      "table",
      "queries",
      "keys",
      "scores",
      "col_table",
      "row_table",
      "table_h",
      "table_w",
      "curve_weights",
      "curves",
      "gates",
      "gate_weight",
      "h_position_embeddings",
      "hidden",
      "key_table",
      "position_vectors",
      "probabilities",
      "query_table",
      "table_x",
      "table_y",
      "w_position_embeddings",
      "weight",
      "x_position_embeddings",
      "y_position_embeddings"}},
    {"it has learned weights, of which no other values are known",
     {"a",          "angle_bias",
      "angles",     "b",
      "b2",         "circulant",
      "cos_coef",   "edge_table",
      "freqs",      "g",
      "multiplier", "omega",
      "raw",        "relative_table",
      "seg_embed",  "sin_coef",
      "skew",       "spatial_table",
      "token_bias", "w1",
      "w2",         "w_hidden",
      "w_r",        "wk",
      "wq",         "wr",
      "z_in",       "z_out"}},
    {"it is what the encoding is applied to, of which no other values are known",
     {"anchors", "attention_mask", "boxes", "edge_dis", "edge_weights", "edges", "ids",
      "input_ids", "mask", "mask_a", "mask_b", "padding_mask", "paths", "segments"}},
    {"the examples have one number or equal ones, and a list is only turned or reversed",
     {"crops_coords", "head_ratios"}},
};

static bool is_named(const char *name)
{
    for (size_t i = 0; i < PE_LEN(unchanged); i++)
        for (size_t j = 0; j < NAMES && unchanged[i].names[j]; j++)
            if (strcmp(unchanged[i].names[j], name) == 0)
                return true;
    return false;
}

/* Sets the bits of parameters that have an effect on the claim, and of changed ones. */
static void note_changes(const char *request, uint64_t *claimed, uint64_t *changed)
{
    struct trial trial;

    if (!trial_begin(&trial, request))
        return;
    struct claim *claim = &trial.claim;
    const struct pe_output *output = &claim->enc->outputs[claim->subject[0].output];
    for (size_t i = 0; i < trial.list.count; i++)
        *changed |= UINT64_C(1) << claim_index(claim, trial.list.at[i].changes.at[0].param);
    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *param = &claim->enc->params[i];

        if (claim->text[i] && !param->expanded && when_holds(claim->args, i) &&
            pe_output_uses(output, param->name))
            *claimed |= UINT64_C(1) << i;
    }
    trial_end(&trial);
}

/* Returns the bits of an encoding's parameters that claims have and no hypothesis changes. */
static uint64_t find_unchanged(const struct pe_encoding *enc)
{
    char request[VERIFY_CASE_REQUEST];
    uint64_t claimed = 0, changed = 0;

    for (const char *const *example = pe_examples(enc); *example; example++)
        for (size_t i = 0; i < enc->output_count; i++)
            if (verify_case_request(request, enc, *example, enc->outputs[i].name, NULL))
                note_changes(request, &claimed, &changed);
    return claimed & ~changed;
}

START_TEST(a_parameter_without_a_hypothesis_has_a_reason)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);
    const uint64_t found = find_unchanged(enc);

    for (size_t i = 0; i < enc->param_count; i++)
        ck_assert_msg(!(found >> i & 1) || is_named(enc->params[i].name),
                      "no hypothesis changes %s of %s", enc->params[i].name, enc->name);
}
END_TEST

static bool is_found(const char *name)
{
    for (size_t i = 0; i < pe_count(); i++) {
        const struct pe_encoding *enc = pe_at(i);
        const struct pe_param *param = pe_param_find(enc, name, strlen(name));

        if (param && find_unchanged(enc) >> (param - enc->params) & 1)
            return true;
    }
    return false;
}

START_TEST(each_reason_is_needed)
{
    char needless[400] = "";
    size_t len = 0;

    for (size_t i = 0; i < NAMES && unchanged[_i].names[i]; i++)
        if (!is_found(unchanged[_i].names[i]) && len < sizeof needless - 40)
            len += (size_t)snprintf(needless + len, sizeof needless - len, " %s",
                                    unchanged[_i].names[i]);
    ck_assert_msg(len == 0, "hypotheses change%s: no reason is needed", needless);
}
END_TEST

SUITE(schema, TEST_COUNTED(numbers_of_another_choice_are_explained, pe_count),
      TEST_COUNTED(a_parameter_without_a_hypothesis_has_a_reason, pe_count),
      TEST_EACH(each_reason_is_needed, unchanged));
