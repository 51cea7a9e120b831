/* SPDX-License-Identifier: Apache-2.0
 * body.h - a JSON body read as it arrives: number arrays are decoded on the spot, what is
 * left (at most 256 KiB) goes to jansson at the end. Bounded in bytes, depth and memory. */
#ifndef PROTO_BODY_H
#define PROTO_BODY_H

#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct json_body;

enum body_state { BODY_OK, BODY_MALFORMED, BODY_TOO_LARGE, BODY_NO_MEMORY };

/* NULL when out of memory. max_bytes: of the whole body. */
struct json_body *json_body_new(uint64_t max_bytes);
void json_body_free(struct json_body *body);

/* The next bytes. After anything but BODY_OK more bytes are ignored. */
enum body_state json_body_add(struct json_body *body, const char *bytes, size_t len);
/* No more bytes: parse. BODY_MALFORMED if it is not one JSON object. */
enum body_state json_body_finish(struct json_body *body);
/* Memory held now, for the in-flight budget. */
size_t json_body_held(const struct json_body *body);
/* What is malformed, "line 3, column 14: ..."; borrowed. */
const char *json_body_error(const struct json_body *body);

#endif
