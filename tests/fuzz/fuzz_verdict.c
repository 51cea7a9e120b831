/* SPDX-License-Identifier: Apache-2.0
 * fuzz_verdict.c - tensors and a claim that the bytes of an input choose: any encoding, by its
 * examples and its rows, any of its outputs; the numbers that the library has for the claim,
 * then changes of them, or tensors of any numbers. The numbers of the claim itself are exact.
 * Targets: the functions of core/verify/verify.c core/verify/search.c core/verify/trial.c
 * core/verify/roles.c core/verify/claim.c core/verify/candidate.c core/verify/expected.c
 * core/verify/map.c core/verify/view.c core/verify/view_fit.c core/verify/identify.c
 * core/verify/explain.c core/verify/verdict.c core/verify/rounding.c core/verify/observe.c
 * core/verify/suspect.c core/verify/basis.c core/verify/mistake/mistake_angle.c
 * core/verify/mistake/mistake_axes.c core/verify/mistake/mistake_line.c
 * core/verify/mistake/mistake_list.c core/verify/mistake/mistake_mask.c
 * core/verify/mistake/mistake_order.c core/verify/mistake/mistake_view.c */
#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fuzz/right_numbers.h"
#include "tests/fuzz/tensor_change.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_TENSORS = 3 };

/* Bits of the second byte: tensors of any numbers; a claim with other characters; no claim. */
enum { WAY_ANY = 1, WAY_SPOILT = 2, WAY_UNCLAIMED = 4 };

/* As the service does it, a search is stopped after a time, which the last two bits of the
 * second byte double: most inputs are soon done, and some are searched to the end. */
enum { WORK_MILLISECONDS = 75 };

static struct pe_stop stop;
static const struct pe_limits limits = {
    .max_elements = 1 << 14, .max_prepared = 1 << 14, .stop = &stop};

/* ---- tensors of any kind ---------------------------------------------------------------- */

/* Adds a tensor of any dtype, rank and numbers. */
static void add_any(struct set *set, const struct pe_encoding *enc, struct bytes *bytes)
{
    static const char *const names[] = {"",  "freqs_cis", "x",   "y",
                                        "q", "q_rot",     "cos", "other"};
    size_t count;
    const struct pe_output *outputs = pe_outputs(enc, &count);
    const unsigned name = take(bytes);
    struct pe_tensor info = {.dtype = (enum pe_dtype)(take(bytes) % PE_DTYPE_COUNT),
                             .rank = take(bytes) % (PE_MAX_RANK + 1)};

    for (size_t i = 0; i < info.rank; i++)
        info.dims[i] = take(bytes) % (info.rank > 3 ? 4 : 17);
    uint8_t *data = set_add(set,
                            name & 1 ? names[name / 2 % (sizeof names / sizeof *names)]
                                     : outputs[name / 2 % count].name,
                            &info);
    if (!data)
        return;
    for (size_t i = 0; i < elements_of(&info) * pe_dtype_size(info.dtype); i++)
        data[i] = (uint8_t)(info.dtype == PE_BOOL8 ? take(bytes) & 1 : take(bytes));
    set->at[set->count - 1].complex =
        name & 128 && info.rank > 0 && info.dims[info.rank - 1] == 2;
}

/* ---- verdicts ---------------------------------------------------------------------------- */

