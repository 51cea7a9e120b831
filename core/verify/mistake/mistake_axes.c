/* SPDX-License-Identifier: Apache-2.0
 * mistake_axes.c - mistakes of several axes: exchanged, or all counted as text is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/verify/mistake/mistakes.h"

/* Returns parameter number `number` of those whose positions are of one axis each: pos.t,
 * pos.h, pos.w. */
static const struct pe_param *axis_param(const struct candidate *base, size_t number)
{
    for (size_t i = 0; i < base->enc->param_count; i++) {
        const struct pe_param *param = &base->enc->params[i];

        if (param->type == PE_POSITIONS && strncmp(param->name, "pos.", 4) == 0 &&
            claim_text(base->claim, param->name) && number-- == 0)
            return param;
    }
    return NULL;
}

/* Changes two parameters: the second one beside the first. */
static struct candidate *change_two(const struct candidate *base, const char *one,
                                    const char *text, const char *other, const char *more)
{
    struct candidate *first = mistakes_change(base, one, text);
    struct candidate *both = first ? mistakes_change(first, other, more) : NULL;

    candidate_free(first);
    return both;
}

/* The coordinate of every axis is the number of the token. */
static struct candidate *count_rows(const struct candidate *base)
{
    struct candidate *made =
        base->angles && base->angles->plan && base->angles->rates ? candidate_copy(base) : NULL;

    if (made) {
        made->angles->counted = true;
        made->warped = true;
    }
    return made;
}

/* Returns the first row after the last of which the claim's ids differ between the axes: the
 * text after a picture; 0: no ids are listed. */
static uint64_t text_after(const struct candidate *base)
{
    const size_t param = args_find(base->enc, "ids", strlen("ids"));
    const struct pe_reals *ids =
        param != SIZE_MAX && base->enc->params[param].type == PE_REALS
            ? (const void *)(base->args->data + base->enc->params[param].offset)
            : NULL;

    for (size_t row = ids ? ids->rows : 0; row-- > 0;)
        for (size_t axis = 1; axis < ids->cols; axis++)
            if (ids->values[row * ids->cols + axis] != ids->values[row * ids->cols])
                return row + 1;
    return 0;
}

/* The text after a picture goes on with the number of tokens. */
static struct candidate *count_text(const struct candidate *base)
{
    const uint64_t first = base->angles ? text_after(base) : 0;
    struct candidate *made = first > 0 && first < base->angles->rows ? count_rows(base) : NULL;

    if (made) {
        made->angles->counted_from = first;
        snprintf(made->says, sizeof made->says,
                 "the text after the picture, from row %llu on, has the number of tokens as "
                 "position, where it goes on from the largest position of the picture",
                 (unsigned long long)first);
    }
    return made;
}

/* All axes count the tokens: from the first position on, or as the first axis has them. */
struct candidate *mistake_axes_text_positions(const struct candidate *base, size_t variant)
{
    const struct pe_param *first = axis_param(base, 0), *axis;
    const struct pe_positions *pos = first ? candidate_positions(base, first->name) : NULL;
    struct candidate *made = NULL, *more;
    char text[CHANGE_TEXT];

    if (variant == 2)
        return count_rows(base);
    if (variant == 4)
        return count_text(base);
    if (variant == 3)
        return mistakes_is_output(base, "ids") || mistakes_is_output(base, "positions")
                   ? mistakes_map(base, MAP_COUNT)
                   : NULL;
    if (!pos || pe_positions_count(pos) == 0 || !axis_param(base, 1))
        return NULL;
    snprintf(text, sizeof text, "%.17g:%.17g", pe_positions_at(pos, 0),
             pe_positions_at(pos, 0) + (double)pe_positions_count(pos));
    if (variant == 1)
        snprintf(text, sizeof text, "%.*s", CHANGE_TEXT - 1,
                 claim_text(base->claim, first->name));
    for (size_t i = variant; (axis = axis_param(base, i)); i++) {
        more = mistakes_change(made ? made : base, axis->name, text);
        candidate_free(made);
        made = more;
        if (!made)
            return NULL;
    }
    return made;
}

