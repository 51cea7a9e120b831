/* SPDX-License-Identifier: Apache-2.0
 * test_plan_stop.c - a plan of too many operations is refused before it is begun, and a plan
 * that nobody waits for is given up. */
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/core_sample.h"
#include "tests/support/stop_looks.h"
#include "tests/support/suite.h"

static const char *const expensive[][2] = {
    {"heat-kernel-pe", "n=300&edges=0,1;1,2;2,299&times=1,2,3"},
    {"laplacian-pe", "n=300&edges=0,1;1,2;2,299&max_freqs=8"},
    {"electrostatic-pe", "n=300&edges=0,1;1,2;2,299"},
    {"random-walk-pe", "n=300&edges=0,1;1,2;2,299&steps=32"},
    {"anchor-distance", "n=300&edges=0,1;1,2;2,299&sets=32&set_size=32&seed=1"},
    {"shortest-path", "n=300&edges=0,1;1,2;2,299"},
    {"graphormer-bias", "n=3&edges=0,1;1,2&spatial_table=0;0.1;0.2;0.3&token_bias=0.5"},
    {"dynamic-bias", "len=3000&w_in=1,-1&w_out=2,1;0,1"},
    {"dynamic-bias-2d", "window=64x64&w_in=1,0;0,1;1,1&w_out=1,2,3"},
    {"swinv2", "window=64x64&out=bias&w1=1,0;0,1;-1,1&b1=0,0.5,0&w2=1,1,1;0,-1,2"},
    {"sink-softmax", "logits=1,2,3;1,2,3&sink=0"},
    {"tupe", "len=2&table=2,0;0,1;1,-1&layer_norm=0"},
    {"recursive", "length=4000&p0=1,0&angles=0.1"},
    {"floater", "pos=0:4&p0=1,0&a=0,-1;1,0&dt_position=0.1&step=0.1"},
    {"bigbird-mask", "len=4096&block=2"},
    {"liere", "pos=0:300&dim=2&raw=0,1;0,0"},
    {"string", "pos=0:300&dim=2&skew=0,1;-1,0&freqs=1"},
};

static struct pe_args *args_of(size_t i)
{
    return core_query_checked(pe_find(expensive[i][0], strlen(expensive[i][0])),
                              expensive[i][1]);
}

static enum pe_status plan(struct pe_args *args, const struct pe_limits *limits,
                           struct pe_errors *errors)
{
    struct pe_plan *plan = NULL;
    enum pe_status status;

    pe_errors_clear(errors);
    status = pe_plan_new(&plan, args, NULL, limits, errors);
    ck_assert((status == PE_OK) == (plan != NULL));
    pe_plan_free(plan);
    return status;
}

START_TEST(who_was_told_to_stop_gives_up)
{
    struct pe_stop stop = {0};
    const struct pe_limits limits = {.max_elements = 1 << 26,
                                     .max_prepared = 1 << 24,
                                     .stop = &stop};
    struct pe_args *args = args_of((size_t)_i);
    struct pe_errors errors;

    ck_assert(!pe_stop_is_set(&stop));
    ck_assert_msg(plan(args, &limits, &errors) == PE_OK, "%s", errors.at[0].detail);
    pe_stop_set(&stop);
    ck_assert(pe_stop_is_set(&stop));
    ck_assert_int_eq(plan(args, &limits, &errors), PE_STOPPED);
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_int_eq(errors.at[0].status, PE_STOPPED);
    ck_assert_str_eq(errors.at[0].detail, "nobody waits for it any more");
    pe_args_free(args);
}
END_TEST

/* Plans of more than some milliseconds, in loops that look at the stop. */
static const char *const looking[][2] = {
    {"random-positions", "length=500000&max_position=5000000&seed=1"},
    {"random-offset", "length=500000&kind=cape&max_scale=1.03&out=positions&seed=1"},
    {"resize-table-1d", "table=1,2;3,5;0,1&new_len=20000&mode=lanczos"},
    {"gaussian-fourier", "pos=0:4&m=32768&seed=1"},
    {"padding-mask", "attention_mask=0,1&q=0:1000000&out=fully_masked_rows"},
    {"dilated-mask", "q=0&k=5:20000000&window=1&dilation=3&out=fully_masked_rows"},
    {"laplacian-pe", "n=128&edges=0,1&max_freqs=127&out=projector"},
    {"electrostatic-pe", "n=128&edges=0,1;1,2;2,127"},
    {"properties", "dim=512&length=4096"},
    {"retnet-decay", "dim=4096&out=inv_freq"},
};

START_TEST(a_plan_that_is_stopped_in_its_midst_ends_soon)
{
    const struct pe_stop stop = {0};
    const struct pe_limits limits = {.max_elements = 1 << 26,
                                     .max_prepared = 1 << 24,
                                     .stop = &stop};
    const char *const *row = looking[_i];
    struct pe_args *args = core_query_checked(core_query_find(row[0]), row[1]);
    struct pe_errors errors;
    size_t looks;

    stop_looks_begin(0);
    ck_assert_int_eq(plan(args, &limits, &errors), PE_OK);
    looks = stop_looks_count();
    ck_assert_msg(looks >= 8, "%s: %zu", row[0], looks);
    stop_looks_begin(looks / 4);
    ck_assert_int_eq(plan(args, &limits, &errors), PE_STOPPED);
    ck_assert_msg(stop_looks_count() <= looks - looks / 4, "%s: %zu of %zu", row[0],
                  stop_looks_count(), looks);
    stop_looks_begin(0);
    pe_args_free(args);
}
END_TEST

START_TEST(operations_beyond_the_limit_are_refused_with_their_number)
{
    struct pe_args *args = core_query_checked(&core_sample_sums, "pos=0:4");
    struct pe_limits limits = {.max_elements = 100,
                               .max_prepared = 100,
                               .max_operations = 1000000000};
    struct pe_errors errors;

    ck_assert(pe_args_operations(args) == 1e9);
    ck_assert_int_eq(plan(args, &limits, &errors), PE_OK);
    limits.max_operations = 400000000;
    ck_assert_int_eq(plan(args, &limits, &errors), PE_TOO_LARGE);
    ck_assert_str_eq(errors.at[0].detail, "the answer takes about 1000000000 operations before "
                                          "its first byte; at most 400000000 are done");
    ck_assert_str_eq(errors.at[0].hint,
                     "at most 1/3 of that work fits: ask for less, or in parts");
    ck_assert_uint_eq(errors.at[0].limit, 400000000);
    ck_assert_uint_eq(errors.at[0].requested, 1000000000);
    limits.max_operations = 0; /* any number */
    ck_assert_int_eq(plan(args, &limits, &errors), PE_OK);
    pe_args_free(args);
}
END_TEST

START_TEST(every_example_says_how_many_operations_it_takes)
{
    const struct pe_encoding *enc = pe_at((size_t)_i);

    for (const char *const *query = pe_examples(enc); *query; query++) {
        struct pe_args *args = core_query_checked(enc, *query);

        ck_assert_msg(pe_args_operations(args) >= 0 && pe_args_operations(args) < 1e7, "%s: %g",
                      *query, pe_args_operations(args));
        pe_args_free(args);
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(who_was_told_to_stop_gives_up, expensive),
    TEST_EACH(a_plan_that_is_stopped_in_its_midst_ends_soon, looking),
    TEST_COUNTED(every_example_says_how_many_operations_it_takes, pe_count),
    TEST(operations_beyond_the_limit_are_refused_with_their_number),
};

const struct suite plan_stop_suite = {SUITE_TESTS(tests), .timeout = 60};
