/* SPDX-License-Identifier: Apache-2.0
 * config.c - the rows of flags.def bound to struct config: defaults, environment, flags,
 * the rules between values, help. */
#include "server/config/config.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/posenc.h"
#include "server/config/access_field.h"
#include "server/sys/log.h"
#include "server/sys/resources.h"

static const struct config_row rows[CONFIG_COUNT] = {
#define FLAG(ID, FIELD, NAME, KIND, FALLBACK, LOW, HIGH, CHOICES, HELP)                        \
    [CONFIG_##ID] = {NAME, KIND_##KIND, FALLBACK, LOW,                                         \
                     HIGH, CHOICES,     HELP,     offsetof(struct config, FIELD)},
#include "server/config/flags.def"
};

static const struct alias {
    enum config_id id;
    const char *name;
} aliases[CONFIG_ALIAS_COUNT] = {
#define FLAG_ALIAS(ID, NAME) [CONFIG_ALIAS_##ID] = {CONFIG_##ID, NAME},
#include "server/config/flags.def"
};

#define ENVIRONMENT_PREFIX "POSENCD_"

static void *field_of(struct config *config, const struct config_row *row)
{
    return (char *)config + row->offset;
}

/* "cache-size" -> "CACHE_SIZE" */
static void environment_name(const char *name, char out[CONFIG_ITEM_SIZE])
{
    size_t i = 0;

    for (; name[i] && i + 1 < CONFIG_ITEM_SIZE; i++)
        out[i] =
            name[i] == '-' ? '_' : (char)(name[i] - (name[i] >= 'a' && name[i] <= 'z') * 32);
    out[i] = '\0';
}

enum config_status config_fail(struct config_error *error, enum config_status status,
                               const char *format, ...)
{
    const size_t used = strlen(error->text);
    const bool follows = used > 0 && used + 1 < sizeof error->text;
    va_list args;

    if (follows)
        memcpy(error->text + used, "\n", 2);
    va_start(args, format);
    vsnprintf(error->text + used + follows, sizeof error->text - used - follows, format, args);
    va_end(args);
    return status;
}

/* The flag of this name, or of this variable, whose old name is noted; CONFIG_COUNT: none. */
static size_t find(struct config *config, const char *name, size_t len, bool is_variable)
{
    char variable[CONFIG_ITEM_SIZE];

    for (size_t i = 0; i < CONFIG_COUNT + CONFIG_ALIAS_COUNT; i++) {
        bool old = i >= CONFIG_COUNT;
        const char *candidate = old ? aliases[i - CONFIG_COUNT].name : rows[i].name;

        if (is_variable) {
            environment_name(candidate, variable);
            candidate = variable;
        }
        if (strlen(candidate) != len || memcmp(candidate, name, len) != 0)
            continue;
        if (!old)
            return i;
        config->old_name[i - CONFIG_COUNT] = true;
        return aliases[i - CONFIG_COUNT].id;
    }
    return CONFIG_COUNT;
}

void config_defaults(struct config *config)
{
    char why[200];

    *config = (struct config){0};
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        if (config_value_is_list(&rows[i]) && !*rows[i].fallback)
            continue;
        bool ok = config_value_parse(&rows[i], field_of(config, &rows[i]), rows[i].fallback,
                                     why, sizeof why);
        assert(ok);
    }
}

/* The first value from a source of higher rank replaces a list; its further values add to
 * it. */
static bool set(struct config *config, size_t id, enum config_source source, const char *text,
                char *why, size_t why_size)
{
    void *field = field_of(config, &rows[id]);

    if (config_value_is_list(&rows[id]) && config->source[id] != source)
        *(struct config_list *)field = (struct config_list){0};
    config->source[id] = (unsigned char)source;
    return config_value_parse(&rows[id], field, text, why, why_size);
}

/* Kubernetes gives every pod POSENCD_SERVICE_HOST, POSENCD_PORT_80_TCP_ADDR ... when a Service
 * is called posencd: unknown variables with such names are ignored. */
