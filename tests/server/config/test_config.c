/* SPDX-License-Identifier: Apache-2.0
 * test_config.c - defaults, lists, old names, help, and the configuration as text; config.txt
 * has single flags. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/config/config.h"
#include "tests/server/support/log_pipe.h"
#include "tests/support/suite.h"

static struct config config;
static struct config_error error;

#define COUNT(ARRAY) (int)(sizeof(ARRAY) / sizeof *(ARRAY))
/* The flags given as words, without an environment. */
#define FLAGS(...) load((char *[]){__VA_ARGS__, NULL}, (char *[]){NULL})
#define VARIABLES(...) load((char *[]){NULL}, (char *[]){__VA_ARGS__, NULL})

static int load(char *flags[], char *variables[])
{
    int count = 0;

    while (flags[count])
        count++;
    error.text[0] = '\0';
    return (int)config_load(&config, count, flags, variables, &error);
}

static void expect_said(const char *text)
{
    ck_assert_msg(strstr(error.text, text) != NULL, "no \"%s\" in \"%s\"", text, error.text);
}

/* config.txt has the defaults that do not depend on the machine. */
START_TEST(defaults_that_the_machine_may_reduce_are_as_documented)
{
    ck_assert_int_eq(FLAGS(NULL), 0);
    ck_assert_uint_eq(config.listen.count, 1);
    ck_assert_uint_eq(config.threads, 0);
    ck_assert_uint_eq(config.max_connections, 1024);
    ck_assert_ptr_null(config.warm);
}
END_TEST

/* numpy.savez writes 498 bytes besides two arrays of 131072 x 128 float32 numbers. */
START_TEST(the_default_body_takes_the_cos_and_sin_of_131072_positions)
{
    const uint64_t npz = 2 * (UINT64_C(131072) * 128 * 4) + 498;

    ck_assert_int_eq(FLAGS(NULL), 0);
    ck_assert_uint_ge(config.max_body, npz);
    ck_assert_uint_ge(config.max_inflight / 2, npz);
}
END_TEST

START_TEST(all_that_is_wrong_is_said_a_line_each)
{
    ck_assert_int_eq(FLAGS("--threads=x", "--prot", "8080", "--cache-size", "1", "stray",
                           "--threads", "2", "--nonsense"),
                     CONFIG_USAGE);
    expect_said("--threads must be");
    expect_said("\nunknown flag --prot");
    expect_said("\nunexpected argument \"stray\"; flags are --name value\n");
    expect_said("\n--threads is given twice\n");
    expect_said("\nunknown flag --nonsense");
    ck_assert_ptr_null(strstr(error.text, "8080"));
    ck_assert_uint_eq(config.cache_size, 1);
    ck_assert_int_eq(VARIABLES("POSENCD_THREADS=x", "POSENCD_PROT=1", "POSENCD_LISTEN=nowhere"),
                     CONFIG_INVALID);
    expect_said("POSENCD_THREADS must be");
    expect_said("\nunknown environment variable POSENCD_PROT");
    expect_said("\nPOSENCD_LISTEN must be");
    ck_assert_int_eq(load((char *[]){"--threads=x", NULL}, (char *[]){"POSENCD_PROT=1", NULL}),
                     CONFIG_INVALID);
}
END_TEST

/* Words that nobody types are cut, not written beyond the text. */
START_TEST(more_than_the_text_can_hold_is_cut)
{
    char *flags[400];

    for (size_t i = 0; i + 1 < sizeof flags / sizeof *flags; i++)
        flags[i] = "--qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq";
    flags[399] = NULL;
    ck_assert_int_eq(load(flags, (char *[]){NULL}), CONFIG_USAGE);
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
}
END_TEST

START_TEST(an_item_that_is_too_long_is_refused_from_the_environment_too)
{
    char flag[400] = "--allowed-host=", variable[400] = "POSENCD_ALLOWED_HOST=b.example ";
    size_t start = strlen(variable), most = CONFIG_ITEM_SIZE - 1;

    for (size_t len = most; len <= 2 * most; len++) {
        memset(variable + start, 'a', len);
        snprintf(flag + strlen("--allowed-host="), 300, "%s", variable + start);
        ck_assert_int_eq(VARIABLES(variable), len == most ? 0 : CONFIG_INVALID);
        if (len > most)
            expect_said(
                "POSENCD_ALLOWED_HOST may be given 16 times, with at most 143 bytes each");
        ck_assert_int_eq(FLAGS(flag), len == most ? 0 : CONFIG_USAGE);
    }
}
END_TEST

