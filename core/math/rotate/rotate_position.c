/* SPDX-License-Identifier: Apache-2.0
 * rotate_position.c - makes rows of cosines and sines for rotate.h from positions; neighbours
 * share a coarse row. */
#include "core/math/rotate/rotate_position.h"

/* The most recent coarse row. */
struct coarse {
    bool made;
    int64_t position;
    double waves[]; /* [2][pairs]: cosines, sines */
};

size_t rotate_position_memory(const struct rotate_position *by)
{
    return sizeof(struct coarse) + 2 * by->rotation->table->pairs * sizeof(double);
}

static bool by_addition(const struct rotate_position *by)
{
    return rotation_table_fine(by->rotation->table) && by->rotation->angle == ROTATION_EXACT &&
           pe_positions_whole(by->pos) && (!by->from || pe_positions_whole(by->from));
}

/* Combine a fine and a coarse row: cos(c + f) = cos c cos f - sin c sin f and
 * sin(c + f) = sin c cos f + cos c sin f. */
static void add_angles(const double *restrict coarse_cos, const double *restrict coarse_sin,
                       const double *restrict fine_cos, const double *restrict fine_sin,
                       size_t pairs, double *restrict cosine, double *restrict sine)
{
    for (size_t i = 0; i < pairs; i++) {
        cosine[i] = coarse_cos[i] * fine_cos[i] - coarse_sin[i] * fine_sin[i];
        sine[i] = coarse_sin[i] * fine_cos[i] + coarse_cos[i] * fine_sin[i];
    }
}

static void turn_by_addition(const struct rotation *rotation, int64_t size, double *cosine,
                             double *sine, struct coarse *memory)
{
    const struct rotation_table *table = rotation->table;
    const struct rotation_fine *rows = rotation_table_fine(table);
    const int64_t fine = size % (int64_t)rows->rows;
    const size_t at = (size_t)fine * table->pairs;
    double *sines = memory->waves + table->pairs;

    if (!memory->made || memory->position != size - fine) {
        memory->made = true;
        memory->position = size - fine;
        rotation_row(rotation, 0, table->pairs, (double)memory->position, sines, memory->waves);
    }
    add_angles(memory->waves, sines, rows->cos + at, rows->sin + at, table->pairs, cosine,
               sine);
}

/* Computes a - b as the nearest double, and the rest (Knuth's TwoSum). */
static double difference(double a, double b, double *rest)
{
    const double near = a - b, back = near - a;

    *rest = (a - (near - back)) - (b + back);
    return near;
}

/* Rotates by a difference that no double holds: the angles of its two parts are added. */
static void turn_by_parts(const struct rotation *rotation, double near, double rest,
                          double *cosine, double *sine, struct coarse *memory)
{
    const size_t pairs = rotation->table->pairs;
    double *cosines = memory->waves, *sines = memory->waves + pairs;

    memory->made = false;
    rotation_row(rotation, 0, pairs, near, sine, cosine);
    rotation_row(rotation, 0, pairs, rest, sines, cosines);
    for (size_t i = 0; i < pairs; i++) {
        const double c = cosine[i], s = sine[i];

        cosine[i] = c * cosines[i] - s * sines[i];
        sine[i] = s * cosines[i] + c * sines[i];
    }
}

void rotate_position_turn(const void *context, uint64_t number, const void *const input[],
                          double *cosine, double *sine, void *memory)
{
    const struct rotate_position *by = context;
    const size_t pairs = by->rotation->table->pairs;
    double position = pe_positions_at(by->pos, number), rest = 0;
    bool back = by->inverse;

    if (by->from)
        position = difference(position, pe_positions_at(by->from, number), &rest);
    if (by_addition(by)) {
        back = back != (position < 0);
        turn_by_addition(by->rotation, (int64_t)(position < 0 ? -position : position), cosine,
                         sine, memory);
    } else if (rest != 0 && by->rotation->angle == ROTATION_EXACT) {
        turn_by_parts(by->rotation, position, rest, cosine, sine, memory);
    } else {
        rotation_row(by->rotation, 0, pairs, position, sine, cosine);
    }
    for (size_t i = 0; back && i < pairs; i++)
        sine[i] = -sine[i];
}
