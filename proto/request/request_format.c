/* SPDX-License-Identifier: Apache-2.0
 * request_format.c - the format of the answer: the caller's, or that of format=, or else
 * the one that Accept prefers. Of formats that Accept prefers equally, the answer has the
 * format of the tensors in the body, as long as that format holds the answer and suits the
 * options. */
#include <assert.h>
#include <string.h>

#include "proto/http/accept.h"
#include "proto/http/format.h"
#include "proto/request/request_internal.h"
#include "proto/tensors/tensor_reader.h"

void request_set_format(struct request *request, const struct format *format, void *context,
                        void (*free_context)(void *context))
{
    assert(!request->own_format && !request->key);
    request->own_format = format;
    request->format_context = context;
    request->free_context = free_context;
}

const void *request_format_context(const struct request *request)
{
    return request->format_context;
}

static void set(struct request *request, const struct format *format)
{
    request->options.format = format;
    if (format)
        request->options.values.value[OPTION_FORMAT] = (int64_t)format_index(format);
}

static bool suits_options(const struct request *request, const struct format *format)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (request->options.values.given[i] && !option_suits(option_at(i), format->name))
            return false;
    return true;
}

/* Returns the format that has the media type of the body and suits the options, or NULL. */
static const struct format *of_body(const struct request *request)
{
    const struct tensor_format *body = request->inputs.format;

    for (size_t i = 0; body && i < format_count(); i++)
        if (strcmp(format_at(i)->media_type, tensor_format_media_type(body)) == 0)
            return suits_options(request, format_at(i)) ? format_at(i) : NULL;
    return NULL;
}

void request_format_choose(struct request *request, const char *accept, size_t accept_len)
{
    struct request_options *options = &request->options;
    const struct format *body = of_body(request);

    options->format_given = options->values.given[OPTION_FORMAT] || request->own_format;
    if (request->own_format) {
        options->format = request->own_format;
        return;
    }
    if (options->format_given) {
        set(request, format_at((size_t)options->values.value[OPTION_FORMAT]));
        return;
    }
    set(request, accept_choose(accept, accept_len, body));
    if (body && options->format == body)
        request->other_format = accept_choose(accept, accept_len, NULL);
}

void request_format_fit(struct request *request, size_t outputs)
{
    if (request->other_format && request->options.format->single && outputs != 1)
        set(request, request->other_format);
}
