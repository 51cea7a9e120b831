/* SPDX-License-Identifier: Apache-2.0
 * cli_completion.c - posencd completion SHELL: the script that joins a shell's completion to
 * `posencd complete`. */
#include <string.h>

#include "core/posenc.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"
#include "server/cli/completion.h"
#include "server/cli/completion_script.h"

int cli_completion(const struct call *call)
{
    struct buffer text = {0};
    const char *script = call->count > 0 ? completion_script_find(call->word[0]) : NULL;

    if (call->wrong > 0)
        return CLI_USAGE;
    if (call->count == 0)
        return say_error(CLI_USAGE, "completion needs the shell: %s", call->command->operands);
    if (!script)
        return say_error(CLI_USAGE, "unknown shell \"%.60s\"; completion is for %s",
                         call->word[0], call->command->operands);
    buffer_add_text(&text, script);
    return say_text(&text);
}

int cli_complete(const struct call *call)
{
    struct buffer text = {0};

    completion_write(&text, (const char *const *)call->word, call->count);
    return say_text(&text);
}
