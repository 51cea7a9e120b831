/* SPDX-License-Identifier: Apache-2.0
 * cli.c - finds the command of a call and runs it. */
#include "server/cli/cli.h"

#include <string.h>

#include "core/posenc.h"
#include "server/cli/cli_help.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"

static bool is_one_of(const char *word, const char *name, const char *letter)
{
    return strcmp(word, name) == 0 || strcmp(word, letter) == 0;
}

static int refuse(const char *word)
{
    const char *names[COMMAND_COUNT];
    const size_t count = command_names(names);

    if (pe_find(word, strlen(word)))
        return say_error(CLI_USAGE, "\"%.60s\" is an encoding; write posencd %s %.60s ...",
                         word, command_at(COMMAND_COMPUTE)->name, word);
    return say_unknown("command", word, pe_suggest(word, strlen(word), names, count),
                       "posencd help");
}

int cli_run(int argc, char *argv[])
{
    const struct command *command = command_at(COMMAND_SERVE);
    struct call call;
    int skip = 1;

    if (argc > 1 && is_one_of(argv[1], "--help", "-h"))
        return cli_help_all();
    if (argc > 1 && is_one_of(argv[1], "--version", "-V"))
        command = command_at(COMMAND_VERSION);
    else if (argc > 1 && argv[1][0] != '-')
        command = command_find(argv[1]);
    if (!command)
        return refuse(argv[1]);
    if (argc > 1 && (argv[1][0] != '-' || command != command_at(COMMAND_SERVE)))
        skip = 2;
    call_read(&call, command, argc > skip ? argc - skip : 0, argv + (argc > 0 ? skip : 0));
    return call.wants_help ? cli_help_of(&call) : command->run(&call);
}