START_TEST(repeated_addresses_replace_those_of_a_lower_source)
{
    char *flags[] = {"--listen", "127.0.0.1:1", "--listen=[::1]:2", NULL};
    char *variables[] = {"POSENCD_LISTEN=127.0.0.1:3  unix:/tmp/x,mode=0660 ", NULL};

    ck_assert_int_eq(VARIABLES(variables[0]), 0);
    ck_assert_uint_eq(config.listen.count, 2);
    ck_assert_str_eq(config.listen.item[0], "127.0.0.1:3");
    ck_assert_str_eq(config.listen.item[1], "unix:/tmp/x,mode=0660");
    ck_assert_int_eq(load(flags, variables), 0);
    ck_assert_uint_eq(config.listen.count, 2);
    ck_assert_str_eq(config.listen.item[0], "127.0.0.1:1");
    ck_assert_str_eq(config.listen.item[1], "[::1]:2");
    ck_assert_int_eq(VARIABLES("POSENCD_LISTEN=127.0.0.1:1 x"), CONFIG_INVALID);
    expect_said("POSENCD_LISTEN must be ADDRESS:PORT");
}
END_TEST

START_TEST(at_most_sixteen_addresses_are_accepted)
{
    char *flags[18];

    for (int i = 0; i < 17; i++)
        flags[i] = "--listen=127.0.0.1:0";
    flags[17] = NULL;
    ck_assert_int_eq(load(flags, (char *[]){NULL}), CONFIG_USAGE);
    expect_said("--listen may be given 16 times");
}
END_TEST

static const struct old_name {
    char *flag, *variable;
    const char *old, *now;
} old_names[CONFIG_ALIAS_COUNT] = {
    {"--table-size=2MiB", "POSENCD_TABLE_SIZE=2MiB", "table-size", "shared-table-cache"},
    {"--tables-dir=/t", "POSENCD_TABLES_DIR=/t", "tables-dir", "learned-tables-dir"},
    {"--tables-memory=3MiB", "POSENCD_TABLES_MEMORY=3MiB", "tables-memory",
     "learned-tables-memory"},
};

/* The log of old names as text, and a line that ends it. */
static const char *logged(void)
{
    static struct log_pipe lines;

    log_pipe_open(&lines);
    config_log_old_names(&config, lines.log);
    log_event(lines.log, LOG_INFO, "end", NULL);
    log_pipe_await(&lines, "\"end\"");
    log_pipe_close(&lines);
    return lines.text;
}

START_TEST(an_old_name_of_a_flag_sets_it_and_is_logged_with_the_new_name)
{
    const char *text;
    char fields[200];

    ck_assert_int_eq(FLAGS("--shared-table-cache=2MiB"), 0);
    text = logged();
    ck_assert_uint_eq(strcspn(text, "\n") + 1, strlen(text)); /* only the line of the end */
    for (int i = 0; i < COUNT(old_names); i++)
        for (int by_flag = 0; by_flag < 2; by_flag++) {
            const struct old_name *name = &old_names[i];

            ck_assert_int_eq(by_flag ? FLAGS(name->flag) : VARIABLES(name->variable), 0);
            ck_assert_uint_eq(config.shared_table_cache, (i == 0 ? 2 : 64) << 20);
            ck_assert_uint_eq(config.learned_tables_memory, (i == 2 ? 3 : 256) << 20);
            ck_assert(i == 1 ? strcmp(config.learned_tables_dir, "/t") == 0
                             : !config.learned_tables_dir);
            snprintf(fields, sizeof fields, "\"old\":\"%s\",\"new\":\"%s\"}\n", name->old,
                     name->now);
            ck_assert_ptr_nonnull(strstr(logged(), fields));
        }
}
END_TEST

START_TEST(an_old_name_is_not_shown)
{
    struct buffer text = {0};
    char name[80];

    config_defaults(&config);
    config_help(&text);
    config_show(&config, &text);
    for (int i = 0; i < COUNT(old_names); i++) {
        snprintf(name, sizeof name, "--%s ", old_names[i].old);
        ck_assert_ptr_null(strstr(text.bytes, name));
        snprintf(name, sizeof name, "\n%s = ", old_names[i].old);
        ck_assert_ptr_null(strstr(text.bytes, name));
    }
    buffer_fini(&text);
}
END_TEST

