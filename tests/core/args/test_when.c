/* SPDX-License-Identifier: Apache-2.0
 * test_when.c - parameters that have an effect only beside certain values of others. */
#include "core/args/when.h"
#include "tests/support/suite.h"

struct brush {
    int kind, tip;
    bool wet;
    int64_t hairs;
    double length, drops, stroke, edge, curl, gloss, shade;
    struct pe_reals bends;
};

static const struct pe_choice kinds[] = {{"flat", NULL, NULL, NULL, NULL},
                                         {"round", PE_WORDS("ball"), NULL, NULL, NULL},
                                         {"fan", NULL, NULL, NULL, NULL},
                                         {NULL, NULL, NULL, NULL, NULL}};
static const struct pe_choice tips[] = {{"soft", NULL, NULL, "kind=fan&wet=1", NULL},
                                        {NULL, NULL, NULL, NULL, NULL}};

#define REAL(FIELD, WHEN)                                                                      \
    {                                                                                          \
        PE_FIELD(struct brush, FIELD), .type = PE_REAL, .optional = true, .max = 9,            \
                                       .when = (WHEN)                                          \
    }

static const struct pe_param params[] = {
    {PE_FIELD(struct brush, kind), .type = PE_CHOICE, .choices = kinds},
    {PE_FIELD(struct brush, tip), .type = PE_CHOICE, .choices = tips, .optional = true,
     .expanded = true},
    {PE_FIELD(struct brush, wet), .type = PE_BOOL},
    {PE_FIELD(struct brush, hairs), .type = PE_INT, .min = 1, .max = 9, .preset = 3},
    {PE_FIELD(struct brush, bends), .type = PE_REALS, .max = 9},
    REAL(length, NULL),
    REAL(drops, "wet"),
    REAL(stroke, "kind=round|fan&hairs=3"),
    REAL(edge, "!kind=fan&!bends"),
    REAL(curl, "bends"),
    {PE_FIELD(struct brush, shade), .type = PE_REAL, .required = true, .max = 9,
     .when = "hairs=1", .summary = "how dark"},
    REAL(gloss, "wet,kind=round&bends"),
};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("line", PE_F32, "3"), .by_default = true,
     .uses = PE_WORDS("kind", "wet", "hairs", "bends", "length", "drops", "stroke", "edge",
                      "curl", "gloss", "shade")},
    {PE_OUTPUT("dot", PE_F32, NULL), .uses = PE_WORDS("length")}};

static const struct pe_encoding brush = {
    .name = "brush", .lengths = PE_WORDS("3=3"), PE_TABLES(struct brush, params, outputs)};

static const struct {
    const char *names[3], *texts[3];
    const char *parameter, *detail; /* NULL: nothing is refused */
} cases[] = {
    {{"length"}, {"1"}, NULL, NULL},
    {{"drops", "wet"}, {"1", "1"}, NULL, NULL},
    {{"drops"}, {"1"}, "drops", "has no effect without wet=1; leave it out"},
    {{"drops", "wet"}, {"1", "0"}, "drops", "has no effect without wet=1; leave it out"},
    {{"stroke", "kind"}, {"1", "ball"}, NULL, NULL},
    {{"stroke", "kind"}, {"1", "fan"}, NULL, NULL},
    {{"stroke"}, {"1"}, "stroke", "has no effect without kind=round or fan; leave it out"},
    {{"stroke", "kind", "hairs"},
     {"1", "fan", "4"},
     "stroke",
     "has no effect without hairs=3; leave it out"},
    {{"edge"}, {"1"}, NULL, NULL},
    {{"edge", "kind"}, {"1", "fan"}, "edge", "has no effect with kind=fan; leave it out"},
    {{"edge", "bends"}, {"1", "1,2"}, "edge", "has no effect with bends; leave it out"},
    {{"curl", "bends"}, {"1", "1,2"}, NULL, NULL},
    {{"curl"}, {"1"}, "curl", "has no effect without bends; leave it out"},
    {{"drops", "stroke", "tip"}, {"1", "1", "soft"}, NULL, NULL},
    {{"edge", "tip"}, {"1", "soft"}, "edge", "has no effect with kind=fan; leave it out"},
    {{"gloss", "wet"}, {"1", "1"}, NULL, NULL},
    {{"gloss", "kind", "bends"}, {"1", "round", "2"}, NULL, NULL},
    {{"gloss", "kind"},
     {"1", "round"},
     "gloss",
     "has no effect without wet=1, or kind=round and bends; leave it out"},
    {{"hairs", "shade"}, {"1", "2"}, NULL, NULL},
    {{"shade"}, {"2"}, "shade", "has no effect without hairs=1; leave it out"},
    {{"out", "drops"}, {"dot", "1"}, "drops", "has no effect on out=dot; leave it out"},
};

