/* SPDX-License-Identifier: Apache-2.0
 * variant.c - see variant.h. */
#include "tests/support/variant.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/http/gzip.h"
#include "tests/support/gunzip.h"

void variant_expect(struct http_answer *answer, bool compressed)
{
    const char *coding = http_answer_header(answer, "Content-Encoding");

    ck_assert_msg(answer->status == 200, "%d: %s", answer->status, answer->body);
    ck_assert_msg(compressed ? coding && strcmp(coding, "gzip") == 0 : !coding, "%s",
                  answer->head);
}

struct variant_copy variant_copy_identity(struct http_client *client, const char *target)
{
    struct http_answer answer = {0};
    struct variant_copy copy;

    http_client_get(client, &answer, target);
    variant_expect(&answer, false);
    copy = (struct variant_copy){.bytes = malloc(answer.len + 1), .len = answer.len};
    memcpy(copy.bytes, answer.body, answer.len);
    snprintf(copy.tag, sizeof copy.tag, "%s", http_answer_header(&answer, "ETag"));
    http_answer_fini(&answer);
    return copy;
}

void variant_expect_compressed(struct http_answer *answer, const struct variant_copy *plain)
{
    size_t len;
    char *bytes, tag[120];

    variant_expect(answer, true);
    bytes = gunzip(answer->body, answer->len, &len);
    ck_assert_uint_eq(len, plain->len);
    ck_assert_mem_eq(bytes, plain->bytes, len);
    free(bytes);
    snprintf(tag, sizeof tag, "%.33s-" GZIP_TAG "\"", plain->tag);
    ck_assert_str_eq(http_answer_header(answer, "ETag"), tag);
    ck_assert_str_eq(http_answer_header(answer, "Accept-Ranges"), "none");
}
