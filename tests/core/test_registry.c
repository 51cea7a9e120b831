/* SPDX-License-Identifier: Apache-2.0
 * test_registry.c - what every encoding's tables promise: names, documents, uses, shapes.
 * What every encoding's numbers promise is test_registry_laws.c. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/args/args.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct pe_encoding *nth(int i)
{
    return pe_at((size_t)i);
}

/* ---- the list ---------------------------------------------------------------------------- */

START_TEST(names_are_sorted_unique_and_found)
{
    for (size_t i = 0; i < pe_count(); i++) {
        const char *name = pe_name(pe_at(i));

        ck_assert(i == 0 || strcmp(pe_name(pe_at(i - 1)), name) < 0);
        ck_assert_ptr_eq(pe_find(name, strlen(name)), pe_at(i));
        ck_assert_ptr_null(pe_find(name, strlen(name) - 1));
        for (const char *at = name; *at; at++)
            ck_assert_msg(islower(*at) || isdigit(*at) || *at == '-' || *at == '/', "%s", name);
    }
    ck_assert_ptr_null(pe_find("", 0));
    ck_assert_ptr_null(pe_find("nothing", 7));
}
END_TEST

START_TEST(an_encoding_knows_its_number)
{
    for (size_t i = 0; i < pe_count(); i++)
        ck_assert_uint_eq(pe_index(pe_at(i)), i);
}
END_TEST

START_TEST(the_release_has_three_numbers)
{
    ck_assert_uint_eq(strspn(pe_version(), "0123456789."), strlen(pe_version()));
    ck_assert_ptr_nonnull(strchr(strchr(pe_version(), '.') + 1, '.'));
}
END_TEST

START_TEST(every_family_has_a_name)
{
    for (int i = PE_ABSOLUTE; i <= PE_GRAPH; i++)
        ck_assert_uint_gt(strlen(pe_family_name((enum pe_family)i)), 3);
    ck_assert_str_eq(pe_family_name(PE_ROTARY), "rotary");
}
END_TEST

/* ---- documents --------------------------------------------------------------------------- */

static void expect_half_sentence(const char *text, const char *what)
{
    ck_assert_msg(text && text[0] && text[strlen(text) - 1] != '.', "%s: \"%s\"", what,
                  text ? text : "NULL");
}

START_TEST(everything_is_documented)
{
    const struct pe_encoding *enc = nth(_i);
    size_t params, outputs;
    const struct pe_param *param = pe_params(enc, &params);
    const struct pe_output *output = pe_outputs(enc, &outputs);

    expect_half_sentence(pe_summary(enc), pe_name(enc));
    ck_assert_uint_gt(strlen(pe_source(enc)), 10);
    ck_assert_uint_ge(pe_revision(enc), 1);
    ck_assert_ptr_nonnull(pe_examples(enc)[0]);
    ck_assert_uint_gt(strlen(pe_family_name(pe_family_of(enc))), 0);
    for (size_t i = 0; i < params; i++)
        expect_half_sentence(pe_param_summary(&param[i]), param[i].name);
    for (size_t i = 0; i < outputs; i++) {
        expect_half_sentence(output[i].summary, output[i].name);
        ck_assert_msg(output[i].bound && output[i].bound[0], "%s has no bound", output[i].name);
        for (size_t j = 0; j < PE_MAX_RANK && output[i].axes[j]; j++)
            ck_assert_uint_gt(strlen(output[i].axes[j]), 0);
    }
}
END_TEST

START_TEST(tables_keep_within_what_the_frame_can_hold)
{
    const struct pe_encoding *enc = nth(_i);
    size_t params, outputs, groups = 0, by_default = 0;
    const struct pe_output *output = pe_outputs(enc, &outputs);

    pe_params(enc, &params);
    ck_assert_uint_le(params, 64); /* a bit each, see args.h */
    ck_assert(outputs >= 1 && outputs <= PE_MAX_OUTPUTS);
    for (size_t i = 0; i < outputs; i++) {
        groups += pe_output_group(enc, i) == i;
        by_default += output[i].by_default;
        ck_assert(output[i].natural == PE_F32 || output[i].natural == PE_F64 ||
                  output[i].natural == PE_I64 || output[i].natural == PE_BOOL8 ||
                  output[i].natural == PE_U8);
    }
    ck_assert_uint_le(groups, PE_MAX_GROUPS);
    ck_assert_uint_ge(by_default, 1);
    ck_assert(enc->prepare || enc->filler);
    ck_assert(!enc->table_key == !enc->table_build && !enc->table_key == !enc->table_free);
}
END_TEST

