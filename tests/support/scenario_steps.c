/* SPDX-License-Identifier: Apache-2.0
 * scenario_steps.c - see scenario_steps.h. */
#include "tests/support/scenario_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool step_holds(const struct scenario_steps *steps, const struct row *row)
{
    struct row filled = *row;
    bool holds;

    filled.text = scenario_values_fill_in(steps->values, row->text);
    holds = steps->holds(steps->cls, &filled);
    free(filled.text);
    return holds;
}

/* Cuts off what stands before the separator, and gives its length. */
static const char *cut(const char **text, const char *separator, size_t *len)
{
    const char *part = *text, *end = strstr(part, separator);

    *len = end ? (size_t)(end - part) : strlen(part);
    *text = end ? end + strlen(separator) : part + *len;
    return part;
}

static bool steps_hold(const struct scenario_steps *steps, size_t at, size_t end);

static bool each_holds(const struct scenario_steps *steps, size_t at, size_t end)
{
    const struct row *row = &steps->rows[at];
    char *filled = scenario_values_fill_in(steps->values, row->text);
    const char *groups = filled;
    bool holds = true;

    while (holds && *groups) {
        const char *names = row->claim + strlen("each "), *values;
        size_t group_len, name_len, len;
        char *group;

        values = cut(&groups, " | ", &group_len);
        values = group = strndup(values, group_len);
        while (*names) {
            const char *name = cut(&names, " ; ", &name_len),
                       *value = cut(&values, " ; ", &len);

            scenario_values_set_text(steps->values, name, name_len, value, len);
        }
        holds = steps_hold(steps, at + 1, end);
        len = strlen(steps->why);
        if (!holds)
            snprintf(steps->why + len, steps->size - len, " (%s)", group);
        free(group);
    }
    free(filled);
    return holds;
}

static bool is_loop(const char *claim)
{
    return strcmp(claim, "times") == 0 || strncmp(claim, "each ", 5) == 0;
}

static bool steps_hold(const struct scenario_steps *steps, size_t at, size_t end)
{
    for (; at < end; at++) {
        const struct row *row = &steps->rows[at];
        bool times = strcmp(row->claim, "times") == 0, holds = true;
        size_t then = at + 1;

        if (!is_loop(row->claim)) {
            if (!step_holds(steps, row))
                return false;
            continue;
        }
        for (size_t depth = 1; then < end; then++) {
            depth += is_loop(steps->rows[then].claim);
            depth -= strcmp(steps->rows[then].claim, "then") == 0;
            if (depth == 0)
                break;
        }
        if (!times)
            holds = each_holds(steps, at, then);
        for (long left = times ? strtol(row->text, NULL, 10) : 0; left > 0 && holds; left--)
            holds = steps_hold(steps, at + 1, then);
        if (!holds)
            return false;
        at = then;
    }
    return true;
}

/* Whether an input is a request and not a name: /TARGET or METHOD /TARGET. */
static bool is_request(const char *input)
{
    size_t method = strspn(input, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    return input[0] == '/' || (method > 0 && strncmp(input + method, " /", 2) == 0);
}

bool scenario_steps_hold(const struct scenario_steps *steps, size_t count)
{
    struct row ask = *steps->rows;

    ask.claim = (char *)"ask";
    ask.text = ask.input;
    return (!is_request(ask.input) || step_holds(steps, &ask)) && steps_hold(steps, 0, count);
}
