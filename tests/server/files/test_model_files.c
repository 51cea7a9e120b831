/* SPDX-License-Identifier: Apache-2.0
 * test_model_files.c - --models-dir is read, its changes are noticed, and a bad file leaves the
 * old model in service. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/model_files.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

#define LLAMA "{\"model_type\": \"llama\", \"head_dim\": 64, \"rope_theta\": %d}"

static struct scratch *scratch;
static struct visit visit;

static void write_file(const char *name, const char *text)
{
    scratch_replace(scratch, name, text, strlen(text));
}

static void write_llama(const char *name, int theta)
{
    char text[128];

    snprintf(text, sizeof text, LLAMA, theta);
    write_file(name, text);
}

static void use_folder(struct config *config)
{
    config->models_dir = scratch_folder(scratch);
}

static void start(void)
{
    scratch = scratch_new();
    write_llama("mine.json", 5000);
    ck_assert_int_eq(mkdir(scratch_path(scratch, "other"), 0700), 0);
    write_llama("other/config.json", 6000);
    write_file("bad.json", "{\"head_dim\": 64, \"rope_scaling\": {\"type\": \"magic\"}}");
    write_file("phi-2.json", "{\"head_dim\": 64, \"rope_theta\": 1}");
    write_file("notes.txt", "no model");
    visit_begin(&visit, use_folder);
}

static void stop(void)
{
    visit_end(&visit);
    scratch_free(scratch);
}

static void get(const char *target, int status, const char *words)
{
    visit_get(&visit, target, status, words);
}

static void expect_metric(const char *name, double value)
{
    ck_assert(served_metric_becomes(visit.service, name, value));
}

START_TEST(files_and_folders_are_models_and_bad_ones_are_reported)
{
    get("/v1/models", 200, "\"id\":\"mine\"");
    get("/v1/models/other", 200, "\"base\":6000");
    get("/v1/rope?model=mine&pos=0", 200, "\"base\":5000");
    get("/v1/models/notes", 404, "");
    get("/v1/models/bad", 404, "");
    get("/v1/models/phi-2", 200, "microsoft");
    get("/readyz?verbose", 200,
        "[-] model bad.json: #/rope_scaling/type \"magic\" is no known");
    visit_expect_in_body(&visit, "[-] model phi-2.json: is the name of a built-in");
    expect_metric("posencd_model_files_bad", 2);
    expect_metric("posencd_model_load_errors_total", 2);
}
END_TEST

START_TEST(a_change_is_noticed_and_old_responses_are_not_repeated)
{
    for (int i = 0; i < 3; i++) /* until the response cache of the loop has it */
        get("/v1/rope?model=mine&pos=0", 200, "\"base\":5000");
    double models = served_metric(visit.service, "posencd_models");
    write_llama("mine.json", 7000);
    write_llama("new.json", 8000);
    expect_metric("posencd_models", models + 1);
    get("/v1/rope?model=mine&pos=0", 200, "\"base\":7000");
    get("/v1/rope?model=new&pos=0", 200, "\"base\":8000");
}
END_TEST

START_TEST(a_bad_file_leaves_the_old_version_in_service)
{
    write_file("mine.json", "{\"head_dim\": 64");
    expect_metric("posencd_model_files_bad", 3);
    get("/v1/rope?model=mine&pos=0", 200, "\"base\":5000");
    get("/readyz?verbose", 200, "[-] model mine.json: line 1");
    write_llama("mine.json", 9000);
    expect_metric("posencd_model_files_bad", 2);
    get("/v1/rope?model=mine&pos=0", 200, "\"base\":9000");
}
END_TEST

START_TEST(a_file_that_cannot_be_examined_leaves_the_old_version_in_service)
{
    ck_assert_int_eq(symlink("mine.json", scratch_path(scratch, ".circle")), 0);
    ck_assert_int_eq(
        rename(scratch_path(scratch, ".circle"), scratch_path(scratch, "mine.json")), 0);
    expect_metric("posencd_model_files_bad", 3);
    get("/v1/rope?model=mine&pos=0", 200, "\"base\":5000");
    get("/readyz?verbose", 200, "[-] model mine.json: cannot be looked at: ");
}
END_TEST

