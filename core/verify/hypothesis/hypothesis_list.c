/* SPDX-License-Identifier: Apache-2.0
 * hypothesis_list.c - other values of lists: positions shifted, lengths and sections turned,
 * grids of as many cells. */
#include "core/verify/hypothesis/hypothesis_list.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/args/number.h"

static const struct pe_positions *positions_of(struct claim *claim,
                                               const struct pe_param *param)
{
    return *(struct pe_positions *const *)(claim->args->data + param->offset);
}

/* Appends a number to the text of a list. */
static void append(char *text, double number)
{
    const size_t len = strlen(text);

    snprintf(text + len, CHANGE_TEXT - len, "%s%.17g", len > 0 ? "," : "", number);
}

/* Writes the positions, shifted, as text: one slice, or a list; false if it is too long. */
static bool print_shifted(const struct pe_positions *pos, double by, char *text)
{
    const uint64_t count = pe_positions_count(pos);
    size_t len = 0;

    for (uint64_t i = 0; i < count;) {
        const struct pe_run run = pe_positions_run(pos, i);
        const double first = run.first + by, stop = first + (double)run.step * (double)run.left;

        if (len > CHANGE_TEXT - 80)
            return false;
        len +=
            (size_t)snprintf(text + len, CHANGE_TEXT - len, "%s%.17g", i > 0 ? "," : "", first);
        if (run.left > 1)
            len += (size_t)snprintf(text + len, CHANGE_TEXT - len, ":%.17g", stop);
        if (run.left > 1 && run.step != 1)
            len +=
                (size_t)snprintf(text + len, CHANGE_TEXT - len, ":%lld", (long long)run.step);
        i += run.left;
    }
    return count > 0;
}

/* Returns whether a list of positions says where tokens are: pos, q, k, pos.h, not which tokens
 * are global. */
static bool is_positional(const struct pe_param *param)
{
    return strncmp(param->name, "pos", 3) == 0 || strcmp(param->name, "q") == 0 ||
           strcmp(param->name, "k") == 0;
}

static void add_shifts(struct hypotheses *list, struct claim *claim,
                       const struct pe_param *param)
{
    static const double shifts[] = {1, -1, 2, -2};
    const struct pe_positions *pos = positions_of(claim, param);
    const bool given = args_bit(claim->args->given, claim_index(claim, param));
    /* A mask whose positions were not given is shifted by its causal term. */
    const double price = claim->enc->family == PE_MASK && !given ? 1.3 : 1.2;
    char text[CHANGE_TEXT];

    const size_t before = list->count;
    const bool counted = pos && pe_positions_count(pos) > 0 && pe_positions_at(pos, 0) != 0;
    if (counted && !is_positional(param) && print_shifted(pos, -pe_positions_at(pos, 0), text))
        hypothesis_add_text(list, claim, param, text, price); /* a size that is left out */
    for (size_t i = 0; pos && i < PE_LEN(shifts); i++)
        if (print_shifted(pos, shifts[i], text))
            hypothesis_add_text(list, claim, param, text, price);
    if (counted && print_shifted(pos, -pe_positions_at(pos, 0), text))
        hypothesis_add_text(list, claim, param, text, price); /* counted from 0 */
    for (size_t i = before; i < list->count && is_positional(param); i++)
        list->at[i].slug = "position-offset";
}

/* Adds a list of positions, item by item. */
static void add_items(struct hypotheses *list, struct claim *claim,
                      const struct pe_param *param, const double *items, uint64_t count)
{
    char text[CHANGE_TEXT] = "";

    for (uint64_t i = 0; i < count; i++)
        append(text, items[i]);
    hypothesis_add_text(list, claim, param, text, 1.1);
}

/* Short lists that say no positions (lengths of documents): turned, backwards, or with one
 * moved from an item to the next. */
