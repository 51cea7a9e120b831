/* SPDX-License-Identifier: Apache-2.0
 * verify_url.c - see verify_url.h. A value is left out if a request without it has the same
 * arguments, which the request itself shows. */
#include "proto/verify/verify_url.h"

#include <string.h>

#include "core/posenc_verify.h"
#include "proto/request/canonical.h"
#include "proto/request/request.h"

enum { VALUES_MAX = 80 };

static void set(struct request *request, const char *name, const char *text,
                struct pe_errors *errors)
{
    (void)request_set_text(request, name, strlen(name), text, strlen(text), errors);
}

static bool are_equal(const struct pe_args *a, const struct pe_args *b)
{
    size_t count = pe_args_value_count(a);

    if (pe_args_value_count(b) != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct pe_value *one = pe_args_value(a, i), *other = pe_args_value(b, i);

        if (strcmp(one->name, other->name) != 0 || !other->text ||
            strcmp(one->text, other->text) != 0)
            return false;
    }
    return true;
}

/* Returns whether the kept values mean all arguments; without memory out->failed is set. */
static bool suffices(struct buffer *out, const struct verify_url *url, const bool *keep)
{
    struct pe_errors errors = {.count = 0};
    struct request *request = request_new(pe_args_encoding(url->args));
    bool equal = false;

    if (!request) {
        buffer_fail(out);
        return false;
    }
    if (url->model) {
        request_set_models(request, url->models);
        set(request, "model", url->model, &errors);
    }
    if (url->model && url->layer_type)
        set(request, "layer_type", url->layer_type, &errors);
    for (size_t i = 0; i < pe_args_value_count(url->args); i++)
        if (keep[i])
            set(request, pe_args_value(url->args, i)->name, pe_args_value(url->args, i)->text,
                &errors);
    enum pe_status status = request_finish(request, NULL, 0, &errors);
    if (status == PE_NO_MEMORY)
        buffer_fail(out);
    if (status == PE_OK)
        equal = are_equal(url->args, request_args(request));
    request_free(request);
    return equal;
}

/* Chooses the values to keep; false if no URL has all of them. */
static bool choose(struct buffer *out, const struct verify_url *url, bool keep[VALUES_MAX])
{
    size_t count = pe_args_value_count(url->args);

    if (count > VALUES_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct pe_value *value = pe_args_value(url->args, i);
        const struct pe_param *param =
            pe_param_find(pe_args_encoding(url->args), value->name, strlen(value->name));

        if (!value->text || (param && param->type == PE_TENSOR))
            return false;
        keep[i] = true;
    }
    for (size_t i = count; i-- > 0;) {
        keep[i] = false;
        keep[i] = !suffices(out, url, keep);
    }
    return true;
}

bool verify_url_write(struct buffer *out, const struct verify_url *url)
{
    bool keep[VALUES_MAX];
    const char *mark = "?";

    if (!choose(out, url, keep))
        return false;
    buffer_add_format(out, "/v1/%s", pe_name(pe_args_encoding(url->args)));
    for (size_t i = 0; i < pe_args_value_count(url->args); i++) {
        const struct pe_value *value = pe_args_value(url->args, i);

        if (!keep[i])
            continue;
        buffer_add_format(out, "%s%s=", mark, value->name);
        canonical_encode(out, value->text);
        mark = "&";
    }
    return true;
}

/* Writes name=value, in quotes if a shell would read it otherwise. Values have no quotes. */
static void add_word(struct buffer *out, const char *name, const char *value)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789-._,:+/@%=";
    const char *quote = value[strspn(value, plain)] == '\0' ? "" : "'";

    buffer_add_format(out, " %s%s=", quote, name);
    buffer_add_text(out, value);
    buffer_add_text(out, quote);
}

bool verify_url_write_words(struct buffer *out, const struct verify_url *url)
{
    bool keep[VALUES_MAX];

    if (!choose(out, url, keep))
        return false;
    buffer_add_text(out, pe_name(pe_args_encoding(url->args)));
    if (url->model)
        add_word(out, "model", url->model);
    if (url->model && url->layer_type)
        add_word(out, "layer_type", url->layer_type);
    for (size_t i = 0; i < pe_args_value_count(url->args); i++)
        if (keep[i])
            add_word(out, pe_args_value(url->args, i)->name, pe_args_value(url->args, i)->text);
    return true;
}

const char *verify_url_page(const char *slug)
{
    for (size_t i = 0; i < pe_mistake_count(); i++)
        if (strcmp(pe_mistake_at(i)->slug, slug) == 0)
            return slug;
    return "parameter";
}
