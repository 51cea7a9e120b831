/* SPDX-License-Identifier: Apache-2.0
 * test_sandbox.c - calls that a restricted process can and cannot make; each test runs in a
 * child, since a filter cannot be removed. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "server/sandbox.h"
#include "tests/support/suite.h"

static int status_of(int result)
{
    return result < 0 ? errno : 0;
}

static int start_a_program(void)
{
    char *const arguments[] = {"true", NULL};

    return status_of(execv("/bin/true", arguments));
}

static int fork_a_process(void)
{
    return status_of((int)syscall(SYS_clone, 0, NULL, NULL, NULL, 0));
}

static int open_a_connection(void)
{
    return status_of(socket(AF_INET, SOCK_STREAM, 0));
}

static int write_a_file(void)
{
    return status_of(open("/tmp/posenc-confined", O_WRONLY | O_CREAT, 0600));
}

static int remove_a_file(void)
{
    return status_of(unlinkat(AT_FDCWD, "/tmp/posenc-confined", 0));
}

static int remove_a_file_by_the_old_call(void)
{
    return status_of((int)syscall(SYS_unlink, "/tmp/posenc-confined"));
}

static int map_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? errno : 0;
}

static int make_code(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? EINVAL : status_of(mprotect(page, 4096, PROT_READ | PROT_EXEC));
}

static int trace_another(void)
{
    return status_of((int)syscall(SYS_ptrace, 0, 0, NULL, NULL));
}

static int kill_another(void)
{
    return status_of(kill(getppid(), 0));
}

static int raise_a_limit(void)
{
    struct rlimit limit = {.rlim_cur = 16, .rlim_max = 16};

    return status_of(setrlimit(RLIMIT_NOFILE, &limit));
}

static int read_a_file(void)
{
    char byte;
    int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

    return fd < 0 ? errno : status_of((int)read(fd, &byte, 1));
}

static int ask_a_limit(void)
{
    struct rlimit limit;

    return status_of(getrlimit(RLIMIT_NOFILE, &limit));
}

static int take_memory(void)
{
    char *bytes = malloc(64 << 20);

    if (!bytes)
        return ENOMEM;
    memset(bytes, 1, 64 << 20);
    free(bytes);
    return 0;
}

static int make_a_ring(void)
{
    return status_of((int)syscall(SYS_io_uring_setup, 1, NULL));
}

/* The result in a child that is restricted by this: an errno; 0 for success. */
static int in_child(bool (*restrict_it)(const struct config *config, char *why, size_t size),
                    const struct config *config, int (*act)(void))
{
    pid_t child = fork();
    int status;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        char why[200];

        _exit(restrict_it(config, why, sizeof why) ? act() : 255);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "status %d", status);
    return WEXITSTATUS(status);
}

static int confined(int mode, const char *token, int (*act)(void))
{
    const struct config config = {.seccomp = mode, .admin_token_file = token};

    return in_child(sandbox_process, &config, act);
}

START_TEST(calls_that_a_server_never_makes_are_refused)
{
    int (*const acts[])(void) = {start_a_program,
                                 fork_a_process,
                                 open_a_connection,
                                 write_a_file,
                                 map_code,
                                 make_code,
                                 trace_another,
                                 kill_another,
                                 raise_a_limit,
                                 remove_a_file,
                                 remove_a_file_by_the_old_call};

    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        ck_assert_msg(confined(CONFIG_SECCOMP_ON, NULL, acts[i]) == EPERM, "%zu", i);
}
END_TEST

START_TEST(calls_that_a_server_makes_are_allowed)
{
    int (*const acts[])(void) = {read_a_file, ask_a_limit, take_memory};

    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        ck_assert_msg(confined(CONFIG_SECCOMP_ON, NULL, acts[i]) == 0, "%zu", i);
}
END_TEST

START_TEST(files_are_written_only_where_tables_may_be_uploaded)
{
    ck_assert_int_eq(confined(CONFIG_SECCOMP_ON, "/etc/token", write_a_file), 0);
    ck_assert_int_eq(unlink("/tmp/posenc-confined"), 0);
    ck_assert_int_eq(confined(CONFIG_SECCOMP_ON, "/etc/token", start_a_program), EPERM);
}
END_TEST

START_TEST(log_refuses_no_call_and_off_loads_no_filter)
{
    ck_assert_int_eq(confined(CONFIG_SECCOMP_LOG, NULL, open_a_connection), 0);
    ck_assert_int_eq(confined(CONFIG_SECCOMP_OFF, NULL, open_a_connection), 0);
}
END_TEST

/* A ring that exists is used without a system call that a filter sees. */
START_TEST(no_ring_is_made_from_the_start_on)
{
    const struct config on = {.seccomp = CONFIG_SECCOMP_ON},
                        log = {.seccomp = CONFIG_SECCOMP_LOG};

    ck_assert_int_eq(in_child(sandbox_forbid_rings, &on, make_a_ring), ENOSYS);
    ck_assert_int_eq(in_child(sandbox_forbid_rings, &log, make_a_ring), ENOSYS);
    ck_assert_int_eq(in_child(sandbox_forbid_rings, &on, open_a_connection), 0);
    ck_assert_int_eq(confined(CONFIG_SECCOMP_ON, NULL, make_a_ring), EPERM);
}
END_TEST

SUITE(sandbox, TEST(calls_that_a_server_never_makes_are_refused),
      TEST(calls_that_a_server_makes_are_allowed),
      TEST(files_are_written_only_where_tables_may_be_uploaded),
      TEST(log_refuses_no_call_and_off_loads_no_filter),
      TEST(no_ring_is_made_from_the_start_on));
