/* SPDX-License-Identifier: Apache-2.0
 * hint.c - see hint.h. */
#include "server/cli/command/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/output/model_param.h"
#include "proto/request/param_names.h"
#include "server/cli/command/say.h"
#include "server/config/config.h"

enum { NAME_SIZE = 64, NAMES_MAX = PARAM_NAMES_MAX + COMMAND_OPTION_COUNT };

/* ---- addresses ----------------------------------------------------------------------- */

/* The options by which other servers get their address. */
static const struct {
    const char *word;
    bool is_port;
} address_words[] = {
    {"--port", true},  {"-p", true},      {"--http-port", true}, {"--host", false},
    {"--bind", false}, {"--addr", false}, {"--address", false},  {"-b", false},
    {"-H", false},     {"--ip", false},   {"-l", false},
};

struct address_given {
    const char *word, *host, *port; /* NULL: not given */
};

/* Notes the value of a word that is one of those options. */
static void note(struct address_given *given, const char *word, const char *next)
{
    const size_t len = strcspn(word, "=");
    const char *value = word[len] == '=' ? word + len + 1 : next && *next != '-' ? next : NULL;

    for (size_t i = 0; i < sizeof address_words / sizeof address_words[0]; i++) {
        if (strlen(address_words[i].word) != len ||
            memcmp(address_words[i].word, word, len) != 0)
            continue;
        given->word = given->word ? given->word : address_words[i].word;
        if (address_words[i].is_port)
            given->port = value;
        else
            given->host = value;
    }
}

/* Writes ADDRESS:PORT from the option's value, or from the default of --listen. */
static void print_address(const struct address_given *given, char *out, size_t size)
{
    const char *fallback = config_row_at(CONFIG_LISTEN)->fallback;
    const char *colon = strrchr(fallback, ':');
    const char *host =
        given->host && strcmp(given->host, "localhost") != 0 ? given->host : NULL;
    const char *behind = host && *host == '[' ? host + strcspn(host, "]") : host;
    const char *mark = behind ? strchr(behind, ':') : NULL;
    const bool has_port = mark && !strchr(mark + 1, ':');
    const bool bare = mark && !has_port;

    snprintf(out, size, "%s%.*s%s%s%.60s", bare ? "[" : "",
             host ? (int)strnlen(host, 60) : (int)(colon - fallback), host ? host : fallback,
             bare ? "]" : "", has_port ? "" : ":",
             has_port      ? ""
             : given->port ? given->port
                           : colon + 1);
}