/* The positions of two axes are exchanged: the last two, or others. */
static struct candidate *exchange_positions(const struct candidate *base, size_t variant)
{
    const struct pe_param *one = axis_param(base, variant == 1 ? 1 : 0);
    const struct pe_param *other = axis_param(base, variant == 0 ? 1 : 2);

    if (!one || !other || one == other)
        return NULL;
    return change_two(base, one->name, claim_text(base->claim, other->name), other->name,
                      claim_text(base->claim, one->name));
}

/* Appends one token's ids with the last two exchanged; returns the end of them, NULL if they
 * are not three or do not fit. */
static const char *append_exchanged(char *text, size_t size, const char *token)
{
    const size_t len = strcspn(token, ";"), used = strlen(text);
    const char *end = token + len, *one = memchr(token, ',', len);
    const char *other = one ? memchr(one + 1, ',', (size_t)(end - one - 1)) : NULL;

    if (!other || memchr(other + 1, ',', (size_t)(end - other - 1)) || used + len + 2 > size)
        return NULL;
    snprintf(text + used, size - used, "%.*s,%.*s,%.*s%s", (int)(one - token), token,
             (int)(end - other - 1), other + 1, (int)(other - one - 1), one + 1,
             *end ? ";" : "");
    return end;
}

/* The ids of rows and of columns are exchanged, where the claim lists three of each token. */
static struct candidate *exchange_ids(const struct candidate *base)
{
    const char *token = claim_text(base->claim, "ids");
    char text[CHANGE_TEXT] = "";

    while (token && *token) {
        token = append_exchanged(text, sizeof text, token);
        if (token && *token == ';')
            token++;
    }
    return token && text[0] != '\0' ? mistakes_change(base, "ids", text) : NULL;
}

/* Returns the parameter that has the grid of the tokens; NULL if there is none. */
static const struct pe_param *grid_param(const struct candidate *base,
                                         const struct pe_grid **grid)
{
    for (size_t i = 0; i < base->enc->param_count; i++) {
        const struct pe_param *param = &base->enc->params[i];

        *grid = (const void *)(base->args->data + param->offset);
        if (param->type == PE_GRID && (*grid)->width > 1 && (*grid)->height > 0)
            return param;
    }
    return NULL;
}

/* The offsets of columns stand before those of rows: the grid turned over, its tokens numbered
 * as before, on both axes of the tensor. */
static struct candidate *turn_grid_over(const struct candidate *base)
{
    const struct pe_grid *grid;
    const struct pe_param *param = grid_param(base, &grid);
    const uint64_t height = param ? (uint64_t)grid->height : 0;
    const uint64_t width = param ? (uint64_t)grid->width : 0;
    struct candidate *made;
    char text[64];

    if (!param || candidate_cols(base, 0) != height * width ||
        candidate_rows(base, 0) != height * width)
        return NULL;
    snprintf(text, sizeof text, "%llux%llu", (unsigned long long)width,
             (unsigned long long)height);
    made = height == width ? candidate_copy(base) : mistakes_change(base, param->name, text);
    if (!made)
        return NULL;
    free(made->columns);
    made->grid_width = height;
    made->columns = claim_memory(base->claim, made->widest, sizeof *made->columns);
    for (uint64_t i = 0; made->columns && i < made->widest; i++)
        made->columns[i] = (uint32_t)(i % width * height + i / width);
    if (made->columns)
        return made;
    candidate_free(made);
    return NULL;
}

/* Exchange two rows of ids, which has a row for each axis. */
static struct candidate *exchange_rows(const struct candidate *base, size_t variant)
{
    const uint32_t one = variant == 1 ? 0 : 1, other = variant == 2 ? 0 : 2;
    const uint64_t rows = candidate_rows(base, 0);
    struct candidate *made;

    if (!mistakes_is_output(base, "ids") || rows < 2 || rows > 4 ||
        (other >= rows && variant != 2))
        return NULL;
    made = candidate_copy(base);
    uint32_t *map = made ? claim_memory(base->claim, rows, sizeof *map) : NULL;
    for (uint32_t i = 0; map && i < rows; i++)
        map[i] = i == one ? other : i == other ? one : i;
    if (map) {
        made->rows = map;
        return made;
    }
    candidate_free(made);
    return NULL;
}

