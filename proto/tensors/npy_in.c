/* SPDX-License-Identifier: Apache-2.0
 * npy_in.c - reads one tensor in NumPy's format. npy_head.h reads the header. */
#include "proto/tensors/npy_head.h"
#include "proto/tensors/tensor_format.h"

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct npy_head *npy = reader->head;
    char why[WHY_SIZE];
    size_t used;

    npy->what = "the body";
    switch (npy_head_add(
        npy, element_type_accept(reader->source.enc, tensor_reader_only_name(reader)), bytes,
        len, &used, why)) {
    case NPY_HEAD_MORE:
        break;
    case NPY_HEAD_COMPLETE:
        if (tensor_reader_expect(reader, tensor_reader_only_name(reader), &npy->layout) ==
            TENSOR_OK)
            tensor_reader_begin_data(reader, used);
        break;
    case NPY_HEAD_WRONG:
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%s", why);
        break;
    }
    return used;
}

static const char *const media_types[] = {"application/x-npy", "application/npy", NULL};

const struct tensor_format npy_in = {
    .media_types = media_types,
    .summary =
        "one tensor as numpy.save writes it: f4, f2 or f8, in any order of bytes and axes",
    .sniff = npy_head_sniff,
    .unnamed = true,
    .state_size = sizeof(struct npy_head),
    .head = head,
};