/* ---- parameters -------------------------------------------------------------------------- */

/* Names of the request itself, and those that mean one thing in every encoding. */
static const char *const reserved[] = {"format", "dtype", "out",   "data",     "pretty", "rev",
                                       "model",  "cmap",  "range", "in_dtype", "shape"};
static const struct {
    const char *name;
    enum pe_type type;
} fixed[] = {{"pos", PE_POSITIONS}, {"q", PE_POSITIONS}, {"k", PE_POSITIONS},
             {"len", PE_INT},       {"grid", PE_GRID},   {"x", PE_TENSOR},
             {"preset", PE_CHOICE}, {"seq_axis", PE_INT}};

START_TEST(parameter_names_are_unique_and_not_reserved)
{
    const struct pe_encoding *enc = nth(_i);
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++) {
        const char *name = params[i].name;

        ck_assert_uint_lt(strlen(name), sizeof((struct pe_problem *)0)->parameter);
        ck_assert_uint_eq(args_find(enc, name, strlen(name)), i); /* the first of its name */
        for (const char *at = name; *at; at++)
            ck_assert_msg(islower(*at) || isdigit(*at) || *at == '_' || *at == '.', "%s", name);
        for (size_t j = 0; j < PE_LEN(reserved); j++)
            ck_assert_msg(strcmp(name, reserved[j]) != 0, "%s belongs to the request", name);
        for (size_t j = 0; j < PE_LEN(fixed); j++)
            ck_assert_msg(strcmp(name, fixed[j].name) != 0 || params[i].type == fixed[j].type ||
                              (strlen(name) == 1 && params[i].type == PE_TENSOR), /* q and k */
                          "%s has another type elsewhere", name);
    }
}
END_TEST

/* A word may stand for a number that no client may write. */
static bool is_word(const struct pe_param *p, double value)
{
    for (const struct pe_word *word = p->words; word && word->word; word++)
        if (word->value == value)
            return true;
    return false;
}

static void expect_range(const struct pe_param *p)
{
    bool absent = p->required || p->optional;

    ck_assert_msg(p->min <= p->max, "%s: no value fits", p->name);
    if (p->type == PE_INT)
        ck_assert(p->min >= -0x1p53 && p->max <= 0x1p53 && p->min == trunc(p->min) &&
                  p->max == trunc(p->max) && p->multiple_of >= 0);
    if (!absent && p->type != PE_REALS)
        ck_assert_msg((p->preset >= p->min && p->preset <= p->max &&
                       !(p->above_min && p->preset == p->min)) ||
                          is_word(p, p->preset),
                      "%s: the default is out of range", p->name);
    if (!absent && p->type == PE_INT && p->multiple_of > 1)
        ck_assert((int64_t)p->preset % p->multiple_of == 0);
}

static void expect_choices(const struct pe_encoding *enc, const struct pe_param *p)
{
    int count = 0;

    for (const struct pe_choice *c = p->choices; c->name; c++, count++) {
        for (const struct pe_choice *d = p->choices; d < c; d++) {
            ck_assert_str_ne(c->name, d->name);
            for (const char *const *a = d->aliases; a && *a; a++)
                ck_assert_str_ne(c->name, *a);
            for (const char *const *a = c->aliases; a && *a; a++)
                ck_assert_str_ne(d->name, *a);
        }
    }
    ck_assert_msg(count >= 1 && count <= 64, "%s.%s", pe_name(enc), p->name);
    ck_assert(p->required || p->optional || (p->preset >= 0 && p->preset < count));
}

