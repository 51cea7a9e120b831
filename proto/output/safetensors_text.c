/* SPDX-License-Identifier: Apache-2.0
 * safetensors_text.c - see safetensors_text.h. */
#include "proto/output/safetensors_text.h"

#include <inttypes.h>
#include <string.h>

#include "proto/text/json_write.h"

enum { ALIGNMENT = 8 };

static const char *const names[PE_DTYPE_COUNT] = {
    [PE_F64] = "F64", [PE_F32] = "F32", [PE_F16] = "F16", [PE_BF16] = "BF16",
    [PE_I32] = "I32", [PE_I64] = "I64", [PE_U8] = "U8",   [PE_BOOL8] = "BOOL",
};

void safetensors_text_begin(struct buffer *head)
{
    const uint64_t length = 0;

    buffer_add(head, (const char *)&length, sizeof length);
}

void safetensors_text_add_document(struct buffer *head, const char *name,
                                   struct buffer *document)
{
    json_write_buffer(head, name, document);
}

void safetensors_text_add_tensor(struct buffer *head, const char *prefix,
                                 const struct pe_tensor_info *tensor, uint64_t start)
{
    uint64_t bytes = tensor->rows * tensor->cols * pe_dtype_size(tensor->dtype);

    json_write(head, "'%s%s':{'dtype':'%s'", prefix, tensor->output->name,
               names[tensor->dtype]);
    json_write_integers(head, "shape", tensor->dims, tensor->rank);
    json_write(head, "'data_offsets':[%" PRIu64 ",%" PRIu64 "]}", start, start + bytes);
}

bool safetensors_text_end(struct buffer *head)
{
    buffer_add_text(head, "}");
    while (!head->failed && head->len % ALIGNMENT != 0)
        buffer_add_text(head, " ");
    if (head->failed)
        return false;
    uint64_t length = head->len - sizeof length;
    memcpy(head->bytes, &length, sizeof length);
    return true;
}
