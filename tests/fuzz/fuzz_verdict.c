/* SPDX-License-Identifier: Apache-2.0
 * fuzz_verdict.c - tensors and a claim made of any bytes. The claim is an example of an
 * encoding, some characters of whose values are others; the tensors are the numbers of an
 * example, some of which are others, or any numbers of any dtype and shape. The numbers of the
 * claim itself are exact. Targets: the functions of core/verify/verify.c core/verify/search.c
 * core/verify/trial.c core/verify/roles.c core/verify/claim.c core/verify/candidate.c
 * core/verify/view.c core/verify/identify.c core/verify/explain.c core/verify/verdict.c */
#include <assert.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/fuzz/tensor_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_TENSORS = 3, MOST_QUERY = 400 };

/* As the service does it, a search is stopped after a time: most end long before. */
enum { WORK_MILLISECONDS = 300 };

static struct pe_stop stop;
static const struct pe_limits limits = {
    .max_elements = 1 << 14, .max_prepared = 1 << 14, .stop = &stop};

/* ---- a claim ----------------------------------------------------------------------------- */

static const char *example_of(const struct pe_encoding *enc, unsigned number)
{
    const char *const *examples = pe_examples(enc);
    size_t count = 0;

    while (examples[count])
        count++;
    return count > 0 ? examples[number % count] : "";
}

/* Copy the query and change characters of it, names excepted. */
static void mutate(char query[MOST_QUERY], const char *example, struct bytes *bytes)
{
    static const char letters[] = "0123456789.,:;-ex";
    const size_t len = strlen(example) < MOST_QUERY - 1 ? strlen(example) : MOST_QUERY - 1;

    memcpy(query, example, len);
    query[len] = '\0';
    for (unsigned changes = take(bytes) % 4; len > 0 && changes > 0; changes--) {
        const size_t at = take(bytes) % len;
        const char other = letters[take(bytes) % (sizeof letters - 1)];

        if (strchr(".,:;-0123456789", query[at]))
            query[at] = other;
    }
}

/* Add a tensor that a query spells as numbers: "1,2;3,4". */
static void set_add_spelt(struct set *set, const struct pe_param *param, const char *text,
                          size_t len)
{
    struct pe_tensor info = {.dtype = PE_F64, .rank = 2};
    double values[MOST_ELEMENTS];
    size_t count = 0, rows = 1;

    for (const char *at = text; at < text + len && count < MOST_ELEMENTS;) {
        char *end;

        values[count++] = strtod(at, &end);
        rows += end < text + len && *end == ';';
        at = end + 1;
    }
    if (count % rows != 0)
        return;
    info.dims[0] = rows;
    info.dims[1] = count / rows;
    double *data = set_add(set, param->name, &info);
    if (data)
        memcpy(data, values, count * sizeof *data);
}

/* Set what the query says; tensors that it spells are added to the set. */
static void read_query(struct pe_args *args, const char *query, struct set *set)
{
    struct pe_errors errors = {.count = 0};

    for (const char *at = query; *at; at += *at == '&') {
        const size_t all = strcspn(at, "&"), len = strcspn(at, "=&");
        const struct pe_param *param = pe_param_find(pe_args_encoding(args), at, len);
        const char *value = len < all ? at + len + 1 : at + all;
        const size_t value_len = (size_t)(at + all - value);

        if (param && param->type == PE_TENSOR)
            set_add_spelt(set, param, value, value_len);
        else if (!param || strcmp(param->name, "out") != 0)
            pe_args_set_text(args, at, len, value, value_len, &errors);
        at += all;
    }
}

/* ---- tensors ----------------------------------------------------------------------------- */

