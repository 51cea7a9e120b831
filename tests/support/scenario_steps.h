/* SPDX-License-Identifier: Apache-2.0
 * scenario_steps.h - the steps of a scenario in the order in which they are done: those of
 * "times" and "each" as often as they say, with values in place of names. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/row.h"
#include "tests/support/scenario_values.h"

struct scenario_steps {
    const struct row *rows;
    struct scenario_values *values; /* of the names in "each", and those that `holds` adds */
    bool (*holds)(void *cls, const struct row *step);
    void *cls;
    char *why; /* where `holds` writes the reason; the group of "each" is added to it */
    size_t size;
};

/* Calls `holds` for the request that the input is, as a step "ask", and for the steps of these
 * rows, up to the first that does not hold. */
bool scenario_steps_hold(const struct scenario_steps *steps, size_t count);
