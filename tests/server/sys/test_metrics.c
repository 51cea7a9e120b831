/* SPDX-License-Identifier: Apache-2.0
 * test_metrics.c - the page keeps the rules of the Prometheus text format, and sums what the
 * loops counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "server/sys/metrics.h"
#include "tests/support/suite.h"

static struct metrics *metrics;
static struct buffer page;

static void begin(void)
{
    metrics = metrics_new(3);
    ck_assert_ptr_nonnull(metrics);
    page = (struct buffer){0};
}

static void end(void)
{
    buffer_fini(&page);
    metrics_free(metrics);
}

static void scrape(const struct metrics_gauges *gauges)
{
    static const struct metrics_gauges none;

    buffer_fini(&page);
    metrics_write(metrics, gauges ? gauges : &none, &page);
    ck_assert(!page.failed);
}

/* "" when the page does not have the sample. */
static const char *value_of(const char *sample)
{
    static char value[64];
    char line[300];
    const char *at;

    snprintf(line, sizeof line, "\n%s ", sample);
    at = strstr(page.bytes, line);
    value[0] = '\0';
    if (at) {
        at += strlen(line);
        snprintf(value, sizeof value, "%.*s", (int)strcspn(at, "\n"), at);
    }
    return value;
}

static void expect(const char *sample, const char *value)
{
    ck_assert_msg(strcmp(value_of(sample), value) == 0, "%s is %s", sample, value_of(sample));
}

/* Counts a request in the loop's slab; its first byte came after half of the time. */
static void request(size_t loop, enum endpoint_id endpoint, unsigned method, unsigned status,
                    uint64_t ns, uint64_t bytes)
{
    metrics_request(metrics_slab(metrics, loop),
                    &(struct metrics_request){.endpoint = endpoint,
                                              .method = method,
                                              .status = status,
                                              .first_byte_ns = ns / 2,
                                              .last_byte_ns = ns,
                                              .bytes = bytes});
}

START_TEST(requests_are_summed_over_the_loops)
{
    for (size_t i = 0; i < 4; i++)
        request(i, ENDPOINT_ENCODING, METHOD_GET, 200, 1000, 100);
    request(1, ENDPOINT_ENCODING, METHOD_QUERY, 400, 1000, 7);
    request(1, ENDPOINT_NONE, METHOD_NONE, 405, 1000, 7);
    request(2, ENDPOINT_NONE, METHOD_GET, 599, 1000, 7);
    scrape(NULL);
#define REQUESTS "posencd_http_requests_total"
    expect(REQUESTS "{route=\"/v1/{encoding}\",method=\"GET\",code=\"200\"}", "4");
    expect(REQUESTS "{route=\"/v1/{encoding}\",method=\"QUERY\",code=\"400\"}", "1");
    expect(REQUESTS "{route=\"none\",method=\"other\",code=\"405\"}", "1");
    expect(REQUESTS "{route=\"none\",method=\"GET\",code=\"other\"}", "1");
    expect(REQUESTS "{route=\"/livez\",method=\"GET\",code=\"200\"}", "");
    expect("posencd_http_response_bytes_total{route=\"/v1/{encoding}\"}", "407");
}
END_TEST

START_TEST(compressed_bytes_are_counted_before_and_after)
{
    metrics_compressed(metrics_slab(metrics, 0), 1000, 100);
    metrics_compressed(metrics_slab(metrics, 2), 500, 40);
    scrape(NULL);
    expect("posencd_gzip_bytes_total{coding=\"identity\"}", "1500");
    expect("posencd_gzip_bytes_total{coding=\"gzip\"}", "140");
}
END_TEST

START_TEST(durations_fall_into_buckets_from_25_us_to_2500_ms)
{
    static const uint64_t ns[] = {1, 25000, 25001, 2500000000, 2500000001};

    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++)
        request(0, ENDPOINT_LIVEZ, METHOD_GET, 200, ns[i], 0);
    scrape(NULL);
