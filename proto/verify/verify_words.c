/* SPDX-License-Identifier: Apache-2.0
 * verify_words.c - see verify_words.h. */
#include "proto/verify/verify_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/word.h"

static const char role_prefix[] = "role.";
enum { ROLE_PREFIX = sizeof role_prefix - 1 };

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

static void set_role(struct verify_words *words, const struct query_parameter *at,
                     const struct pe_verify_tensor *tensors, size_t count,
                     struct pe_errors *errors)
{
    const char *name = at->name + ROLE_PREFIX;
    size_t i = 0;

    while (i < count && strcmp(tensors[i].name, name) != 0)
        i++;
    if (i == count)
        pe_fail(errors, PE_UNKNOWN_PARAMETER, at->name, "the body has no tensor of this name");
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
