/* SPDX-License-Identifier: Apache-2.0
 * test_phase_row.c - rows of angles have the bits of single ones, on every CPU path. */
#include <string.h>

#include "core/math/trig/frequency.h"
#include "core/math/trig/phase_row.h"
#include "core/posenc.h"
#include "tests/support/suite.h"

enum { PAIRS = 75 }; /* two chunks and a part */

static const double bases[] = {10000, 500000, 1e18, 1e-18};
static const double amplitudes[] = {1, 0.31, -1e-6};

static void check_row(const struct phase_freq *freq, double position, double amplitude)
{
    double sine[PAIRS], cosine[PAIRS], one_sine, one_cosine;

    phase_row(freq, PAIRS, position, amplitude, sine, cosine);
    for (size_t i = 0; i < PAIRS; i++) {
        phase_sincos_scaled(&freq[i], position, amplitude, &one_sine, &one_cosine);
        ck_assert_mem_eq(&sine[i], &one_sine, sizeof one_sine);
        ck_assert_mem_eq(&cosine[i], &one_cosine, sizeof one_cosine);
    }
}

START_TEST(a_row_has_the_bits_of_its_elements)
{
    const size_t before = pe_cpu_path();
    struct phase_freq freq[PAIRS];
    const struct frequency_ladder ladder = {bases[_i], PAIRS, PAIRS, 1, 1, 0};

    ck_assert(frequency_build(freq, &ladder));
    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        if (!pe_cpu_path_set(path))
            continue;
        for (size_t a = 0; a < sizeof amplitudes / sizeof *amplitudes; a++) {
            check_row(freq, 0, amplitudes[a]);
            check_row(freq, 6134899525417045, amplitudes[a]);
            check_row(freq, -0x1p53, amplitudes[a]);
            check_row(freq, 0.75, amplitudes[a]);
            check_row(freq, -1e-300, amplitudes[a]);
            for (double p = 1; p < 0x1p53; p = p * 3 + 1) {
                check_row(freq, p, amplitudes[a]);
                check_row(freq, -p, amplitudes[a]);
            }
        }
    }
    ck_assert(pe_cpu_path_set(before));
}
END_TEST

START_TEST(angles_near_quarter_turns_are_refined_in_rows_too)
{
    struct phase_freq freq[PAIRS];

    memset(freq, 0, sizeof freq);
    for (size_t i = 0; i < PAIRS; i++) { /* i quarters and 2^-(66+i) of a turn */
        freq[i].turns[3] = (uint64_t)i << 62;
        freq[i].turns[(190 - i) / 64] |= (uint64_t)1 << (190 - i) % 64;
        freq[i].hi = 1;
    }
    check_row(freq, 1, 1);
    check_row(freq, -1, 1);
}
END_TEST

START_TEST(float32_angles_have_the_bits_of_single_ones)
{
    float angles[PAIRS];
    double sine[PAIRS], cosine[PAIRS], one_sine, one_cosine;

    for (uint32_t start = 0; start < 0x7f800000u - 0x20000u * PAIRS; start += 0x1234567u) {
        for (uint32_t i = 0; i < PAIRS; i++) { /* steps over all sizes, of either sign */
            const uint32_t bits = (start + 0x1f321u * i) | (i % 3 == 0 ? 0x80000000u : 0);
            memcpy(&angles[i], &bits, sizeof bits);
        }
        phase_row_radians(angles, PAIRS, sine, cosine);
        for (size_t i = 0; i < PAIRS; i++) {
            phase_sincos_at(&phase_radian, (double)angles[i], &one_sine, &one_cosine);
            ck_assert_mem_eq(&sine[i], &one_sine, sizeof one_sine);
            ck_assert_mem_eq(&cosine[i], &one_cosine, sizeof one_cosine);
        }
    }
}
END_TEST

SUITE(phase_row, TEST_RANGE(a_row_has_the_bits_of_its_elements, 0, 4),
      TEST(angles_near_quarter_turns_are_refined_in_rows_too),
      TEST(float32_angles_have_the_bits_of_single_ones));
