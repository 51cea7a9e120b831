/* SPDX-License-Identifier: Apache-2.0
 * mistake_ids.c - position ids of several axes, of a sequence of text and pictures: the time
 * of pictures is multiplied, their patches are not merged, or the text after them goes on
 * elsewhere. The ids of the tensor are compared with the claim's, axis by axis. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/expected.h"
#include "core/verify/mistake/mistakes.h"

enum { AXES_MOST = 4, TOKENS_MOST = 1 << 16, LIST = 120 };

/* Ids of each axis, as many as tokens: those of the tensor, of the claim, and with a mistake;
 * and which tokens are patches of a picture. */
struct ids {
    struct row_buffer memory;
    double *found[AXES_MOST], *claimed[AXES_MOST], *made[AXES_MOST];
    uint64_t axes, tokens;
    bool *patch;
};

static void ids_fini(struct ids *ids)
{
    free(ids->memory.at);
    free(ids->patch);
}

static bool has_ids(const struct candidate *base)
{
    const uint64_t axes = candidate_rows(base, 0), tokens = candidate_cols(base, 0);

    return base->enc->family == PE_INDEX && base->claim->subject_count == 1 &&
           (mistakes_is_output(base, "ids") || mistakes_is_output(base, "positions")) &&
           base->map == MAP_NONE && !base->rows && !base->columns && axes > 1 &&
           axes <= AXES_MOST && tokens > 1 && tokens <= TOKENS_MOST;
}

/* Returns whether the axes of a token have different ids. */
static bool differs(const struct ids *ids, uint64_t token)
{
    for (uint64_t axis = 1; axis < ids->axes; axis++)
        if (ids->claimed[axis][token] != ids->claimed[0][token])
            return true;
    return false;
}

static bool ids_init(struct ids *ids, const struct candidate *base)
{
    *ids = (struct ids){.axes = candidate_rows(base, 0), .tokens = candidate_cols(base, 0)};
    if (!has_ids(base))
        return false;
    ids->memory = row_buffer_new(3 * ids->axes * ids->tokens, &base->claim->failed);
    ids->patch = claim_memory(base->claim, ids->tokens, sizeof *ids->patch);
    if (!ids->memory.at || !ids->patch) {
        ids_fini(ids);
        return false;
    }
    for (uint64_t axis = 0; axis < ids->axes; axis++) {
        const struct row_buffer found =
            row_buffer_part(ids->memory, 3 * axis * ids->tokens, ids->tokens);
        const struct row_buffer claimed =
            row_buffer_part(ids->memory, (3 * axis + 1) * ids->tokens, ids->tokens);

        view_row(&base->view[0], axis, found);
        expected_row(base, 0, axis, claimed, (struct row_buffer){.at = NULL});
        ids->found[axis] = found.at;
        ids->claimed[axis] = claimed.at;
        ids->made[axis] =
            memcpy(claimed.at + ids->tokens, claimed.at, ids->tokens * sizeof *claimed.at);
    }
    for (uint64_t i = 0; i < ids->tokens; i++) /* the first patch has one id, as text has */
        ids->patch[i] = differs(ids, i) || (i + 1 < ids->tokens && differs(ids, i + 1) &&
                                            ids->claimed[0][i] == ids->claimed[0][i + 1]);
    return true;
}

/* Returns the end of the run of patches, or of text, that begins at a token. */
static uint64_t run_end(const struct ids *ids, uint64_t first)
{
    uint64_t end = first + 1;

    while (end < ids->tokens && ids->patch[end] == ids->patch[first])
        end++;
    return end;
}

/* Lists the runs of tokens of pictures. */
static void list_pictures(const struct ids *ids, char list[LIST])
{
    size_t len = 0;

    list[0] = '\0';
    for (uint64_t i = 0, end; i < ids->tokens; i = end) {
        end = run_end(ids, i);
        if (ids->patch[i] && len + 60 < LIST)
            len += (size_t)snprintf(list + len, LIST - len, "%s%llu:%llu", len > 0 ? ", " : "",
                                    (unsigned long long)i, (unsigned long long)end);
    }
}

/* Returns the name of a parameter if the claim has this number for it, "" if not. */
static const char *name_if(const struct candidate *base, const char *name, double value)
{
    const size_t param = args_find(base->enc, name, strlen(name));
    double number;

    return param != SIZE_MAX && claim_number(base->claim, param, &number) && number == value
               ? name
               : "";
}

/* Makes the candidate of ids->made, if they are those of the tensor. */
static struct candidate *make(const struct candidate *base, const struct ids *ids)
{
    const size_t bytes = ids->tokens * sizeof(double);
    struct candidate *made = NULL;

