/* SPDX-License-Identifier: Apache-2.0
 * inference_error.c - see inference_error.h. */
#include "proto/inference/inference_error.h"

#include "proto/text/json_write.h"

/* Adds "dim: must be an even number, 2..65536; got 127 (did you mean heads?)". */
static void add_error(struct buffer *text, const struct pe_problem *error)
{
    if (error->parameter[0] != '\0')
        buffer_add_format(text, "%s: ", error->parameter);
    buffer_add_text(text, error->detail);
    if (error->hint[0] != '\0')
        buffer_add_format(text, " (%s)", error->hint);
}

void inference_error_write(struct buffer *out, const char *detail,
                           const struct pe_errors *errors)
{
    struct buffer text = {0};

    if (detail)
        buffer_add_text(&text, detail);
    for (size_t i = 0; !detail && errors && i < errors->count; i++) {
        buffer_add_text(&text, i > 0 ? "; " : "");
        add_error(&text, &errors->at[i]);
    }
    if (!detail && errors && errors->dropped > 0)
        buffer_add_format(&text, "; and %zu more", errors->dropped);
    if (text.len == 0)
        buffer_add_text(&text, "the request is invalid");
    json_write(out, "{");
    json_write_buffer(out, "error", &text);
    json_write(out, "}");
}
