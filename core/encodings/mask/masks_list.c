/* SPDX-License-Identifier: Apache-2.0
 * masks_list.c - copies lists and checks matrices among the parameters of masks. */
#include "core/encodings/mask/masks.h"

#include "core/args/positions.h"

int64_t *masks_list(struct pe_build *build, const struct pe_positions *list)
{
    uint64_t count = list ? pe_positions_count(list) : 0;
    int64_t *numbers = pe_build_alloc(build, count * sizeof *numbers);
    struct positions_cursor cursor = {.pos = list};

    for (uint64_t i = 0; numbers && i < count; i++)
        numbers[i] = (int64_t)positions_next(&cursor);
    return numbers;
}

void masks_check_bits(const struct pe_reals *matrix, const char *name, struct pe_errors *errors)
{
    for (size_t i = 0; i < matrix->rows * matrix->cols; i++) {
        if (matrix->values[i] != 0 && matrix->values[i] != 1) {
            pe_fail(errors, PE_BAD_VALUE, name, "must hold 0 and 1 only; got %g",
                    matrix->values[i]);
            return;
        }
    }
}
