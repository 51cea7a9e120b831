/* SPDX-License-Identifier: Apache-2.0
 * args_echo.c - finds problems that only follow from others. */
#include "core/args/args_echo.h"

#include <string.h>

#include "core/args/args.h"

static bool is_word_char(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* Returns whether the sentence has the name as a word. */
static bool has_word(const char *sentence, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = sentence; (at = strstr(at, name)) != NULL; at++)
        if ((at == sentence || !is_word_char(at[-1])) && !is_word_char(at[len]))
            return true;
    return false;
}

/* A problem that is about a parameter that was refused, or names it, may vanish with the right
 * value. */
static bool is_echo(const struct pe_args *args, const struct pe_problem *problem)
{
    for (size_t i = 0; i < args->enc->param_count; i++) {
        const char *name = args->enc->params[i].name;

        if (args_bit(args->refused, i) &&
            (strcmp(problem->parameter, name) == 0 || has_word(problem->detail, name)))
            return true;
    }
    return false;
}

void args_echo_drop(const struct pe_args *args, struct pe_errors *errors, size_t before)
{
    size_t kept = before;

    for (size_t i = before; i < errors->count; i++)
        if (!is_echo(args, &errors->at[i]))
            errors->at[kept++] = errors->at[i];
    errors->count = kept;
}