bool hint_listen(int argc, char *const argv[])
{
    struct address_given given = {0};
    char address[160];

    for (int i = 0; i < argc; i++)
        note(&given, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
    if (!given.word)
        return false;
    print_address(&given, address, sizeof address);
    say_error(CLI_USAGE, "unknown flag %s; write --%s %s", given.word,
              config_row_at(CONFIG_LISTEN)->name, address);
    return true;
}

/* Says how --port, --host and -p are written for a command that asks a service by its URL. */
static bool hint_url(const struct call *call, const char *word, const char *next)
{
    struct address_given given = {0};
    char address[160];

    if (!command_has(call->command, COMMAND_OPTION_HEALTH_URL))
        return false;
    note(&given, word, next);
    if (!given.word)
        return false;
    print_address(&given, address, sizeof address);
    say_error(CLI_USAGE, "unknown option \"%s\"; write --%s http://%s", given.word,
              command_option_at(COMMAND_OPTION_HEALTH_URL)->name, address);
    return true;
}

/* ---- parameters ---------------------------------------------------------------------- */

/* An option that the command has not, taken apart. */
struct unknown {
    char name[NAME_SIZE]; /* without dashes in front, "_" for "-" */
    const char *value;    /* NULL: it has none */
    bool takes_next;      /* the value is the next word */
};

static struct unknown take_apart(const char *word, const char *next)
{
    struct unknown option = {.value = NULL};
    const char *name = word + strspn(word, "-");
    const size_t len = strcspn(name, "=");

    snprintf(option.name, sizeof option.name, "%.*s", (int)(len < NAME_SIZE ? len : NAME_SIZE),
             name);
    for (char *c = option.name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    option.takes_next = name[len] != '=' && next && !strchr(next, '=') &&
                        (*next != '-' || (next[1] >= '0' && next[1] <= '9'));
    option.value = name[len] == '=' ? name + len + 1 : option.takes_next ? next : NULL;
    return option;
}

/* Returns the encoding that the operands name so far, NULL if they name none. */
static const struct pe_encoding *encoding_of(const struct call *call)
{
    static const char claim[] = "encoding=";

    if (call->command->first == COMMAND_WORD_ENCODING && call->count > 0)
        return pe_find(call->word[0], strlen(call->word[0]));
    for (size_t i = 0; i < call->count; i++)
        if (strncmp(call->word[i], claim, sizeof claim - 1) == 0)
            return pe_find(call->word[i] + sizeof claim - 1,
                           strlen(call->word[i]) - (sizeof claim - 1));
    return NULL;
}

/* Returns whether the tables of some model may have the parameter. */
static bool is_of_tables(const char *name, size_t len)
{
    bool is = model_param_find(name, len);

    for (size_t i = 0; !is && i < pe_count(); i++)
        is = pe_param_find(pe_at(i), name, len);
    return is;
}

/* Says what to write for an option whose name is a parameter's; false if none has the name. */
static bool hint_parameter(struct call *call, const char *word, const struct unknown *option)
{
    const enum command_word kind = call->command->rest;
    const size_t len = strlen(option->name);
    const bool of_encoding = kind == COMMAND_WORD_PARAMETER || kind == COMMAND_WORD_CLAIM;
    const bool of_tables = kind == COMMAND_WORD_TABLES && is_of_tables(option->name, len);
    const struct pe_param *param =
        of_encoding ? param_names_find(encoding_of(call), option->name, len) : NULL;

    if (!param && !of_tables)
        return false;
    if (param && call->meant_count < COMMAND_MEANT_MAX)
        call->meant[call->meant_count++] = param;
    say_error(CLI_USAGE, "\"%.60s\" is a parameter, not an option; write %s=%.60s", word,
              option->name, option->value ? option->value : "VALUE");
    return true;
}

/* Returns the nearest option, "--json", or parameter, "dim=8", of the command; "" if none. */
static void find_near(const struct call *call, const struct unknown *option, char *near,
                      size_t size)
{
    struct param_names vocabulary = {.count = 0};
    const char *names[NAMES_MAX], *found;
    size_t count = 0;

    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++)
        if (command_has(call->command, i))
            names[count++] = command_option_at(i)->name;
    const size_t options = count;
    if (call->command->rest == COMMAND_WORD_PARAMETER ||
        call->command->rest == COMMAND_WORD_CLAIM)
        param_names_init(&vocabulary, encoding_of(call));
    for (size_t i = 0; i < vocabulary.count; i++)
        names[count++] = vocabulary.at[i]->name;
    found = pe_suggest(option->name, strlen(option->name), names, count);
    near[0] = '\0';
    for (size_t i = 0; found && i < count; i++)
        if (names[i] == found)
            snprintf(near, size, "%s%s%s%.60s", i < options ? "--" : "", found,
                     i < options ? "" : "=",
                     i < options     ? ""
                     : option->value ? option->value
                                     : "VALUE");
}

int hint_option(struct call *call, const char *word, const char *next)
{
    const struct unknown option = take_apart(word, next);
    char near[NAME_SIZE + 80], where[NAME_SIZE];

    if (hint_parameter(call, word, &option) || hint_url(call, word, next))
        return option.takes_next;
    find_near(call, &option, near, sizeof near);
    snprintf(where, sizeof where, "posencd %s --help", call->command->name);
    say_unknown("option", word, *near ? near : NULL, where);
    return *near && option.takes_next;
}
