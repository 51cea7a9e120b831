/* SPDX-License-Identifier: Apache-2.0
 * recurrence.h - maps that make the code of a position from another code: A p + b, or a
 * network of one hidden layer whose weights are in the request. */
#pragma once

#include "core/encoding.h"
#include "core/math/linear/mlp.h"

struct recurrence {
    struct pe_reals p0, a, b, w1, b1, w2, b2;
};

#define RECURRENCE_ROW(TYPE, FIELD, ...)                                                       \
    {                                                                                          \
        PE_FIELD_OF(TYPE, map, FIELD), .type = PE_REALS, .min = -1e18, .max = 1e18,            \
                                       __VA_ARGS__                                             \
    }
/* Declares the parameters of the member `map` of a struct TYPE. */
#define RECURRENCE_ROWS(TYPE)                                                                  \
    RECURRENCE_ROW(TYPE, p0, .required = true,                                                 \
                   .summary = "the code of position 0, a number a column"),                    \
        RECURRENCE_ROW(TYPE, a, .matrix = true, .level = PE_BASIC,                             \
                       .summary = "matrix A of the map A p + b: 0,-1;1,0"),                    \
        RECURRENCE_ROW(TYPE, b, .when = "!w1",                                                 \
                       .summary = "offset b of the map A p + b; zeros by default"),            \
        RECURRENCE_ROW(TYPE, w1, .matrix = true, .when = "!a",                                 \
                       .summary = "weights of the first layer of a network that is the map, "  \
                                  "a row a hidden unit"),                                      \
        RECURRENCE_ROW(TYPE, b1, .when = "w1",                                                 \
                       .summary = "biases of the first layer, one a hidden unit; zeros by "    \
                                  "default"),                                                  \
        RECURRENCE_ROW(TYPE, w2, .matrix = true, .required = true, .when = "w1",               \
                       .summary = "weights of the second layer, a row a column of the code"),  \
        RECURRENCE_ROW(TYPE, b2, .when = "w1",                                                 \
                       .summary = "biases of the second layer, one a column of the code; "     \
                                  "zeros by default")

enum { RECURRENCE_MOST_DIM = 4096 };

/* For the check hook: reports layers whose sizes do not fit p0 with `more` inputs besides. */
void recurrence_check(const struct recurrence *map, size_t more, struct pe_errors *errors);
/* Returns the number of products of one application of A p + b or of the network. */
double recurrence_products(const struct recurrence *map);
/* Refuses more products than a request may take. */
void recurrence_check_products(double products, const char *parameter,
                               struct pe_errors *errors);
/* Returns the nanoseconds that `products` products take. */
double recurrence_ns(double products);

/* Writes a row of the output; returns false, which refuses the request, when the code has left
 * the range that is computed in. */
bool recurrence_row(const struct dd *code, size_t dim, double *row);
#define RECURRENCE_RANGE "codes leave +-1e100 behind it"
