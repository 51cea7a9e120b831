/* SPDX-License-Identifier: Apache-2.0
 * test_table_store.c - a file that changes while it is read gives one version or an error; a
 * file that is cut short never ends the process. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/files/table_store.h"
#include "tests/proto/support/table_bytes.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

enum { ROWS = 512, COLS = 16, NUMBERS = ROWS * COLS, CHANGES = 1000, MOST_BYTES = 1 << 20 };

static struct scratch *scratch;
static int dir;
static struct table_bytes file;
static atomic_bool over;

static void start(void)
{
    scratch = scratch_new();
    dir = open(scratch_path(scratch, "."), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ck_assert_int_ge(dir, 0);
    file = table_bytes_matrix("wpe", ROWS, COLS);
    atomic_store(&over, false);
}

static void stop(void)
{
    close(dir);
    free(file.bytes);
    scratch_free(scratch);
}

/* Sets all numbers of the file to this one. */
static void set_numbers(float number)
{
    unsigned char *numbers = file.bytes + file.len - NUMBERS * sizeof number;

    for (size_t i = 0; i < NUMBERS; i++)
        memcpy(numbers + i * sizeof number, &number, sizeof number);
}

static void write_to(const char *name, size_t len)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, file.bytes, len) != (ssize_t)len)
        abort(); /* runs in a thread of its own */
    close(fd);
}

static struct table_file *load(char why[TABLE_FILE_WHY_SIZE])
{
    why[0] = '\0';
    return table_store_read(dir, "t.safetensors", "t", MOST_BYTES, NULL, why);
}

/* The number that every element of the table is; -1: the elements differ. */
static float the_number(const struct table_file *tables)
{
    const struct stored_table *table = table_file_at(tables, 0);
    float first, number;

    memcpy(&first, table->data, sizeof first);
    for (size_t i = 1; i < table->bytes / sizeof number; i++) {
        memcpy(&number, (const char *)table->data + i * sizeof number, sizeof number);
        if (number != first)
            return -1;
    }
    return table->bytes == NUMBERS * sizeof number ? first : -1;
}

static void *replace(void *unused)
{
    for (int i = 1; i <= CHANGES; i++) {
        set_numbers((float)i);
        write_to("new", file.len);
        if (renameat(dir, "new", dir, "t.safetensors") != 0)
            abort();
    }
    atomic_store(&over, true);
    return NULL;
}

START_TEST(a_file_replaced_a_thousand_times_is_always_one_version_of_it)
{
    char why[TABLE_FILE_WHY_SIZE] = "";
    struct table_file *tables;
    float before = 0, now = 0;
    pthread_t writer;
    bool last, good = true;

    set_numbers(0);
    write_to("t.safetensors", file.len);
    pthread_create(&writer, NULL, replace, NULL);
    do { /* no assertion while the writer's thread runs */
        last = atomic_load(&over);
        tables = load(why);
        now = tables ? the_number(tables) : -1;
        good = now >= before;
        before = good ? now : before;
        table_file_drop(tables);
    } while (good && !last);
    pthread_join(writer, NULL);
    ck_assert_msg(good, "%f after %f: %s", (double)now, (double)before, why);
    ck_assert(now == CHANGES);
}
END_TEST

/* Writes in place and cuts the file anywhere, as an operator should not. */
static void *rewrite(void *unused)
{
    for (size_t i = 1; i <= CHANGES; i++)
        write_to("t.safetensors", i * 7919 % file.len);
    write_to("t.safetensors", file.len);
    atomic_store(&over, true);
    return NULL;
}

START_TEST(a_file_cut_a_thousand_times_is_refused_with_a_reason_or_read)
{
    char why[TABLE_FILE_WHY_SIZE] = "";
    struct table_file *tables;
    pthread_t writer;
    bool last, good = true;

    set_numbers(1);
    write_to("t.safetensors", file.len);
    pthread_create(&writer, NULL, rewrite, NULL);
    do { /* no assertion while the writer's thread runs */
        last = atomic_load(&over);
        tables = load(why);
        good = tables ? the_number(tables) == 1 : why[0] != '\0';
        table_file_drop(tables);
    } while (good && !last);
    pthread_join(writer, NULL);
    ck_assert_msg(good, "%s", why);
    tables = load(why);
    ck_assert_msg(tables != NULL, "%s", why);
    table_file_drop(tables);
}
END_TEST

START_TEST(bytes_are_checked_as_files_are)
{
    char why[TABLE_FILE_WHY_SIZE] = "";
    struct table_file *tables;

    set_numbers(2);
    tables = table_store_parse("t", file.bytes, file.len, why);
    ck_assert_msg(tables != NULL, "%s", why);
    ck_assert(the_number(tables) == 2);
    table_file_drop(tables);
    ck_assert_ptr_null(table_store_parse("t", file.bytes, file.len - 1, why));
    ck_assert_str_ne(why, "");
}
END_TEST

START_TEST(a_large_or_missing_file_is_not_read)
{
    char why[TABLE_FILE_WHY_SIZE];

    ck_assert_ptr_null(load(why));
    ck_assert_str_eq(why, "No such file or directory");
    write_to("t.safetensors", file.len);
    ck_assert_ptr_null(table_store_read(dir, "t.safetensors", "t", file.len - 1, NULL, why));
    ck_assert_ptr_nonnull(strstr(why, "of --learned-tables-memory are left"));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_file_replaced_a_thousand_times_is_always_one_version_of_it),
    TEST(a_file_cut_a_thousand_times_is_refused_with_a_reason_or_read),
    TEST(bytes_are_checked_as_files_are),
    TEST(a_large_or_missing_file_is_not_read),
};

const struct suite table_store_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop,
                                        .timeout = 120};
