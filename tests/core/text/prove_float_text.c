/* SPDX-License-Identifier: Apache-2.0
 * prove_float_text.c - every float32 in [FIRST, FIRST + COUNT) of the bit patterns is written
 * and judged. All of them: prove_float_text 0 4294967296, in any number of pieces. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text/float_text.h"
#include "tests/core/text/support/shortest.h"

enum { SHOWN = 20 };

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: prove_float_text FIRST COUNT\n");
        return 64;
    }
    const uint64_t first = strtoull(arguments[1], NULL, 0);
    const uint64_t end = first + strtoull(arguments[2], NULL, 0);
    uint64_t tried = 0, wrong = 0;
    for (uint64_t i = first; i < end && i <= UINT32_MAX; i++) {
        const uint32_t bits = (uint32_t)i;
        float value = 0;
        char text[FLOAT_TEXT_F32_MAX];

        memcpy(&value, &bits, sizeof(value));
        if (!isfinite(value))
            continue;
        const size_t len = (size_t)(float_text_f32(text, value) - text);
        const char *fault = shortest_fault_f32(value, text, len);
        tried++;
        if (fault && wrong++ < SHOWN)
            printf("0x%08" PRIx32 " %.9g: %.*s: %s\n", bits, (double)value, (int)len, text,
                   fault);
    }
    printf("%" PRIu64 " floats, %" PRIu64 " wrong\n", tried, wrong);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
