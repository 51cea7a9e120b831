/* SPDX-License-Identifier: Apache-2.0
 * cli_encodings.c - posencd encodings [NAME]: the registry as text, as JSON, as a table. */
#include <string.h>

#include "core/posenc.h"
#include "proto/describe/catalog.h"
#include "proto/describe/encoding_text.h"
#include "server/cli/cli_encoding.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"

static int print_list(void)
{
    struct buffer text = {0};
    size_t width = 0;

    for (size_t i = 0; i < pe_count(); i++)
        width = strlen(pe_name(pe_at(i))) > width ? strlen(pe_name(pe_at(i))) : width;
    for (size_t i = 0; i < pe_count(); i++)
        buffer_add_format(&text, "%-*s  %-8s  %s\n", (int)width, pe_name(pe_at(i)),
                          pe_family_name(pe_family_of(pe_at(i))), pe_summary(pe_at(i)));
    return say_text(&text);
}

static int print_one(const struct pe_encoding *enc, bool json)
{
    struct buffer text = {0};

    if (json)
        catalog_write_encoding(&text, enc);
    else
        encoding_text_write(&text, enc);
    return json ? say_json(&text) : say_text(&text);
}

/* Prints every encoding, or one, with the members that "name,title" lists. */
static int print_fields(const struct pe_encoding *enc, const char *names)
{
    struct pe_errors errors = {.count = 0};
    struct buffer text = {0};
    uint64_t set;

    if (fields_parse(&catalog_fields, names, strlen(names), &set, &errors) != PE_OK)
        return say_error(CLI_USAGE, "--fields %s", errors.at[0].detail);
    if (enc) {
        fields_write(&text, &catalog_fields, set, enc);
        buffer_add_text(&text, "\n");
    } else {
        catalog_write_some(&text, set);
    }
    return say_json(&text);
}

static int print_all(const struct call *call)
{
    struct buffer text = {0};

    if (call->value[COMMAND_OPTION_ENCODINGS_MARKDOWN])
        catalog_write_markdown(&text);
    else if (call->value[COMMAND_OPTION_ENCODINGS_JSON])
        catalog_write(&text);
    else
        return print_list();
    return call->value[COMMAND_OPTION_ENCODINGS_MARKDOWN] ? say_text(&text) : say_json(&text);
}

int cli_encodings(const struct call *call)
{
    const char *fields = call->value[COMMAND_OPTION_ENCODINGS_FIELDS];
    const struct pe_encoding *enc = NULL;

    if (call->count > 0)
        enc = cli_encoding_find(call->word[0], "encoding");
    if (call->wrong > 0 || (call->count > 0 && !enc))
        return CLI_USAGE;
    if (enc && call->value[COMMAND_OPTION_ENCODINGS_MARKDOWN])
        return say_error(CLI_USAGE,
                         "--markdown prints the table of all encodings; leave %.60s out",
                         call->word[0]);
    if (fields)
        return print_fields(enc, fields);
    return enc ? print_one(enc, call->value[COMMAND_OPTION_ENCODINGS_JSON]) : print_all(call);
}
