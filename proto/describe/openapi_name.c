/* SPDX-License-Identifier: Apache-2.0
 * openapi_name.c - see openapi_name.h. */
#include "proto/describe/openapi_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

const char *openapi_name_of_path(const char *path, char text[OPENAPI_NAME_SIZE])
{
    size_t len = 0;

    for (const char *c = path; *c != '\0' && len + 1 < OPENAPI_NAME_SIZE; c++) {
        bool letter = !strchr("/.{}", *c);

        if (letter || (len > 0 && text[len - 1] != '_'))
            text[len++] = letter ? *c : '_';
    }
    len -= len > 0 && text[len - 1] == '_';
    text[len] = '\0';
    return text;
}

const char *openapi_name_of_encoding(const struct pe_encoding *enc,
                                     char text[OPENAPI_NAME_SIZE])
{
    size_t len = 0;
    bool begins = true;

    for (const char *c = pe_name(enc); *c != '\0' && len + 1 < OPENAPI_NAME_SIZE; c++) {
        if (isalnum((unsigned char)*c)) {
            text[len++] = begins ? (char)toupper((unsigned char)*c) : *c;
            begins = false;
        } else {
            begins = true;
        }
    }
    text[len] = '\0';
    return text;
}
