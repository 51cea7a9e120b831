/* SPDX-License-Identifier: Apache-2.0
 * library.h - which libmicrohttpd the tests run with. Since 1.0.0 it reads lines and chunks by
 * itself, as strictly as posencd does, and refuses some requests before posencd knows of them:
 * with 400 and a page of its own, or by closing the connection. Both are counted nowhere.
 * tests/http/wire_strict.py has such requests, too. */
#pragma once

#include <stdbool.h>
#include <string.h>

#include "server/http/transport.h"

static inline bool library_reads_strictly(void)
{
    return strncmp(transport_version(), "0.", 2) != 0;
}

/* Whether a scenario or a claim, which ends with these words, is about another library. */
static inline bool library_is_other(const char *text)
{
    const char *words = library_reads_strictly() ? " before 1.0.0" : " since 1.0.0";
    const size_t len = strlen(text), end = strlen(words);

    return len > end && strcmp(text + len - end, words) == 0;
}
