/* SPDX-License-Identifier: Apache-2.0
 * mrope_map.c - the orders in which multimodal RoPEs assign their pairs to the axes. */
#include "core/encodings/rotary/mrope_map.h"

/* Assigns sections one after the other: Qwen2-VL's t,h,w; xdrope's p,w,h,t. */
static void chunked(const size_t section[MROPE_AXES], unsigned char *axis, size_t pairs)
{
    size_t a = 0, used = 0;

    for (size_t i = 0; i < pairs; i++) {
        while (a + 1 < MROPE_AXES && used >= section[a]) {
            a++;
            used = 0;
        }
        axis[i] = (unsigned char)a;
        used++;
    }
}

/* Assigns every third pair to H, every third to W, as long as their sections last: Qwen3-VL. */
static void interleaved(bool extra, const size_t section[MROPE_AXES], unsigned char *axis,
                        size_t pairs)
{
    for (size_t i = 0; i < pairs; i++) {
        const size_t turn = i % 3;
        const bool own = i < 3 * section[turn];

        axis[i] = (unsigned char)(own ? turn : extra ? MROPE_EXTRA : MROPE_T);
        if (!extra && turn == MROPE_T)
            axis[i] = MROPE_T;
    }
}

/* Says whether a/b is below c/d. */
static bool is_less(size_t a, size_t b, size_t c, size_t d)
{
    return a * d < c * b;
}

/* Assigns to the axis that is furthest behind, never to the last one again if another has pairs
 * left; the very last pair is T: openPangu (vLLM). */
static void openpangu(const size_t section[MROPE_AXES], unsigned char *axis, size_t pairs)
{
    const size_t count[3] = {section[MROPE_T] - 1, section[MROPE_H], section[MROPE_W]};
    size_t placed[3] = {0, 0, 0}, last = MROPE_AXES;

    for (size_t i = 0; i + 1 < pairs; i++) {
        size_t best = MROPE_AXES;

        for (size_t a = 0; a < 3; a++) {
            if (placed[a] == count[a] || a == last)
                continue;
            if (best == MROPE_AXES || is_less(placed[a], count[a], placed[best], count[best]))
                best = a;
        }
        best = best == MROPE_AXES ? last : best;
        axis[i] = (unsigned char)best;
        placed[best]++;
        last = best;
    }
    axis[pairs - 1] = MROPE_T;
}

/* Alternates between H and W, then assigns T: ERNIE 4.5-VL, VideoRoPE, HoPE. */
static void alternating(size_t spatial, unsigned char *axis, size_t pairs)
{
    for (size_t i = 0; i < pairs; i++)
        axis[i] = i >= spatial ? MROPE_T : i % 2 ? MROPE_W : MROPE_H;
}

void mrope_map(enum mrope_variant variant, bool extra, const size_t section[MROPE_AXES],
               unsigned char *axis, size_t pairs)
{
    switch (variant) {
    case MROPE_CHUNKED:
    case MROPE_XDROPE:
        chunked(section, axis, pairs);
        break;
    case MROPE_INTERLEAVED:
        interleaved(extra, section, axis, pairs);
        break;
    case MROPE_OPENPANGU:
        openpangu(section, axis, pairs);
        break;
    case MROPE_ERNIE: /* sections are h,w,t */
        alternating(section[0] + section[1], axis, pairs);
        break;
    case MROPE_VIDEOROPE:
    case MROPE_HOPE:
        alternating(section[MROPE_H] + section[MROPE_W], axis, pairs);
        break;
    }
}