#define SECONDS "posencd_http_request_duration_seconds"
    expect(SECONDS "_bucket{route=\"/livez\",le=\"2.5e-05\"}", "2");
    expect(SECONDS "_bucket{route=\"/livez\",le=\"5e-05\"}", "3");
    expect(SECONDS "_bucket{route=\"/livez\",le=\"1\"}", "3");
    expect(SECONDS "_bucket{route=\"/livez\",le=\"2.5\"}", "4");
    expect(SECONDS "_bucket{route=\"/livez\",le=\"+Inf\"}", "5");
    expect(SECONDS "_count{route=\"/livez\"}", "5");
    expect(SECONDS "_sum{route=\"/livez\"}", "5.000050003");
}
END_TEST

/* A slow reader takes long for its last byte, which says nothing about the service. */
START_TEST(the_time_to_the_first_byte_is_counted_apart)
{
    request(0, ENDPOINT_LIVEZ, METHOD_GET, 200, 80000, 0);
    request(1, ENDPOINT_LIVEZ, METHOD_GET, 200, 4000000, 0);
    scrape(NULL);
#define FIRST_BYTE "posencd_http_time_to_first_byte_seconds"
    expect(FIRST_BYTE "_bucket{route=\"/livez\",le=\"2.5e-05\"}", "0");
    expect(FIRST_BYTE "_bucket{route=\"/livez\",le=\"5e-05\"}", "1");
    expect(FIRST_BYTE "_bucket{route=\"/livez\",le=\"0.0025\"}", "2");
    expect(FIRST_BYTE "_sum{route=\"/livez\"}", "0.002040000");
    expect(SECONDS "_sum{route=\"/livez\"}", "0.004080000");
}
END_TEST

START_TEST(an_encoding_appears_with_its_first_computation)
{
    scrape(NULL);
    expect("posencd_compute_seconds_count{encoding=\"rope\"}", "");
    expect("posencd_elements_total{encoding=\"rope\"}", "");
    metrics_compute(metrics_slab(metrics, 1), pe_index(pe_find("rope", 4)), 500000, 10);
    scrape(NULL);
    expect("posencd_compute_seconds_count{encoding=\"rope\"}", "1");
    expect("posencd_elements_total{encoding=\"rope\"}", "10");
    expect("posencd_compute_seconds_count{encoding=\"alibi\"}", "");
}
END_TEST

START_TEST(the_time_in_the_queue_is_counted_by_lane)
{
    metrics_queued(metrics_slab(metrics, 0), false, 80000);
    metrics_queued(metrics_slab(metrics, 1), false, 40000);
    scrape(NULL);
    expect("posencd_queue_seconds_bucket{lane=\"quick\",le=\"5e-05\"}", "1");
    expect("posencd_queue_seconds_sum{lane=\"quick\"}", "0.000120000");
    expect("posencd_queue_seconds_count{lane=\"expensive\"}", "0");
    metrics_queued(metrics_slab(metrics, 1), true, 3000000000);
    scrape(NULL);
    expect("posencd_queue_seconds_count{lane=\"quick\"}", "2");
    expect("posencd_queue_seconds_count{lane=\"expensive\"}", "1");
}
END_TEST

/* The page of a server that only probes and scrapes have asked. */
START_TEST(an_idle_page_has_at_most_500_samples)
{
    static const enum endpoint_id asked[] = {ENDPOINT_LIVEZ, ENDPOINT_READYZ, ENDPOINT_METRICS};
    size_t samples = 0;

    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        request(i, asked[i], METHOD_GET, 200, 1000, 10);
    scrape(NULL);
    for (const char *line = page.bytes; *line; line = strchr(line, '\n') + 1)
        samples += *line != '#';
    ck_assert_uint_gt(samples, 100);
    ck_assert_uint_le(samples, 500);
}
END_TEST

