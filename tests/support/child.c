/* SPDX-License-Identifier: Apache-2.0
 * child.c - starting and stopping a posencd of a test's own. */
#include "tests/support/child.h"

#include <check.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG_KEPT = 1 << 20, FLAGS_MAX = 24, PATIENCE_MS = 60000 };

struct child {
    pid_t pid;
    int log; /* its stderr: a pipe */
    size_t len;
    char text[LOG_KEPT]; /* of the log, NUL-terminated */
    char url[64];
};

/* Removes our own variables from the environment, so that the flags alone configure the child,
 * and gives it memory enough, however little the other programs of the machine leave. */
static void forget_variables(void)
{
    extern char **environ;

    for (char **at = environ; *at;) {
        if (strncmp(*at, "POSENCD_", 8) != 0) {
            at++;
            continue;
        }
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*at, "="), *at);
        unsetenv(name);
        at = environ;
    }
    setenv("POSENCD_CGROUP_ROOT", "", 1);
}

static void run_posencd(int log, const char *const flags[])
{
    const char *build = getenv("POSENC_BUILD");
    char path[4096];

    snprintf(path, sizeof path, "%s/posencd", build ? build : "build");
    const char *argv[FLAGS_MAX] = {path,           "serve", "--listen",      "127.0.0.1:0",
                                   "--log-format", "json",  "--drain-delay", "0"};
    size_t count = 8;
    for (size_t i = 0; flags && flags[i] && count < FLAGS_MAX - 1; i++)
        argv[count++] = flags[i];
    forget_variables();
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a runner that crashes leaves nothing behind */
    dup2(log, STDERR_FILENO);
    execv(path, (char *const *)(uintptr_t)argv);
    dprintf(STDERR_FILENO, "cannot run %s\n", path);
    _exit(127);
}

/* Reads more of the log; false at its end. */
static int read_more(struct child *child)
{
    struct pollfd wait = {.fd = child->log, .events = POLLIN};

    ck_assert_msg(poll(&wait, 1, PATIENCE_MS) == 1, "posencd says nothing: %s", child->text);
    if (child->len == LOG_KEPT - 1) { /* keep the end: that is where a report would be */
        memmove(child->text, child->text + LOG_KEPT / 2, LOG_KEPT / 2);
        child->len -= LOG_KEPT / 2;
    }
    ssize_t got = read(child->log, child->text + child->len, LOG_KEPT - 1 - child->len);
    ck_assert_msg(got >= 0, "the log cannot be read");
    child->len += (size_t)got;
    child->text[child->len] = '\0';
    return got > 0;
}

struct child *child_start(const char *const flags[])
{
    int ends[2];
    struct child *child = calloc(1, sizeof *child);

    ck_assert_ptr_nonnull(child);
    ck_assert_int_eq(pipe(ends), 0);
    fflush(NULL);
    child->pid = fork();
    ck_assert_int_ge(child->pid, 0);
    if (child->pid == 0) {
        close(ends[0]);
        run_posencd(ends[1], flags);
    }
    close(ends[1]);
    child->log = ends[0];
    while (!strstr(child->text, "\"ready\"") || child->text[child->len - 1] != '\n')
        ck_assert_msg(read_more(child), "posencd did not start: %s", child->text);
    const char *address = strstr(child->text, "127.0.0.1:");
    ck_assert_msg(address != NULL, "the log names no port: %s", child->text);
    snprintf(child->url, sizeof child->url, "http://%.*s",
             (int)(10 + strspn(address + 10, "0123456789")), address);
    return child;
}

const char *child_url(const struct child *child)
{
    return child->url;
}

void child_stop(struct child *child)
{
    int status = 0;

    ck_assert_int_eq(kill(child->pid, SIGTERM), 0);
    while (read_more(child))
        ;
    ck_assert_int_eq(waitpid(child->pid, &status, 0), child->pid);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "wait status %d: %s", status,
                  child->text);
    const char *const reports[] = {"Sanitizer", "runtime error:"};
    for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++)
        ck_assert_msg(!strstr(child->text, reports[i]), "%s", child->text);
    close(child->log);
    free(child);
}
