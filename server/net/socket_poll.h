/* SPDX-License-Identifier: Apache-2.0
 * socket_poll.h - waits until sockets are readable, for one libuv loop. Their epoll descriptor
 * is ours and is registered with libuv once: libuv's own uv_poll aborts the process where the
 * kernel refuses one more socket (ENOMEM, ENOSPC), here only that socket is refused.
 * Level-triggered. Used on the loop's thread only. */
#pragma once

#include <stdbool.h>
#include <uv.h>

struct socket_poll;

/* A watched socket; the owner of the socket holds the memory and sets the last two fields. */
struct socket_watch {
    int fd;
    bool added;
    void (*on_readable)(void *owner); /* also at the end of the stream and on an error */
    void *owner;
};

enum { SOCKET_POLL_MOST = 64 };

/* In one iteration of the loop, on_readable of `most` sockets is called, of SOCKET_POLL_MOST or
 * fewer. If more of them are readable, they take turns (epoll_wait(2)). NULL: out of memory or
 * descriptors. */
struct socket_poll *socket_poll_new(uv_loop_t *uv, int most);
uv_loop_t *socket_poll_uv(const struct socket_poll *poll);
/* All sockets must be removed. The memory is freed when the libuv loop has run once more. */
void socket_poll_free(struct socket_poll *poll); /* NULL: nothing */

/* False: the kernel does not take the socket. */
bool socket_poll_add(struct socket_poll *poll, struct socket_watch *watch, int fd);
/* The bytes of a socket that was added are not wanted until socket_poll_want: on_readable is
 * called meanwhile only if the socket is broken or both of its directions have ended. Neither
 * can fail. */
void socket_poll_ignore(struct socket_poll *poll, struct socket_watch *watch);
void socket_poll_want(struct socket_poll *poll, struct socket_watch *watch);
/* After this on_readable is not called any more. Allowed within any on_readable, and for a
 * watch that was not added. Must come before the descriptor is closed. */
void socket_poll_remove(struct socket_poll *poll, struct socket_watch *watch);
