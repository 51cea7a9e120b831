/* SPDX-License-Identifier: Apache-2.0
 * access_field.h - the fields that a line of the access log may have, by
 * access_fields.def. */
#pragma once

enum access_field {
#define ACCESS_FIELD(NAME, HELP) ACCESS_FIELD_##NAME,
#include "server/config/access_fields.def"
    ACCESS_FIELD_COUNT
};

/* "|address|key..." and ",method,target...": all names, and those of the default, each behind a
 * mark. */
extern const char access_field_names[], access_field_default[];

const char *access_field_name(enum access_field field);
const char *access_field_help(enum access_field field); /* what it says */
