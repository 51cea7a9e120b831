/* SPDX-License-Identifier: Apache-2.0
 * findings.c - see findings.h. */
#include "core/verify/solve/findings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/verify/solve/mask_say.h"
#include "core/verify/solve/solve_columns.h"
#include "core/verify/solve/solve_heads.h"
#include "core/verify/solve/solve_mask.h"
#include "core/verify/solve/solve_rows.h"

/* Returns whether rows of positions say something: those of position 0 are the same by all
 * frequencies. */
static bool is_telling(const struct row_list *list)
{
    uint64_t telling = 0;

    for (uint64_t i = 0; i < list->count; i++)
        telling += list->kind[i] == ROW_MADE && list->found[i] != 0;
    return telling > 1 && 4 * telling >= list->count && row_list_right(list) < list->count;
}

static void add_rows(struct findings *findings, const struct row_list *list, const char *axis)
{
    for (uint64_t i = 0; i < list->count && findings->count < PE_VERIFY_FINDINGS;) {
        const struct row_run run = row_list_run(list, i);
        struct pe_verify_finding *finding = &findings->at[findings->count++];

        *finding = (struct pe_verify_finding){.axis = axis,
                                              .from = i,
                                              .to = i + run.count,
                                              .right = run.right};
        row_list_print_run(list, &run, finding->is, sizeof finding->is);
        i += run.count;
    }
    row_list_say(list, findings->says, sizeof findings->says);
}

static void read_rows(struct findings *findings, const struct candidate *base)
{
    const struct pe_param *param;
    struct row_list list;

    if (!solve_rows(&list, base, &param))
        return;
    if (is_telling(&list))
        add_rows(findings, &list, "rows");
    row_list_fini(&list);
}

/* Adds the slope of each head; of heads that adjoin and have the same one, once. */
static void read_heads(struct findings *findings, const struct candidate *base)
{
    struct row_list list;

    if (!solve_heads_slopes(&list, base))
        return;
    for (uint64_t i = 0, end; i < list.count && findings->count < PE_VERIFY_FINDINGS; i = end) {
        struct pe_verify_finding *finding = &findings->at[findings->count++];

        for (end = i + 1; end < list.count && list.found[end] == list.found[i];)
            end++;
        *finding = (struct pe_verify_finding){.axis = "heads",
                                              .from = i,
                                              .to = end,
                                              .right = fabs(list.found[i] - list.claimed[i]) <=
                                                       1e-6 * list.claimed[i]};
        snprintf(finding->is, sizeof finding->is, "slope %.9g", list.found[i]);
    }
    row_list_fini(&list);
}

/* Adds what the pairs of columns are, run by run. */
static void add_columns(struct findings *findings, const struct column_list *list)
{
    const char *axis = strcmp(list->word, "pair") == 0 ? "pairs" : "columns";
    struct column_form form;

    if (column_list_is_moved(list, &form)) {
        struct pe_verify_finding *finding = &findings->at[findings->count++];

        *finding = (struct pe_verify_finding){.axis = axis, .to = list->count};
        column_list_print_form(&form, finding->is, sizeof finding->is);
    }
    for (size_t i = 0; i < list->count && findings->count < PE_VERIFY_FINDINGS;) {
        const struct column_run run = column_list_run(list, i);
        struct pe_verify_finding *finding = &findings->at[findings->count++];

        *finding = (struct pe_verify_finding){.axis = axis,
                                              .from = i,
                                              .to = i + run.count,
                                              .right = run.way == COLUMNS_RIGHT};
        column_list_print_run(list, &run, finding->is, sizeof finding->is);
        i += run.count;
    }
    column_list_say(list, findings->says, sizeof findings->says);
}

/* Of tables that are looked up: which heads are none of the claim's. */
static void read_tables(struct findings *findings, const struct candidate *base)
{
    struct row_list list;
    size_t axis;

    if (!solve_heads(&list, &axis, base))
        return;
    if (row_list_right(&list) < list.count)
        add_rows(findings, &list, "heads");
    row_list_fini(&list);
}

/* Where a mistake explains numbers of which some have no frequency, there is nothing to add. */
static void read_columns(struct findings *findings, const struct candidate *base,
                         bool explained)
{
    struct column_list list;

    if (!solve_columns(&list, base))
        return;
    if (!explained || column_list_count(&list, TURN_OTHER) == 0)
        add_columns(findings, &list);
    solve_columns_fini(&list);
}

static void read_mask(struct findings *findings, const struct candidate *base)
{
    struct pe_verify_finding *finding = &findings->at[findings->count];
    struct solved_mask solved;

    if (!solve_mask(&solved, base))
        return;
    findings->count++;
    *finding = (struct pe_verify_finding){.axis = "mask", .to = solved.found.queries};
    mask_say_terms(&solved.found, finding->is, sizeof finding->is);
    snprintf(findings->says, sizeof findings->says, "its terms are: %s", finding->is);
    solve_mask_fini(&solved);
}

void findings_read(struct findings *findings, struct pe_verdict *verdict,
                   const struct candidate *base)
{
    *findings = (struct findings){.count = 0};
    if (!base || verdict->kind < PE_MISTAKE || base->claim->alone)
        return;
    if (base->enc->family == PE_MASK)
        read_mask(findings, base);
    else
        read_rows(findings, base);
    if (findings->count == 0)
        read_heads(findings, base);
    if (findings->count == 0)
        read_tables(findings, base);
    if (findings->count == 0)
        read_columns(findings, base, verdict->kind == PE_MISTAKE);
    memcpy(verdict->finding, findings->at, sizeof verdict->finding);
    verdict->finding_count = findings->count;
}
