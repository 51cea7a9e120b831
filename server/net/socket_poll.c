/* SPDX-License-Identifier: Apache-2.0
 * socket_poll.c - see socket_poll.h. */
#include "server/net/socket_poll.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct socket_poll {
    uv_poll_t poll;
    int epoll;
    int most; /* events fetched in one iteration of the loop; the kernel keeps the others */
    size_t sockets;
    struct epoll_event *fetched; /* events whose callbacks are running, else NULL */
    int fetched_count;
};

static void on_poll(uv_poll_t *handle, int status, int mask)
{
    struct socket_poll *poll = handle->data;
    struct epoll_event events[SOCKET_POLL_MOST];

    poll->fetched_count = epoll_wait(poll->epoll, events, poll->most, 0);
    poll->fetched = events;
    for (int i = 0; i < poll->fetched_count; i++) {
        struct socket_watch *watch = events[i].data.ptr;

        if (watch)
            watch->on_readable(watch->owner);
    }
    poll->fetched = NULL;
}

bool socket_poll_add(struct socket_poll *poll, struct socket_watch *watch, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = watch};

    assert(!watch->added);
    watch->fd = fd;
    watch->added = epoll_ctl(poll->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
    poll->sockets += watch->added;
    return watch->added;
}

static void set_events(struct socket_poll *poll, struct socket_watch *watch, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = watch};

    assert(watch->added);
    if (epoll_ctl(poll->epoll, EPOLL_CTL_MOD, watch->fd, &event) != 0)
        abort(); /* never on Linux: the kernel has the socket, and takes no memory */
}

/* Removes the socket's event from those whose callbacks are running. */
static void forget_fetched(struct socket_poll *poll, const struct socket_watch *watch)
{
    for (int i = 0; poll->fetched && i < poll->fetched_count; i++)
        if (poll->fetched[i].data.ptr == watch)
            poll->fetched[i].data.ptr = NULL;
}

void socket_poll_ignore(struct socket_poll *poll, struct socket_watch *watch)
{
    set_events(poll, watch, 0); /* EPOLLERR and EPOLLHUP are reported all the same */
    forget_fetched(poll, watch);
}

void socket_poll_want(struct socket_poll *poll, struct socket_watch *watch)
{
    set_events(poll, watch, EPOLLIN);
}

void socket_poll_remove(struct socket_poll *poll, struct socket_watch *watch)
{
    if (!watch->added)
        return;
    epoll_ctl(poll->epoll, EPOLL_CTL_DEL, watch->fd, NULL);
    watch->added = false;
    poll->sockets--;
    forget_fetched(poll, watch);
}

struct socket_poll *socket_poll_new(uv_loop_t *uv, int most)
{
    struct socket_poll *poll = calloc(1, sizeof *poll);

    assert(most > 0 && most <= SOCKET_POLL_MOST);
    if (!poll)
        return NULL;
    poll->most = most;
    poll->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (poll->epoll >= 0 && uv_poll_init(uv, &poll->poll, poll->epoll) == 0) {
        poll->poll.data = poll;
        uv_poll_start(&poll->poll, UV_READABLE, on_poll); /* cannot fail on an open handle */
        return poll;
    }
    if (poll->epoll >= 0)
        close(poll->epoll);
    free(poll);
    return NULL;
}

uv_loop_t *socket_poll_uv(const struct socket_poll *poll)
{
    return poll->poll.loop;
}

static void on_closed(uv_handle_t *handle)
{
    struct socket_poll *poll = handle->data;

    close(poll->epoll);
    free(poll);
}

void socket_poll_free(struct socket_poll *poll)
{
    if (!poll)
        return;
    assert(poll->sockets == 0);
    uv_close((uv_handle_t *)&poll->poll, on_closed);
}
