/* SPDX-License-Identifier: Apache-2.0
 * raw_in.c - reads one tensor of little-endian bytes in C order; the query describes it. */
#include "proto/tensors/tensor_format.h"

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    const struct tensor_layout layout = tensor_layout_of(&reader->source.headerless);

    if (layout.rank == 0) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the query must say in_dtype and shape, as in "
                           "in_dtype=bf16&shape=8,128");
    } else if (tensor_reader_expect(reader, tensor_reader_only_name(reader), &layout) ==
               TENSOR_OK) {
        tensor_reader_begin_data(reader, 0);
    }
    return 0;
}

static const char *const media_types[] = {"application/octet-stream", NULL};

const struct tensor_format raw_in = {
    .media_types = media_types,
    .summary =
        "one tensor as little-endian bytes in C order; in_dtype and shape are in the query",
    .headerless = true,
    .unnamed = true,
    .head = head,
};
