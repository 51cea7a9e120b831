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
    int variant, leftover, pairing, width;
};
_Static_assert(offsetof(struct mrope, ladder) == 0, "ladder_first hooks read it there");

extern const struct pe_choice mrope_variants[], mrope_leftovers[];

#define MROPE_POSITIONS(TYPE, PART, NAME, FIELD, SUMMARY)                                      \
    {                                                                                          \
        .name = (NAME), .offset = offsetof(TYPE, PART.FIELD), .type = PE_POSITIONS,            \
        .optional = true, .fractions = true, .unit = "positions", .summary = (SUMMARY)         \
    }

/* Declares parameters, beside LADDER_ROWS, for a struct TYPE with a member `struct mrope
 * PART`. */
#define MROPE_ROWS(TYPE, PART)                                                                 \
    MROPE_POSITIONS(TYPE, PART, "pos", pos, "positions on every axis (text)"),                 \
        MROPE_POSITIONS(TYPE, PART, "pos.t", t, "positions in time, in place of pos"),         \
        MROPE_POSITIONS(TYPE, PART, "pos.h", h, "rows, in place of pos"),                      \
        MROPE_POSITIONS(TYPE, PART, "pos.w", w, "columns, in place of pos"),                   \
        MROPE_POSITIONS(TYPE, PART, "pos.e", e, "positions on a fourth axis, 0 by default"),   \
        MROPE_POSITIONS(TYPE, PART, "pos.p", p, "xdrope: positions of the text, for pos"),     \
        {PE_FIELD_OF(TYPE, PART, ids),                                                         \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .min = -0x1p53,                                                                       \
         .max = 0x1p53,                                                                        \
         .summary = "positions, a row a token and a column an axis, for pos.*"},               \
        {.name = "mrope_section",                                                              \
         .offset = offsetof(TYPE, PART.section),                                               \
         .type = PE_REALS,                                                                     \
         .required = true,                                                                     \
         .min = 0,                                                                             \
         .max = 32768,                                                                         \
         .summary = "pairs of each axis, 16,24,24 (ernie: h,w,t; xdrope: p,w,h,t)"},           \
        {PE_FIELD_OF(TYPE, PART, variant), .type = PE_CHOICE, .choices = mrope_variants,       \
         .summary = "how pairs are dealt to the axes"},                                        \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, leftover),                                                     \
            .type = PE_CHOICE, .optional = true, .choices = mrope_leftovers,                   \
            .summary = "interleaved: who turns the pairs left over"                            \
    }

#define MROPE_NAMES                                                                            \
    "pos", "pos.t", "pos.h", "pos.w", "pos.e", "pos.p", "ids", "mrope_section", "variant",     \
        "leftover"

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
