/* SPDX-License-Identifier: Apache-2.0
 * verify_known.h - the models as claims by name, among which the library looks for tensors that
 * came without a claim. */
#pragma once

#include "core/posenc_verify.h"
#include "proto/models/models.h"

struct verify_known {
    size_t count;
    struct pe_verify_known *at;
    const struct model_use **uses; /* uses[i] is that of at[i] */
    char *text;                    /* the queries */
};

/* Lists every use of every model, those of the most used model first; false when out of memory.
 * The models must outlive it. */
bool verify_known_init(struct verify_known *known, const struct models *models);
void verify_known_fini(struct verify_known *known);
