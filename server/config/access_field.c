/* SPDX-License-Identifier: Apache-2.0
 * access_field.c - see access_field.h. */
#include "server/config/access_field.h"

const char access_field_names[] = ""
#define ACCESS_FIELD(NAME, HELP) "|" #NAME
#include "server/config/access_fields.def"
    ;

const char access_field_default[] = ""
#define ACCESS_FIELD(NAME, HELP) "," #NAME
#define ACCESS_FIELD_ASKED(NAME, HELP)
#include "server/config/access_fields.def"
    ;

static const struct {
    const char *name, *help;
} fields[ACCESS_FIELD_COUNT] = {
#define ACCESS_FIELD(NAME, HELP) {#NAME, HELP},
#include "server/config/access_fields.def"
};

const char *access_field_name(enum access_field field)
{
    return fields[field].name;
}

const char *access_field_help(enum access_field field)
{
    return fields[field].help;
}
