/* SPDX-License-Identifier: Apache-2.0
 * json_step.h - the states of the grammar of JSON, of which a scan has one. */
#pragma once

#include "proto/text/json_scan.h"
#include "proto/text/word.h"

enum json_step {
    STEP_START,
    STEP_VALUE,      /* after a colon or a comma */
    STEP_FIRST_ITEM, /* after [ */
    STEP_FIRST_NAME, /* after { */
    STEP_NAME,       /* after a comma */
    STEP_COLON,
    STEP_AFTER, /* after a value */
    STEP_STRING,
    STEP_ESCAPE,
    STEP_HEX,
    STEP_NUMBER,
    STEP_WORD,
    STEP_DONE,
    STEP_COUNT
};

/* Makes a state the next one; returns true: the byte was consumed. */
static inline bool json_step_go(struct json_scan *scan, enum json_step step)
{
    scan->step = step;
    return true;
}

/* Returns whether the number or word that was read is this one. */
static inline bool json_step_is(const struct json_scan *scan, const char *word)
{
    return word_is(word, scan->token, scan->token_len);
}
