/* SPDX-License-Identifier: Apache-2.0
 * configs.c - the configuration as rows. "serve" reads flags and environment variables and
 * checks them; a claim is the name of a flag, "threads short", or "refused". Among the words
 * may stand "default:--threads=8", for another default, and limits of the machine:
 * "threads-allowed=17", "memory.max=67108864". "listen" reads an address, and other functions
 * one value of a kind of flag. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/un.h>

#include "server/config/address.h"
#include "server/config/config.h"
#include "tests/server/support/server_row.h"
#include "tests/support/scratch.h"
#include "tests/support/thread_limit.h"

/* ---- one value ----------------------------------------------------------------------- */

enum { UNSET = 12345 }; /* the number of a field whose value was refused */

static const struct config_row bytes = {
    .name = "bytes", .kind = KIND_BYTES, .low = 10, .high = UINT64_C(1) << 40};
static const struct config_row elements = {
    .name = "elements", .kind = KIND_ELEMENTS, .low = 1, .high = UINT64_MAX};
static const struct config_row span = {
    .name = "time", .kind = KIND_TIME, .low = 10, .high = 3600000};
static const struct config_row count = {
    .name = "count", .kind = KIND_COUNT, .low = 1, .high = 9};
static const struct config_row automatic = {
    .name = "auto", .kind = KIND_AUTO, .low = 1, .high = 9};
static const struct config_row choice = {
    .name = "choice", .kind = KIND_CHOICE, .choices = "off|errors|all"};
static const struct config_row addresses = {.name = "listen", .kind = KIND_ADDRESSES};
static const struct config_row hosts = {.name = "allowed-host", .kind = KIND_HOSTS};
static const struct config_row origins = {.name = "origin", .kind = KIND_ORIGINS};

/* Writes why a value is refused; a quote of the whole value at the end as "...". */
static void write_refusal(struct buffer *out, const char *why, const char *value)
{
    char tail[300];
    const char *at;

    snprintf(tail, sizeof tail, "; got \"%s\"", value);
    at = strstr(why, tail);
    if (at && strlen(at) == strlen(tail))
        buffer_add_format(out, "%.*s; got \"...\"", (int)(at - why), why);
    else
        buffer_add_text(out, why);
}

/* A list has an item already, which is not printed. */
static void flag_value(struct buffer *out, char *value, const char *claim, const void *context)
{
    const struct config_row *row = context;
    const bool is_list = config_value_is_list(row);
    union {
        struct config_list list;
        uint64_t number;
        int choice;
    } field = {.list = {.item = {"first"}, .count = 1}};
    char why[300];
    bool accepted;

    if (!is_list)
        field.number = UNSET;
    accepted = config_value_parse(row, &field, value, why, sizeof why);
    if (is_list && strcmp(claim, "count") == 0)
        buffer_add_integer(out, field.list.count);
    else if (!accepted && strcmp(claim, "refused") == 0)
        write_refusal(out, why, value);
    else if (accepted && is_list && strcmp(claim, "is") == 0)
        buffer_add_text(out, field.list.item[field.list.count - 1]);
    else if (accepted && strcmp(claim, "is") == 0)
        buffer_add_integer(out,
                           row->kind == KIND_CHOICE ? (uint64_t)field.choice : field.number);
    else if (accepted && strcmp(claim, "prints") == 0)
        config_value_print(row, &field, out);
    if (!accepted && (is_list ? field.list.count != 1 : field.number != UNSET))
        buffer_add_text(out, ", but it is stored");
}

static void listen_address(struct buffer *out, char *value, const char *claim,
                           const void *context)
{
    struct address address;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address.addr;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address.addr;
    char why[300], text[INET6_ADDRSTRLEN] = "";
    bool accepted = address_parse(&address, value, why, sizeof why);

    if (!accepted && strcmp(claim, "refused") == 0)
        write_refusal(out, why, value);
    if (!accepted || strcmp(claim, "is") != 0)
        return;
    if (address.passed && address.fd < 0)
        buffer_add_text(out, "passed by name");
    else if (address.passed)
        buffer_add_format(out, "passed as %d", address.fd);
    else if (address_is_unix(&address))
        buffer_add_format(out, "file %s, mode %o",
                          ((const struct sockaddr_un *)&address.addr)->sun_path, address.mode);
    else if (v4->sin_family == AF_INET)
        buffer_add_format(out, "IPv4 %s, port %u",
                          inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text),
                          ntohs(v4->sin_port));
    else
        buffer_add_format(out, "IPv6 %s, port %u",
                          inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text),
                          ntohs(v6->sin6_port));
}

