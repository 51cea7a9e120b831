/* SPDX-License-Identifier: Apache-2.0
 * rope_axes_choices.c - the models and the conventions of rope-axes. */
#include "core/encodings/rotary/axes/rope_axes.h"

#define END                                                                                    \
    {                                                                                          \
        NULL, NULL, NULL, NULL, NULL                                                           \
    }

/* A vector of so many elements at position 3 of every axis. */
#define EIGHT "1,1,1,1,0,0,0,0"
#define ROW_OF_6 "1,1,1,0,0,0"
#define ROW_OF_16 EIGHT "," EIGHT
#define ROW_OF_48 ROW_OF_16 "," ROW_OF_16 "," ROW_OF_16
#define ROW_OF_96 ROW_OF_48 "," ROW_OF_48
#define ROW_OF_128 ROW_OF_96 "," ROW_OF_16 "," ROW_OF_16
#define EIGHT_ROWS(ROW) ROW ";" ROW ";" ROW ";" ROW ";" ROW ";" ROW ";" ROW ";" ROW
#define ROW_OF(WIDTH) "grid_sizes=&pos=3&x=" ROW_OF_##WIDTH

/* Name, summary, what it stands for; what pictures of tables need, and those of vectors. */
#define PRESETS(PRESET)                                                                        \
    PRESET("flux", "Flux: text at 0,0,0, patches at 0,row,column", "axes_dim=16,56,56",        \
           "dim=", ROW_OF(128))                                                                \
    PRESET("flux2", "Flux 2: four axes, time, row, column and a fourth",                       \
           "axes_dim=32,32,32,32&base=2000", "dim=&pos=0:32&grid_sizes=", ROW_OF(128))         \
    PRESET("z-image", "Z-Image: captions count on the first axis from 1, images after them",   \
           "axes_dim=32,48,48&base=256", "dim=", ROW_OF(128))                                  \
    PRESET("lumina2", "Lumina 2: the first axis counts the caption", "axes_dim=32,32,32",      \
           "dim=", ROW_OF(96))                                                                 \
    PRESET("hunyuan-video", "HunyuanVideo: time, row, column; text does not turn",             \
           "axes_dim=16,56,56&base=256", "dim=", ROW_OF(128))                                  \
    PRESET("qwen-image", "Qwen-Image: rows and columns count from the middle (scale_rope)",    \
           "axes_dim=16,56,56&coord_start=centred", "dim=", ROW_OF(128))                       \
    PRESET("wan", "Wan: time, row, column in float64", "split=sixths", NULL, NULL)             \
    PRESET("chrono-edit", "ChronoEdit: Wan, whose second of two frames is frame 7",            \
           "split=sixths&temporal_skip_len=8", NULL, NULL)                                     \
    PRESET("cogvideox", "CogVideoX: time, row, column; give crops_coords", "split=eighths",    \
           NULL, ROW_OF(16))                                                                   \
    PRESET("cosmos", "Cosmos: time, row, column in halves; give axes_ntk and fps",             \
           "split=sixths&pairing=half", NULL, NULL)                                            \
    PRESET("allegro", "Allegro: halves inside each axis; give axes_factor",                    \
           "split=thirds&pairing=section-half", "dim=48", ROW_OF(6))                           \
    PRESET("lumina-next", "Lumina-Next: row and column in turn on one ladder",                 \
           "axis_order=alternating",                                                           \
           "ids=0,0;0,1;0,2;1,0;1,1;1,2&grid_sizes=", "grid_sizes=4,2")                        \
    PRESET("minimax-h3", "MiniMax-H3: time, row, column on 96 elements of a head",             \
           "axes_dim=32,32,32&rotary_dim=96&pairing=half", "dim=128", ROW_OF(96))              \
    PRESET("ltx-video", "LTX-Video: frames, rows and columns in turn, divided by base_sizes",  \
           "axis_order=frequency-major&base_sizes=20,2048,2048", NULL, NULL)

#define OF_TABLES(NAME, SUMMARY, STANDS, START, VECTORS) {NAME, NULL, SUMMARY, STANDS, START},
#define OF_VECTORS(NAME, SUMMARY, STANDS, START, VECTORS)                                      \
    {NAME, NULL, SUMMARY, STANDS, VECTORS},
const struct pe_choice rope_axes_presets[] = {PRESETS(OF_TABLES) END};
const struct pe_choice rope_axes_apply_presets[] = {PRESETS(OF_VECTORS) END};
const struct pe_choice rope_axes_splits[] = {
    [SPLIT_SIXTHS] = {"sixths", NULL,
                      "2 floor(dim/6) for rows and for columns, the rest for time: Wan, "
                      "Cosmos",
                      NULL, NULL},
    [SPLIT_EIGHTHS] = {"eighths", NULL,
                       "dim/4 for time, 3 dim/8 for rows and for columns: CogVideoX", NULL,
                       "dim=16&x=" EIGHT_ROWS(ROW_OF_16)},
    [SPLIT_THIRDS] = {"thirds", NULL, "dim/3 for each axis: Allegro", NULL,
                      "dim=6&x=" EIGHT_ROWS(ROW_OF_6)},
    END};
const struct pe_choice rope_axes_orders[] = {
    [ORDER_BLOCKS] =
        {"blocks", NULL,
         "all pairs of an axis before those of the next, with a ladder for each axis", NULL,
         NULL},
    [ORDER_ALTERNATING] = {"alternating", NULL,
                           "pairs of row and column in turn, with one ladder (Lumina-Next)",
                           NULL, "split=&grid_sizes=4,2"},
    [ORDER_FREQUENCY_MAJOR] = {"frequency-major", NULL,
                               "pairs of the three axes for each frequency, rising "
                               "(LTX-Video)",
                               NULL, "base_sizes=4,4,4"},
    END};
const struct pe_choice rope_axes_starts[] = {
    [START_ZERO] = {"zero", NULL, "rows and columns from 0", NULL, NULL},
    [START_CENTRED] =
        {"centred", NULL,
         "n rows, or columns, from -(n - floor(n/2)), so that 0 is in the middle: Qwen-Image",
         NULL, NULL},
    END};
