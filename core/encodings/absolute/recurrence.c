/* SPDX-License-Identifier: Apache-2.0
 * recurrence.c - the checks, the cost and the range of recurrences; see recurrence.h. */
#include "core/encodings/absolute/recurrence.h"

#include <math.h>

static const double most_products = 0x1p27, most_size = 1e100;

void recurrence_check(const struct recurrence *map, size_t more, struct pe_errors *errors)
{
    const size_t dim = map->p0.cols, units = map->w1.rows;
    const struct {
        const char *name, *what;
        const struct pe_reals *reals;
        size_t got, right;
    } sizes[] = {
        {"a", "columns", &map->a, map->a.cols, dim},
        {"a", "rows", &map->a, map->a.rows, dim},
        {"b", "numbers", &map->b, map->b.cols, dim},
        {"w1", "columns", &map->w1, map->w1.cols, dim + more},
        {"b1", "numbers", &map->b1, map->b1.cols, units},
        {"w2", "columns", &map->w2, map->w2.cols, units + more},
        {"w2", "rows", &map->w2, map->w2.rows, dim},
        {"b2", "numbers", &map->b2, map->b2.cols, dim},
    };

    if (dim > RECURRENCE_MOST_DIM) {
        pe_fail(errors, PE_TOO_LARGE, "p0", "must have at most %d numbers; got %zu",
                RECURRENCE_MOST_DIM, dim);
        pe_note_limit(errors, RECURRENCE_MOST_DIM, dim);
    }
    for (size_t i = 0; i < PE_LEN(sizes); i++) {
        if (sizes[i].reals->rows > 0 && sizes[i].got != sizes[i].right)
            pe_fail(errors, PE_CONFLICT, sizes[i].name, "must have %zu %s; got %zu",
                    sizes[i].right, sizes[i].what, sizes[i].got);
    }
}

double recurrence_products(const struct recurrence *map)
{
    return (double)map->p0.cols + (double)map->a.rows * (double)map->a.cols +
           (double)map->w1.rows * (double)map->w1.cols +
           (double)map->w2.rows * (double)map->w2.cols;
}

void recurrence_check_products(double products, const char *parameter, struct pe_errors *errors)
{
    if (products <= most_products)
        return;
    pe_fail(errors, PE_TOO_LARGE, parameter, "needs %.0f products; at most %.0f", products,
            most_products);
    pe_note_limit(errors, (uint64_t)most_products, (uint64_t)fmin(products, 0x1p63));
}

double recurrence_ns(double products)
{
    return 15 * products;
}

bool recurrence_row(const struct dd *code, size_t dim, double *row)
{
    for (size_t i = 0; i < dim; i++) {
        row[i] = code[i].hi + code[i].lo;
        if (!(fabs(row[i]) <= most_size)) /* NaN fails too */
            return false;
    }
    return true;
}