/* ---- all flags ------------------------------------------------------------------------ */

enum { WORDS = 16 };

/* The words of a row: flags, variables, and numbers of flags whose value is a default. */
struct words {
    char *flags[2 * WORDS], *variables[WORDS];
    size_t flag_count, variable_count;
    const char *defaults[WORDS]; /* "threads=8" */
    size_t default_count;
};

static struct words split_words(char *text, struct scratch *machine)
{
    struct words words = {.flag_count = 0};

    while (*text) {
        char *word = text, *end = strchrnul(text, ' ');

        text = *end ? end + 1 : end;
        *end = '\0';
        if (strncmp(word, "threads-allowed=", 16) == 0) {
            thread_limit_set(strtoul(word + 16, NULL, 10));
        } else if (strncmp(word, "memory.max=", 11) == 0) {
            scratch_write(machine, "memory.max", word + 11);
        } else if (strncmp(word, "POSENCD", 7) == 0) {
            words.variables[words.variable_count++] = word;
        } else if (strncmp(word, "default:", 8) == 0) {
            words.flags[words.flag_count++] = word + 8;
            words.defaults[words.default_count++] = word + 8 + 2;
        } else {
            words.flags[words.flag_count++] = word;
        }
    }
    return words;
}

/* Finds the line of a flag, "threads = 8 (flag)", and its number among the lines. */
static const char *find_line(const char *shown, const char *name, size_t len, size_t *number)
{
    *number = 0;
    for (const char *at = shown; *at; at += strcspn(at, "\n") + 1, ++*number)
        if (strncmp(at, name, len) == 0 && strncmp(at + len, " = ", 3) == 0)
            return at;
    return NULL;
}

static void forget_sources(struct config *config, const struct words *words)
{
    struct buffer shown = {0};
    size_t number;

    config_show(config, &shown);
    for (size_t i = 0; i < words->default_count; i++)
        if (find_line(shown.bytes, words->defaults[i], strcspn(words->defaults[i], "="),
                      &number))
            config->source[number] = CONFIG_DEFAULT;
    buffer_fini(&shown);
}

static void write_flag(struct buffer *out, const struct config *config, const char *name)
{
    struct buffer shown = {0};
    size_t number, len = strlen(name);
    const char *line;

    config_show(config, &shown);
    line = find_line(shown.bytes, name, len, &number);
    if (line)
        buffer_add(out, line + len + 3, strcspn(line + len + 3, "\n"));
    buffer_fini(&shown);
}

static void serve(struct buffer *out, char *text, const char *claim, const void *context)
{
    struct scratch *machine = scratch_new();
    struct words words = split_words(text, machine);
    struct rlimit files;
    struct config config;
    struct config_error error = {""};
    enum config_status status =
        config_load(&config, (int)words.flag_count, words.flags, words.variables, &error);

    getrlimit(RLIMIT_NOFILE, &files);
    config.cgroup_root = scratch_folder(machine);
    forget_sources(&config, &words);
    if (status == CONFIG_OK)
        status = config_check(&config, &error);
    setrlimit(RLIMIT_NOFILE, &files);
    thread_limit_lift();
    if (status != CONFIG_OK && strcmp(claim, "refused") == 0)
        buffer_add_format(out, "%s: %s", status == CONFIG_USAGE ? "usage" : "invalid",
                          error.text);
    else if (status == CONFIG_OK && strcmp(claim, "threads short") == 0)
        buffer_add_integer(out, config.threads_short);
    else if (status == CONFIG_OK)
        write_flag(out, &config, claim);
    scratch_free(machine); /* the configuration holds names of its folders */
}

const struct server_row_function server_row_configs[] = {
    {"bytes", flag_value, &bytes},
    {"elements", flag_value, &elements},
    {"time", flag_value, &span},
    {"count", flag_value, &count},
    {"auto", flag_value, &automatic},
    {"choice", flag_value, &choice},
    {"addresses", flag_value, &addresses},
    {"allowed-host", flag_value, &hosts},
    {"origin", flag_value, &origins},
    {"listen", listen_address, NULL},
    {"serve", serve, NULL},
    {NULL, NULL, NULL},
};
