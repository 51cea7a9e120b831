/* SPDX-License-Identifier: Apache-2.0
 * test_compute.c - answers are computed in one go up to a limit of their length. */
#include <stdlib.h>
#include <string.h>

#include "proto/request/request.h"
#include "server/compute/compute.h"
#include "tests/support/suite.h"

struct work {
    struct request *request;
    struct pe_plan *plan;
    struct compute compute;
};

static void prepare(struct work *work, const char *query, size_t limit)
{
    struct request_limits limits = {.max_elements = 1 << 30,
                                    .max_text_elements = 1 << 30,
                                    .max_prepared = 1 << 20};
    struct pe_errors errors;

    pe_errors_clear(&errors);
    *work = (struct work){.request = request_new(pe_find("sinusoidal", 10))};
    ck_assert_int_eq(request_set_query(work->request, query, strlen(query), &errors), PE_OK);
    ck_assert_int_eq(request_finish(work->request, NULL, 0, &errors), PE_OK);
    ck_assert_int_eq(request_plan(work->request, &work->plan, NULL, &limits, &errors), PE_OK);
    work->compute = (struct compute){.encoder = encoder_new(work->request, work->plan),
                                     .elements = pe_plan_elements(work->plan),
                                     .limit = limit};
}

static void finish(struct work *work)
{
    free(work->compute.bytes);
    encoder_free(work->compute.encoder);
    pe_plan_free(work->plan);
    request_free(work->request);
}

START_TEST(an_answer_of_exactly_the_limit_is_done)
{
    struct work work;

    prepare(&work, "dim=64&pos=0:100&format=raw", 25600);
    ck_assert(!compute_surely_longer(work.compute.encoder, 6400, 25600));
    ck_assert(compute_surely_longer(work.compute.encoder, 6400, 25599));
    compute_run(&work.compute);
    ck_assert_int_eq(work.compute.result, COMPUTE_DONE);
    ck_assert_uint_eq(work.compute.len, 25600);
    ck_assert_uint_gt(work.compute.ns, 0);
    finish(&work);
}
END_TEST

START_TEST(text_beyond_the_limit_leaves_the_rest_in_the_encoder)
{
    struct work whole, cut;
    char rest[65536];
    size_t len, got;

    prepare(&whole, "dim=64&pos=0:500&format=csv", 1 << 20);
    compute_run(&whole.compute);
    ck_assert_int_eq(whole.compute.result, COMPUTE_DONE);
    prepare(&cut, "dim=64&pos=0:500&format=csv", 100000);
    ck_assert(!compute_surely_longer(cut.compute.encoder, 32000, 100000));
    compute_run(&cut.compute);
    ck_assert_int_eq(cut.compute.result, COMPUTE_TOO_LONG);
    ck_assert_uint_gt(cut.compute.len, 100000);
    ck_assert_mem_eq(cut.compute.bytes, whole.compute.bytes, cut.compute.len);
    len = cut.compute.len;
    while ((got = encoder_read(cut.compute.encoder, rest, sizeof rest)) > 0) {
        ck_assert_mem_eq(rest, whole.compute.bytes + len, got);
        len += got;
    }
    ck_assert_uint_eq(len, whole.compute.len);
    finish(&whole);
    finish(&cut);
}
END_TEST

START_TEST(a_stop_is_seen_between_two_steps)
{
    struct pe_stop stop = {0};
    struct work whole, work;

    prepare(&whole, "dim=64&pos=0:500&format=csv", 1 << 20);
    compute_run(&whole.compute);
    prepare(&work, "dim=64&pos=0:500&format=csv", 1 << 20);
    work.compute.stop = &stop;
    work.compute.step = compute_step(work.plan, 0);
    ck_assert_uint_eq(work.compute.step, FORMAT_MIN_CAPACITY);
    ck_assert_uint_gt(compute_step(work.plan, 1e9), 1 << 20);
    compute_run(&work.compute);
    ck_assert_int_eq(work.compute.result, COMPUTE_DONE);
    ck_assert_uint_eq(work.compute.len, whole.compute.len); /* steps change no byte */
    ck_assert_mem_eq(work.compute.bytes, whole.compute.bytes, whole.compute.len);
    finish(&work);
    finish(&whole);
    prepare(&work, "dim=64&pos=0:500&format=csv", 1 << 20);
    work.compute.stop = &stop;
    pe_stop_set(&stop);
    compute_run(&work.compute);
    ck_assert_int_eq(work.compute.result, COMPUTE_STOPPED);
    ck_assert_ptr_null(work.compute.bytes);
    finish(&work);
}
END_TEST

START_TEST(text_costs_more_than_bytes_and_many_more_than_few)
{
    struct work raw, json, more;

    prepare(&raw, "dim=64&pos=0:500&format=raw", 1 << 20);
    prepare(&json, "dim=64&pos=0:500&format=json", 1 << 20);
    prepare(&more, "dim=64&pos=0:5000&format=json", 1 << 20);
    double of_raw = compute_cost_ns(raw.plan, request_options(raw.request));
    double of_json = compute_cost_ns(json.plan, request_options(json.request));
    double of_more = compute_cost_ns(more.plan, request_options(more.request));
    ck_assert_double_gt(of_raw, 0);
    ck_assert_double_gt(of_json, of_raw);
    ck_assert_double_gt(of_more, 5 * of_json);
    finish(&raw);
    finish(&json);
    finish(&more);
}
END_TEST