START_TEST(no_flag_has_a_variable_that_kubernetes_sets)
{
    struct buffer help = {0};
    static const char *const theirs[] = {"_SERVICE_HOST\n", "_PORT\n", "_SERVICE_PORT",
                                         "_PORT_"};

    config_help(&help);
    for (int i = 0; i < COUNT(theirs); i++)
        ck_assert_ptr_null(strstr(help.bytes, theirs[i]));
    buffer_fini(&help);
}
END_TEST

START_TEST(help_has_every_flag_with_its_default_and_variable)
{
    struct buffer help = {0}, shown = {0};
    char line[256];

    config_defaults(&config);
    config_help(&help);
    config_show(&config, &shown);
    for (const char *at = shown.bytes; *at; at += strcspn(at, "\n") + 1) {
        size_t len = strcspn(at, " ");

        memcpy(line, "--", 2);
        memcpy(line + 2, at, len);
        line[2 + len] = '\0';
        ck_assert_msg(strstr(help.bytes, line) != NULL, "no %s in the help", line);
    }
    for (const char *at = help.bytes; *at; at += strcspn(at, "\n") + 1)
        ck_assert_msg(strcspn(at, "\n") <= 104, "a long line: %.120s", at);
    ck_assert_ptr_nonnull(
        strstr(help.bytes, "off|errors|all; default errors; POSENCD_ACCESS_LOG"));
    buffer_fini(&help);
    buffer_fini(&shown);
}
END_TEST

START_TEST(the_configuration_that_is_shown_can_be_read_back)
{
    struct buffer shown = {0};
    struct config first;
    char flags[CONFIG_COUNT][256], *words[CONFIG_COUNT + 1] = {NULL};
    int count = 0;

    ck_assert_int_eq(FLAGS("--cache-size=3000", "--idle-timeout=1500ms", "--max-elements=5Gi",
                           "--log-level=debug", "--threads=7"),
                     0);
    first = config;
    config_show(&config, &shown);
    ck_assert_ptr_nonnull(strstr(shown.bytes, "cache-size = 3000 (flag)\n"));
    ck_assert_ptr_nonnull(strstr(shown.bytes, "idle-timeout = 1500ms (flag)\n"));
    ck_assert_ptr_nonnull(strstr(shown.bytes, "max-elements = 5Gi (flag)\n"));
    ck_assert_ptr_nonnull(strstr(shown.bytes, "workers = auto (default)\n"));
    for (char *line = shown.bytes; *line; line += strcspn(line, "\n") + 1) {
        int name = (int)strcspn(line, " "), value = (int)strcspn(line, "(") - name - 4;
        snprintf(flags[count], sizeof flags[count], "--%.*s=%.*s", name, line, value,
                 line + name + 3);
        words[count] = flags[count];
        count++;
    }
    ck_assert_int_eq(count, CONFIG_COUNT);

    ck_assert_int_eq(load(words, (char *[]){NULL}), 0);
    memcpy(first.source, config.source, sizeof first.source);
    ck_assert_str_eq(first.cgroup_root, config.cgroup_root);
    first.cgroup_root = config.cgroup_root;
    ck_assert_mem_eq(&first, &config, sizeof config);
    buffer_fini(&shown);
}
END_TEST

SUITE(config, TEST(defaults_that_the_machine_may_reduce_are_as_documented),
      TEST(the_default_body_takes_the_cos_and_sin_of_131072_positions),
      TEST(all_that_is_wrong_is_said_a_line_each), TEST(more_than_the_text_can_hold_is_cut),
      TEST(an_item_that_is_too_long_is_refused_from_the_environment_too),
      TEST(repeated_addresses_replace_those_of_a_lower_source),
      TEST(at_most_sixteen_addresses_are_accepted),
      TEST(an_old_name_of_a_flag_sets_it_and_is_logged_with_the_new_name),
      TEST(an_old_name_is_not_shown), TEST(no_flag_has_a_variable_that_kubernetes_sets),
      TEST(help_has_every_flag_with_its_default_and_variable),
      TEST(the_configuration_that_is_shown_can_be_read_back));
