/* SPDX-License-Identifier: Apache-2.0
 * sandbox.c - see sandbox.h. The allowed system calls are listed by purpose; a call that is
 * allowed in part is decided by its arguments. Paths cannot be compared, so every file may be
 * read; landlock.h restricts which may be changed. */
#include "server/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "server/config/address.h"

static const int always[] = {
    /* connections and responses */
    SCMP_SYS(accept4),
    SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendfile),
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(shutdown),
    SCMP_SYS(close),
    SCMP_SYS(getsockopt),
    SCMP_SYS(setsockopt),
    SCMP_SYS(getsockname),
    SCMP_SYS(getpeername),
    SCMP_SYS(socketpair),
    SCMP_SYS(fcntl),
    SCMP_SYS(ioctl),
    /* waiting */
    SCMP_SYS(epoll_ctl),
    SCMP_SYS(epoll_wait),
    SCMP_SYS(epoll_pwait),
    SCMP_SYS(epoll_create1),
    SCMP_SYS(eventfd2),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(futex),
    SCMP_SYS(sched_yield),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(restart_syscall),
    /* memory that cannot be executed, and files of memory */
    SCMP_SYS(memfd_create),
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    /* files that are read again and watched */
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(stat),
    SCMP_SYS(statx),
    SCMP_SYS(lseek),
    SCMP_SYS(pread64),
    SCMP_SYS(getdents64),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(inotify_init1),
    SCMP_SYS(inotify_add_watch),
    SCMP_SYS(inotify_rm_watch),
    /* time, random numbers and the process itself */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(getrlimit),
    SCMP_SYS(sysinfo),
    SCMP_SYS(uname),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(membarrier),
    SCMP_SYS(rseq),
    SCMP_SYS(set_robust_list),
    /* signals to the process itself, and its exit */
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(tgkill),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
};

/* An uploaded table is written to a new file, which is renamed over the old one. */
static const int of_uploads[] = {
    SCMP_SYS(openat),    SCMP_SYS(renameat),  SCMP_SYS(renameat2),
    SCMP_SYS(unlinkat),  SCMP_SYS(fsync),     SCMP_SYS(fdatasync),
    SCMP_SYS(ftruncate), SCMP_SYS(fallocate), SCMP_SYS(fchmod),
};

/* The file of a unix socket is removed at the end. */
static const int of_unix_sockets[] = {SCMP_SYS(unlinkat)};

static bool has_unix_socket(const struct config_list *list)
{
    struct address address;
    char why[300];

    for (size_t i = 0; i < list->count; i++)
        if (address_parse(&address, list->item[i], why, sizeof why) &&
            address_is_unix(&address))
            return true;
    return false;
}

static int allow(scmp_filter_ctx filter, const int *calls, size_t count)
{
    int code = 0;

    for (size_t i = 0; i < count && code == 0; i++)
        code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
    return code;
}

/* Allows the call if its argument `arg` has none of these bits. */
static int allow_without(scmp_filter_ctx filter, int call, unsigned arg, unsigned bits)
{
    const struct scmp_arg_cmp rule = {.arg = arg,
                                      .op = SCMP_CMP_MASKED_EQ,
                                      .datum_a = bits,
                                      .datum_b = 0};

    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &rule);
}

static int add_rules(scmp_filter_ctx filter, const struct config *config)
{
    int code = allow(filter, always, sizeof always / sizeof *always);

    if (code == 0)
        code = allow_without(filter, SCMP_SYS(mmap), 2, PROT_EXEC);
    if (code == 0)
        code = allow_without(filter, SCMP_SYS(mprotect), 2, PROT_EXEC);
    /* A limit may be read but not changed: the third argument, the new limit, is NULL. */
    if (code == 0)
        code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 1,
                                SCMP_A2(SCMP_CMP_EQ, 0, 0));
    if (code == 0 &&
        (has_unix_socket(&config->listen) || has_unix_socket(&config->admin_listen)))
        code = allow(filter, of_unix_sockets, 1);
    if (code == 0 && config->admin_token_file)
        return allow(filter, of_uploads, sizeof of_uploads / sizeof *of_uploads);
    if (code == 0)
        code = allow_without(filter, SCMP_SYS(openat), 2,
                             O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND);
    return code;
}

static bool load(scmp_filter_ctx filter, int code, char *why, size_t size)
{
    if (!filter)
        code = -ENOMEM;
    if (code == 0)
        code = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (code == 0) {
        /* A search tree: a call takes a few comparisons rather than one a rule. */
        (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
        (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_LOG, 1);
        code = seccomp_load(filter);
    }
    if (filter)
        seccomp_release(filter);
    if (code != 0)
        snprintf(why, size, "--seccomp: the kernel does not take the filter: %s",
                 strerror(-code));
    return code == 0;
}

bool sandbox_forbid_rings(const struct config *config, char *why, size_t size)
{
    scmp_filter_ctx filter;

    if (config->seccomp == CONFIG_SECCOMP_OFF)
        return true;
    filter = seccomp_init(SCMP_ACT_ALLOW);
    return load(
        filter,
        filter ? seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(io_uring_setup), 0)
               : 0,
        why, size);
}

bool sandbox_process(const struct config *config, char *why, size_t size)
{
    scmp_filter_ctx filter;

    if (config->seccomp == CONFIG_SECCOMP_OFF)
        return true;
    filter = seccomp_init(config->seccomp == CONFIG_SECCOMP_ON ? SCMP_ACT_ERRNO(EPERM)
                                                               : SCMP_ACT_LOG);
    return load(filter, filter ? add_rules(filter, config) : 0, why, size);
}
