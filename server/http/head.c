/* SPDX-License-Identifier: Apache-2.0
 * head.c - what both looks at a request's head share: forgetting it, refusing it. */
#include "server/http/head.h"

#include <stdlib.h>
#include <string.h>

/* letters, digits and !#$%&'*+-.^_`|~ */
const struct head_set head_token_set = {{0x03ff6cfa00000000, 0x57ffffffc7fffffe}};
/* 0x21..0x7e without "#<>\^`{|} and % */
const struct head_set head_target_set = {{0xafffffd200000000, 0x47fffffeafffffff}};
/* letters, digits and -._~!$&'()*+,;=% */
const struct head_set head_host_set = {{0x2bff7ff200000000, 0x47fffffe87fffffe}};

void head_clear(struct head *head)
{
    for (size_t i = 0; i < sizeof head->joined / sizeof *head->joined; i++)
        free(head->joined[i]);
    free(head->copy);
    /* Not the room at its end: it is long, and nothing reads it without a target. */
    memset(head, 0, offsetof(struct head, room));
}

void head_refuse(struct head *head, unsigned status, const char *why)
{
    if (head->refused)
        return;
    head->refused = status;
    head->refused_why = why;
}
