/* SPDX-License-Identifier: Apache-2.0
 * test_landlock.c - which files a restricted process can change; each test runs in a child,
 * since a restriction cannot be lifted. */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/landlock.h"
#include "server/sandbox.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct scratch *scratch;
static char tables[200], sockets[200], others[200];
static struct config config;

static const char *in(const char *folder, const char *name)
{
    static char paths[2][300];
    static int next;

    next = !next;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

static void make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void make_folder(char path[200], const char *name)
{
    snprintf(path, 200, "%s", scratch_path(scratch, name));
    ck_assert_int_eq(mkdir(path, 0700), 0);
    make_file(in(path, "file"));
}

static void start(void)
{
    scratch = scratch_new();
    make_folder(tables, "tables");
    make_folder(sockets, "sockets");
    make_folder(others, "others");
    config = (struct config){.seccomp = CONFIG_SECCOMP_ON,
                             .learned_tables_dir = tables,
                             .admin_token_file = in(others, "token"),
                             .listen = {.count = 1}};
    snprintf(config.listen.item[0], CONFIG_ITEM_SIZE, "unix:%s", in(sockets, "s"));
}

static void stop(void)
{
    scratch_free(scratch);
}

/* Returns whether the kernel has Landlock, asked without server/landlock.c. */
static bool has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/* ---- acts: each returns an errno, 0 for success ------------------------------------------ */

static int status_of(int result)
{
    return result < 0 ? errno : 0;
}

static int remove_file(const char *folder)
{
    return status_of(unlinkat(AT_FDCWD, in(folder, "file"), 0));
}

static int write_file(const char *folder)
{
    return status_of(open(in(folder, "file"), O_WRONLY | O_CLOEXEC));
}

static int create_file(const char *folder)
{
    return status_of(open(in(folder, "new"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

static int rename_file(const char *folder)
{
    return status_of(renameat(AT_FDCWD, in(folder, "file"), AT_FDCWD, in(folder, "moved")));
}

static int read_file(const char *folder)
{
    return status_of(open(in(folder, "file"), O_RDONLY | O_CLOEXEC));
}

/* No filter of system calls is loaded here: it would refuse the socket. */
static int bind_socket(const char *folder)
{
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(addr.sun_path, sizeof addr.sun_path, "%.100s", in(folder, "s"));
    return status_of(bind(fd, (struct sockaddr *)&addr, sizeof addr));
}

/* ---- children ---------------------------------------------------------------------------- */

/* The result of the act in a child that is restricted by Landlock, and by the filter of system
 * calls too if it shall be. */
static int restricted(int (*act)(const char *), const char *folder, bool filtered)
{
    pid_t child = fork();
    int status;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char why[200];

        if (landlock_process(&config, why, sizeof why) == LANDLOCK_FAILED ||
            (filtered && !sandbox_process(&config, why, sizeof why)))
            _exit(255);
        _exit(act(folder));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "status %d", status);
    return WEXITSTATUS(status);
}

/* The error where Landlock refuses; without Landlock the act succeeds. */
static int refused(void)
{
    return has_landlock() ? EACCES : 0;
}

START_TEST(a_file_outside_the_folders_of_the_service_cannot_be_changed)
{
    int (*const acts[])(const char *) = {remove_file, write_file, create_file, rename_file};

    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        ck_assert_msg(restricted(acts[i], others, true) == refused(), "%zu", i);
        if (!has_landlock())
            (void)rename(in(others, "moved"), in(others, "file"));
    }
    ck_assert_int_eq(restricted(bind_socket, others, false), refused());
    ck_assert_int_eq(restricted(bind_socket, tables, false), refused());
}
END_TEST

START_TEST(tables_can_be_written_renamed_and_removed_in_their_folder)
{
    int (*const acts[])(const char *) = {write_file, create_file, rename_file};

    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        ck_assert_msg(restricted(acts[i], tables, true) == 0, "%zu", i);
    make_file(in(tables, "file"));
    ck_assert_int_eq(restricted(remove_file, tables, true), 0);
}
END_TEST

START_TEST(without_a_token_nothing_is_written_in_the_folder_of_tables)
{
    config.admin_token_file = NULL;
    ck_assert_int_eq(restricted(write_file, tables, false), refused());
    ck_assert_int_eq(restricted(remove_file, tables, false), refused());
}
END_TEST

START_TEST(in_the_folder_of_a_unix_socket_sockets_are_made_and_files_removed)
{
    ck_assert_int_eq(restricted(bind_socket, sockets, false), 0);
    ck_assert_int_eq(restricted(write_file, sockets, true), refused());
    ck_assert_int_eq(restricted(create_file, sockets, true), refused());
    ck_assert_int_eq(restricted(remove_file, sockets, true), 0);
}
END_TEST

START_TEST(every_file_can_be_read)
{
    ck_assert_int_eq(restricted(read_file, others, true), 0);
}
END_TEST

/* ---- results ----------------------------------------------------------------------------- */

static int refuse_landlock(const char *folder)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    char why[200] = "";

    (void)folder;
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
    seccomp_load(filter);
    seccomp_release(filter);
    return landlock_process(&config, why, sizeof why) == LANDLOCK_MISSING &&
                   strcmp(why, "the kernel has no Landlock: Function not implemented") == 0
               ? 0
               : 1;
}

START_TEST(a_kernel_without_landlock_is_told)
{
    ck_assert_int_eq(restricted(refuse_landlock, others, false), 0);
}
END_TEST

/* The kernel takes 16 restrictions on top of each other. */
static int restrict_too_often(const char *folder)
{
    enum landlock_result result = LANDLOCK_RESTRICTED;
    char why[200] = "";

    (void)folder;
    for (int i = 0; i < 16 && result == LANDLOCK_RESTRICTED; i++)
        result = landlock_process(&config, why, sizeof why);
    if (result == LANDLOCK_MISSING)
        return has_landlock() ? 1 : 0;
    return result == LANDLOCK_FAILED &&
                   strcmp(why, "--seccomp: the kernel does not take the rules for files: "
                               "Argument list too long") == 0
               ? 0
               : 2;
}

START_TEST(rules_that_the_kernel_does_not_take_are_an_error)
{
    ck_assert_int_eq(restricted(restrict_too_often, others, false), 0);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(a_file_outside_the_folders_of_the_service_cannot_be_changed),
    TEST(tables_can_be_written_renamed_and_removed_in_their_folder),
    TEST(without_a_token_nothing_is_written_in_the_folder_of_tables),
    TEST(in_the_folder_of_a_unix_socket_sockets_are_made_and_files_removed),
    TEST(every_file_can_be_read),
    TEST(a_kernel_without_landlock_is_told),
    TEST(rules_that_the_kernel_does_not_take_are_an_error),
};

const struct suite landlock_suite = {SUITE_TESTS(tests), .setup = start, .teardown = stop};
