/* SPDX-License-Identifier: Apache-2.0
 * request_at.c - a request like another one, at other positions: a client that decodes asks for
 * one row after the other. */
#include <stdlib.h>
#include <string.h>

#include "core/args/args_at.h"
#include "proto/request/request_internal.h"

static const char moved[] = "pos";

void request_keep(struct request *request)
{
    pe_args_keep(request->args);
}

/* Copies all but arguments and key, which the caller sets, and the inputs, which are none. */
static struct request *copy_rest(const struct request *request)
{
    struct request *copy = malloc(sizeof *copy);

    if (copy) {
        memcpy(copy, request, offsetof(struct request, given));
        memcpy(copy->given, request->given, request->given_count * sizeof *request->given);
        inputs_init(&copy->inputs);
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

/* Returns the place of the positions among the values; their number if they are not there. */
static size_t find_moved(const struct pe_args *args)
{
    size_t at = 0;

    while (at < pe_args_value_count(args) && strcmp(pe_args_value(args, at)->name, moved) != 0)
        at++;
    return at;
}

struct request *request_at(const struct request *like, const char *text, size_t len)
{
    const size_t at = find_moved(like->args);
    const bool known = at < pe_args_value_count(like->args);
    struct pe_args *args = known ? pe_args_at(like->args, moved, text, len) : NULL;
    struct request *request = args ? copy_rest(like) : NULL;

    if (!request) {
        pe_args_free(args);
        return NULL;
    }
    request->args = args;
    if (request_move_key(request, like, pe_args_value(like->args, at)->text,
                         pe_args_value(args, at)->text))
        return request;
    request_free(request);
    return NULL;
}
