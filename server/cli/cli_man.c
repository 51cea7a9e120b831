/* SPDX-License-Identifier: Apache-2.0
 * cli_man.c - posencd man [COMMAND]: a manual page as roff text. */
#include <string.h>

#include "core/posenc.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"
#include "server/cli/man_page.h"

int cli_man(const struct call *call)
{
    const char *names[COMMAND_COUNT], *word = call->count > 0 ? call->word[0] : NULL;
    const struct command *command = word ? command_find(word) : NULL;
    struct buffer text = {0};

    if (call->wrong > 0)
        return CLI_USAGE;
    if (word && (!command || command->reading == COMMAND_READING_HIDDEN))
        return say_unknown("command", word,
                           pe_suggest(word, strlen(word), names, command_names(names)),
                           "posencd help");
    man_page_write(&text, command);
    return say_text(&text);
}
