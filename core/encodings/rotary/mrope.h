/* SPDX-License-Identifier: Apache-2.0
 * mrope.h - the arguments of multimodal RoPE, for its tables and for its vectors. */
#pragma once

#include "core/encodings/rotary/ladder.h"
#include "core/encodings/rotary/mrope_map.h"
#include "core/encodings/spatial/spatial.h"

struct mrope {
    struct ladder ladder;
    const struct pe_positions *pos, *t, *h, *w, *e, *p;
    struct pe_reals ids, section;
    int section_layout, leftover, pairing, width;
};
_Static_assert(offsetof(struct mrope, ladder) == 0, "ladder_first hooks read it there");

extern const struct pe_choice mrope_section_layouts[], mrope_leftovers[];

#define MROPE_POSITIONS(TYPE, PART, NAME, FIELD, ...)                                          \
    {                                                                                          \
        .name = (NAME), .offset = offsetof(TYPE, PART.FIELD), .type = PE_POSITIONS,            \
        .optional = true, .fractions = true, .unit = "positions", .summary = __VA_ARGS__       \
    }

/* Declares parameters, beside LADDER_ROWS, for a struct TYPE with a member `struct mrope
 * PART`. */
#define MROPE_ROWS(TYPE, PART)                                                                 \
    MROPE_POSITIONS(TYPE, PART, "pos", pos,                                                    \
                    "positions of text, equal on every axis, as 0:128"),                       \
        MROPE_POSITIONS(TYPE, PART, "pos.t", t,                                                \
                        "positions in time (frames), in place of pos"),                        \
        MROPE_POSITIONS(TYPE, PART, "pos.h", h, "rows of the grid, in place of pos"),          \
        MROPE_POSITIONS(TYPE, PART, "pos.w", w, "columns of the grid, in place of pos"),       \
        MROPE_POSITIONS(TYPE, PART, "pos.e", e, "positions on a fourth axis, 0 by default",    \
                        .when = "!section_layout=xdrope",                                      \
                        PE_OWN("llama.cpp", POSITIONS, ADVANCED)),                             \
        MROPE_POSITIONS(TYPE, PART, "pos.p", p,                                                \
                        "positions of the text in HunyuanVL, in place of pos",                 \
                        .when = "section_layout=xdrope", PE_OWN("vLLM", POSITIONS, ADVANCED)), \
        {PE_FIELD_OF(TYPE, PART, ids),                                                         \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .min = -0x1p53,                                                                       \
         .max = 0x1p53,                                                                        \
         .summary =                                                                            \
             "positions as a matrix, a row a token and a column an axis (t,h,w), in place of " \
             "pos and pos.*; or a row an axis, as ids-mrope answers, if tokens and axes "      \
             "differ in number"},                                                              \
        {.name = "mrope_section",                                                              \
         .offset = offsetof(TYPE, PART.section),                                               \
         .type = PE_REALS,                                                                     \
         .required = true,                                                                     \
         .min = 0,                                                                             \
         .max = 32768,                                                                         \
         PE_OWN("transformers", SHAPE, BASIC),                                                 \
         .summary =                                                                            \
             "number of pairs that turn by each axis, as 16,24,24 for time, height, width "    \
             "(ernie: h,w,t; xdrope: p,w,h,t)"},                                               \
        {PE_FIELD_OF(TYPE, PART, section_layout), .type = PE_CHOICE,                           \
         .choices = mrope_section_layouts, PE_OWN("posenc", CONVENTION, BASIC),                \
         .summary = "how the pairs of a head are dealt to the axes"},                          \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, leftover),                                                     \
            .type = PE_CHOICE, .optional = true, .choices = mrope_leftovers,                   \
            .when = "section_layout=interleaved", PE_OWN("posenc", CONVENTION, ADVANCED),      \
            .summary = "axis by which the pairs turn that the sections leave over"             \
    }

#define MROPE_NAMES                                                                            \
    "pos", "pos.t", "pos.h", "pos.w", "pos.e", "pos.p", "ids", "mrope_section",                \
        "section_layout", "leftover"

/* For the resolve hooks; wants_positions is set where a wanted output has rows. */
void mrope_resolve(struct mrope *mrope, bool wants_sections, bool wants_positions,
                   struct pe_errors *errors);
/* Returns points of lists or of ids, with as many axes as the sections and the variant have. */
struct axes_points mrope_points(const struct mrope *mrope);
/* Sets points, pairs, pairing and width; mrope_layout_build adds rotation and axis. */
struct spatial_layout mrope_layout(const struct mrope *mrope);
/* Adds rotation (by the ladder's table, with 1/A for A if inverse) and axis, in the build's
 * memory. */
bool mrope_layout_build(struct pe_build *build, const struct mrope *mrope,
                        const struct rotation_table *table, bool inverse,
                        struct spatial_layout *layout);
