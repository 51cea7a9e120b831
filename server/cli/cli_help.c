/* SPDX-License-Identifier: Apache-2.0
 * cli_help.c - posencd help [COMMAND | ENCODING], and --help of every command. */
#include "server/cli/cli_help.h"

#include <string.h>

#include "core/posenc.h"
#include "proto/describe/encoding_text.h"
#include "server/cli/cli_encoding.h"
#include "server/cli/command/say.h"
#include "server/cli/help.h"

static int print_encoding(const struct pe_encoding *enc)
{
    struct buffer text = {0};

    encoding_text_write_help(&text, enc);
    return say_text(&text);
}

static int print_command(const struct command *command)
{
    struct buffer text = {0};

    help_write(&text, command);
    return say_text(&text);
}

int cli_help_all(void)
{
    struct buffer text = {0};

    help_write_all(&text);
    return say_text(&text);
}

int cli_help_of(const struct call *call)
{
    for (size_t i = 0; call->command->rest == COMMAND_WORD_PARAMETER && i < call->count; i++) {
        const struct pe_encoding *enc = pe_find(call->word[i], strlen(call->word[i]));

        if (enc)
            return print_encoding(enc);
    }
    return print_command(call->command);
}

int cli_help(const struct call *call)
{
    const char *topic = call->count > 0 ? call->word[0] : NULL;
    const struct command *command = topic ? command_find(topic) : NULL;

    if (call->wrong > 0)
        return CLI_USAGE;
    if (!topic)
        return cli_help_all();
    if (command)
        return print_command(command);
    const struct pe_encoding *enc = cli_encoding_find(topic, "command or encoding");
    return enc ? print_encoding(enc) : CLI_USAGE;
}
