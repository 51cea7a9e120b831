/* SPDX-License-Identifier: Apache-2.0
 * cli_resolve.c - posencd resolve FILE: what POST /v1/models/resolve answers about a
 * Hugging Face config.json. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/posenc.h"
#include "proto/describe/model_text.h"
#include "proto/models/hf/hf_config.h"
#include "proto/text/json_body.h"
#include "server/cli/command/call.h"
#include "server/cli/command/input_file.h"
#include "server/cli/command/say.h"
#include "server/config/config.h"

enum { PIECE = 1 << 16 };

/* Reads the file into the body; returns 0 or the exit code. */
static int read_file(FILE *file, const char *path, struct json_body *body)
{
    char *piece = malloc(PIECE);
    size_t len;

    if (!piece)
        return say_error(CLI_INTERNAL, "out of memory");
    while ((len = fread(piece, 1, PIECE, file)) > 0)
        if (json_body_add(body, piece, len) != JSON_BODY_OK)
            break; /* a file without an end, such as /dev/zero, is not read on */
    free(piece);
    if (ferror(file))
        return say_error(CLI_NO_INPUT, "%.200s: %s", path, strerror(errno));
    switch (json_body_finish(body)) {
    case JSON_BODY_OK:
        return 0;
    case JSON_BODY_NO_MEMORY:
        return say_error(CLI_INTERNAL, "out of memory");
    default:
        return say_error(CLI_NO_DATA, "%.200s: %s", path, json_body_error(body));
    }
}

/* Opens and reads the file; "-" is the standard input. */
static int read_path(const char *path, struct json_body *body)
{
    const char *why;
    FILE *file = input_file_open(path, &why);

    if (!file)
        return say_error(CLI_NO_INPUT, "%.200s: %s", path, why);
    const int code = read_file(file, path, body);
    input_file_close(file);
    return code;
}

static int resolve(const struct json_body *body)
{
    struct pe_errors *errors = calloc(1, sizeof *errors);
    struct hf_config *config = errors ? hf_config_read(body, NULL, NULL, errors) : NULL;
    struct buffer text = {0};
    int code;

    if (config) {
        size_t count;
        const char *const *notes = hf_config_notes(config, &count);

        model_text_one(&text, hf_config_model(config), false, notes, count);
        code = say_json(&text);
    } else if (errors) {
        code = say_problems(errors) == CLI_USAGE ? CLI_NO_DATA : CLI_INTERNAL;
    } else {
        code = say_error(CLI_INTERNAL, "out of memory");
    }
    hf_config_free(config);
    free(errors);
    return code;
}

int cli_resolve(const struct call *call)
{
    struct config config;

    if (call->count == 0)
        say_error(CLI_USAGE, "resolve FILE needs a Hugging Face config.json, or - for standard "
                             "input");
    if (call->wrong > 0 || call->count == 0)
        return CLI_USAGE;
    config_defaults(&config);
    struct json_body *body = hf_config_body(config.max_body);
    if (!body)
        return say_error(CLI_INTERNAL, "out of memory");
    int code = read_path(call->word[0], body);
    if (code == 0)
        code = resolve(body);
    json_body_free(body);
    return code;
}