/* No writer opens the pipe, so a call of open that waited for one would never return: the
 * service would not start, or not notice the change behind it. */
START_TEST(a_pipe_in_the_folder_is_reported_and_waited_for_by_nobody)
{
    ck_assert_int_eq(mkfifo(scratch_path(scratch, "pipe.json"), 0600), 0);
    ck_assert_int_eq(mkdir(scratch_path(scratch, ".piped"), 0700), 0);
    ck_assert_int_eq(mkfifo(scratch_path(scratch, ".piped/config.json"), 0600), 0);
    ck_assert_int_eq(rename(scratch_path(scratch, ".piped"), scratch_path(scratch, "piped")),
                     0);
    write_llama("mine.json", 7000);
    expect_metric("posencd_model_files_bad", 4);
    get("/v1/rope?model=mine&pos=0", 200, "\"base\":7000");
    get("/v1/models/pipe", 404, "");
    get("/readyz?verbose", 200,
        "[-] model pipe.json: must be a regular file, not a pipe, a socket or a device");
    visit_expect_in_body(&visit, "[-] model piped/config.json: must be a regular file");
    visit_end(&visit);
    visit_begin(&visit, use_folder); /* and none at start */
    get("/v1/rope?model=other&pos=0", 200, "\"base\":6000");
    expect_metric("posencd_model_files_bad", 4);
}
END_TEST

START_TEST(a_pipe_in_place_of_a_file_leaves_the_old_version_in_service)
{
    ck_assert_int_eq(mkfifo(scratch_path(scratch, ".pipe"), 0600), 0);
    ck_assert_int_eq(rename(scratch_path(scratch, ".pipe"), scratch_path(scratch, "mine.json")),
                     0);
    expect_metric("posencd_model_files_bad", 3);
    get("/v1/rope?model=mine&pos=0", 200, "\"base\":5000");
    get("/readyz?verbose", 200, "[-] model mine.json: must be a regular file");
}
END_TEST

START_TEST(a_reload_reads_a_file_that_is_not_watched)
{
    write_llama("other/config.json", 6500); /* the folder itself does not change */
    service_reload(visit.service);
    do
        get("/v1/rope?model=other&pos=0", 200, "");
    while (!strstr(visit.answer.body, "\"base\":6500"));
    expect_metric("posencd_model_load_errors_total", 2); /* the two bad files are no news */
}
END_TEST

static void use_missing_folder(struct config *config)
{
    config->models_dir = "/nonexistent/models";
}

START_TEST(a_missing_folder_is_reported_at_start)
{
    struct service_error error;

    ck_assert_ptr_null(served_try(use_missing_folder, NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    ck_assert_str_eq(error.text, "--models-dir /nonexistent/models: No such file or directory");
}
END_TEST

static const struct suite_test tests[] = {
    TEST(files_and_folders_are_models_and_bad_ones_are_reported),
    TEST(a_change_is_noticed_and_old_responses_are_not_repeated),
    TEST(a_bad_file_leaves_the_old_version_in_service),
    TEST(a_file_that_cannot_be_examined_leaves_the_old_version_in_service),
    TEST(a_pipe_in_the_folder_is_reported_and_waited_for_by_nobody),
    TEST(a_pipe_in_place_of_a_file_leaves_the_old_version_in_service),
    TEST(a_reload_reads_a_file_that_is_not_watched),
};

static const struct suite_test alone_tests[] = {
    TEST(a_missing_folder_is_reported_at_start),
};

static const struct suite alone_case = {SUITE_TESTS(alone_tests)};
const struct suite model_files_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                        .timeout = 30, .next = &alone_case};
