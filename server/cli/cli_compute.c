/* SPDX-License-Identifier: Apache-2.0
 * cli_compute.c - posencd compute ENCODING name=value ...: exactly the bytes that
 * GET /v1/ENCODING?name=value sends, made by the same request, plan and encoder. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/describe/catalog.h"
#include "proto/http/format.h"
#include "proto/request/request.h"
#include "server/cli/cli.h"
#include "server/config/config.h"

enum { BUFFER_SIZE = 1 << 16 };

static int write_all(struct encoder *encoder, const char *path)
{
    FILE *file = path ? fopen(path, "we") : stdout;
    char *buffer = malloc(BUFFER_SIZE);
    bool ok = file && buffer;
    size_t len;

    while (ok && (len = encoder_read(encoder, buffer, BUFFER_SIZE)) > 0)
        ok = fwrite(buffer, 1, len, file) == len;
    ok = ok && fflush(file) == 0;
    free(buffer);
    if (path && file && fclose(file) != 0)
        ok = false;
    if (encoder_failed(encoder))
        return cli_fail(70, "out of memory");
    return ok ? 0
              : cli_fail(70, "%.200s: %s", path ? path : "standard output", strerror(errno));
}

/* The plan of a finished request, under the limits that serve has by default. */
static enum pe_status plan(const struct request *request, struct pe_plan **out,
                           struct pe_errors *errors)
{
    struct request_limits limits;
    struct config config;

    config_defaults(&config);
    limits = (struct request_limits){.max_elements = config.max_elements,
                                     .max_text_elements = config.max_text_elements,
                                     .max_prepared = PE_DEFAULT_MAX_PREPARED};
    return request_plan(request, out, NULL, &limits, errors);
}

/* "npy" of "a/b.npy"; "" if the last part of the path has no suffix. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot && dot != name ? dot + 1 : "";
}

static int refuse_suffix(const char *path)
{
    struct buffer known = {0};
    int code;

    format_write_suffixes(&known);
    code = known.failed ? cli_fail(70, "out of memory")
                        : cli_fail(CLI_USAGE,
                                   "-o %.200s: the suffix of FILE says the format and must be "
                                   "one of %.*s; for another name give format=",
                                   path, (int)known.len, known.bytes);
    buffer_fini(&known);
    return code;
}

/* Takes the format from the file's suffix. Where format= is given, an unknown suffix is
 * accepted, but the suffix of another format is refused. */
static int take_suffix(struct request *request, const char *path, struct pe_errors *errors)
{
    const struct option_values *values = &request_options(request)->values;
    const struct format *named = format_find_suffix(suffix_of(path));
    const struct format *given =
        values->given[OPTION_FORMAT] ? format_at((size_t)values->value[OPTION_FORMAT]) : NULL;

    if (!named && !given)
        return refuse_suffix(path);
    if (named && given && named != given)
        return cli_fail(CLI_USAGE,
                        "-o %.200s: the suffix says format=%s, but format=%s is given; leave "
                        "format= out, or let the file's name end in .%s",
                        path, named->name, given->name, given->extension);
    if (!given)
        (void)request_set_text(request, "format", 6, named->name, strlen(named->name), errors);
    return 0;
}

static int compute(struct request *request, const char *path, struct pe_errors *errors)
{
    struct pe_plan *made = NULL;
    struct encoder *encoder = NULL;
    int code = path && errors->count == 0 ? take_suffix(request, path, errors) : 0;

    if (code)
        return code;
    if (request_finish(request, NULL, 0, errors) == PE_OK &&
        plan(request, &made, errors) == PE_OK)
        encoder = encoder_new(request, made);
    if (encoder && *request_old_names(request) != '\0')
        fprintf(stderr, "posencd: %s\n", request_old_names(request));
    code = encoder ? write_all(encoder, path) : cli_report(errors);
    encoder_free(encoder);
    pe_plan_free(made);
    return code;
}

/* Takes name=value, or -o FILE; false when the word is neither. */
static bool take_word(struct request *request, char *argv[], int *i, const char **path,
                      struct pe_errors *errors)
{
    const char *equals = strchr(argv[*i], '=');

    if (strcmp(argv[*i], "-o") == 0 && argv[*i + 1] && !*path) {
        *path = argv[++*i];
        return true;
    }
    if (!equals || argv[*i][0] == '-')
        return false;
    /* Problems are collected and reported together. */
    (void)request_set_text(request, argv[*i], (size_t)(equals - argv[*i]), equals + 1,
                           strlen(equals + 1), errors);
    return true;
}

static int help(const struct pe_encoding *enc)
{
    struct buffer text = {0};

    catalog_write_help(&text, enc);
    return cli_print(&text);
}

static const struct pe_encoding *find(const char *name)
{
    const struct pe_encoding *enc = pe_find(name, strlen(name));
    const char *near;

    if (enc)
        return enc;
    const char **names = malloc(pe_count() * sizeof *names);
    for (size_t i = 0; names && i < pe_count(); i++)
        names[i] = pe_name(pe_at(i));
    near = names ? pe_suggest(name, strlen(name), names, pe_count()) : NULL;
    cli_fail(CLI_USAGE, "unknown encoding \"%.60s\"%s%s%s", name,
             near ? "; did you mean " : "; see posencd encodings", near ? near : "",
             near ? "?" : "");
    free(names);
    return NULL;
}

int cli_compute(int argc, char *argv[])
{
    const struct pe_encoding *enc;
    struct request *request;
    struct pe_errors *errors;
    const char *path = NULL;
    int code = 0;

    if (argc < 1 || argv[0][0] == '-')
        return cli_fail(CLI_USAGE,
                        "compute ENCODING name=value ... [-o FILE]; the format "
                        "is that of FILE's suffix; compute ENCODING --help tells the names");
    enc = find(argv[0]);
    if (!enc)
        return CLI_USAGE;
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return help(enc);
    request = request_new(enc);
    errors = calloc(1, sizeof *errors);
    if (!request || !errors) {
        request_free(request);
        free(errors);
        return cli_fail(70, "out of memory");
    }
    for (int i = 1; i < argc && code == 0; i++)
        if (!take_word(request, argv, &i, &path, errors))
            code =
                cli_fail(CLI_USAGE, "\"%.60s\" must be name=value, or -o FILE, once", argv[i]);
    if (code == 0)
        code = compute(request, path, errors);
    request_free(request);
    free(errors);
    return code;
}
