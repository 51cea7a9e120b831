/* SPDX-License-Identifier: Apache-2.0
 * canonical.h - the canonical form of a request: its checked arguments and options, sorted by
 * name, as a URL and as a JSON object. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"
#include "proto/request/option.h"
#include "proto/text/buffer.h"

/* Writes "/v1/rope?base=10000&dim=128&...": everything that decides the response's bytes, with
 * presets and defaults filled in, percent-encoded except "," and ":". The form parses back to
 * itself, unless it has a long list (PE_LONG_LIST): a mark, "pos=#98304x0", stands for the
 * list, whose bits follow in the key. */
void canonical_write(struct buffer *out, const struct pe_args *args,
                     const struct option_values *options);
/* Writes a name or value of a URL: every character that is neither unreserved in RFC 3986 nor
 * "," or ":" as %XX. */
void canonical_encode(struct buffer *out, const char *text);
/* Writes the canonical form as a JSON object with typed values, and with the options that
 * differ from their defaults; a request with this body gets the same response. Each member is
 * on a line of its own after `indent` spaces, or all are on one line when indent is 0. */
void canonical_write_json(struct buffer *out, const struct pe_args *args,
                          const struct option_values *options, size_t indent);
