/* SPDX-License-Identifier: Apache-2.0
 * variant.h - identity answers of a service in this process, and their gzip variants. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/http_client.h"

/* The identity answer; the caller frees .bytes. */
struct variant_copy {
    char *bytes, tag[80];
    size_t len;
};
struct variant_copy variant_copy_identity(struct http_client *client, const char *target);

/* Fails the test unless the answer is a 200 that is compressed, or is not, as asked. */
void variant_expect(struct http_answer *answer, bool compressed);
/* Fails the test unless the answer is gzip of the copy, with an entity tag of its own and
 * without ranges. */
void variant_expect_compressed(struct http_answer *answer, const struct variant_copy *plain);