/* Return the name of what becomes of vectors, which the vectors themselves do not have. */
static const char *turned_name(const char *name)
{
    static const char *const names[][2] = {{"x", "y"}, {"q", "q_rot"}, {"k", "k_rot"}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    return name;
}

/* Add the numbers of checked arguments, in the dtype of the plan. Return whether all were. */
static bool add_numbers(struct set *set, struct pe_args *args, const void *const input[])
{
    struct pe_errors errors = {.count = 0};
    const size_t inputs = set->count;
    struct pe_plan *plan;
    bool all = true;

    if (pe_plan_new(&plan, args, NULL, &limits, &errors) != PE_OK)
        return false;
    for (size_t i = 0; i < pe_plan_tensor_count(plan); i++) {
        const struct pe_tensor_info *info = pe_plan_tensor(plan, i);
        const struct pe_rect whole = {.rows = info->rows, .cols = info->cols};
        struct pe_tensor tensor = {.dtype = info->dtype, .rank = info->rank};
        void *slots[PE_MAX_OUTPUTS] = {NULL};

        memcpy(tensor.dims, info->dims, sizeof tensor.dims);
        const char *name = info->output->name;
        void *data = set_add(set, inputs > 0 ? turned_name(name) : name, &tensor);
        all = all && data;
        if (!data)
            continue;
        const size_t scratch_size = pe_plan_scratch(plan, info->rows * info->cols);
        void *scratch = aligned_alloc(64, (scratch_size + 64) / 64 * 64);
        assert(scratch);
        slots[info->slot] = data;
        pe_fill(plan, info->group, &whole, slots, input, scratch);
        free(scratch);
    }
    pe_plan_free(plan);
    return all && set->count > inputs;
}

/* Give the arguments the tensor of this name; return its data, NULL if the set has none. */
static const void *give_tensor(struct pe_args *args, const char *name, const struct set *set,
                               struct pe_errors *errors)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->at[i].name, name) == 0) {
            pe_args_set_tensor(args, name, strlen(name), &set->at[i].info, errors);
            return set->data[i];
        }
    }
    return NULL;
}

/* Add the numbers of the example: of all outputs that it may be asked for together. */
static bool add_example(struct set *set, const struct pe_encoding *enc, const char *example)
{
    struct pe_errors errors = {.count = 0};
    struct pe_args *args = pe_args_new(enc);
    const void *input[PE_VERIFY_TENSORS] = {NULL};
    size_t count;
    const struct pe_param *params = pe_params(enc, &count);

    assert(args);
    read_query(args, example, set);
    for (size_t i = 0, tensors = 0; i < count; i++) {
        if (params[i].type != PE_TENSOR)
            continue;
        assert(tensors < PE_VERIFY_TENSORS);
        input[tensors++] = give_tensor(args, params[i].name, set, &errors);
    }
    const bool made = pe_args_check(args, &errors) == PE_OK && add_numbers(set, args, input);
    pe_args_free(args);
    return made;
}

/* Add a tensor of any dtype, rank and numbers. */
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

/* Change numbers of the tensors; return whether any was. */
static bool spoil(struct set *set, struct bytes *bytes)
{
    unsigned changes = take(bytes) % 4;
    const bool any = changes > 0;

    for (; changes > 0 && set->count > 0; changes--) {
        const struct pe_verify_tensor *tensor = &set->at[take(bytes) % set->count];
        const size_t count = elements_of(&tensor->info);
        const double number = (double)(int8_t)take(bytes) / 16;

        if (count > 0)
            pe_dtype_from_f64(tensor->info.dtype,
                              (char *)set->data[tensor - set->at] +
                                  take(bytes) % count * pe_dtype_size(tensor->info.dtype),
                              &number, 1);
    }
    return any;
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

    if (pe_verify(&verdict, claim, set->at, set->count, roles, &limits, &errors) == PE_OK) {
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
    read_query(claim, query, &spelt);
    set_fini(&spelt);
    if (pe_verify_assign(enc, set->at, set->count, roles, &errors) == PE_OK &&
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
    const struct pe_verify_known *known;
    struct pe_args *claim;

    if (pe_verify_identify(&claim, &known, set->at, set->count, NULL, 0, roles, &limits,
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

/* Clear the stop, and set it again after WORK_MILLISECONDS of processor time. */
static void start_clock(void)
{
    static const struct itimerspec once = {
        .it_value = {.tv_nsec = WORK_MILLISECONDS * 1000000L}};
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
    const char *example = example_of(enc, take(&bytes));
    const unsigned way = take(&bytes);
    struct set set = {.count = 0};
    char query[MOST_QUERY];

    if (size > 4096 || strlen(example) >= MOST_QUERY)
        return 0;
    start_clock();
    mutate(query, example, &bytes);
    bool right = way & 3 && add_example(&set, enc, example) && strcmp(query, example) == 0;
    if (!(way & 3))
        for (size_t i = 0; i <= way / 4 % MOST_TENSORS; i++)
            add_any(&set, enc, &bytes);
    right = !spoil(&set, &bytes) && right;
    if (set.count > 0 && way & 64)
        judge_unclaimed(&set);
    else if (set.count > 0)
        judge_claim(enc, query, &set, right);
    set_fini(&set);
    return 0;
}
