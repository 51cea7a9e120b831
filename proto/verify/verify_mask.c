/* SPDX-License-Identifier: Apache-2.0
 * verify_mask.c - see verify_mask.h. */
#include "proto/verify/verify_mask.h"

/* No bias of a key that is seen is as low; Swin's masks have -100. */
static const double very_negative = -99;

static double element_of(const struct tensor *tensor, uint64_t element)
{
    const size_t size = pe_dtype_size(tensor->info.dtype);
    double number;

    pe_dtype_to_f64(tensor->info.dtype, &number, (const char *)tensor->data + element * size,
                    1);
    return number;
}

bool verify_mask_is(const struct tensor *tensor, double *hidden)
{
    const uint64_t count = tensor->bytes / pe_dtype_size(tensor->info.dtype);
    double least = 0;

    *hidden = 0;
    if (tensor->info.dtype == PE_BOOL8)
        return true;
    if (tensor->info.dtype > PE_BF16 || tensor->complex)
        return false;
    for (uint64_t i = 0; i < count; i++) {
        const double number = element_of(tensor, i);

        if (number != 0 && !(number <= very_negative))
            return false;
        least = number < least ? number : least;
    }
    *hidden = least;
    return least < 0;
}

bool verify_mask_hides(const struct tensor *tensor, uint64_t element)
{
    const double number = element_of(tensor, element);

    return tensor->info.dtype == PE_BOOL8 ? number == 0 : number < 0;
}