START_TEST(a_parameter_is_refused_unless_its_condition_holds)
{
    struct pe_args *args = pe_args_new(&brush);
    struct pe_errors errors = {.count = 0};

    for (size_t i = 0; i < 3 && cases[_i].names[i]; i++)
        pe_args_set_text(args, cases[_i].names[i], strlen(cases[_i].names[i]),
                         cases[_i].texts[i], strlen(cases[_i].texts[i]), &errors);
    if (!cases[_i].parameter) {
        ck_assert_int_eq(pe_args_check(args, &errors), PE_OK);
    } else {
        ck_assert_int_eq(pe_args_check(args, &errors), PE_CONFLICT);
        ck_assert_uint_eq(errors.count, 1);
        ck_assert_str_eq(errors.at[0].parameter, cases[_i].parameter);
        ck_assert_str_eq(errors.at[0].detail, cases[_i].detail);
    }
    pe_args_free(args);
}
END_TEST

/* Returns whether the words of the clause, "round|fan", are choices of the parameter, each in
 * its first spelling. */
static bool names_choices(const struct pe_param *p, const struct when_clause *clause)
{
    for (const char *word = clause->words, *end = word + clause->words_len; word < end;) {
        const char *bar = memchr(word, '|', (size_t)(end - word));
        size_t len = (size_t)((bar ? bar : end) - word);
        const struct pe_choice *c = p->choices;

        while (c->name && !args_parse_is(c->name, word, len))
            c++;
        if (!c->name)
            return false;
        word += len + 1;
    }
    return true;
}

START_TEST(a_parameter_is_required_where_its_condition_holds)
{
    struct pe_args *args = pe_args_new(&brush);
    struct pe_errors errors = {.count = 0};

    pe_args_set_text(args, "hairs", 5, "1", 1, &errors);
    ck_assert_int_eq(pe_args_check(args, &errors), PE_MISSING_PARAMETER);
    ck_assert_str_eq(errors.at[0].parameter, "shade");
    ck_assert_str_eq(errors.at[0].detail, "is required with hairs=1: how dark");
    pe_args_free(args);
}
END_TEST

START_TEST(conditions_name_other_parameters_and_their_choices)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (size_t i = 0; i < enc->param_count; i++) {
        const char *rest = enc->params[i].when;
        struct when_clause clause;

        while (when_clause_next(&rest, &clause)) {
            size_t other = args_find(enc, clause.name, clause.name_len);

            ck_assert_msg(other != SIZE_MAX && other != i, "%s: when %.*s", enc->params[i].name,
                          (int)clause.name_len, clause.name);
            ck_assert_msg(enc->params[other].type != PE_CHOICE || !clause.words ||
                              names_choices(&enc->params[other], &clause),
                          "%s: when %s", enc->params[i].name, enc->params[i].when);
        }
    }
}
END_TEST

SUITE(when, TEST(a_parameter_is_required_where_its_condition_holds),
      TEST_COUNTED(conditions_name_other_parameters_and_their_choices, pe_count),
      TEST_EACH(a_parameter_is_refused_unless_its_condition_holds, cases));