START_TEST(the_page_tells_the_state_and_its_limits)
{
    const struct metrics_gauges gauges = {.ready = true,
                                          .draining = true,
                                          .overload_level = 3,
                                          .max_connections = 11,
                                          .max_inflight = 12,
                                          .cache_size = 13,
                                          .max_body = 14,
                                          .max_elements = 15,
                                          .own_used = 16,
                                          .group_used = 17,
                                          .own_limit = 18,
                                          .group_limit = UINT64_MAX};

    scrape(&gauges);
    expect("posencd_ready", "1");
    expect("posencd_draining", "1");
    expect("posencd_overload_level", "3");
    expect("posencd_limit{flag=\"max-connections\"}", "11");
    expect("posencd_limit{flag=\"max-inflight\"}", "12");
    expect("posencd_limit{flag=\"cache-size\"}", "13");
    expect("posencd_limit{flag=\"max-body\"}", "14");
    expect("posencd_limit{flag=\"max-elements\"}", "15");
    expect("posencd_memory_used_bytes{of=\"process\"}", "16");
    expect("posencd_memory_used_bytes{of=\"cgroup\"}", "");
    expect("posencd_memory_limit_bytes{of=\"process\"}", "18");
    expect("posencd_memory_limit_bytes{of=\"cgroup\"}", "");
}
END_TEST

START_TEST(computations_are_counted_by_encoding)
{
    char sample[200];

    for (size_t i = 0; i < pe_count(); i++)
        for (size_t times = 0; times <= i; times++)
            metrics_compute(metrics_slab(metrics, times % 3), i, 500000, 10);
    scrape(NULL);
    for (size_t i = 0; i < pe_count(); i++) {
        char count[24], elements[24];

        snprintf(count, sizeof count, "%zu", i + 1);
        snprintf(elements, sizeof elements, "%zu", 10 * (i + 1));
        snprintf(sample, sizeof sample, "posencd_compute_seconds_count{encoding=\"%s\"}",
                 pe_name(pe_at(i)));
        expect(sample, count);
        snprintf(sample, sizeof sample, "posencd_elements_total{encoding=\"%s\"}",
                 pe_name(pe_at(i)));
        expect(sample, elements);
    }
}
END_TEST

START_TEST(every_other_metric_has_a_line)
{
    const struct metrics_gauges gauges = {.cache_bytes = 1,
                                          .cache_lent = 7,
                                          .cache_files = 11,
                                          .inflight_bodies = 8,
                                          .inflight_sending = 9,
                                          .inflight_computing = 10,
                                          .cache_entries = 2,
                                          .cache_evictions = 3,
                                          .shared_tables = 4,
                                          .shared_table_bytes = 5,
                                          .log_dropped = 6};

    metrics_cache(metrics_slab(metrics, 0), METRICS_RESPONSE_CACHE_HIT);
    metrics_cache(metrics_slab(metrics, 1), METRICS_RESPONSE_CACHE_HIT);
    metrics_reject(metrics_slab(metrics, 3), METRICS_REJECT_CONNECTIONS);
    metrics_inflight(metrics_slab(metrics, 0), 1);
    metrics_inflight(metrics_slab(metrics, 1), 1);
    metrics_inflight(metrics_slab(metrics, 1), -1);
    metrics_connections(metrics_slab(metrics, 2), 3);
    metrics_connections(metrics_slab(metrics, 2), -1);
    scrape(&gauges);
    expect("posencd_cache_requests_total{result=\"response_cache_hit\"}", "2");
    expect("posencd_rejected_total{reason=\"connections\"}", "1");
    expect("posencd_http_inflight_requests", "1");
    expect("posencd_connections{loop=\"0\"}", "0");
    expect("posencd_connections{loop=\"2\"}", "2");
    expect("posencd_connections{loop=\"3\"}", ""); /* the main thread has no connections */
    expect("posencd_cache_bytes", "1");
    expect("posencd_cache_lent_bytes", "7");
    expect("posencd_cache_file_bytes", "11");
    expect("posencd_inflight_bytes{use=\"bodies\"}", "8");
    expect("posencd_inflight_bytes{use=\"sending\"}", "9");
    expect("posencd_inflight_bytes{use=\"computing\"}", "10");
    expect("posencd_cache_entries", "2");
    expect("posencd_cache_evictions_total", "3");
    expect("posencd_shared_tables", "4");
    expect("posencd_shared_table_bytes", "5");
    expect("posencd_log_dropped_total", "6");
    ck_assert_ptr_nonnull(strstr(page.bytes, "\nposencd_build_info{version=\""));
    ck_assert_ptr_nonnull(strstr(page.bytes, "\nprocess_resident_memory_bytes "));
}
END_TEST

