/* SPDX-License-Identifier: Apache-2.0
 * mailbox.c - see mailbox.h. */
#include "server/net/mailbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void mailbox_init(struct mailbox *box)
{
    box->mail = (struct mail){0};
    if (uv_mutex_init(&box->lock) != 0)
        abort(); /* never on Linux */
}

void mailbox_fini(struct mailbox *box)
{
    assert(!box->mail.first && box->mail.count == 0);
    uv_mutex_destroy(&box->lock);
}

struct mail mailbox_take(struct mailbox *box)
{
    struct mail mail;

    uv_mutex_lock(&box->lock);
    mail = box->mail;
    box->mail = (struct mail){.quit = mail.quit};
    uv_mutex_unlock(&box->lock);
    return mail;
}

static bool reserve_socket(struct mail *mail)
{
    size_t capacity = mail->capacity ? mail->capacity * 2 : 16;
    struct socket_given *sockets;

    if (mail->count < mail->capacity)
        return true;
    sockets = realloc(mail->sockets, capacity * sizeof *sockets);
    if (!sockets)
        return false;
    mail->sockets = sockets;
    mail->capacity = capacity;
    return true;
}

bool mailbox_add_socket(struct mailbox *box, const struct socket_given *given)
{
    bool added;

    uv_mutex_lock(&box->lock);
    added = reserve_socket(&box->mail);
    if (added)
        box->mail.sockets[box->mail.count++] = *given;
    uv_mutex_unlock(&box->lock);
    return added;
}

bool mailbox_add_post(struct mailbox *box, struct loop_post *post)
{
    bool alone;

    post->next = NULL;
    uv_mutex_lock(&box->lock);
    alone = !box->mail.first;
    if (alone)
        box->mail.first = post;
    else
        box->mail.last->next = post;
    box->mail.last = post;
    uv_mutex_unlock(&box->lock);
    return alone;
}

void mailbox_set(struct mailbox *box, bool *flag)
{
    uv_mutex_lock(&box->lock);
    *flag = true;
    uv_mutex_unlock(&box->lock);
}
