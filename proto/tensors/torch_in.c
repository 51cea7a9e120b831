/* SPDX-License-Identifier: Apache-2.0
 * torch_in.c - see torch_in.h. A storage is read into the one tensor that has it. */
#include "proto/tensors/torch_in.h"

#include <stdio.h>
#include <string.h>

static bool ends_with(const char *name, size_t len, const char *end)
{
    const size_t end_len = strlen(end);

    return len >= end_len && memcmp(name + len - end_len, end, end_len) == 0;
}

bool torch_in_is_pickle(const char *name, size_t len)
{
    return ends_with(name, len, "/data.pkl");
}

/* Returns the number of the tensor whose storage the member is; the count: it is none. */
static size_t find_tensor(const struct torch *torch, const char *name, size_t len)
{
    char end[PICKLE_KEY_SIZE + 8];
    size_t i = 0;

    for (; i < torch->count; i++) {
        snprintf(end, sizeof end, "/data/%s", torch->tensors[i].key);
        if (ends_with(name, len, end))
            break;
    }
    return i;
}

/* Returns whether the strides are those of rows that follow each other, or of columns. */
static bool is_order(const struct pickle_tensor *tensor, bool fortran)
{
    uint64_t stride = 1;

    for (size_t i = 0; i < tensor->rank; i++) {
        const size_t axis = fortran ? i : tensor->rank - 1 - i;

        if (tensor->dims[axis] != 1 && tensor->stride[axis] != stride)
            return false;
        stride *= tensor->dims[axis];
    }
    return true;
}

static void begin_storage(struct torch *torch, struct tensor_reader *reader, size_t number)
{
    const struct pickle_tensor *tensor = &torch->tensors[number];
    struct tensor_layout layout = {.type =
                                       tensor->type ? element_type_find(tensor->type) : NULL,
                                   .rank = tensor->rank};

    memcpy(layout.dims, tensor->dims, sizeof tensor->dims);
    layout.fortran = !is_order(tensor, false);
    if (!layout.type) {
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%.60s has no type of numbers",
                           tensor->name);
        return;
    }
    if (torch->found[number] || (layout.fortran && !is_order(tensor, true))) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "%.60s is a view of other memory; save x.contiguous().clone()",
                           tensor->name);
        return;
    }
    for (size_t i = number + 1; i < torch->count; i++)
        if (strcmp(torch->tensors[i].key, tensor->key) == 0) {
            tensor_reader_fail(reader, TENSOR_MALFORMED,
                               "%.60s and %.60s share their memory; save x.clone() of one",
                               tensor->name, torch->tensors[i].name);
            return;
        }
    torch->found[number] = true;
    torch->member = TORCH_STORAGE;
    if (__builtin_mul_overflow(tensor->offset, layout.type->size * layout.type->parts,
                               &torch->skip))
        torch->skip = UINT64_MAX;
    const char *name = tensor->name[0] ? tensor->name : tensor_reader_only_name(reader);
    if (tensor_reader_expect(reader, name, &layout) == TENSOR_OK)
        tensor_reader_begin_tensor(reader);
}

void torch_in_begin(struct torch *torch, struct tensor_reader *reader, const char *name,
                    size_t len)
{
    const size_t number = find_tensor(torch, name, len);

    torch->member = TORCH_IGNORED;
    if (torch_in_is_pickle(name, len) && torch->pickle.len == 0)
        torch->member = TORCH_PICKLE;
    else if (ends_with(name, len, "/byteorder"))
        torch->member = TORCH_ORDER;
    else if (number < torch->count)
        begin_storage(torch, reader, number);
}

/* Charges the budget for the next bytes of the pickle, and for the memory of their reading. */
static bool reserve_pickle(const struct torch *torch, struct tensor_reader *reader, size_t len)
{
    const size_t before = torch->pickle.len;

    return tensor_reader_reserve(reader, 2 * (uint64_t)len + pickle_memory(before + len) -
                                             pickle_memory(before));
}

void torch_in_data(struct torch *torch, struct tensor_reader *reader, const char *bytes,
                   size_t len)
{
    const size_t skipped = torch->skip < len ? (size_t)torch->skip : len;

    switch (torch->member) {
    case TORCH_IGNORED:
        break;
    case TORCH_PICKLE:
        if (torch->pickle.len + len > PICKLE_MOST)
            tensor_reader_fail(reader, TENSOR_MALFORMED,
                               "data.pkl is longer than %d bytes; save only the tensors",
                               PICKLE_MOST);
        else if (reserve_pickle(torch, reader, len))
            buffer_add(&torch->pickle, bytes, len);
        break;
    case TORCH_ORDER:
        if (len > 0 && bytes[0] == 'b')
            tensor_reader_fail(reader, TENSOR_MALFORMED,
                               "the file has numbers in big-endian order; save little-endian");
        break;
    case TORCH_STORAGE:
        torch->skip -= skipped;
        (void)tensor_reader_fill(reader, bytes + skipped, len - skipped);
        break;
    }
}

void torch_in_end(struct torch *torch, struct tensor_reader *reader)
{
    char why[WHY_SIZE];

    if (torch->member == TORCH_STORAGE && reader->tensor < reader->set.count)
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%.60s ends before its last number",
                           reader->set.at[reader->tensor].name);
    if (torch->member != TORCH_PICKLE)
        return;
    if (torch->pickle.failed)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    else if (!pickle_read(torch->tensors, &torch->count,
                          (const unsigned char *)torch->pickle.bytes, torch->pickle.len, why))
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%.200s", why);
    else if (torch->count == 0)
        tensor_reader_fail(reader, TENSOR_MALFORMED, "data.pkl has no tensor");
}

void torch_in_finish(struct torch *torch, struct tensor_reader *reader)
{
    for (size_t i = 0; i < torch->count && reader->state == TENSOR_OK; i++)
        if (!torch->found[i])
            tensor_reader_fail(reader, TENSOR_MALFORMED,
                               "the archive has no member data/%s, the numbers of %.60s",
                               torch->tensors[i].key, torch->tensors[i].name);
}