START_TEST(a_renamed_family_has_its_old_name_too)
{
    static const char *const names[][3] = {
        {"posencd_shared_tables", "posencd_tables", "4"},
        {"posencd_shared_table_bytes", "posencd_table_bytes", "5"},
        {"posencd_learned_table_files_bad", "posencd_table_files_bad", "6"},
        {"posencd_learned_table_load_errors_total", "posencd_table_load_errors_total", "7"},
    };
    const struct metrics_gauges gauges = {.shared_tables = 4,
                                          .shared_table_bytes = 5,
                                          .learned_bad = 6,
                                          .learned_errors = 7};
    char help[160];

    scrape(&gauges);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        expect(names[i][0], names[i][2]);
        expect(names[i][1], names[i][2]);
        snprintf(help, sizeof help, "\n# HELP %s Deprecated: now %s.\n", names[i][1],
                 names[i][0]);
        ck_assert_ptr_nonnull(strstr(page.bytes, help));
    }
}
END_TEST

/* The rules of promtool: HELP and TYPE come once, before their samples, which stand
 * together; counters end with _total; no sample comes twice. */
START_TEST(the_page_keeps_the_rules_of_the_format)
{
    char family[128] = "", type[32] = "", *seen[4096], *copy, *line;
    size_t count = 0;

    request(0, ENDPOINT_ENCODING, METHOD_GET, 200, 1, 1);
    scrape(NULL);
    ck_assert_int_eq(page.bytes[page.len - 1], '\n');
    copy = page.bytes;
    while ((line = strsep(&copy, "\n")) && *line) {
        size_t name = strcspn(line, "{ ");

        if (strncmp(line, "# HELP ", 7) == 0) {
            snprintf(family, sizeof family, "%.*s", (int)strcspn(line + 7, " "), line + 7);
            ck_assert_int_eq(line[strlen(line) - 1], '.');
            for (size_t i = 0; i < count; i++)
                ck_assert_msg(strcmp(seen[i], line) != 0, "%s twice", line);
        } else if (strncmp(line, "# TYPE ", 7) == 0) {
            ck_assert_mem_eq(line + 7, family, strlen(family));
            snprintf(type, sizeof type, "%s", line + 7 + strlen(family) + 1);
            if (strcmp(type, "counter") == 0)
                ck_assert_str_eq(family + strlen(family) - 6, "_total");
        } else {
            bool suffixed = strcmp(type, "histogram") == 0 && name > strlen(family);

            ck_assert_msg(strncmp(line, family, strlen(family)) == 0 &&
                              (suffixed || name == strlen(family)),
                          "%s is not of %s", line, family);
            *strrchr(line, ' ') = '\0';
            for (size_t i = 0; i < count; i++)
                ck_assert_msg(strcmp(seen[i], line) != 0, "%s twice", line);
        }
        ck_assert_uint_lt(count, sizeof seen / sizeof *seen);
        seen[count++] = line;
    }
    ck_assert_uint_gt(count, 100);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(requests_are_summed_over_the_loops),
    TEST(compressed_bytes_are_counted_before_and_after),
    TEST(durations_fall_into_buckets_from_25_us_to_2500_ms),
    TEST(the_time_to_the_first_byte_is_counted_apart),
    TEST(an_encoding_appears_with_its_first_computation),
    TEST(the_time_in_the_queue_is_counted_by_lane),
    TEST(an_idle_page_has_at_most_500_samples),
    TEST(the_page_tells_the_state_and_its_limits),
    TEST(computations_are_counted_by_encoding),
    TEST(every_other_metric_has_a_line),
    TEST(a_renamed_family_has_its_old_name_too),
    TEST(the_page_keeps_the_rules_of_the_format),
};

const struct suite metrics_suite = {SUITE_TESTS(tests), .setup = begin, .teardown = end};
