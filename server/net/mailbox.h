/* SPDX-License-Identifier: Apache-2.0
 * mailbox.h - keeps sockets, posts and flags of other threads until a loop takes them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/http/listener_kind.h"

/* A call of `fn` on the loop's thread. The caller owns the memory, and may use it again once fn
 * was called. */
struct loop_post {
    struct loop_post *next;
    void (*fn)(struct loop_post *node);
};

struct peer;

struct socket_given {
    int fd;
    enum listener_kind listener_kind;
    socklen_t len;
    struct sockaddr_storage addr;
    struct peer *peer; /* counts the connection */
};

struct mail {
    struct loop_post *first, *last;
    struct socket_given *sockets; /* malloc'd */
    size_t count, capacity;
    bool drain, halt, quit; /* halt: free the daemons; quit: end the thread */
};

struct mailbox {
    uv_mutex_t lock;
    struct mail mail;
};

void mailbox_init(struct mailbox *box);
void mailbox_fini(struct mailbox *box);

/* Takes all mail out of the box, but leaves `quit` set. */
struct mail mailbox_take(struct mailbox *box);
/* Returns false when out of memory; the caller then keeps the descriptor. */
bool mailbox_add_socket(struct mailbox *box, const struct socket_given *given);
/* Returns true if the post is the only one, so that the loop must be woken. */
bool mailbox_add_post(struct mailbox *box, struct loop_post *post);
void mailbox_set(struct mailbox *box, bool *flag); /* sets a flag of box->mail */
