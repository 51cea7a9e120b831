/* SPDX-License-Identifier: Apache-2.0
 * test_mailbox.c - sockets, posts and signals are taken out once, in order. */
#include <stdlib.h>

#include "server/net/mailbox.h"
#include "tests/support/suite.h"

START_TEST(sockets_come_out_in_order_and_once)
{
    struct mailbox box;
    struct mail mail;

    mailbox_init(&box);
    for (int fd = 0; fd < 40; fd++)
        ck_assert(mailbox_add_socket(
            &box, &(struct socket_given){.fd = fd,
                                         .listener_kind = fd % 2 ? LISTENER_KIND_TLS
                                                                 : LISTENER_KIND_ADMIN}));
    mail = mailbox_take(&box);
    ck_assert_uint_eq(mail.count, 40);
    for (int fd = 0; fd < 40; fd++) {
        ck_assert_int_eq(mail.sockets[fd].fd, fd);
        ck_assert_int_eq(mail.sockets[fd].listener_kind,
                         fd % 2 ? LISTENER_KIND_TLS : LISTENER_KIND_ADMIN);
    }
    free(mail.sockets);
    ck_assert_uint_eq(mailbox_take(&box).count, 0);
    mailbox_fini(&box);
}
END_TEST

START_TEST(only_the_first_post_needs_a_call)
{
    struct loop_post posts[3];
    struct mailbox box;
    struct mail mail;

    mailbox_init(&box);
    ck_assert(mailbox_add_post(&box, &posts[0]));
    ck_assert(!mailbox_add_post(&box, &posts[1]));
    ck_assert(!mailbox_add_post(&box, &posts[2]));
    mail = mailbox_take(&box);
    ck_assert_ptr_eq(mail.first, &posts[0]);
    ck_assert_ptr_eq(posts[0].next, &posts[1]);
    ck_assert_ptr_eq(posts[1].next, &posts[2]);
    ck_assert_ptr_null(posts[2].next);
    ck_assert(mailbox_add_post(&box, &posts[0]));
    mailbox_take(&box);
    mailbox_fini(&box);
}
END_TEST

START_TEST(words_are_heard_once_but_the_last_stays)
{
    struct mailbox box;
    struct mail mail;

    mailbox_init(&box);
    mailbox_set(&box, &box.mail.drain);
    mailbox_set(&box, &box.mail.quit);
    mail = mailbox_take(&box);
    ck_assert(mail.drain && mail.quit && !mail.halt);
    mail = mailbox_take(&box);
    ck_assert(!mail.drain && mail.quit);
    mailbox_fini(&box);
}
END_TEST

SUITE(mailbox, TEST(sockets_come_out_in_order_and_once), TEST(only_the_first_post_needs_a_call),
      TEST(words_are_heard_once_but_the_last_stays));
