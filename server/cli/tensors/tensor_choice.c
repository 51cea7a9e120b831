/* SPDX-License-Identifier: Apache-2.0
 * tensor_choice.c - see tensor_choice.h. */
#include "server/cli/tensors/tensor_choice.h"

#include <stdio.h>
#include <string.h>

#include "core/posenc.h"

enum { LISTED = 100 /* bytes of names in a sentence */ };

/* Returns whether the name is the end, or "<...>.<end>", with or without ".weight". */
static bool ends_in(const char *name, const char *end)
{
    static const char weight[] = ".weight";
    const size_t len = strlen(name), end_len = strlen(end), weight_len = sizeof weight - 1;
    size_t whole = len;

    for (int pass = 0; pass < 2; pass++) {
        if (whole >= end_len && memcmp(name + whole - end_len, end, end_len) == 0 &&
            (whole == end_len || name[whole - end_len - 1] == '.'))
            return true;
        if (len <= weight_len || strcmp(name + len - weight_len, weight) != 0)
            return false;
        whole = len - weight_len;
    }
    return false;
}

static size_t find_exact(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i;
}

/* Writes the names that end in `end` (NULL: all), as many as a sentence may have. */
static void list(const char *const *names, size_t count, const char *end, char out[LISTED + 40])
{
    size_t used = 0, listed = 0, left = 0;

    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        if (end && !ends_in(names[i], end))
            continue;
        if (left > 0 || (listed > 0 && used + strlen(names[i]) + 2 >= LISTED)) {
            left++;
            continue;
        }
        used += (size_t)snprintf(out + used, LISTED - used, "%s%.90s", listed++ ? ", " : "",
                                 names[i]);
    }
    if (left > 0)
        snprintf(out + used, 40, " and %zu more", left);
}

static void refuse(const struct tensor_choice *choice, const char *const *names, size_t count,
                   size_t found, char why[TENSOR_CHOICE_WHY_SIZE])
{
    const char *wanted = choice->wanted;
    char listed[LISTED + 40];

    list(names, count, found > 1 ? wanted : NULL, listed);
    if (!wanted)
        snprintf(why, TENSOR_CHOICE_WHY_SIZE,
                 "has several tensors; write %s=@FILE:TENSOR with "
                 "one of %s",
                 choice->param, listed);
    else if (found > 1)
        snprintf(why, TENSOR_CHOICE_WHY_SIZE,
                 "has several tensors that end in %.40s; choose "
                 "one of %s",
                 wanted, listed);
    else
        snprintf(why, TENSOR_CHOICE_WHY_SIZE, "has no tensor %.40s; it has %s", wanted, listed);
}

size_t tensor_choice_find(const struct tensor_choice *choice, const char *const *names,
                          size_t count, char why[TENSOR_CHOICE_WHY_SIZE])
{
    const char *wanted = choice->wanted;
    size_t at = find_exact(names, count, wanted ? wanted : choice->param), found = 0;

    if (at < count)
        return at;
    if (!wanted && count == 1)
        return 0;
    for (size_t i = 0; wanted && i < count; i++) {
        if (ends_in(names[i], wanted)) {
            at = i;
            found++;
        }
    }
    if (found == 1)
        return at;
    refuse(choice, names, count, found, why);
    return count;
}
