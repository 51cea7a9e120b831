/* SPDX-License-Identifier: Apache-2.0
 * metrics_page.h - the text of /metrics (Prometheus text 0.0.4): families, which are rows of
 * metrics.def, and their samples. */
#pragma once

#include <stdint.h>

#include "proto/text/buffer.h"

enum metrics_family {
#define FAMILY(ID, NAME, TYPE, HELP) FAMILY_##ID,
#include "server/sys/metrics.def"
    FAMILY_COUNT
};

/* A page being written: each family is begun once, then its samples follow. */
struct metrics_page {
    struct buffer *out;
    const char *name; /* of the family that was begun last */
};

void metrics_page_begin(struct metrics_page *page, enum metrics_family family);
void metrics_page_sample(struct metrics_page *page, const char *label, const char *value,
                         uint64_t number);
/* A family of one number, and the same number under the family's old names. */
void metrics_page_number(struct metrics_page *page, enum metrics_family family,
                         uint64_t number);
