/* SPDX-License-Identifier: Apache-2.0
 * command.c - see command.h. */
#include "server/cli/command/command.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static const struct command commands[COMMAND_COUNT] = {
#define COMMAND(ID, NAME, RUN, FIRST, REST, MOST, READING, OPERANDS, SUMMARY, ABOUT)           \
    {NAME,                                                                                     \
     RUN,                                                                                      \
     COMMAND_WORD_##FIRST,                                                                     \
     COMMAND_WORD_##REST,                                                                      \
     MOST,                                                                                     \
     COMMAND_READING_##READING,                                                                \
     OPERANDS,                                                                                 \
     SUMMARY,                                                                                  \
     ABOUT},
#include "server/cli/command/commands.def"
};

static const struct command_option options[COMMAND_OPTION_COUNT] = {
#define COMMAND_OPTION(ID, COMMAND, LETTER, NAME, VALUE, KIND, HELP)                           \
    {COMMAND_##COMMAND, LETTER, NAME, VALUE, COMMAND_WORD_##KIND, HELP},
#include "server/cli/command/commands.def"
};

static const struct command_exit exits[] = {
#define COMMAND_EXIT(CODE, MEANING) {CODE, MEANING},
#include "server/cli/command/commands.def"
};

const struct command *command_at(size_t i)
{
    assert(i < COMMAND_COUNT);
    return &commands[i];
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

size_t command_names(const char *names[COMMAND_COUNT])
{
    size_t count = 0;

    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].reading != COMMAND_READING_HIDDEN)
            names[count++] = commands[i].name;
    return count;
}

const struct command_option *command_option_at(size_t i)
{
    assert(i < COMMAND_OPTION_COUNT);
    return &options[i];
}

bool command_has(const struct command *command, size_t i)
{
    return &commands[command_option_at(i)->command] == command;
}

size_t command_exit_count(void)
{
    return sizeof exits / sizeof exits[0];
}

const struct command_exit *command_exit_at(size_t i)
{
    assert(i < command_exit_count());
    return &exits[i];
}
