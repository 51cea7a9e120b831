/* SPDX-License-Identifier: Apache-2.0
 * chunk_extension.h - the extensions of a chunk, read strictly byte by byte (RFC 9112, 7.1.1):
 * ;NAME or ;NAME=VALUE, where a value is a token or is quoted. Blanks may stand between the
 * parts, as the RFC allows, but neither before the first ';' nor before CR LF. */
#pragma once

/* The part of an extension that the next byte belongs to. Two of them are no part: a byte was
 * wrong, or was the CR behind the last extension. */
enum chunk_extension {
    CHUNK_EXTENSION_MALFORMED,
    CHUNK_EXTENSION_BEFORE_NAME, /* the place behind the first ';', where reading begins */
    CHUNK_EXTENSION_NAME,
    CHUNK_EXTENSION_AFTER_NAME,
    CHUNK_EXTENSION_BEFORE_VALUE,
    CHUNK_EXTENSION_TOKEN,
    CHUNK_EXTENSION_QUOTED,
    CHUNK_EXTENSION_ESCAPED, /* behind a backslash in quotes */
    CHUNK_EXTENSION_CLOSED,  /* behind the closing quote */
    CHUNK_EXTENSION_AFTER_VALUE,
    CHUNK_EXTENSION_ENDED,
};

/* Returns the part that follows when the byte `c` is read in the part `at`. */
enum chunk_extension chunk_extension_next(enum chunk_extension at, unsigned char c);
