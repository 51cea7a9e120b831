/* SPDX-License-Identifier: Apache-2.0
 * fail_calls.c - the system calls that posencd and its libraries make, but for calls on files,
 * which stand in fail_files.c; see fail.h. */
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/campaign/fail.h"

/* As the header declares it: the address is a union of pointers. */
int accept4(int fd, __SOCKADDR_ARG address, socklen_t *restrict len, int flags)
{
    REAL(int, accept4, int, __SOCKADDR_ARG, socklen_t *, int);
    int error = fail_now(ACCEPT);

    return error ? fail_with(error) : real(fd, address, len, flags);
}

/* The epolls that watch a descriptor and their events: the epoll of libmicrohttpd and our own
 * may watch it at once. */
enum { DESCRIPTORS = 4096, EPOLLS = 4 };
static struct watched {
    int epoll; /* 0: none */
    struct epoll_event event;
} watched[DESCRIPTORS][EPOLLS];

static struct watched *slot_of(int epoll, int fd)
{
    struct watched *slot = watched[fd];

    while (slot < watched[fd] + EPOLLS && slot->epoll != epoll)
        slot++;
    return slot < watched[fd] + EPOLLS ? slot : NULL;
}

static void note_watched(int epoll, int operation, int fd, const struct epoll_event *event)
{
    struct watched *slot = slot_of(epoll, fd);

    if (!slot)
        slot = slot_of(0, fd);
    if (slot)
        *slot =
            operation == EPOLL_CTL_DEL ? (struct watched){0} : (struct watched){epoll, *event};
}

/* A caller that gets EAGAIN waits for the next edge, which the kernel always gives. */
static void give_edge(int fd)
{
    for (int i = 0; fd >= 0 && fd < DESCRIPTORS && i < EPOLLS; i++)
        if (watched[fd][i].epoll > 0)
            syscall(SYS_epoll_ctl, watched[fd][i].epoll, EPOLL_CTL_MOD, fd,
                    &watched[fd][i].event);
}

ssize_t recv(int fd, void *bytes, size_t len, int flags)
{
    REAL(ssize_t, recv, int, void *, size_t, int);
    int error = fail_now(RECV);
    ssize_t got = error > 0 ? -1 : real(fd, bytes, error && len ? 1 : len, flags);

    if (error)
        give_edge(fd);
    return error > 0 ? fail_with(error) : got;
}

ssize_t send(int fd, const void *bytes, size_t len, int flags)
{
    REAL(ssize_t, send, int, const void *, size_t, int);
    int error = fail_now(SEND);
    ssize_t sent = error > 0 ? -1 : real(fd, bytes, error && len ? 1 : len, flags);

    if (error)
        give_edge(fd);
    return error > 0 ? fail_with(error) : sent;
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
    return error > 0 ? fail_with(error) : sent;
}

ssize_t sendfile(int out, int in, off_t *offset, size_t len)
{
    REAL(ssize_t, sendfile, int, int, off_t *, size_t);
    int error = fail_now(SEND);

    return error > 0 ? fail_with(error) : real(out, in, offset, error && len ? 1 : len);
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
    /* Only EPOLL_CTL_ADD needs memory. */
    int error = operation == EPOLL_CTL_ADD ? fail_now(EPOLL_CTL) : 0;

    if (!error && fd >= 0 && fd < DESCRIPTORS)
        note_watched(epoll, operation, fd, event);
    return error ? fail_with(error) : real(epoll, operation, fd, event);
}

int epoll_wait(int epoll, struct epoll_event *events, int capacity, int timeout)
{
    REAL(int, epoll_wait, int, struct epoll_event *, int, int);
    int error = fail_now(EPOLL_WAIT);

    return error ? fail_with(error) : real(epoll, events, capacity, timeout);
}

int epoll_pwait(int epoll, struct epoll_event *events, int capacity, int timeout,
                const sigset_t *signals)
{
    REAL(int, epoll_pwait, int, struct epoll_event *, int, int, const sigset_t *);
    int error = fail_now(EPOLL_WAIT);

    return error ? fail_with(error) : real(epoll, events, capacity, timeout, signals);
}

int poll(struct pollfd *fds, nfds_t count, int timeout)
{
    REAL(int, poll, struct pollfd *, nfds_t, int);
    int error = fail_now(POLL);

    return error ? fail_with(error) : real(fds, count, timeout);
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

    return error ? fail_with(error) : real(bytes, len, flags);
}

int socketpair(int domain, int type, int protocol, int pair[2])
{
    REAL(int, socketpair, int, int, int, int *);
    int error = fail_now(SOCKET);

    return error ? fail_with(error) : real(domain, type, protocol, pair);
}
