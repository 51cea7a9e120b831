/* SPDX-License-Identifier: Apache-2.0
 * spatial_turned.c - the part of a head that several axes rotate: its width, and whether it
 * fits in the head. */
#include "core/encodings/spatial/spatial.h"

int64_t spatial_turned(const struct spatial *spatial)
{
    return spatial->rotary_dim > 0 ? spatial->rotary_dim : spatial->dim - spatial->offset_dims;
}

void spatial_check_turned(const struct spatial *spatial, int64_t multiple, const char *name,
                          struct pe_errors *errors)
{
    const int64_t width = spatial_turned(spatial), rest = spatial->dim - spatial->offset_dims;

    if (spatial->rotary_dim > 0 && width % multiple != 0)
        pe_fail(errors, PE_CONFLICT, "rotary_dim", "must be a multiple of %lld; got %lld",
                (long long)multiple, (long long)width);
    else if (spatial->rotary_dim > 0 && spatial->offset_dims == 0 && width > rest)
        pe_fail(errors, PE_CONFLICT, "rotary_dim", "must be at most %s, %lld; got %lld", name,
                (long long)rest, (long long)width);
    else if (spatial->rotary_dim > 0 && width > rest)
        pe_fail(errors, PE_CONFLICT, "offset_dims",
                "must leave room for %lld elements that rotate of %lld; got %lld",
                (long long)width, (long long)spatial->dim, (long long)spatial->offset_dims);
    else if (spatial->offset_dims > 0 && (width < multiple || width % multiple != 0))
        pe_fail(errors, PE_CONFLICT, "offset_dims",
                "must leave a multiple of %lld of the %lld elements of a vector; got %lld",
                (long long)multiple, (long long)spatial->dim, (long long)spatial->offset_dims);
    else if (width < multiple || width % multiple != 0)
        pe_fail(errors, PE_CONFLICT, "x",
                "must have a multiple of %lld elements along its last axis; got %lld",
                (long long)multiple, (long long)spatial->dim);
}