static bool is_orchestrators(const char *name)
{
    static const char *const ends[] = {"_SERVICE_HOST", "_PORT"};
    size_t len = strlen(name);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);

        if (len >= end && strcmp(name + len - end, ends[i]) == 0)
            return true;
    }
    return strstr(name, "_SERVICE_PORT") || strstr(name, "_PORT_");
}

static enum config_status unknown_variable(const char *name, size_t len,
                                           struct config_error *error)
{
    char names[CONFIG_COUNT][CONFIG_ITEM_SIZE], prefixed[CONFIG_ITEM_SIZE];
    const char *choices[CONFIG_COUNT], *near;

    snprintf(prefixed, sizeof prefixed, "_%.*s", (int)len, name);
    if (is_orchestrators(prefixed))
        return CONFIG_OK;
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        environment_name(rows[i].name, names[i]);
        choices[i] = names[i];
    }
    near = pe_suggest(name, len, choices, CONFIG_COUNT);
    return config_fail(
        error, CONFIG_INVALID, "unknown environment variable " ENVIRONMENT_PREFIX "%.*s%s%s%s",
        (int)(len < 60 ? len : 60), name,
        near ? "; did you mean " ENVIRONMENT_PREFIX : "; see posencd serve --help",
        near ? near : "", near ? "?" : "");
}

static enum config_status set_from_environment(struct config *config, const char *entry,
                                               struct config_error *error)
{
    const char *name = entry + strlen(ENVIRONMENT_PREFIX), *value = strchr(name, '=');
    char item[CONFIG_ITEM_SIZE +
              1]; /* one byte more than an item may have: a longer item is cut and refused */
    char why[200];
    size_t len = (size_t)(value - name), i = find(config, name, len, true);

    if (i == CONFIG_COUNT)
        return unknown_variable(name, len, error);
    if (!config_value_is_list(&rows[i])) {
        if (config->source[i] == CONFIG_ENVIRONMENT)
            return config_fail(error, CONFIG_INVALID,
                               ENVIRONMENT_PREFIX "%.*s is given twice, or by its old name too",
                               (int)len, name);
        return set(config, i, CONFIG_ENVIRONMENT, value + 1, why, sizeof why)
                   ? CONFIG_OK
                   : config_fail(error, CONFIG_INVALID, ENVIRONMENT_PREFIX "%.*s %s", (int)len,
                                 name, why);
    }
    for (const char *at = value + 1 + strspn(value + 1, " "); *at; at += strspn(at, " ")) {
        size_t here = strcspn(at, " ");

        snprintf(item, sizeof item, "%.*s", (int)here, at);
        if (!set(config, i, CONFIG_ENVIRONMENT, item, why, sizeof why))
            return config_fail(error, CONFIG_INVALID, ENVIRONMENT_PREFIX "%.*s %s", (int)len,
                               name, why);
        at += here;
    }
    return CONFIG_OK;
}

static enum config_status unknown_flag(const char *name, size_t len, struct config_error *error)
{
    const char *choices[CONFIG_COUNT], *near;

    for (size_t i = 0; i < CONFIG_COUNT; i++)
        choices[i] = rows[i].name;
    near = pe_suggest(name, len, choices, CONFIG_COUNT);
    return config_fail(error, CONFIG_USAGE, "unknown flag --%.*s%s%s%s",
                       (int)(len < 60 ? len : 60), name,
                       near ? "; did you mean --" : "; see posencd serve --help",
                       near ? near : "", near ? "?" : "");
}

