/* SPDX-License-Identifier: Apache-2.0
 * test_table_files.c - the files of --learned-tables-dir are served by name, their changes are
 * noticed, and a bad file leaves its old tables in service. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/table_files.h"
#include "tests/proto/support/table_bytes.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/visit.h"

static struct scratch *scratch;
static struct visit visit;

static const char *path_of(const char *name)
{
    return scratch_path(scratch, name);
}

/* A table of rows x 2 floats: 0, 1, 2 ... */
static void write_matrix(const char *name, size_t rows)
{
    struct table_bytes bytes = table_bytes_matrix("wpe.weight", rows, 2);

    scratch_replace(scratch, name, bytes.bytes, bytes.len);
    free(bytes.bytes);
}

static void use_folder(struct config *config)
{
    config->learned_tables_dir = scratch_folder(scratch);
    config->learned_tables_memory = 1 << 20;
}

static void start(void)
{
    scratch = scratch_new();
    write_matrix("gpt2.safetensors", 4);
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

START_TEST(files_are_tables_by_name)
{
    get("/v1/tables", 200, "\"name\":\"gpt2.wpe.weight\"");
    get("/v1/tables/gpt2.wpe", 200, "\"shape\":[4,2]");
    get("/v1/tables/gpt2", 200, "\"file\":\"gpt2\"");
    get("/v1/tables/gpt2.wp", 404, "did you mean gpt2.wpe?");
    get("/v1/learned?table=gpt2.wpe&pos=3&format=csv", 200, "3,6,7");
    ck_assert_str_eq(http_answer_header(&visit.answer, "Cache-Control"), "public, max-age=60");
    get("/v1/learned?table=gpt3.wpe&pos=3", 400, "/problems/unknown-table");
    ck_assert_double_eq(served_metric(visit.service, "posencd_learned_tables"), 1);
}
END_TEST

START_TEST(a_change_is_noticed_and_old_responses_are_not_repeated)
{
    for (int i = 0; i < 3; i++) { /* until the response cache of the loop has it */
        get("/v1/learned?table=gpt2.wpe&pos=5", 400, "");
        get("/v1/learned?table=gpt2.wpe&pos=3", 200, "");
    }
    write_matrix("gpt2.safetensors", 6);
    write_matrix("new.safetensors", 1);
    expect_metric("posencd_learned_tables", 2);
    get("/v1/learned?table=gpt2.wpe&pos=5", 200, "");
    get("/v1/learned?table=gpt2.wpe&pos=3", 200, "\"max_position\":5");
    ck_assert_int_eq(unlink(path_of("new.safetensors")), 0);
    expect_metric("posencd_learned_tables", 1);
    get("/v1/learned?table=new.wpe&pos=0", 400, "");
}
END_TEST

START_TEST(a_bad_file_leaves_its_old_tables_in_service)
{
    scratch_replace(scratch, "gpt2.safetensors", "short", 5);
    expect_metric("posencd_learned_table_files_bad", 1);
    get("/v1/learned?table=gpt2.wpe&pos=3", 200, "");
    get("/readyz?verbose", 200, "[-] table gpt2.safetensors: has 5 bytes, less");
    ck_assert(served_metric(visit.service, "posencd_learned_table_load_errors_total") >= 1);
    write_matrix("gpt2.safetensors", 9);
    expect_metric("posencd_learned_table_files_bad", 0);
    get("/v1/learned?table=gpt2.wpe&pos=8", 200, "");
}
END_TEST

/* Kubernetes mounts files as links: NAME -> ..data/NAME, ..data -> ..one; an update renames
 * another link to ..data. */
START_TEST(a_link_within_the_folder_is_followed_when_it_changes)
{
    ck_assert_int_eq(mkdir(path_of("..one"), 0700), 0);
    ck_assert_int_eq(mkdir(path_of("..two"), 0700), 0);
    write_matrix("..one/k8s.safetensors", 1);
    write_matrix("..two/k8s.safetensors", 2);
    ck_assert_int_eq(symlink("..one", path_of("..data")), 0);
    ck_assert_int_eq(symlink("..data/k8s.safetensors", path_of("k8s.safetensors")), 0);
    expect_metric("posencd_learned_tables", 2);
    get("/v1/learned?table=k8s.wpe&pos=1", 400, "");
    ck_assert_int_eq(symlink("..two", path_of("..data_tmp")), 0);
    double bytes = served_metric(visit.service, "posencd_learned_table_bytes");
    ck_assert_int_eq(rename(path_of("..data_tmp"), path_of("..data")), 0);
    expect_metric("posencd_learned_table_bytes", bytes + 9);
    get("/v1/learned?table=k8s.wpe&pos=1", 200, "");
}
END_TEST

static void expect_bad(const char *name, const char *why)
{
    double bad = served_metric(visit.service, "posencd_learned_table_files_bad");
    char line[400];

    service_reload(visit.service);
    expect_metric("posencd_learned_table_files_bad", bad + 1);
    snprintf(line, sizeof line, "[-] table %s: %s", name, why);
    get("/readyz?verbose", 200, line);
}

START_TEST(a_file_outside_of_the_folder_is_not_read)
{
    char outside[] = "/tmp/posenc-outside-XXXXXX";
    int fd = mkstemp(outside);

    ck_assert_int_eq(mkfifo(path_of("fifo.safetensors"), 0600), 0);
    expect_bad("fifo.safetensors", "is no regular file");
    ck_assert_int_eq(mkdir(path_of("folder.safetensors"), 0700), 0);
    expect_bad("folder.safetensors", "is no regular file");
    ck_assert_int_eq(symlink(outside, path_of("out.safetensors")), 0);
    expect_bad("out.safetensors", "is a link that leads out of the folder");
    write_matrix("a b.safetensors", 1);
    expect_bad("a b.safetensors", "the name must be 1 to 64 letters, digits and ._-");
    write_matrix("big.safetensors", 131072);
    expect_bad("big.safetensors", "has 1048");
    get("/v1/learned?table=gpt2.wpe&pos=3", 200, "");
    close(fd);
    unlink(outside);
}
END_TEST

static char folder[SCRATCH_PATH];

static void use_named_folder(struct config *config)
{
    config->learned_tables_dir = folder;
}

static void expect_refused(const char *words)
{
    struct service_error error;

    ck_assert_ptr_null(served_try(use_named_folder, NULL, &error));
    ck_assert_int_eq(error.exit_code, 78);
    ck_assert_msg(strstr(error.text, words) != NULL, "%s", error.text);
}

START_TEST(a_bad_file_at_start_is_refused_with_its_name_and_rule)
{
    scratch = scratch_new();
    snprintf(folder, sizeof folder, "%s", scratch_folder(scratch));
    write_matrix("good.safetensors", 2);
    served_stop(served_start(use_named_folder));
    scratch_replace(scratch, "bad.safetensors", "\3\0\0\0\0\0\0\0[1]", 11);
    expect_refused("bad.safetensors: the safetensors header must begin");
    scratch_free(scratch);
    expect_refused("No such file or directory");
}
END_TEST

START_TEST(without_a_folder_there_are_no_tables)
{
    visit_begin(&visit, NULL);
    get("/v1/tables", 404, "--learned-tables-dir");
    get("/v1/learned?table=gpt2.wpe&pos=0", 400, "this service has none");
    visit_end(&visit);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(files_are_tables_by_name),
    TEST(a_change_is_noticed_and_old_responses_are_not_repeated),
    TEST(a_bad_file_leaves_its_old_tables_in_service),
    TEST(a_link_within_the_folder_is_followed_when_it_changes),
    TEST(a_file_outside_of_the_folder_is_not_read),
};

static const struct suite_test alone_tests[] = {
    TEST(a_bad_file_at_start_is_refused_with_its_name_and_rule),
    TEST(without_a_folder_there_are_no_tables),
};

static const struct suite alone_case = {SUITE_TESTS(alone_tests), .timeout = 30};
const struct suite table_files_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                        .timeout = 30, .next = &alone_case};