static void add_turned_positions(struct hypotheses *list, struct claim *claim,
                                 const struct pe_param *param)
{
    enum { MOST = 8 };
    const struct pe_positions *pos = positions_of(claim, param);
    const uint64_t count = pos ? pe_positions_count(pos) : 0;
    double items[MOST];

    if (count < 2 || count > MOST || is_positional(param))
        return;
    for (uint64_t first = 0; first < 2 * count; first++) {
        for (uint64_t i = 0; i < count; i++)
            items[i] = pe_positions_at(pos, first < count ? (first + i) % count
                                                          : (2 * count + first - i) % count);
        add_items(list, claim, param, items, count);
    }
    for (uint64_t i = 0; i < count; i++)
        items[i] = pe_positions_at(pos, i);
    for (uint64_t i = 0; i + 1 < count; i++) {
        for (int by = -1; by <= 1; by += 2) {
            items[i] += by;
            items[i + 1] -= by;
            add_items(list, claim, param, items, count);
            items[i] -= by;
            items[i + 1] += by;
        }
    }
}

/* Prints the items of a list that are not `without`, and `with` in its place. */
static void print_items(const struct pe_positions *pos, double without, double with, char *text)
{
    const uint64_t count = pe_positions_count(pos);
    bool done = isnan(with);

    text[0] = '\0';
    for (uint64_t i = 0; i <= count && strlen(text) + 64 < CHANGE_TEXT; i++) {
        const double item = i < count ? pe_positions_at(pos, i) : INFINITY;

        if (!done && with < item) {
            append(text, with);
            done = true;
        }
        if (i < count && item != without)
            append(text, item);
    }
}

/* Short lists that say which tokens are special: one left out, or one more. */
static void add_members(struct hypotheses *list, struct claim *claim,
                        const struct pe_param *param)
{
    enum { MOST = 16, TOKENS = 128 };
    const struct pe_positions *pos = positions_of(claim, param);
    const uint64_t count = pos ? pe_positions_count(pos) : 0;
    char text[CHANGE_TEXT];

    if (count == 0 || count > MOST || is_positional(param))
        return;
    for (uint64_t i = 0; i < count && count > 1; i++) {
        print_items(pos, pe_positions_at(pos, i), NAN, text);
        hypothesis_add_lone(list, claim, param, text, 1.1);
    }
    for (int token = 0; token < TOKENS; token++) {
        print_items(pos, token, token, text);
        hypothesis_add_lone(list, claim, param, text, 1.15);
    }
}

/* Sizes of windows and images that models have, and those of the other grids of the claim. */
static void add_known_grids(struct hypotheses *list, struct claim *claim,
                            const struct pe_param *param)
{
    static const int sides[] = {6, 7, 8, 12, 14, 16, 24, 32};
    char text[96];

    for (size_t i = 0; i < claim->enc->param_count; i++) {
        const struct pe_param *other = &claim->enc->params[i];

        if (other->type == PE_GRID && other != param && claim->text[i])
            hypothesis_add_lone(list, claim, param, claim->text[i], 1.1);
    }
    for (size_t i = 0; i < PE_LEN(sides); i++) {
        snprintf(text, sizeof text, "%dx%d", sides[i], sides[i]);
        hypothesis_add_lone(list, claim, param, text, 1.2);
    }
}

/* Every grid of as many cells. */
static void add_grids(struct hypotheses *list, struct claim *claim,
                      const struct pe_param *param)
{
    enum { CELLS_MOST = 1 << 20 };
    const struct pe_grid *grid = (const void *)(claim->args->data + param->offset);
    const int64_t cells = grid->height * grid->width;
    char text[96];

    snprintf(text, sizeof text, "%lldx%lld", (long long)grid->width, (long long)grid->height);
    if (grid->height > 0)
        hypothesis_add_text(list, claim, param, text, 1);
    for (int64_t height = 1; height <= cells && cells <= CELLS_MOST; height++) {
        if (cells % height != 0)
            continue;
        snprintf(text, sizeof text, "%lldx%lld", (long long)height,
                 (long long)(cells / height));
        hypothesis_add_text(list, claim, param, text,
                            height == 1 || height == cells ? 2.2 : 1.6);
    }
}

