/* SPDX-License-Identifier: Apache-2.0
 * command.h - the commands of posencd and their options: the rows of commands.def. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The kind of an operand or of an option's value, which completion knows. */
enum command_word {
    COMMAND_WORD_NONE,
    COMMAND_WORD_TEXT,
    COMMAND_WORD_FILE,
    COMMAND_WORD_ENCODING,
    COMMAND_WORD_PARAMETER, /* NAME=VALUE of the encoding that the first operand names */
    COMMAND_WORD_CLAIM,     /* a file, or NAME=VALUE */
    COMMAND_WORD_MODEL,
    COMMAND_WORD_TABLES, /* NAME=VALUE of all tables of a model */
    COMMAND_WORD_FIELDS, /* members of an encoding's entry, joined by commas */
    COMMAND_WORD_SHELL,
    COMMAND_WORD_COMMAND,
    COMMAND_WORD_TOPIC, /* a command or an encoding */
    COMMAND_WORD_COUNT
};

enum command_reading {
    COMMAND_READING_WORDS,  /* options and operands in any order */
    COMMAND_READING_FLAGS,  /* the flags of server/config/flags.def */
    COMMAND_READING_HIDDEN, /* anything; the command is for scripts and in no help */
};

#define COMMAND_MANY SIZE_MAX

enum { COMMAND_MEANT_MAX = 32 };

struct pe_param;

struct call;

struct command {
    const char *name;
    int (*run)(const struct call *call); /* returns the exit code */
    enum command_word first, rest;       /* kinds of the operands */
    size_t most;                         /* operands */
    enum command_reading reading;
    const char *operands; /* as the synopsis shows them */
    const char *summary, *about;
};

enum command_id {
#define COMMAND(ID, ...) COMMAND_##ID,
#include "server/cli/command/commands.def"
    COMMAND_COUNT
};

struct command_option {
    enum command_id command;
    const char *letter; /* "o", or "" */
    const char *name;   /* "output" */
    const char *value;  /* the text of the value in help; NULL: a switch */
    enum command_word kind;
    const char *help;
};

enum command_option_id {
#define COMMAND_OPTION(ID, ...) COMMAND_OPTION_##ID,
#include "server/cli/command/commands.def"
    COMMAND_OPTION_COUNT
};

/* A call of a command, which call.h reads. */
struct call {
    const struct command *command;
    char **word;  /* the operands; all words where they are not told apart */
    size_t count; /* of them */
    const char *value[COMMAND_OPTION_COUNT]; /* "" for a switch; NULL: not given */
    bool wants_help;                         /* --help or -h is among the words */
    size_t wrong; /* words that were wrong, each with a line on standard error */
    /* Parameters that options were meant to give: they are not missing. */
    const struct pe_param *meant[COMMAND_MEANT_MAX];
    size_t meant_count;
};

struct command_exit {
    int code;
    const char *meaning;
};

/* The functions of the commands, each in a file of its own. */
#define COMMAND(ID, NAME, RUN, ...) int RUN(const struct call *call);
#include "server/cli/command/commands.def"

const struct command *command_at(size_t i);           /* i < COMMAND_COUNT */
const struct command *command_find(const char *name); /* NULL if unknown */
/* Lists the names of the commands that help shows; returns their number. */
size_t command_names(const char *names[COMMAND_COUNT]);

const struct command_option *command_option_at(size_t i); /* i < COMMAND_OPTION_COUNT */
/* Returns whether option i belongs to the command. */
bool command_has(const struct command *command, size_t i);

size_t command_exit_count(void);
const struct command_exit *command_exit_at(size_t i);
