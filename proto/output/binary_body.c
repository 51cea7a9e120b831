/* SPDX-License-Identifier: Apache-2.0
 * binary_body.c - computes the next bytes of a binary response; see binary_body.h. */
#include "proto/output/binary_body.h"

uint64_t binary_body_size(const struct encoder *encoder)
{
    uint64_t size = encoder->head.len;

    for (size_t i = 0; i < pe_plan_tensor_count(encoder->plan); i++)
        size += encoder_bytes(pe_plan_tensor(encoder->plan, i));
    return size;
}

size_t binary_body_read(struct encoder *encoder, char *out, size_t capacity)
{
    size_t used = 0;

    if (encoder->at < encoder->head.len)
        used = encoder_read_head(encoder, out, capacity);
    uint64_t start = encoder->head.len; /* the tensor's first byte in the response */
    for (size_t i = 0; i < pe_plan_tensor_count(encoder->plan) && used < capacity; i++) {
        size_t index = encoder->order[i];
        uint64_t bytes = encoder_bytes(pe_plan_tensor(encoder->plan, index));

        if (encoder->at < start + bytes) {
            uint64_t left = start + bytes - encoder->at;
            size_t len = left < capacity - used ? (size_t)left : capacity - used;

            encoder_fill_bytes(encoder, index, encoder->at - start, out + used, len);
            encoder->at += len;
            used += len;
        }
        start += bytes;
    }
    return used;
}

void binary_body_seek(struct encoder *encoder, uint64_t at)
{
    encoder->at = at;
}
