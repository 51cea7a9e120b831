/* SPDX-License-Identifier: Apache-2.0
 * chunk_extension.c - see chunk_extension.h. The grammar is a table: a row for each part, a
 * column for each kind of byte; what a row leaves out is malformed. */
#include "server/http/chunk_extension.h"

#include "server/http/head.h"

enum kind {
    KIND_OTHER,
    KIND_TOKEN,
    KIND_BLANK,
    KIND_SEMICOLON,
    KIND_EQUALS,
    KIND_QUOTE,
    KIND_BACKSLASH,
    KIND_VALUE,
    KIND_CR,
    KINDS
};

static const unsigned char table[][KINDS] = {
    [CHUNK_EXTENSION_BEFORE_NAME] =
        {[KIND_BLANK] = CHUNK_EXTENSION_BEFORE_NAME, [KIND_TOKEN] = CHUNK_EXTENSION_NAME},
    [CHUNK_EXTENSION_NAME] = {[KIND_TOKEN] = CHUNK_EXTENSION_NAME,
                              [KIND_BLANK] = CHUNK_EXTENSION_AFTER_NAME,
                              [KIND_SEMICOLON] = CHUNK_EXTENSION_BEFORE_NAME,
                              [KIND_EQUALS] = CHUNK_EXTENSION_BEFORE_VALUE,
                              [KIND_CR] = CHUNK_EXTENSION_ENDED},
    [CHUNK_EXTENSION_AFTER_NAME] = {[KIND_BLANK] = CHUNK_EXTENSION_AFTER_NAME,
                                    [KIND_SEMICOLON] = CHUNK_EXTENSION_BEFORE_NAME,
                                    [KIND_EQUALS] = CHUNK_EXTENSION_BEFORE_VALUE},
    [CHUNK_EXTENSION_BEFORE_VALUE] = {[KIND_BLANK] = CHUNK_EXTENSION_BEFORE_VALUE,
                                      [KIND_TOKEN] = CHUNK_EXTENSION_TOKEN,
                                      [KIND_QUOTE] = CHUNK_EXTENSION_QUOTED},
    [CHUNK_EXTENSION_TOKEN] = {[KIND_TOKEN] = CHUNK_EXTENSION_TOKEN,
                               [KIND_BLANK] = CHUNK_EXTENSION_AFTER_VALUE,
                               [KIND_SEMICOLON] = CHUNK_EXTENSION_BEFORE_NAME,
                               [KIND_CR] = CHUNK_EXTENSION_ENDED},
    [CHUNK_EXTENSION_QUOTED] = {[KIND_TOKEN] = CHUNK_EXTENSION_QUOTED,
                                [KIND_BLANK] = CHUNK_EXTENSION_QUOTED,
                                [KIND_SEMICOLON] = CHUNK_EXTENSION_QUOTED,
                                [KIND_EQUALS] = CHUNK_EXTENSION_QUOTED,
                                [KIND_VALUE] = CHUNK_EXTENSION_QUOTED,
                                [KIND_BACKSLASH] = CHUNK_EXTENSION_ESCAPED,
                                [KIND_QUOTE] = CHUNK_EXTENSION_CLOSED},
    [CHUNK_EXTENSION_ESCAPED] = {[KIND_TOKEN] = CHUNK_EXTENSION_QUOTED,
                                 [KIND_BLANK] = CHUNK_EXTENSION_QUOTED,
                                 [KIND_SEMICOLON] = CHUNK_EXTENSION_QUOTED,
                                 [KIND_EQUALS] = CHUNK_EXTENSION_QUOTED,
                                 [KIND_VALUE] = CHUNK_EXTENSION_QUOTED,
                                 [KIND_BACKSLASH] = CHUNK_EXTENSION_QUOTED,
                                 [KIND_QUOTE] = CHUNK_EXTENSION_QUOTED},
    [CHUNK_EXTENSION_CLOSED] = {[KIND_BLANK] = CHUNK_EXTENSION_AFTER_VALUE,
                                [KIND_SEMICOLON] = CHUNK_EXTENSION_BEFORE_NAME,
                                [KIND_CR] = CHUNK_EXTENSION_ENDED},
    [CHUNK_EXTENSION_AFTER_VALUE] = {[KIND_BLANK] = CHUNK_EXTENSION_AFTER_VALUE,
                                     [KIND_SEMICOLON] = CHUNK_EXTENSION_BEFORE_NAME},
    [CHUNK_EXTENSION_ENDED] = {0},
};

static enum kind kind_of(unsigned char c)
{
    switch (c) {
    case ' ':
    case '\t':
        return KIND_BLANK;
    case ';':
        return KIND_SEMICOLON;
    case '=':
        return KIND_EQUALS;
    case '"':
        return KIND_QUOTE;
    case '\\':
        return KIND_BACKSLASH;
    case '\r':
        return KIND_CR;
    default:
        if (head_set_has(&head_token_set, c))
            return KIND_TOKEN;
        return head_is_value_byte(c) ? KIND_VALUE : KIND_OTHER;
    }
}

enum chunk_extension chunk_extension_next(enum chunk_extension at, unsigned char c)
{
    return (enum chunk_extension)table[at][kind_of(c)];
}
