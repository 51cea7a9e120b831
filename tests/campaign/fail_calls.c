/* SPDX-License-Identifier: Apache-2.0
 * fail_calls.c - the system calls that posencd and its libraries make; see fail.h. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/campaign/fail.h"

/* Declares `real`, the library's own function of that name. */
#define REAL(TYPE, NAME, ...)                                                                  \
    static TYPE (*real)(__VA_ARGS__);                                                          \
    if (!real)                                                                                 \
    *(void **)&real = dlsym(RTLD_NEXT, #NAME)

/* The whole of `error` as a return value of -1. */
static int failed(int error)
{
    errno = error;
    return -1;
}

/* As the header declares it: the address is a union of pointers. */
int accept4(int fd, __SOCKADDR_ARG address, socklen_t *restrict len, int flags)
{
    REAL(int, accept4, int, __SOCKADDR_ARG, socklen_t *, int);
    int error = fail_now(ACCEPT);

    return error ? failed(error) : real(fd, address, len, flags);
}

/* Which epoll watches a descriptor, and for what. */
static struct watched {
    int epoll;
    struct epoll_event event;
} watched[4096];

/* One who is told "not now" waits for the next edge, which the kernel always gives. */
static void give_edge(int fd)
{
    struct watched *one = fd >= 0 && fd < 4096 ? &watched[fd] : NULL;

    if (one && one->epoll > 0)
        syscall(SYS_epoll_ctl, one->epoll, EPOLL_CTL_MOD, fd, &one->event);
}

ssize_t recv(int fd, void *bytes, size_t len, int flags)
{
    REAL(ssize_t, recv, int, void *, size_t, int);
    int error = fail_now(RECV);
    ssize_t got = error > 0 ? -1 : real(fd, bytes, error && len ? 1 : len, flags);

    if (error)
        give_edge(fd);
    return error > 0 ? failed(error) : got;
}

ssize_t send(int fd, const void *bytes, size_t len, int flags)
{
    REAL(ssize_t, send, int, const void *, size_t, int);
    int error = fail_now(SEND);
    ssize_t sent = error > 0 ? -1 : real(fd, bytes, error && len ? 1 : len, flags);

    if (error)
        give_edge(fd);
    return error > 0 ? failed(error) : sent;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    REAL(ssize_t, sendmsg, int, const struct msghdr *, int);
    int error = fail_now(SEND);
    ssize_t sent = error > 0   ? -1
                   : error < 0 ? send(fd, message->msg_iov[0].iov_base, 1, flags)
                               : real(fd, message, flags);

    if (error)
        give_edge(fd);
    return error > 0 ? failed(error) : sent;
}

ssize_t sendfile(int out, int in, off_t *offset, size_t len)
{
    REAL(ssize_t, sendfile, int, int, off_t *, size_t);
    int error = fail_now(SEND);

    return error > 0 ? failed(error) : real(out, in, offset, error && len ? 1 : len);
}

/* Files may fail in any way; what libuv reads from descriptors of its own is interrupted at
 * most. */
static int read_fault(int fd)
{
    struct stat status;

    if (fail_error() != EINTR &&
        (syscall(SYS_fstat, fd, &status) != 0 || !S_ISREG(status.st_mode)))
        return 0;
    return fail_now(READ);
}

ssize_t read(int fd, void *bytes, size_t len)
{
    REAL(ssize_t, read, int, void *, size_t);
    int error = read_fault(fd);

    return error > 0 ? failed(error) : real(fd, bytes, error && len ? 1 : len);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
    REAL(ssize_t, write, int, const void *, size_t);
    int error = fail_now(fd == STDERR_FILENO ? LOG : WRITE);

    return error > 0 ? failed(error) : real(fd, bytes, error && len ? 1 : len);
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    REAL(ssize_t, writev, int, const struct iovec *, int);
    int error = fail_now(WRITE);

    if (error > 0)
        return failed(error);
    return error ? write(fd, pieces[0].iov_base, 1) : real(fd, pieces, count);
}

int open(const char *path, int flags, ...)
{
    REAL(int, open, const char *, int, ...);
    int error = fail_now(OPEN), mode;
    va_list rest;

    va_start(rest, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return error ? failed(error) : real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    REAL(int, openat, int, const char *, int, ...);
    int error = fail_now(OPEN), mode;
    va_list rest;

    va_start(rest, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return error ? failed(error) : real(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(FILE *, fopen, const char *, const char *);
    int error = fail_now(OPEN);

    if (!error)
        return real(path, mode);
    errno = error;
    return NULL;
}

void *mmap(void *at, size_t len, int protection, int flags, int fd, off_t offset)
{
    REAL(void *, mmap, void *, size_t, int, int, int, off_t);
    int error = fail_now(MMAP);

    if (!error)
        return real(at, len, protection, flags, fd, offset);
    errno = error;
    return MAP_FAILED;
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    REAL(int, epoll_ctl, int, int, int, struct epoll_event *);
    /* Only ADD needs memory. */
    int error = operation == EPOLL_CTL_ADD ? fail_now(EPOLL_CTL) : 0;

    if (!error && event && fd >= 0 && fd < 4096)
        watched[fd] = (struct watched){epoll, *event};
    return error ? failed(error) : real(epoll, operation, fd, event);
}

int epoll_wait(int epoll, struct epoll_event *events, int room, int timeout)
{
    REAL(int, epoll_wait, int, struct epoll_event *, int, int);
    int error = fail_now(EPOLL_WAIT);

    return error ? failed(error) : real(epoll, events, room, timeout);
}

int epoll_pwait(int epoll, struct epoll_event *events, int room, int timeout,
                const sigset_t *signals)
{
    REAL(int, epoll_pwait, int, struct epoll_event *, int, int, const sigset_t *);
    int error = fail_now(EPOLL_WAIT);

    return error ? failed(error) : real(epoll, events, room, timeout, signals);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    REAL(int, poll, struct pollfd *, nfds_t, int);
    int error = fail_now(POLL);

    return error ? failed(error) : real(fds, count, timeout);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument)
{
    REAL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    int error = fail_now(THREAD);

    return error ? error : real(thread, attributes, run, argument);
}

ssize_t getrandom(void *bytes, size_t len, unsigned flags)
{
    REAL(ssize_t, getrandom, void *, size_t, unsigned);
    int error = fail_now(RANDOM);

    return error ? failed(error) : real(bytes, len, flags);
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
    REAL(int, socketpair, int, int, int, int *);
    int error = fail_now(SOCKET);

    return error ? failed(error) : real(domain, type, protocol, pair);
}

int stat(const char *path, struct stat *status)
{
    REAL(int, stat, const char *, struct stat *);
    int error = fail_now(STAT);

    return error ? failed(error) : real(path, status);
}

int fstat(int fd, struct stat *status)
{
    REAL(int, fstat, int, struct stat *);
    int error = fail_now(STAT);

    return error ? failed(error) : real(fd, status);
}
