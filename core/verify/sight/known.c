/* SPDX-License-Identifier: Apache-2.0
 * known.c - see known.h. */
#include "core/verify/sight/known.h"

#include <string.h>

#include "core/verify/sight/sight.h"

size_t known_before(const struct pe_verify_known *known, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (known[j].enc == known[i].enc && strcmp(known[j].query, known[i].query) == 0)
            return j;
    return i;
}

bool known_has_encoding(const struct pe_verify_known *known, size_t count,
                        const struct pe_encoding *enc)
{
    for (size_t i = 0; i < count; i++)
        if (known[i].enc == enc)
            return true;
    return false;
}

/* Writes the canonical value of a name; false: the arguments have none. */
static bool value_of(const struct pe_args *args, const char *name, char text[SIGHT_EXAMPLE])
{
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, name) == 0)
            return pe_args_print(args, i, text, SIGHT_EXAMPLE) < SIGHT_EXAMPLE;
    return false;
}

/* Returns whether two checked arguments of an encoding have the same values. */
static bool is_equal(const struct pe_args *args, const struct pe_args *other)
{
    const size_t count = pe_args_value_count(args);
    char text[SIGHT_EXAMPLE], again[SIGHT_EXAMPLE];
    bool equal = count == pe_args_value_count(other);

    for (size_t i = 0; equal && i < count; i++) {
        const char *name = pe_args_value(args, i)->name;

        equal = strcmp(name, pe_args_value(other, i)->name) == 0 &&
                value_of(args, name, text) && value_of(other, name, again) &&
                strcmp(text, again) == 0;
    }
    return equal;
}

/* Returns whether a known claim, with the values that it leaves open, is the one that was
 * found. */
static bool is_same_claim(struct sight *sight, const struct pe_verify_known *known,
                          const struct pe_args *args, const struct pe_verify_role *roles)
{
    struct draft draft = {.enc = known->enc, .query = known->query};
    const struct pe_param *missing;
    struct pe_args *other = sight_args(sight, &draft, roles, &missing);

    while (!other && missing && draft.inferred_count < SIGHT_INFERRED) {
        const size_t at = draft.inferred_count++;

        draft.inferred[at].param = missing;
        draft.inferred[at].text = draft.inferred[at].example;
        if (!value_of(args, missing->name, draft.inferred[at].example))
            return false;
        other = sight_args(sight, &draft, roles, &missing);
    }
    const bool same = other && is_equal(args, other);
    pe_args_free(other);
    return same;
}

void known_name(bool *named, struct sight *sight, const struct pe_verify_known *known,
                size_t count, const struct pe_args *args, const struct pe_verify_role *roles)
{
    for (size_t i = 0; i < count && !pe_stop_is_set(sight->limits.stop); i++) {
        const size_t before = known_before(known, i);

        named[i] = before < i ? named[before]
                              : known[i].enc == args->enc &&
                                    is_same_claim(sight, &known[i], args, roles);
    }
}