/* Prints a list from item `first` on, forwards or backwards. */
static void print_turned(const struct pe_reals *reals, size_t first, bool back, char *text)
{
    size_t len = 0;

    for (size_t i = 0; i < reals->cols; i++) {
        size_t at = back ? (first + reals->cols - i) % reals->cols : (first + i) % reals->cols;
        char number[NUMBER_TEXT_MAX];

        number_print(number, reals->values[at]);
        len +=
            (size_t)snprintf(text + len, CHANGE_TEXT - len, "%s%s", i > 0 ? "," : "", number);
    }
}

/* Two numbers beside a grid are sizes of another grid: half as large, twice as large ... */
static void add_sizes(struct hypotheses *list, struct claim *claim,
                      const struct pe_param *param)
{
    static const double shares[] = {0.5, 2, 0.25, 4};
    const struct pe_grid *grid = NULL;
    char text[96];

    for (size_t i = 0; i < claim->enc->param_count; i++)
        if (claim->enc->params[i].type == PE_GRID && claim->text[i])
            grid = (const void *)(claim->args->data + claim->enc->params[i].offset);
    for (size_t i = 0; grid && !param->matrix && i < PE_LEN(shares); i++) {
        snprintf(text, sizeof text, "%.17g,%.17g", shares[i] * (double)grid->height,
                 shares[i] * (double)grid->width);
        hypothesis_add_text(list, claim, param, text, 1.1);
    }
}

/* Three whole numbers are sections of the pairs: others of the same sum, of which two are
 * equal. */
static void add_sections(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param, const struct pe_reals *reals)
{
    const double sum = reals->values[0] + reals->values[1] + reals->values[2];
    char text[96];

    for (double last = 0; 2 * last <= sum && sum <= 256 && sum == floor(sum); last++) {
        snprintf(text, sizeof text, "%.17g,%.17g,%.17g", sum - 2 * last, last, last);
        hypothesis_add_text(list, claim, param, text, 1.1);
        snprintf(text, sizeof text, "%.17g,%.17g,%.17g", last, last, sum - 2 * last);
        hypothesis_add_text(list, claim, param, text, 1.15);
    }
}

/* Every number twice or half as large, or one more or less. */
static void add_scaled(struct hypotheses *list, struct claim *claim,
                       const struct pe_param *param, const struct pe_reals *reals)
{
    static const double factors[] = {2, 0.5, 1, 1}, terms[] = {0, 0, 1, -1};

    for (size_t i = 0; i < PE_LEN(factors); i++) {
        char text[CHANGE_TEXT] = "";

        for (size_t j = 0; j < reals->cols; j++)
            append(text, factors[i] * reals->values[j] + terms[i]);
        hypothesis_add_text(list, claim, param, text, 1.1);
    }
}

static void add_turned_lists(struct hypotheses *list, struct claim *claim,
                             const struct pe_param *param)
{
    const struct pe_reals *reals = (const void *)(claim->args->data + param->offset);
    char text[CHANGE_TEXT];

    if (reals->rows == 0)
        add_sizes(list, claim, param);
    if (reals->rows != 1 || reals->cols < 2 || reals->cols > 8)
        return;
    for (size_t first = 0; first < reals->cols; first++) {
        print_turned(reals, first, false, text);
        hypothesis_add_text(list, claim, param, text, 1);
        print_turned(reals, first, true, text);
        hypothesis_add_text(list, claim, param, text, 1);
    }
    add_scaled(list, claim, param, reals);
    if (reals->cols == 3)
        add_sections(list, claim, param, reals);
}

void hypothesis_list_add(struct hypotheses *list, struct claim *claim,
                         const struct pe_param *param)
{
    if (param->type == PE_POSITIONS) {
        add_shifts(list, claim, param);
        add_turned_positions(list, claim, param);
        add_members(list, claim, param);
    } else if (param->type == PE_GRID) {
        add_grids(list, claim, param);
        add_known_grids(list, claim, param);
    } else if (param->type == PE_REALS) {
        add_turned_lists(list, claim, param);
    }
}
