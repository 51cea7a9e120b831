/* SPDX-License-Identifier: Apache-2.0
 * safetensors.c - writes u64 length of a JSON header padded to 8 bytes, the header, the tensors
 * (github.com/huggingface/safetensors, README "Format"). Parameters, facts and warnings are
 * strings of JSON in __metadata__. */
#include <inttypes.h>
#include <string.h>

#include "proto/output/annotations.h"
#include "proto/output/binary_body.h"
#include "proto/request/canonical.h"

enum { ALIGNMENT = 8 };

static const char *const names[PE_DTYPE_COUNT] = {
    [PE_F64] = "F64", [PE_F32] = "F32", [PE_F16] = "F16", [PE_BF16] = "BF16",
    [PE_I32] = "I32", [PE_I64] = "I64", [PE_U8] = "U8",   [PE_BOOL8] = "BOOL",
};

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

/* Adds a JSON document as a JSON string, because the metadata's values must be strings. */
static void add_document(struct buffer *out, const char *name, struct buffer *document)
{
    if (document->failed) {
        buffer_fail(out);
    } else {
        buffer_add_format(out, ",\"%s\":", name);
        buffer_add_json(out, document->bytes, document->len);
    }
    buffer_fini(document);
}

static void add_metadata(struct buffer *out, const struct encoder *encoder)
{
    const struct pe_args *args = pe_plan_args(encoder->plan);
    const struct pe_encoding *enc = pe_args_encoding(args);
    struct buffer params = {0}, facts = {0}, warnings = {0};

    buffer_add_format(out, "{\"__metadata__\":{\"encoding\":\"%s\",\"rev\":\"%u\"",
                      pe_name(enc), pe_revision(enc));
    canonical_write_json(&params, args, &encoder->options.values, 0);
    add_document(out, "params", &params);
    annotations_write_facts(&facts, encoder->plan, 0);
    add_document(out, "facts", &facts);
    if (pe_plan_warning_count(encoder->plan) > 0) {
        annotations_write_warnings(&warnings, encoder->plan, 0);
        add_document(out, "warnings", &warnings);
    }
    buffer_add_text(out, "}");
}

static void add_tensor(struct buffer *out, const struct pe_tensor_info *tensor, uint64_t start)
{
    buffer_add_format(out, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensor->output->name,
                      names[tensor->dtype]);
    for (size_t i = 0; i < tensor->rank; i++)
        buffer_add_format(out, "%s%" PRIu64, i == 0 ? "" : ",", tensor->dims[i]);
    buffer_add_format(out, "],\"data_offsets\":[%" PRIu64 ",%" PRIu64 "]}", start,
                      start + encoder_bytes(tensor));
}

static enum pe_status begin(struct encoder *encoder)
{
    struct buffer *head = &encoder->head;
    uint64_t start = 0, length = 0;

    sort(encoder);
    buffer_add(head, (const char *)&length, sizeof length); /* set below, when it is known */
    add_metadata(head, encoder);
    for (size_t i = 0; i < pe_plan_tensor_count(encoder->plan); i++) {
        const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, encoder->order[i]);

        add_tensor(head, tensor, start);
        start += encoder_bytes(tensor);
    }
    buffer_add_text(head, "}");
    while (!head->failed && head->len % ALIGNMENT != 0)
        buffer_add_text(head, " ");
    if (head->failed)
        return PE_NO_MEMORY;
    length = head->len - sizeof length;
    memcpy(head->bytes, &length, sizeof length);
    return PE_OK;
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
