/* SPDX-License-Identifier: Apache-2.0
 * npy.c - NumPy's format 1.0: magic, version, length of the header, a Python dictionary
 * padded so that the data starts at a multiple of 64, data.
 * (NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays".) */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "proto/payload.h"

enum { PREFIX = 10, ALIGNMENT = 64, HEADER_MAX = 512 };

/* NULL: NumPy has no such type. */
static const char *const descriptors[PE_DTYPE_COUNT] = {
    [PE_F64] = "<f8", [PE_F32] = "<f4", [PE_F16] = "<f2",   [PE_I32] = "<i4",
    [PE_I64] = "<i8", [PE_U8] = "|u1",  [PE_BOOL8] = "|b1",
};

static enum pe_status check(const struct pe_plan *plan, const struct request *request,
                            struct pe_errors *errors)
{
    enum pe_dtype dtype = pe_plan_tensor(plan, 0)->dtype;
    (void)request;
    if (descriptors[dtype] == NULL) {
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
    char text[HEADER_MAX];
    size_t len = (size_t)snprintf(text, sizeof text,
                                  "{'descr': '%s', 'fortran_order': False, 'shape': (",
                                  descriptors[tensor->dtype]);
    for (size_t i = 0; i < tensor->rank; i++) {
        len +=
            (size_t)snprintf(text + len, sizeof text - len, "%s%" PRIu64 "%s",
                             i == 0 ? "" : ", ", tensor->dims[i], tensor->rank == 1 ? "," : "");
    }
    len += (size_t)snprintf(text + len, sizeof text - len, "), }");
    assert(len < sizeof text - ALIGNMENT);
    size_t total = (PREFIX + len + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t padded = total - PREFIX;
    memset(text + len, ' ', padded - len);
    text[padded - 1] = '\n';
    const char prefix[PREFIX] = {
        '\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, (char)(padded & 0xff), (char)(padded >> 8)};
    buffer_add(&encoder->head, prefix, PREFIX);
    buffer_add(&encoder->head, text, padded);
    return PE_OK;
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
    .size = payload_size,
    .read = payload_read,
    .seek = payload_seek,
    .begin = begin,
};