static enum config_status set_from_flag(struct config *config, const char *flag,
                                        const char *value, struct config_error *error,
                                        bool *took_value)
{
    size_t len = strcspn(flag, "="), i = find(config, flag, len, false);
    char why[200];

    if (i == CONFIG_COUNT) { /* a word that is no flag was meant as its value */
        *took_value = flag[len] != '=' && value && strncmp(value, "--", 2) != 0;
        return unknown_flag(flag, len, error);
    }
    *took_value = flag[len] != '=' && rows[i].kind != KIND_SWITCH;
    if (flag[len] == '=')
        value = flag + len + 1;
    else if (rows[i].kind == KIND_SWITCH)
        value = "on";
    if (!value)
        return config_fail(error, CONFIG_USAGE, "--%.*s needs a value", (int)len, flag);
    if (config->source[i] == CONFIG_FLAG && !config_value_is_list(&rows[i]))
        return config_fail(error, CONFIG_USAGE, "--%s is given twice", rows[i].name);
    return set(config, i, CONFIG_FLAG, value, why, sizeof why)
               ? CONFIG_OK
               : config_fail(error, CONFIG_USAGE, "--%.*s %s", (int)len, flag, why);
}

/* Reads argv[*i], and moves *i to its value if that is the next word. */
static enum config_status set_from_word(struct config *config, char *const argv[], int argc,
                                        int *i, struct config_error *error)
{
    const char *word = argv[*i], *next = *i + 1 < argc ? argv[*i + 1] : NULL;
    bool took_value = false;

    if (strncmp(word, "--", 2) != 0 || !word[2])
        return config_fail(error, CONFIG_USAGE,
                           "unexpected argument \"%.60s\"; flags are --name value", word);
    const enum config_status status = set_from_flag(config, word + 2, next, error, &took_value);
    *i += took_value && next;
    return status;
}

enum config_status config_load(struct config *config, int argc, char *const argv[],
                               char *const environ[], struct config_error *error)
{
    enum config_status first = CONFIG_OK;

    config_defaults(config);
    error->text[0] = '\0';
    for (size_t i = 0; environ && environ[i]; i++) {
        if (strncmp(environ[i], ENVIRONMENT_PREFIX, strlen(ENVIRONMENT_PREFIX)) != 0 ||
            !strchr(environ[i], '='))
            continue;
        const enum config_status status = set_from_environment(config, environ[i], error);
        first = first ? first : status;
    }
    for (int i = 0; i < argc; i++) {
        const enum config_status status = set_from_word(config, argv, argc, &i, error);

        first = first ? first : status;
    }
    return first;
}

void config_log_old_names(const struct config *config, struct log *log)
{
    for (size_t i = 0; i < CONFIG_ALIAS_COUNT; i++)
        if (config->old_name[i])
            log_event(log, LOG_WARN, "a flag or its variable is given by its old name",
                      (struct log_field[]){{.name = "old", .text = aliases[i].name},
                                           {.name = "new", .text = rows[aliases[i].id].name},
                                           {0}});
}

const struct config_row *config_row_at(size_t id)
{
    assert(id < CONFIG_COUNT);
    return &rows[id];
}

void config_write_variable(const struct config_row *row, struct buffer *out)
{
    char variable[CONFIG_ITEM_SIZE];

    environment_name(row->name, variable);
    buffer_add_format(out, ENVIRONMENT_PREFIX "%s", variable);
}

/* Adds the fields of the access log, each a line, and the blanks before what follows. */
static void add_fields(struct buffer *out)
{
    for (int i = 0; i < ACCESS_FIELD_COUNT; i++)
        buffer_add_format(out, "  %-10s  %s\n      ", access_field_name((enum access_field)i),
                          access_field_help((enum access_field)i));
}

void config_help(struct buffer *out)
{
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        buffer_add_format(out, "  --%s\n      %s\n      ", rows[i].name, rows[i].help);
        if (rows[i].kind == KIND_FIELDS)
            add_fields(out);
        else if (rows[i].choices)
            buffer_add_format(out, "%s; ", rows[i].choices);
        if (*rows[i].fallback)
            buffer_add_format(out, "default %s; ", rows[i].fallback);
        config_write_variable(&rows[i], out);
        buffer_add_text(out, "\n");
    }
}

void config_show(const struct config *config, struct buffer *out)
{
    static const char *const sources[] = {"default", "environment", "flag"};

    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        buffer_add_format(out, "%s = ", rows[i].name);
        config_value_print(&rows[i], (const char *)config + rows[i].offset, out);
        buffer_add_format(out, " (%s)\n", sources[config->source[i]]);
    }
}