    for (uint64_t axis = 0; axis < ids->axes; axis++)
        if (memcmp(ids->made[axis], ids->found[axis], bytes) != 0)
            return NULL;
    made = mistakes_map(base, MAP_NUMBERS);
    if (made)
        made->numbers = row_buffer_new(ids->axes * ids->tokens, &base->claim->failed);
    for (uint64_t axis = 0; made && made->numbers.at && axis < ids->axes; axis++)
        memcpy(made->numbers.at + axis * ids->tokens, ids->made[axis], bytes);
    if (made && made->numbers.at)
        return made;
    candidate_free(made);
    return NULL;
}

/* Returns by how much the id of the first patch that differs on an axis is multiplied, counted
 * from `start` of its picture; NAN if none differs. */
static double factor_of(const struct ids *ids, uint64_t axis, bool from_start)
{
    for (uint64_t i = 0, end; i < ids->tokens; i = end) {
        end = run_end(ids, i);
        for (uint64_t j = i; ids->patch[i] && j < end; j++) {
            const double start = from_start ? ids->claimed[axis][i] : 0;

            if (ids->found[axis][j] != ids->claimed[axis][j])
                return (ids->found[axis][j] - start) / (ids->claimed[axis][j] - start);
        }
    }
    return NAN;
}

/* Multiplies the ids of pictures on an axis. */
static void multiply(struct ids *ids, uint64_t axis, double factor, bool from_start)
{
    for (uint64_t i = 0, end; i < ids->tokens; i = end) {
        end = run_end(ids, i);
        for (uint64_t j = i; ids->patch[i] && j < end; j++) {
            const double start = from_start ? ids->claimed[axis][i] : 0;

            ids->made[axis][j] = start + factor * (ids->claimed[axis][j] - start);
        }
    }
}

/* The ids of pictures on the first axis are multiplied, with the id at which they begin. */
static struct candidate *multiply_time(const struct candidate *base, struct ids *ids)
{
    const double factor = factor_of(ids, 0, false);
    char list[LIST];

    if (!isfinite(factor))
        return NULL;
    multiply(ids, 0, factor, false);
    list_pictures(ids, list);
    struct candidate *made = make(base, ids);
    const char *name = name_if(base, "tokens_per_second", factor);
    if (made)
        snprintf(made->says, sizeof made->says,
                 "the time of pictures (tokens %s) is multiplied by %.9g%s%s, with the id at "
                 "which they begin; rows and columns are right",
                 list, factor, *name ? ", as by " : "", name);
    mistakes_tell_numbers(made, factor, 1);
    return made;
}

/* Rows and columns of pictures rise by another step than 1. */
static struct candidate *step_patches(const struct candidate *base, struct ids *ids)
{
    const double factor = factor_of(ids, ids->axes - 1, true);
    char list[LIST];

    if (!isfinite(factor))
        return NULL;
    for (uint64_t axis = 1; axis < ids->axes; axis++)
        multiply(ids, axis, factor, true);
    list_pictures(ids, list);
    struct candidate *made = make(base, ids);
    const char *name = name_if(base, "spatial_merge_size", factor);
    if (made)
        snprintf(made->says, sizeof made->says,
                 "rows and columns of pictures (tokens %s) rise by a step of %.9g%s%s, where "
                 "1 is right: patches are counted before they are merged",
                 list, factor, *name ? ", as by " : "", name);
    mistakes_tell_numbers(made, factor, 1);
    return made;
}

/* Text, and what follows it, is shifted after a picture. */
static struct candidate *shift_text(const struct candidate *base, struct ids *ids)
{
    uint64_t first = ids->tokens;
    double by = 0;

    for (uint64_t i = 0; i < ids->tokens; i++) {
        if (i > 0 && !ids->patch[i] && ids->patch[i - 1])
            by = ids->found[0][i] - ids->claimed[0][i];
        if (by != 0 && first == ids->tokens)
            first = i;
        for (uint64_t axis = 0; axis < ids->axes; axis++)
            ids->made[axis][i] = ids->claimed[axis][i] + by;
    }
    struct candidate *made = first < ids->tokens ? make(base, ids) : NULL;
    if (!made)
        return NULL;
    snprintf(
        made->says, sizeof made->says,
        "the text after a picture, from token %llu on, begins at %.9g%s where %.9g is right",
        (unsigned long long)first, ids->found[0][first],
        ids->found[0][first] == (double)first ? ", the number of tokens before it," : "",
        ids->claimed[0][first]);
    mistakes_tell_numbers(made, ids->found[0][first], ids->claimed[0][first]);
    return made;
}

struct candidate *mistake_ids_of_parts(const struct candidate *base, size_t variant)
{
    static struct candidate *(*const ways[])(const struct candidate *, struct ids *) = {
        multiply_time, step_patches, shift_text};
    struct ids ids;

    if (!ids_init(&ids, base))
        return NULL;
    struct candidate *made = ways[variant](base, &ids);
    ids_fini(&ids);
    return made;
}
