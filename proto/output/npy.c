/* SPDX-License-Identifier: Apache-2.0
 * npy.c - writes NumPy's format 1.0: magic, version, length of the header, a Python dictionary
 * padded so that the data starts at a multiple of 64, data. (NumPy Enhancement Proposal 1, "A
 * Simple File Format for NumPy Arrays".) */
#include <string.h>

#include "proto/output/binary_body.h"

enum { PREFIX = 10, ALIGNMENT = 64 };

/* Type strings by dtype; NULL: NumPy has no such type. */
static const char *const descriptors[PE_DTYPE_COUNT] = {
    [PE_F64] = "<f8", [PE_F32] = "<f4", [PE_F16] = "<f2",   [PE_I32] = "<i4",
    [PE_I64] = "<i8", [PE_U8] = "|u1",  [PE_BOOL8] = "|b1",
};

static enum pe_status check(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors)
{
    enum pe_dtype dtype = pe_plan_tensor(plan, 0)->dtype;

    if (!descriptors[dtype]) {
        pe_fail(errors, PE_CONFLICT, "dtype", "must not be %s with format=npy: NumPy lacks it",
                pe_dtype_name(dtype));
        pe_hint(errors, "format=%s has it", format_binary(2)->name);
        return PE_CONFLICT;
    }
    return PE_OK;
}

static enum pe_status begin(struct encoder *encoder)
{
    const struct pe_tensor_info *tensor = pe_plan_tensor(encoder->plan, 0);
    struct buffer *head = &encoder->head;

    buffer_add(head, "\x93NUMPY\1\0..", PREFIX); /* the length follows below */
    buffer_add_text(head, "{'descr': '");
    buffer_add_text(head, descriptors[tensor->dtype]);
    buffer_add_text(head, "', 'fortran_order': False, 'shape': (");
    for (size_t i = 0; i < tensor->rank; i++) {
        buffer_add_text(head, i == 0 ? "" : ", ");
        buffer_add_integer(head, tensor->dims[i]);
    }
    buffer_add_text(head, tensor->rank == 1 ? ",), }" : "), }");
    size_t total = (head->len + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t blanks = total - 1 - head->len;
    char *padding = buffer_reserve(head, blanks);
    if (!padding)
        return PE_NO_MEMORY;
    memset(padding, ' ', blanks);
    buffer_advance(head, blanks);
    buffer_add(head, "\n", 1);
    if (!head->failed) {
        head->bytes[PREFIX - 2] = (char)((total - PREFIX) & 0xff);
        head->bytes[PREFIX - 1] = (char)((total - PREFIX) >> 8);
    }
    return PE_OK; /* encoder_new checks .failed */
}

static const char *const accepts[] = {"application/x-npy", "application/npy", NULL};

const struct format format_npy = {
    .name = "npy",
    .media_type = "application/x-npy",
    .accepts = accepts,
    .extension = "npy",
    .summary = "one tensor for numpy.load, format 1.0",
    .wire_version = 1,
    .binary = true,
    .single = true,
    .check = check,
    .size = binary_body_size,
    .read = binary_body_read,
    .seek = binary_body_seek,
    .begin = begin,
};
