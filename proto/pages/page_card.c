/* SPDX-License-Identifier: Apache-2.0
 * page_card.c - see page_card.h. */
#include "proto/pages/page_card.h"

#include <stdio.h>
#include <string.h>

#include "core/plan/plan_size.h"
#include "proto/describe/output_row.h"
#include "proto/http/format.h"
#include "proto/models/model_output.h"
#include "proto/models/model_use.h"
#include "proto/output/card.h"
#include "proto/pages/page_picture.h"
#include "proto/request/query.h"
#include "proto/request/request.h"

#define MOST_OPERATIONS 1e6 /* before the first pixel of a card */

static void add(struct buffer *out, const struct pe_encoding *enc, const char *query)
{
    buffer_add_format(out, "/v1/%s?%s&format=%s", pe_name(enc), query, format_card.name);
}

static void add_output(struct buffer *out, const struct pe_encoding *enc,
                       const struct pe_output *output)
{
    struct buffer query = {0};

    if (output_row_write_picture(&query, enc, output)) {
        if (query.failed)
            buffer_fail(out);
        else
            add(out, enc, query.bytes);
    }
    buffer_fini(&query);
}

void page_card_add_encoding(struct buffer *out, const struct pe_encoding *enc)
{
    const struct pe_output *output = page_picture_output(enc);

    if (output)
        add_output(out, enc, output);
}

/* Returns whether the card has a picture of at most so many elements, and is begun soon: the
 * shape of a request of more operations may take long to find, too. */
static bool shows(const struct request *request, uint64_t most_elements)
{
    const struct pe_args *args = request_args(request);

    if (pe_args_operations(args) > MOST_OPERATIONS || request_elements(request) > most_elements)
        return false;
    const struct pe_tensor_info tensor = pe_args_tensor(args);
    return card_shows(&tensor, &request_options(request)->values);
}

/* Returns whether the service answers the request of a card, as far as its arguments tell. */
static bool is_right(const struct pe_encoding *enc, const char *query,
                     const struct models *models, uint64_t most_elements)
{
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(enc);
    bool right;

    if (!request)
        return false;
    if (models)
        request_set_models(request, models);
    right = request_set_query(request, query, strlen(query), &errors) == PE_OK &&
            request_finish(request, NULL, 0, &errors) == PE_OK;
    right = right && shows(request, most_elements);
    request_free(request);
    return right;
}

bool page_card_is_right(const char *request, const struct models *models,
                        uint64_t most_elements)
{
    const char *name = request + strlen("/v1/"), *end = strchr(name, '?');
    const struct pe_encoding *enc = end ? pe_find(name, (size_t)(end - name)) : NULL;

    return enc && is_right(enc, end + 1, models, most_elements);
}

/* Returns whether a query says more than which output is wanted, and as which type. */
static bool says_values(const char *text)
{
    struct pe_errors errors = {.count = 0};
    struct query query = {.count = 0};
    bool found = false;

    query_parse(&query, text, strlen(text), &errors);
    for (size_t i = 0; i < query.count; i++)
        found |= strcmp(query.at[i].name, "out") != 0 && strcmp(query.at[i].name, "dtype") != 0;
    query_fini(&query);
    return found;
}

const struct pe_output *page_card_output(const struct pe_encoding *enc, size_t number)
{
    size_t count, shown = 0;
    const struct pe_output *outputs = pe_outputs(enc, &count);

    while (number == 0 && shown + 1 < count && !outputs[shown].by_default)
        shown++;
    return &outputs[number > 0 ? number - 1 : shown];
}

bool page_card_add_state(struct buffer *out, const struct pe_encoding *enc, size_t number,
                         const char *query, const struct models *models, uint64_t most_elements)
{
    const struct pe_output *output = page_card_output(enc, number);
    const bool has_values = says_values(query);
    struct buffer whole = {0};
    bool is_shown = false;

    buffer_add_text(&whole, query);
    if (number == 0)
        buffer_add_format(&whole, "&out=%s", output->name);
    /* with the format, which alone has colours */
    buffer_add_format(&whole, "&format=%s", format_card.name);
    if (whole.failed)
        buffer_fail(out);
    else
        is_shown = has_values && is_right(enc, whole.bytes, models, most_elements);
    if (is_shown)
        buffer_add_format(out, "/v1/%s?%s", pe_name(enc), whole.bytes);
    else
        add_output(out, enc, output);
    buffer_fini(&whole);
    return is_shown || !has_values;
}

void page_card_add_request(struct buffer *out, const char *address)
{
    buffer_add_format(out, "%s&format=%s", address, format_card.name);
}

/* Writes the card of a use of the model, in a size that suits its encoding. */
static void add_use(struct buffer *out, const struct model *model, const struct model_use *use,
                    const struct models *models, uint64_t most_elements)
{
    static const char *const sizes[] = {"&pos=0:128", "&len=64", ""};
    const size_t count = sizeof sizes / sizeof *sizes, before = out->len;
    const struct pe_encoding *enc = model_output_encoding(use);
    const struct pe_output *output = enc ? page_picture_output(enc) : NULL;
    struct model_stack stack;
    char layer[40] = "";

    if (model_use_stack(model, use, &stack))
        for (int64_t i = 0; i < stack.layers && *layer == '\0'; i++)
            if (model_use_has_layer(use, &stack, i))
                snprintf(layer, sizeof layer, "&layer=%lld", (long long)i);
    for (size_t i = 0; output && i < 2 * count && out->len == before; i++) {
        struct buffer query = {0};

        buffer_add_format(&query, "model=%s%s%s&out=%s&format=%s", model->id,
                          i < count ? "" : layer, sizes[i % count], output->name,
                          format_card.name);
        if (query.failed)
            buffer_fail(out);
        else if (is_right(enc, query.bytes, models, most_elements))
            buffer_add_format(out, "/v1/%s?%s", pe_name(enc), query.bytes);
        buffer_fini(&query);
    }
}

void page_card_add_model(struct buffer *out, const struct model *model,
                         const struct models *models, uint64_t most_elements)
{
    for (size_t i = 0; i < 2 * model->use_count && out->len == 0; i++) {
        const struct model_use *use = &model->uses[i % model->use_count];
        const struct pe_encoding *enc = model_output_encoding(use);

        if (enc && (pe_family_of(enc) == PE_MASK) == (i >= model->use_count))
            add_use(out, model, use, models, most_elements);
    }
}
