/* SPDX-License-Identifier: Apache-2.0
 * verify_url.h - checked arguments in as few words as mean the same: a URL, or the words of a
 * command. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/models/models.h"
#include "proto/text/buffer.h"

/* Arguments, and the model whose settings need no words. */
struct verify_url {
    const struct pe_args *args;
    const char *model, *layer_type; /* NULL: none */
    const struct models *models;
};

/* Writes "/v1/rope?base=500000&dim=128&pos=0:64", or "rope base=500000 dim=128 pos=0:64"
 * quoted for a shell. Returns false and writes nothing if no URL says these arguments, since
 * they have a tensor or a long list. */
bool verify_url_write(struct buffer *out, const struct verify_url *url);
bool verify_url_write_words(struct buffer *out, const struct verify_url *url);

#define VERIFY_URL_PAGES "/docs/verify/" /* the folder of the pages about mistakes */

/* Returns the name of the page about a mistake: its slug, or "parameter" for one of a
 * parameter. */
const char *verify_url_page(const char *slug);
