/* SPDX-License-Identifier: Apache-2.0
 * completion.c - see completion.h. What is completed follows from the words before the last
 * one; completion_word.h has the words of each kind. */
#include "server/cli/completion.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "server/cli/command/command.h"
#include "server/cli/completion_word.h"
#include "server/config/config.h"

/* ---- flags of serve ------------------------------------------------------------------ */

static const struct config_row *find_flag(const char *word, size_t len)
{
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const struct config_row *row = config_row_at(i);

        if (len > 2 && memcmp(word, "--", 2) == 0 && strlen(row->name) == len - 2 &&
            memcmp(row->name, word + 2, len - 2) == 0)
            return row;
    }
    return NULL;
}

/* Adds the values of a flag behind the prefix, "" or "--log-level=". */
static void add_flag_values(struct completion_word *word, const struct config_row *row,
                            const char *prefix)
{
    for (const char *at = row->choices; at && *at; at += strspn(at, "|")) {
        const size_t len = strcspn(at, "|");

        completion_word_add(word, prefix, at, len, "", "");
        at += len;
    }
    if (row->kind == KIND_FILE)
        completion_word_files(word, prefix);
}

static void add_flags(struct completion_word *word)
{
    for (size_t i = 0; i < CONFIG_COUNT; i++)
        completion_word_add(word, "--", config_row_at(i)->name, SIZE_MAX, "",
                            config_row_at(i)->help);
    completion_word_add(word, "--", "help", SIZE_MAX, "", "prints the help of this command");
}

static void complete_flags(struct completion_word *word)
{
    const char *before = word->count > 1 ? word->words[word->count - 2] : "";
    const size_t len = strcspn(word->current, "=");
    const struct config_row *row = find_flag(before, strlen(before));

    if (row && row->kind != KIND_SWITCH) {
        add_flag_values(word, row, "");
        return;
    }
    row = word->current[len] == '=' ? find_flag(word->current, len) : NULL;
    if (row) {
        char prefix[CONFIG_ITEM_SIZE];

        snprintf(prefix, sizeof prefix, "--%s=", row->name);
        add_flag_values(word, row, prefix);
        return;
    }
    add_flags(word);
}

/* ---- options and operands ------------------------------------------------------------ */

/* Finds the option that a whole word is; COMMAND_OPTION_COUNT if it is none. */
static size_t find_option(const struct command *command, const char *word)
{
    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
        const struct command_option *option = command_option_at(i);

        if (command_has(command, i) &&
            ((word[0] == '-' && word[1] == '-' && strcmp(word + 2, option->name) == 0) ||
             (word[0] == '-' && *option->letter && strcmp(word + 1, option->letter) == 0)))
            return i;
    }
    return COMMAND_OPTION_COUNT;
}

static void add_options(struct completion_word *word, const struct command *command)
{
    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
        const struct command_option *option = command_option_at(i);

        if (!command_has(command, i))
            continue;
        completion_word_add(word, "--", option->name, SIZE_MAX, "", option->help);
        if (*option->letter)
            completion_word_add(word, "-", option->letter, SIZE_MAX, "", option->help);
    }
    completion_word_add(word, "--", "help", SIZE_MAX, "", "prints the help of this command");
}

/* Completes the last word of words[0..count), of which the first is the command's name. */
static void complete_words(struct completion_word *word, const struct command *command)
{
    size_t operands = 0, option = COMMAND_OPTION_COUNT;

    for (size_t i = 1; i + 1 < word->count; i++) {
        const bool is_value = option < COMMAND_OPTION_COUNT && command_option_at(option)->value;

        option = is_value ? COMMAND_OPTION_COUNT : find_option(command, word->words[i]);
        if (is_value || (word->words[i][0] == '-' && word->words[i][1] != '\0'))
            continue;
        if (operands++ == 0)
            word->first = word->words[i];
    }
    if (option < COMMAND_OPTION_COUNT && command_option_at(option)->value)
        completion_word_write(word, command_option_at(option)->kind);
    else if (word->current[0] == '-')
        add_options(word, command);
    else if (operands < command->most)
        completion_word_write(word, operands == 0 ? command->first : command->rest);
}

/* ---- all ----------------------------------------------------------------------------- */

static void complete(struct completion_word *word)
{
    const struct command *command = command_find(word->words[0]);

    if (word->count == 1 && word->current[0] != '-') {
        completion_word_write(word, COMMAND_WORD_COMMAND);
    } else if (word->words[0][0] == '-') {
        complete_flags(word);
        if (word->count == 1)
            completion_word_add(word, "--", "version", SIZE_MAX, "", "prints the version");
    } else if (command && command->reading == COMMAND_READING_FLAGS) {
        complete_flags(word);
    } else if (command && command->reading == COMMAND_READING_WORDS) {
        complete_words(word, command);
    }
}

void completion_write(struct buffer *out, const char *const *words, size_t count)
{
    struct completion_word word = {.words = words, .count = count};

    if (count > 0) {
        word.current = words[count - 1];
        complete(&word);
    }
    completion_word_finish(&word, out);
}