START_TEST(rows_of_parameters_make_sense)
{
    const struct pe_encoding *enc = nth(_i);
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++) {
        const struct pe_param *p = &params[i];

        ck_assert(!(p->required && p->optional));
        ck_assert_uint_lt(p->offset, enc->args_size);
        for (size_t j = 0; j < i; j++)
            ck_assert_uint_ne(p->offset, params[j].offset);
        if (p->type == PE_INT || p->type == PE_REAL || p->type == PE_REALS)
            expect_range(p);
        ck_assert((p->type == PE_CHOICE) == (p->choices != NULL));
        if (p->choices)
            expect_choices(enc, p);
        ck_assert(!p->words || p->type == PE_REAL);
        for (const struct pe_word *w = p->words; w && w->word; w++) {
            char *end;

            (void)strtod(w->word, &end); /* "-inf" is a word and a number of C, the same */
            ck_assert(*end != '\0' || isinf(w->value));
        }
    }
}
END_TEST

/* ---- uses -------------------------------------------------------------------------------- */

static bool is_preset(const struct pe_param *p)
{
    return p->choices && p->choices[0].stands_for;
}

START_TEST(outputs_use_parameters_and_every_parameter_is_used)
{
    const struct pe_encoding *enc = nth(_i);
    size_t params, outputs;
    const struct pe_param *param = pe_params(enc, &params);
    const struct pe_output *output = pe_outputs(enc, &outputs);
    bool used[64] = {false};

    for (size_t i = 0; i < outputs; i++) {
        for (size_t at = 0; !output[i].uses && at < params; at++)
            used[at] = true;
        for (const char *const *name = output[i].uses; name && *name; name++) {
            size_t at = args_find(enc, *name, strlen(*name));

            ck_assert_msg(at != SIZE_MAX, "%s uses %s, which is no parameter", output[i].name,
                          *name);
            used[at] = true;
        }
    }
    for (size_t i = 0; i < params; i++)
        ck_assert_msg(used[i] || is_preset(&param[i]), "nothing uses %s", param[i].name);
}
END_TEST

START_TEST(outputs_of_a_group_share_axes_type_and_uses)
{
    size_t count;
    const struct pe_output *output = pe_outputs(nth(_i), &count);

    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            ck_assert_str_ne(output[i].name, output[j].name);
            if (pe_output_group(nth(_i), i) != pe_output_group(nth(_i), j))
                continue;
            ck_assert_int_eq(output[i].natural, output[j].natural);
            for (size_t axis = 0; axis < PE_MAX_RANK; axis++)
                ck_assert(!output[i].axes[axis] == !output[j].axes[axis] &&
                          (!output[i].axes[axis] ||
                           strcmp(output[i].axes[axis], output[j].axes[axis]) == 0));
        }
    }
}
END_TEST

START_TEST(every_preset_is_a_query_of_its_encoding)
{
    const struct pe_encoding *enc = nth(_i);
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    for (size_t i = 0; i < count; i++) {
        for (const struct pe_choice *c = params[i].choices; c && c->name; c++) {
            struct pe_errors errors = {.count = 0};
            struct pe_args *args = pe_args_new(enc);

            for (const char *pair = c->stands_for, *end; pair && *pair;
                 pair = *end ? end + 1 : end) {
                size_t name_len = strcspn(pair, "=");

                end = strchrnul(pair, '&');
                pe_args_set_text(args, pair, name_len, pair + name_len + 1,
                                 (size_t)(end - pair) - name_len - 1, &errors);
            }
            ck_assert_msg(errors.count == 0, "%s: %s %s", c->name, errors.at[0].parameter,
                          errors.at[0].detail);
            pe_args_free(args);
        }
    }
}
END_TEST

SUITE(registry, TEST(names_are_sorted_unique_and_found), TEST(an_encoding_knows_its_number),
      TEST(the_release_has_three_numbers), TEST(every_family_has_a_name),
      TEST_COUNTED(everything_is_documented, pe_count),
      TEST_COUNTED(tables_keep_within_what_the_frame_can_hold, pe_count),
      TEST_COUNTED(parameter_names_are_unique_and_not_reserved, pe_count),
      TEST_COUNTED(rows_of_parameters_make_sense, pe_count),
      TEST_COUNTED(outputs_use_parameters_and_every_parameter_is_used, pe_count),
      TEST_COUNTED(outputs_of_a_group_share_axes_type_and_uses, pe_count),
      TEST_COUNTED(every_preset_is_a_query_of_its_encoding, pe_count));