START_TEST(text_costs_what_its_first_bytes_cost)
{
    struct work raw, text;

    prepare(&raw, "dim=64&pos=0:5000&format=raw", 1 << 20);
    prepare(&text, "dim=64&pos=0:5000&format=json", 1 << 20);
    const struct request_options *binary = request_options(raw.request);
    const struct request_options *json = request_options(text.request);
    const double whole = compute_cost_ns(text.plan, json);

    ck_assert_double_eq(compute_limited_cost_ns(raw.plan, binary, 1 << 20),
                        compute_cost_ns(raw.plan, binary));
    ck_assert_double_eq(compute_limited_cost_ns(text.plan, json, 16 << 20), whole);
    ck_assert_double_lt(compute_limited_cost_ns(text.plan, json, 1 << 20), whole / 3);
    ck_assert_double_gt(compute_limited_cost_ns(text.plan, json, 1 << 20), whole / 5);
    finish(&raw);
    finish(&text);
}
END_TEST

/* Returns the operations of a request without its plan, of an answer of `limit` bytes. */
static double unplanned(const char *query, size_t limit)
{
    struct work work;

    prepare(&work, query, limit);
    const double cost = compute_unplanned_cost_ns(work.request, limit);

    finish(&work);
    return cost;
}

START_TEST(an_answer_without_a_plan_costs_its_elements)
{
    const double raw = unplanned("dim=64&pos=0:2500&format=raw", 1 << 20);

    ck_assert_double_gt(raw, 160000.0 * 20);
    ck_assert_double_lt(raw, 160000.0 * 80);
    ck_assert_double_gt(unplanned("dim=64&pos=0:1000&format=json", 1 << 20), raw * 0.5);
    ck_assert_double_gt(unplanned("dim=64&pos=0:2500&format=png", 1 << 20), 160000.0 * 10);
}
END_TEST

/* The frequencies of a wide table take longer than those of the picture of a narrow one. */
START_TEST(a_picture_costs_its_elements_and_pixels_however_long_its_planning_is)
{
    const double wide = unplanned("dim=4096&pos=0:4096&format=svg", 1 << 20);
    const double small = unplanned("dim=64&pos=0:64&format=png", 1 << 20);
    const double cells = unplanned("dim=64&pos=0:64&format=png&cell=64", 1 << 20);

    ck_assert_double_gt(wide, 16e6 * 10);
    ck_assert_double_lt(wide, 16e6 * 40);
    ck_assert_double_lt(small, 2e6);
    ck_assert_double_gt(cells, 16e6);
    ck_assert_double_lt(cells, 16e6 * 4);
    ck_assert_double_gt(unplanned("dim=64&pos=0:64&format=card", 1 << 20), 4e6);
}
END_TEST

/* A list of a million numbers, which its shape alone would read, is not read for the cost. */
START_TEST(an_answer_whose_planning_takes_long_costs_twice_as_much_whatever_its_size)
{
    static const char query[] = "document_ids=0:1000000&out=positions&format=raw";
    struct pe_errors errors;
    struct request *request = request_new(pe_find("ids-packed", 10));

    pe_errors_clear(&errors);
    ck_assert_int_eq(request_set_query(request, query, strlen(query), &errors), PE_OK);
    ck_assert_int_eq(request_finish(request, NULL, 0, &errors), PE_OK);
    const double planning = pe_args_operations(request_args(request));
    ck_assert_double_gt(planning, 1e6);
    ck_assert_double_eq(compute_unplanned_cost_ns(request, 64 << 20), 2 * planning);
    ck_assert_double_eq(compute_unplanned_cost_ns(request, 0), planning);
    request_free(request);
}
END_TEST

START_TEST(an_answer_that_is_not_computed_costs_its_planning)
{
    ck_assert_double_lt(unplanned("dim=64&pos=0:2500&format=raw", 0), 1e6);
    ck_assert_double_lt(unplanned("dim=64&pos=0:10000&format=raw", 1 << 20), 1e6);
    ck_assert_double_lt(unplanned("dim=64&pos=0:2500&format=png", 0), 1e6);
}
END_TEST

SUITE(compute, TEST(a_picture_costs_its_elements_and_pixels_however_long_its_planning_is),
      TEST(an_answer_whose_planning_takes_long_costs_twice_as_much_whatever_its_size),
      TEST(text_costs_what_its_first_bytes_cost),
      TEST(an_answer_without_a_plan_costs_its_elements),
      TEST(an_answer_that_is_not_computed_costs_its_planning),
      TEST(an_answer_of_exactly_the_limit_is_done),
      TEST(text_beyond_the_limit_leaves_the_rest_in_the_encoder),
      TEST(a_stop_is_seen_between_two_steps),
      TEST(text_costs_more_than_bytes_and_many_more_than_few));
