/* SPDX-License-Identifier: Apache-2.0
 * variant.h - plain answers of a service in this process, and their gzip variants. */
#ifndef SUPPORT_VARIANT_H
#define SUPPORT_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include "tests/support/http_client.h"

/* The plain answer as it stands; the caller frees .bytes. */
struct variant_copy {
    char *bytes, tag[80];
    size_t len;
};
struct variant_copy variant_copy_plain(struct http_client *client, const char *target);

/* It is a 200, packed or not. */
void variant_expect(struct http_answer *answer, bool packed);
/* It is gzip of the copy, under a tag of its own and without ranges. */
void variant_expect_packed(struct http_answer *answer, const struct variant_copy *plain);

#endif