/* Exchange the halves of the channels of a map, of which each axis has one. */
static struct candidate *exchange_channels(const struct candidate *base)
{
    const char *const *axes = base->tensor[0]->output->axes;
    const uint64_t rows = candidate_rows(base, 0);
    struct candidate *made;
    uint32_t *map;

    if (!axes[0] || strcmp(axes[0], "channel") != 0 || base->rows || rows % 2 != 0 ||
        base->claim->subject_count != 1)
        return NULL;
    made = candidate_copy(base);
    map = made ? claim_memory(base->claim, rows, sizeof *map) : NULL;
    for (uint64_t i = 0; map && i < rows; i++)
        map[i] = (uint32_t)((i + rows / 2) % rows);
    if (map) {
        made->rows = map;
        return made;
    }
    candidate_free(made);
    return NULL;
}

/* Finds where the pairs of axis number `number` begin, and how many there are: frequencies fall
 * along an axis and begin anew with the next. */
static size_t find_block(const struct angles *angles, size_t number, size_t *width)
{
    size_t first = 0, block = 0;

    for (size_t i = 1; i <= angles->pairs; i++) {
        if (i < angles->pairs && angles->rates[i] <= angles->rates[i - 1])
            continue;
        if (block++ == number) {
            *width = i - first;
            return first;
        }
        first = i;
    }
    *width = 0;
    return 0;
}

/* Exchange the rotations of two axes that have as many pairs, or the halves of all pairs. */
static struct candidate *exchange_blocks(const struct candidate *base, size_t one, size_t other)
{
    const struct angles *angles = base->angles;
    size_t width, other_width;
    struct candidate *made;

    if (!angles || !angles->plan || angles->width > 0)
        return NULL;
    size_t first = 0, second = angles->pairs / 2;
    width = other_width = angles->pairs / 2;
    if (angles->rates) {
        first = find_block(angles, one, &width);
        second = find_block(angles, other, &other_width);
    } else if (other > 1) {
        return NULL;
    }
    if (width == 0 || width != other_width)
        return NULL;
    made = candidate_copy(base);
    if (made) {
        made->angles->one = first;
        made->angles->other = second;
        made->angles->width = width;
        made->warped = true;
    }
    return made;
}

/* Vectors are turned by a grid that is numbered column by column. */
static struct candidate *turn_positions_over(const struct candidate *base)
{
    const struct pe_grid *grid;
    struct candidate *made = NULL;

    if (base->wave[0].kind == WAVE_TURN && grid_param(base, &grid) &&
        base->angles->grid_width == 0)
        made = candidate_copy(base);
    if (made) {
        made->angles->grid_width = (uint64_t)grid->width;
        made->warped = true;
    }
    return made;
}

/* Tokens are numbered column by column. */
struct candidate *mistake_axes_by_columns(const struct candidate *base)
{
    const struct pe_grid *grid;
    struct candidate *made = NULL;

    if (grid_param(base, &grid) && base->grid_width == 0 && base->wave[0].kind != WAVE_TURN)
        made = candidate_copy(base);
    if (made)
        made->grid_width = (uint64_t)grid->width;
    return made;
}

struct candidate *mistake_axes_swapped(const struct candidate *base, size_t variant)
{
    const struct pe_grid *grid;

    switch (variant) {
    case 0:
    case 1:
        if (!grid_param(base, &grid) && !(base->angles && base->angles->plan))
            return NULL;
        return mistakes_map(base, variant == 0 ? MAP_HALVES : MAP_QUARTERS);
    case 2:
    case 3:
    case 4:
        return exchange_positions(base, variant - 2);
    case 5:
        return turn_grid_over(base);
    case 6:
    case 7:
    case 8:
        return exchange_rows(base, variant - 6);
    case 9:
        return exchange_channels(base);
    case 10:
        return turn_positions_over(base);
    case 14:
        return exchange_ids(base);
    default:
        return exchange_blocks(base, variant == 13 ? 1 : 0, variant == 11 ? 1 : 2);
    }
}
