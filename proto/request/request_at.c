/* SPDX-License-Identifier: Apache-2.0
 * request_at.c - a request like another one, at other positions: a client that decodes asks for
 * one row after the other. */
#include <stdlib.h>
#include <string.h>

#include "proto/request/request_internal.h"

static const char moved[] = "pos";

void request_keep(struct request *request)
{
    pe_args_keep(request->args);
}

/* Copies all but arguments and key, which the caller sets, and the inputs, which are none. */
static struct request *copy_rest(const struct request *request)
{
    struct request *copy = calloc(1, sizeof *copy);

    if (copy) {
        memcpy(copy, request, offsetof(struct request, given));
        memcpy(copy->given, request->given, request->given_count * sizeof *request->given);
        copy->args = NULL;
        copy->key = NULL;
        copy->models = NULL; /* request_finish alone reads them */
    }
    return copy;
}

struct request *request_copy(const struct request *request)
{
    const struct inputs *inputs = &request->inputs;
    struct request *copy;

    if (!request->key || request->has_body || request->own_format || inputs->format ||
        inputs->set.count > 0 || inputs->text_count > 0 || request->list_bytes > 0)
        return NULL;
    copy = copy_rest(request);
    if (!copy)
        return NULL;
    copy->args = pe_args_ref(request->args);
    copy->key = malloc(request->key_len + 1);
    if (!copy->key) {
        request_free(copy);
        return NULL;
    }
    memcpy(copy->key, request->key, request->key_len + 1);
    return copy;
}

static const char *text_of(const struct pe_args *args)
{
    for (size_t i = 0; i < pe_args_value_count(args); i++)
        if (strcmp(pe_args_value(args, i)->name, moved) == 0)
            return pe_args_value(args, i)->text;
    return NULL;
}

struct request *request_at(const struct request *like, const char *text, size_t len)
{
    const char *old_text = text_of(like->args);
    struct pe_args *args = old_text ? pe_args_at(like->args, moved, text, len) : NULL;
    struct request *request = args ? copy_rest(like) : NULL;

    if (!request) {
        pe_args_free(args);
        return NULL;
    }
    request->args = args;
    if (request_move_key(request, like, old_text, text_of(args)))
        return request;
    request_free(request);
    return NULL;
}
