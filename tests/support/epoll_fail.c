/* SPDX-License-Identifier: Apache-2.0
 * epoll_fail.c - the wrapper that --wrap=epoll_ctl asks for. */
#include "tests/support/epoll_fail.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/epoll.h>

static atomic_int refusal;

int __real_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event);

void epoll_fail_set(int error)
{
    atomic_store(&refusal, error);
}

int __wrap_epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event)
{
    int error = operation == EPOLL_CTL_ADD ? atomic_load(&refusal) : 0;

    if (error == 0)
        return __real_epoll_ctl(epoll, operation, fd, event);
    errno = error;
    return -1;
}
