/* SPDX-License-Identifier: Apache-2.0
 * verify_picture.h - where tensors are wrong as a figure of SVG: of each wrong tensor the
 * largest distances along its rows and along its pairs or columns, on a logarithmic scale. */
#pragma once

#include "proto/text/buffer.h"
#include "proto/verify/verify_pair.h"
#include "proto/verify/verify_request.h"

struct verify_picture { /* {0} has no tensors */
    struct buffer panels;
    double height;
    bool right; /* a tensor is right */
};

/* Adds a panel for each tensor that is not right; nothing where its shape is another. */
void verify_picture_add(struct verify_picture *picture, const char *file,
                        const struct verify_request *request, const struct pe_verdict *verdict);
/* Adds a panel for each tensor that differs from the one of its name. */
void verify_picture_add_pairs(struct verify_picture *picture, const char *file,
                              const struct verify_pairs *pairs);
/* Writes the figure, which says so where nothing is wrong, or nothing was compared. */
void verify_picture_write(struct buffer *out, const struct verify_picture *picture);
void verify_picture_fini(struct verify_picture *picture);
