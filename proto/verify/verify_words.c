/* SPDX-License-Identifier: Apache-2.0
 * verify_words.c - see verify_words.h. */
#include "proto/verify/verify_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/word.h"

static const char role_prefix[] = "role.";
enum { ROLE_PREFIX = sizeof role_prefix - 1, NAMES_SIZE = 200 };

static bool is_role(const char *name, size_t len)
{
    return len > ROLE_PREFIX && memcmp(name, role_prefix, ROLE_PREFIX) == 0;
}

bool verify_words_has(const char *name, size_t len)
{
    return is_role(name, len) || word_is("atol", name, len) || word_is("rtol", name, len);
}

static void set_tolerance(double *tolerance, const struct query_parameter *at,
                          struct pe_errors *errors)
{
    char *end;
    const double number = strtod(at->value, &end);

    if (end == at->value || *end != '\0' || !isfinite(number) || number < 0)
        pe_fail(errors, PE_BAD_VALUE, at->name,
                "must be a number of at least 0, such as 1e-5; got %.40s",
                at->value_len > 0 ? at->value : "nothing");
    else
        *tolerance = number;
}

/* Says which tensors there are. */
static void refuse_name(const char *role, const struct pe_verify_tensor *tensors, size_t count,
                        struct pe_errors *errors)
{
    char names[NAMES_SIZE] = "";
    size_t used = 0;

    for (size_t i = 0; i < count && used < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                 tensors[i].name);
    pe_fail(errors, PE_UNKNOWN_PARAMETER, role, "names no tensor of the body, which has %s",
            names);
}

static void set_role(struct verify_words *words, const struct query_parameter *at,
                     const struct pe_verify_tensor *tensors, size_t count,
                     struct pe_errors *errors)
{
    const char *name = at->name + ROLE_PREFIX;
    size_t i = 0;

    while (i < count && strcmp(tensors[i].name, name) != 0)
        i++;
    if (i == count)
        refuse_name(at->name, tensors, count, errors);
    else if (at->value_len == 0 || at->value_len >= VERIFY_WORDS_ROLE_SIZE)
        pe_fail(errors, PE_BAD_VALUE, at->name, "must be an output, such as cos");
    else
        memcpy(words->role[i], at->value, at->value_len + 1);
}

void verify_words_read(struct verify_words *words, const struct query *query,
                       const struct pe_verify_tensor *tensors, size_t count,
                       struct pe_errors *errors)
{
    *words = (struct verify_words){.has_tolerance = false};
    for (size_t i = 0; i < query->count; i++) {
        const struct query_parameter *at = &query->at[i];
        const bool relative = word_is("rtol", at->name, at->name_len);

        if (is_role(at->name, at->name_len)) {
            set_role(words, at, tensors, count, errors);
        } else if (relative || word_is("atol", at->name, at->name_len)) {
            words->has_tolerance = true;
            set_tolerance(relative ? &words->tolerance.rtol : &words->tolerance.atol, at,
                          errors);
        }
    }
}
