/* SPDX-License-Identifier: Apache-2.0
 * rope_axes_choices.c - the models and the conventions of rope-axes. */
#include "core/encodings/rotary/axes/rope_axes.h"

#define END                                                                                    \
    {                                                                                          \
        NULL, NULL, NULL, NULL                                                                 \
    }

const struct pe_choice rope_axes_presets[] = {
    {"flux", NULL, "Flux: text at 0,0,0, patches at 0,row,column", "axes_dim=16,56,56"},
    {"flux2", NULL, "Flux 2: four axes, time, row, column and a fourth",
     "axes_dim=32,32,32,32&base=2000"},
    {"z-image", NULL, "Z-Image: captions count on the first axis from 1, images after them",
     "axes_dim=32,48,48&base=256"},
    {"lumina2", NULL, "Lumina 2: the first axis counts the caption", "axes_dim=32,32,32"},
    {"hunyuan-video", NULL, "HunyuanVideo: time, row, column; text does not turn",
     "axes_dim=16,56,56&base=256"},
    {"qwen-image", NULL, "Qwen-Image: rows and columns count from the middle (scale_rope)",
     "axes_dim=16,56,56&coord_start=centred"},
    {"wan", NULL, "Wan: time, row, column in float64", "split=sixths"},
    {"chrono-edit", NULL, "ChronoEdit: Wan, whose second of two frames is frame 7",
     "split=sixths&temporal_skip_len=8"},
    {"cogvideox", NULL, "CogVideoX: time, row, column; give crops_coords", "split=eighths"},
    {"cosmos", NULL, "Cosmos: time, row, column in halves; give axes_ntk and fps",
     "split=sixths&pairing=half"},
    {"allegro", NULL, "Allegro: halves inside each axis; give axes_factor",
     "split=thirds&pairing=section-half"},
    {"lumina-next", NULL, "Lumina-Next: row and column in turn on one ladder",
     "axis_order=alternating"},
    {"minimax-h3", NULL, "MiniMax-H3: time, row, column on 96 elements of a head",
     "axes_dim=32,32,32&rotary_dim=96&pairing=half"},
    {"ltx-video", NULL, "LTX-Video: frames, rows and columns in turn, divided by base_sizes",
     "axis_order=frequency-major&base_sizes=20,2048,2048"},
    END};
const struct pe_choice rope_axes_splits[] = {
    [SPLIT_SIXTHS] = {"sixths", NULL,
                      "2 floor(dim/6) for rows and for columns, the rest for time: Wan, "
                      "Cosmos",
                      NULL},
    [SPLIT_EIGHTHS] = {"eighths", NULL,
                       "dim/4 for time, 3 dim/8 for rows and for columns: CogVideoX", NULL},
    [SPLIT_THIRDS] = {"thirds", NULL, "dim/3 for each axis: Allegro", NULL},
    END};
const struct pe_choice rope_axes_orders[] = {
    [ORDER_BLOCKS] =
        {"blocks", NULL,
         "all pairs of an axis before those of the next, with a ladder for each axis", NULL},
    [ORDER_ALTERNATING] = {"alternating", NULL,
                           "pairs of row and column in turn, with one ladder (Lumina-Next)",
                           NULL},
    [ORDER_FREQUENCY_MAJOR] = {"frequency-major", NULL,
                               "pairs of the three axes for each frequency, rising "
                               "(LTX-Video)",
                               NULL},
    END};
const struct pe_choice rope_axes_starts[] = {
    [START_ZERO] = {"zero", NULL, "rows and columns from 0", NULL},
    [START_CENTRED] =
        {"centred", NULL,
         "n rows, or columns, from -(n - floor(n/2)), so that 0 is in the middle: Qwen-Image",
         NULL},
    END};
