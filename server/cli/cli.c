/* SPDX-License-Identifier: Apache-2.0
 * cli.c - the table of subcommands, and the subcommands that only print. */
#include "server/cli/cli.h"

#include <microhttpd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "core/posenc.h"
#include "proto/describe/catalog.h"
#include "proto/describe/openapi.h"
#include "server/config/config.h"

static int print_version(int argc, char *argv[]);
static int print_encodings(int argc, char *argv[]);
static int print_openapi(int argc, char *argv[]);
static int print_help(int argc, char *argv[]);

static const struct cli_command commands[] = {
    {"serve", "[--flag value ...]", "serves until TERM or INT; serve is the default command",
     cli_serve},
    {"compute", "ENCODING [name=value ...] [-o FILE]",
     "prints the bytes that GET /v1/ENCODING answers; a FILE's suffix is the format",
     cli_compute},
    {"verify", "FILE[:NAME] ... [name=value ...] [--json]",
     "says whether the tensors of files are right, and which mistake explains others",
     cli_verify},
    {"health", "[--url URL]", "exits with 0 if a running service is ready", cli_health},
    {"encodings", "[--markdown | --fields name,title]",
     "prints every encoding with its schema, as a table, or with these members alone",
     print_encodings},
    {"openapi", "", "prints the interface as OpenAPI 3.1", print_openapi},
    {"check-config", "[--flag value ...]",
     "prints the value of each flag, and fails where serve would", cli_check},
    {"version", "", "prints the versions of the service and its libraries", print_version},
    {"help", "", "prints this help", print_help},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

int cli_fail(int exit_code, const char *format, ...)
{
    va_list args;

    fputs("posencd: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return exit_code;
}

int cli_report(const struct pe_errors *errors)
{
    for (size_t i = 0; i < errors->count; i++) {
        const struct pe_problem *at = &errors->at[i];

        cli_fail(CLI_USAGE, "%s%s%s%s%s%s", at->parameter, *at->parameter ? " " : "",
                 at->detail, *at->hint ? " (" : "", at->hint, *at->hint ? ")" : "");
    }
    if (errors->dropped)
        cli_fail(CLI_USAGE, "and %zu more", errors->dropped);
    return errors->count ? CLI_USAGE : cli_fail(70, "out of memory");
}

int cli_print(struct buffer *text)
{
    bool ok = !text->failed && fwrite(text->bytes, 1, text->len, stdout) == text->len &&
              fflush(stdout) == 0;

    buffer_fini(text);
    return ok ? 0 : cli_fail(70, "cannot write the output");
}

static int no_arguments(int argc, char *argv[])
{
    return argc > 0 ? cli_fail(CLI_USAGE, "unexpected argument \"%.60s\"", argv[0]) : 0;
}

static int print_version(int argc, char *argv[])
{
    struct buffer text = {0};

    if (no_arguments(argc, argv))
        return CLI_USAGE;
    buffer_add_format(&text, "posencd %s (libmicrohttpd %s, libuv %s, cpu path %s)\n",
                      pe_version(), MHD_get_version(), uv_version_string(),
                      pe_cpu_path_name(pe_cpu_path()));
    return cli_print(&text);
}

/* Prints every encoding with the members that "name,title" lists. */
static int print_fields(const char *names)
{
    struct pe_errors errors = {.count = 0};
    struct buffer text = {0};
    uint64_t set;

    if (fields_parse(&catalog_fields, names, strlen(names), &set, &errors) != PE_OK)
        return cli_fail(CLI_USAGE, "--fields %s", errors.at[0].detail);
    catalog_write_some(&text, set);
    return cli_print(&text);
}

static int print_encodings(int argc, char *argv[])
{
    struct buffer text = {0};

    if (argc == 1 && strcmp(argv[0], "--markdown") == 0) {
        catalog_write_markdown(&text);
        return cli_print(&text);
    }
    if (argc == 2 && strcmp(argv[0], "--fields") == 0)
        return print_fields(argv[1]);
    if (no_arguments(argc, argv))
        return CLI_USAGE;
    catalog_write(&text);
    return cli_print(&text);
}

static int print_openapi(int argc, char *argv[])
{
    struct buffer text = {0};

    if (no_arguments(argc, argv))
        return CLI_USAGE;
    openapi_write(&text, "");
    return cli_print(&text);
}

static int print_help(int argc, char *argv[])
{
    struct buffer text = {0};

    buffer_add_text(&text, "posencd - positional encodings and attention biases over HTTP\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        buffer_add_format(&text, "  posencd %s %s\n      %s\n", commands[i].name,
                          commands[i].usage, commands[i].summary);
    buffer_add_text(
        &text, "\nFlags of serve and check-config; a flag beats its environment variable:\n");
    config_help(&text);
    buffer_add_text(&text,
                    "\nExit codes: 0 success, 1 not ready, or tensors that are not right, "
                    "64 wrong usage,\n65 a file without tensors, 66 no such file, 69 an "
                    "address cannot be bound,\n70 internal error, 78 wrong "
                    "configuration.\n");
    return cli_print(&text);
}

static const struct cli_command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static bool asks_for_version(const char *word)
{
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

int cli_run(int argc, char *argv[])
{
    const char *names[COMMANDS], *near;
    const struct cli_command *command = &commands[0];
    int skip = 1;

    if (argc > 1 && asks_for_help(argv[1]))
        return print_help(0, NULL);
    if (argc > 1 && asks_for_version(argv[1]))
        return print_version(argc - 2, argv + 2);
    if (argc > 1 && argv[1][0] != '-') {
        command = find(argv[1]);
        skip = 2;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    if (!command) {
        near = pe_suggest(argv[1], strlen(argv[1]), names, COMMANDS);
        return cli_fail(CLI_USAGE, "unknown command \"%.60s\"%s%s%s", argv[1],
                        near ? "; did you mean " : "; see posencd help", near ? near : "",
                        near ? "?" : "");
    }
    if (argc > skip && asks_for_help(argv[skip]) && command->run != cli_compute)
        return print_help(0, NULL);
    return command->run(argc - skip, argv + skip);
}
