/* SPDX-License-Identifier: Apache-2.0
 * safetensors.c - writes a header (safetensors_text.h) and the tensors. Parameters, facts and
 * warnings are strings of JSON in __metadata__. */
#include "proto/output/annotations.h"
#include "proto/output/binary_body.h"
#include "proto/output/safetensors_text.h"
#include "proto/request/canonical.h"
#include "proto/text/json_write.h"

/* Sorts tensors by their elements' size, largest first, so that every one is aligned. */
static void sort(struct encoder *encoder)
{
    size_t count = pe_plan_tensor_count(encoder->plan), done = 0;

    for (size_t size = 8; size > 0; size /= 2) {
        for (size_t i = 0; i < count; i++)
            if (pe_dtype_size(pe_plan_tensor(encoder->plan, i)->dtype) == size)
                encoder->order[done++] = i;
    }
}

static void add_metadata(struct buffer *out, const struct encoder *encoder)
{
    const struct pe_args *args = pe_plan_args(encoder->plan);
    const struct pe_encoding *enc = pe_args_encoding(args);
    struct buffer params = {0}, facts = {0}, warnings = {0};

    json_write(out, "{'__metadata__':{'encoding':'%s','rev':'%u'", pe_name(enc),
               pe_revision(enc));
    canonical_write_json(&params, args, &encoder->options.values, 0);
    safetensors_text_add_document(out, "params", &params);
    annotations_write_facts(&facts, encoder->plan, 0);
    safetensors_text_add_document(out, "facts", &facts);
    if (pe_plan_warning_count(encoder->plan) > 0) {
        annotations_write_warnings(&warnings, encoder->plan, 0);
        safetensors_text_add_document(out, "warnings", &warnings);
    }
    json_write(out, "}");
}

static enum pe_status begin(struct encoder *encoder)
{
    struct buffer *head = &encoder->head;
    uint64_t start = 0;

    sort(encoder);
    safetensors_text_begin(head);
    add_metadata(head, encoder);
    for (size_t i = 0; i < pe_plan_tensor_count(encoder->plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, encoder->order[i]);

        safetensors_text_add_tensor(head, "", tensor, start);
        start += encoder_bytes(tensor);
    }
    return safetensors_text_end(head) ? PE_OK : PE_NO_MEMORY;
}

static const char *const accepts[] = {"application/x-safetensors", "application/safetensors",
                                      "application/vnd.safetensors", NULL};

const struct format format_safetensors = {
    .name = "safetensors",
    .media_type = "application/x-safetensors",
    .accepts = accepts,
    .extension = "safetensors",
    .summary = "several tensors with their parameters as metadata",
    .wire_version = 1,
    .binary = true,
    .annotated = true,
    .size = binary_body_size,
    .read = binary_body_read,
    .seek = binary_body_seek,
    .begin = begin,
};
