/* SPDX-License-Identifier: Apache-2.0
 * test_compute_file.c - long answers are made in files: their bytes, and what follows without a
 * file, without memory, or without a client. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "proto/request/request.h"
#include "server/cache/body_file.h"
#include "server/compute/compute.h"
#include "tests/support/alloc_fail.h"
#include "tests/support/suite.h"

enum { LEN = 3000 * 64 * 4 }; /* between two and three blocks */

static struct body_file_budget files;
static struct request *request;
static struct pe_plan *plan;
static struct pe_stop stop;
static struct compute compute;

static void start(void)
{
    static const char query[] = "dim=64&pos=5:3005&format=raw";
    struct request_limits limits = {.max_elements = 1 << 30, .max_prepared = 1 << 20};
    struct pe_errors errors;

    pe_errors_clear(&errors);
    atomic_store(&files.left, 1);
    stop = (struct pe_stop){0};
    request = request_new(pe_find("sinusoidal", 10));
    ck_assert_int_eq(request_set_query(request, query, strlen(query), &errors), PE_OK);
    ck_assert_int_eq(request_finish(request, NULL, 0, &errors), PE_OK);
    ck_assert_int_eq(request_plan(request, &plan, NULL, &limits, &errors), PE_OK);
    compute = (struct compute){.encoder = encoder_new(request, plan),
                               .elements = pe_plan_elements(plan),
                               .limit = LEN,
                               .stop = &stop,
                               .files = &files};
}

static void stop_all(void)
{
    free(compute.bytes);
    body_file_free(compute.file);
    encoder_free(compute.encoder);
    pe_plan_free(plan);
    request_free(request);
    ck_assert_uint_eq(atomic_load(&files.left), 1);
    ck_assert_uint_eq(atomic_load(&files.bytes), 0);
}

/* The answer in memory. */
static char *expected(void)
{
    struct compute plain = {.encoder = encoder_new(request, plan),
                            .elements = compute.elements,
                            .limit = LEN};

    compute_run(&plain);
    ck_assert_int_eq(plain.result, COMPUTE_DONE);
    ck_assert_uint_eq(plain.len, LEN);
    encoder_free(plain.encoder);
    return plain.bytes;
}

START_TEST(a_file_has_the_bytes_that_memory_would_have)
{
    char *bytes = expected();

    for (size_t step = 0; step <= 100000; step += 50000) {
        body_file_free(compute.file);
        encoder_seek(compute.encoder, 0);
        compute.step = step;
        compute_run(&compute);
        ck_assert_int_eq(compute.result, COMPUTE_DONE);
        ck_assert_ptr_null(compute.bytes);
        ck_assert_ptr_nonnull(compute.file);
        ck_assert_uint_eq(compute.len, LEN);
        ck_assert_uint_eq(compute.file->len, LEN);
        ck_assert_mem_eq(compute.file->bytes, bytes, LEN);
    }
    free(bytes);
}
END_TEST

START_TEST(where_no_file_is_allowed_the_answer_is_in_memory)
{
    char *bytes = expected();

    atomic_store(&files.left, 0);
    compute_run(&compute);
    atomic_store(&files.left, 1);
    ck_assert_int_eq(compute.result, COMPUTE_DONE);
    ck_assert_ptr_null(compute.file);
    ck_assert_mem_eq(compute.bytes, bytes, LEN);
    free(bytes);
}
END_TEST

START_TEST(a_file_that_cannot_grow_leaves_an_answer_to_stream)
{
    char *bytes = expected(), first[16384];
    struct rlimit before, less;

    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = (struct rlimit){.rlim_cur = LEN / 2, .rlim_max = before.rlim_max};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &less), 0);
    compute_run(&compute);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(compute.result, COMPUTE_NO_MEMORY);
    ck_assert_ptr_null(compute.file);
    ck_assert_uint_eq(compute.len, 0);
    ck_assert_uint_gt(encoder_read(compute.encoder, first, sizeof first), 0);
    ck_assert_mem_eq(first, bytes, 1000);
    free(bytes);
}
END_TEST

START_TEST(a_stop_ends_the_computation_and_frees_the_file)
{
    pe_stop_set(&stop);
    compute_run(&compute);
    ck_assert_int_eq(compute.result, COMPUTE_STOPPED);
    ck_assert_ptr_null(compute.file);
}
END_TEST

START_TEST(failing_allocations_leave_nothing)
{
    bool reached = true;

    for (size_t n = 0; reached; n++) {
        encoder_seek(compute.encoder, 0);
        alloc_fail_start(n);
        compute_run(&compute);
        reached = alloc_fail_stop();
        ck_assert(compute.result == COMPUTE_DONE || compute.result == COMPUTE_NO_MEMORY);
        body_file_free(compute.file);
        compute.file = NULL;
        free(compute.bytes);
        compute.bytes = NULL;
    }
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_file_has_the_bytes_that_memory_would_have),
    TEST(where_no_file_is_allowed_the_answer_is_in_memory),
    TEST(a_file_that_cannot_grow_leaves_an_answer_to_stream),
    TEST(a_stop_ends_the_computation_and_frees_the_file),
    TEST(failing_allocations_leave_nothing),
};

const struct suite compute_file_suite = {SUITE_TESTS(tests), .setup = start,
                                         .teardown = stop_all};
