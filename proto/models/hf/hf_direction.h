/* SPDX-License-Identifier: Apache-2.0
 * hf_direction.h - whether queries see later keys, too. Private to hf_*. */
#pragma once

#include "proto/models/hf/hf_reader.h"

enum hf_direction {
    HF_EITHER,        /* of a row of hf_besides.def: it counts in both */
    HF_ONE_WAY,       /* queries see no later key */
    HF_TWO_WAYS,      /* a window is of keys on one side of the query */
    HF_WINDOW_SHARED, /* a window is of keys on both sides together */
    HF_WINDOW_OPEN,   /* both ways, and how the class counts a window is not known */
};

/* The key that says that queries see both ways, and the mask of layers without a window. */
struct hf_direction_said {
    struct json_body_value from;
    const char *encoding; /* NULL: no key says it */
};

/* Reads the direction: a key says it, else the class does. */
enum hf_direction hf_direction_read(struct hf_reader *reader, struct hf_direction_said *said);