static bool ends(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static void check_explanation(const struct pe_explanation *explanation)
{
    assert(explanation->count >= 1 && explanation->count <= 2);
    for (size_t i = 0; i < explanation->count; i++) {
        const struct pe_mistake *mistake = &explanation->mistake[i];

        assert(mistake->slug && mistake->says[0] && ends(mistake->says, sizeof mistake->says));
        assert(mistake->change_count <= PE_VERIFY_CHANGES);
        for (size_t j = 0; j < mistake->change_count; j++)
            assert(mistake->change[j].parameter);
    }
    assert(explanation->mistake[0].evidence.within <= 1);
}

static void check_verdict(const struct pe_verdict *verdict, size_t count, bool right)
{
    enum pe_verdict_kind worst = PE_EXACT;

    assert(verdict->says[0] && ends(verdict->says, sizeof verdict->says));
    assert(verdict->claim && verdict->tensor_count == count);
    assert(verdict->tested <= PE_VERIFY_HYPOTHESES + 64);
    for (size_t i = 0; i < count; i++) {
        const struct pe_tensor_verdict *tensor = &verdict->tensor[i];

        if (tensor->role && tensor->kind > worst)
            worst = tensor->kind;
        assert(tensor->differs <= tensor->of);
        assert(tensor->row_count <= PE_VERIFY_SHOWN && tensor->pair_count <= PE_VERIFY_SHOWN);
    }
    assert(verdict->kind == worst);
    if (verdict->kind == PE_MISTAKE)
        check_explanation(&verdict->explanation);
    assert(verdict->other_count <= PE_VERIFY_OTHERS);
    for (size_t i = 0; i < verdict->other_count; i++)
        check_explanation(&verdict->others[i]);
    assert(!right || verdict->kind == PE_EXACT);
}

static void judge(struct pe_args *claim, const struct set *set,
                  const struct pe_verify_role *roles, bool right)
{
    struct pe_errors errors = {.count = 0};
    struct pe_verdict *verdict;

    if (pe_verify(&verdict, claim, set->at, set->count, roles, NULL, &limits, &errors) ==
        PE_OK) {
        check_verdict(verdict, set->count, right);
        pe_verdict_free(verdict);
    } else {
        assert(errors.count > 0 && !right);
    }
}

static void judge_claim(const struct pe_encoding *enc, const char *query, const struct set *set,
                        bool right)
{
    struct pe_errors errors = {.count = 0};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_args *claim = pe_args_new(enc);
    struct set spelt = {.count = 0};

    assert(claim);
    read_query(claim, query, &spelt, true, &errors);
    set_fini(&spelt);
    if (errors.count == 0 &&
        pe_verify_assign(enc, set->at, set->count, roles, &errors) == PE_OK &&
        pe_verify_prepare(claim, set->at, set->count, roles, &errors) == PE_OK &&
        pe_args_check(claim, &errors) == PE_OK)
        judge(claim, set, roles, right);
    else
        assert(errors.count > 0);
    pe_args_free(claim);
}

static void judge_unclaimed(const struct set *set)
{
    struct pe_errors errors = {.count = 0};
    struct pe_verify_role roles[PE_VERIFY_TENSORS];
    struct pe_args *claim;

    if (pe_verify_identify(&claim, NULL, set->at, set->count, NULL, 0, roles, &limits,
                           &errors) == PE_OK) {
        judge(claim, set, roles, false);
        pe_args_free(claim);
    } else {
        assert(errors.count > 0);
    }
}

static void set_stop(int number)
{
    (void)number;
    pe_stop_set(&stop);
}

/* Clears the stop, and sets it again after so many milliseconds of processor time. */
static void start_clock(long milliseconds)
{
    const struct itimerspec once = {.it_value = {.tv_nsec = milliseconds * 1000000L}};
    static bool made;
    static timer_t timer;

    if (!made) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
        struct sigaction action = {.sa_handler = set_stop, .sa_flags = SA_RESTART};

        made = sigaction(SIGRTMIN, &action, NULL) == 0 &&
               timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0;
        assert(made);
    }
    stop = (struct pe_stop){0};
    assert(timer_settime(timer, 0, &once, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = {data, size};
    const struct pe_encoding *enc = pe_at(take(&bytes) % pe_count());
    const unsigned way = take(&bytes);
    struct set set = {.count = 0};
    char query[MOST_QUERY], claim[MOST_QUERY];

    if (size > 4096)
        return 0;
    start_clock((long)WORK_MILLISECONDS << (way >> 6));
    query_choose(query, enc, &bytes);
    memcpy(claim, query, sizeof claim);
    bool right = !(way & WAY_ANY) && set_add_right(&set, enc, query, &limits);
    right = !set_change(&set, &bytes) && right;
    if (way & WAY_SPOILT)
        query_spoil(claim, &bytes);
    if (way & WAY_ANY)
        for (size_t i = 0; i <= (way >> 4) % 4 % MOST_TENSORS; i++)
            add_any(&set, enc, &bytes);
    if (set.count > 0 && way & WAY_UNCLAIMED)
        judge_unclaimed(&set);
    else if (set.count > 0)
        judge_claim(enc, claim, &set, right && strcmp(claim, query) == 0);
    set_fini(&set);
    return 0;
}
