/* SPDX-License-Identifier: Apache-2.0
 * call.c - see call.h. An option is --name VALUE, --name=VALUE, -o VALUE or -oVALUE. */
#include "server/cli/command/call.h"

#include <stdint.h>
#include <string.h>

#include "server/cli/command/hint.h"
#include "server/cli/command/say.h"

/* An option as it stands among the words. */
struct given {
    const struct command_option *row; /* NULL: the command has no such option */
    size_t id;
    const char *value; /* within the word; NULL: it has none */
};

/* Finds the option that a word beginning with "-" gives. */
static struct given find(const struct command *command, const char *word)
{
    const bool is_long = word[1] == '-';
    const size_t len = strcspn(word + 2, "=");

    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
        const struct command_option *row = command_option_at(i);

        if (!command_has(command, i))
            continue;
        if (is_long && strlen(row->name) == len && memcmp(row->name, word + 2, len) == 0)
            return (struct given){row, i, word[2 + len] == '=' ? word + 3 + len : NULL};
        if (!is_long && word[1] == row->letter[0])
            return (struct given){row, i, word[2] != '\0' ? word + 2 : NULL};
    }
    return (struct given){0};
}

/* Takes an option's value; returns how many words it takes besides its own. */
static int take(struct call *call, const struct given *given, const char *next)
{
    const struct command_option *row = given->row;
    const bool in_next = row->value && !given->value && next;
    const char *value = !row->value ? "" : given->value ? given->value : next;

    if (!row->value && given->value)
        say_error(CLI_USAGE, "--%s takes no value", row->name);
    else if (!value)
        say_error(CLI_USAGE, "--%s needs a value, %s", row->name, row->value);
    else if (call->value[given->id])
        say_error(CLI_USAGE, "--%s is given twice; give it once", row->name);
    else {
        call->value[given->id] = value;
        return in_next;
    }
    call->wrong++;
    return in_next;
}

static void take_operand(struct call *call, char *word)
{
    if (call->count < call->command->most) {
        call->word[call->count++] = word;
        return;
    }
    call->wrong++;
    say_error(CLI_USAGE, "unexpected argument \"%.60s\"; %s takes %s", word,
              call->command->name,
              call->command->most == 0 ? "no operand" : call->command->operands);
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0' && word[1] != ':';
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static void read_words(struct call *call, int argc, char *argv[])
{
    bool ended = false;

    for (int i = 0; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;

        if (ended || !is_option(argv[i])) {
            take_operand(call, argv[i]);
        } else if (strcmp(argv[i], "--") == 0) {
            ended = true;
        } else if (!asks_for_help(argv[i])) {
            struct given given = find(call->command, argv[i]);

            if (given.row) {
                i += take(call, &given, next);
            } else {
                call->wrong++;
                i += hint_option(call, argv[i], next);
            }
        }
    }
}

void call_read(struct call *call, const struct command *command, int argc, char *argv[])
{
    *call = (struct call){.command = command, .word = argv};
    for (int i = 0; i < argc && command->reading != COMMAND_READING_HIDDEN; i++) {
        if (strcmp(argv[i], "--") == 0)
            break;
        call->wants_help |= asks_for_help(argv[i]);
    }
    if (command->reading == COMMAND_READING_WORDS && !call->wants_help)
        read_words(call, argc, argv);
    else
        call->count = (size_t)argc;
}
