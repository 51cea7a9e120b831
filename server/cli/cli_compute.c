/* SPDX-License-Identifier: Apache-2.0
 * cli_compute.c - posencd compute ENCODING name=value ...: exactly the bytes that
 * GET /v1/ENCODING?name=value sends, made by the same request, plan and encoder. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/posenc.h"
#include "proto/http/format.h"
#include "proto/request/request.h"
#include "server/cli/answer_format.h"
#include "server/cli/cli_encoding.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"
#include "server/cli/output_file.h"
#include "server/cli/progress.h"
#include "server/cli/request_words.h"
#include "server/config/config.h"

enum { BUFFER_SIZE = 1 << 18, PIECE = 1 << 16 };

/* ---- limits -------------------------------------------------------------------------- */

/* Reads a limit as the flag of serve of the same name is read; false after a line on stderr. */
static bool set_limit(struct config *config, const struct call *call, enum command_option_id id)
{
    char flag[64];
    char *argv[] = {flag, NULL};
    struct config tried;
    struct config_error error;

    if (!call->value[id])
        return true;
    snprintf(flag, sizeof flag, "--%s=%.40s", command_option_at(id)->name, call->value[id]);
    if (config_load(&tried, 1, argv, NULL, &error) != CONFIG_OK) {
        say_error(CLI_USAGE, "%s", error.text);
        return false;
    }
    if (id == COMMAND_OPTION_MAX_ELEMENTS)
        config->max_elements = tried.max_elements;
    else
        config->max_text_elements = tried.max_text_elements;
    return true;
}

/* ---- the answer ---------------------------------------------------------------------- */

/* Writes in pieces that a pipe holds, so that progress is seen where the reader is slow. */
static bool write_pieces(struct output_file *file, const char *bytes, size_t len,
                         struct progress *progress)
{
    bool ok = true;

    for (size_t at = 0; ok && at < len; at += PIECE) {
        const size_t some = len - at < PIECE ? len - at : PIECE;

        ok = output_file_write(file, bytes + at, some);
        progress_add(progress, some);
    }
    return ok;
}

/* Writes the answer; false after setting errno. */
static bool write_all(struct encoder *encoder, struct output_file *file,
                      struct progress *progress)
{
    char *buffer = malloc(BUFFER_SIZE);
    bool ok = buffer != 0;
    size_t len;

    if (!ok)
        errno = ENOMEM;
    while (ok && (len = encoder_read(encoder, buffer, BUFFER_SIZE)) > 0)
        ok = write_pieces(file, buffer, len, progress);
    free(buffer);
    if (ok && encoder_failed(encoder))
        errno = ENOMEM;
    return ok && !encoder_failed(encoder);
}

/* Writes the answer to its place; returns 0, or the number of an error. */
static int output(struct encoder *encoder, struct output_file *file, const char *path,
                  struct progress *progress)
{
    int error = 0;

    if (!output_file_open(file, path))
        return errno;
    progress_set_total(progress, encoder_size(encoder));
    if (!write_all(encoder, file, progress))
        error = errno;
    if (!output_file_close(file, error == 0))
        error = error ? error : errno;
    return error;
}

static enum pe_status plan(const struct request *request, struct pe_plan **out,
                           const struct config *config, struct pe_errors *errors)
{
    const struct request_limits limits = {.max_elements = config->max_elements,
                                          .max_text_elements = config->max_text_elements,
                                          .max_prepared = PE_DEFAULT_MAX_PREPARED};

    return request_plan(request, out, NULL, &limits, errors);
}

/* A bar would be drawn into an answer that goes to the same terminal. */
static struct progress *watch(const char *path)
{
    const bool mixed = (!path || strcmp(path, "-") == 0) && isatty(STDOUT_FILENO);

    return mixed ? NULL : progress_start();
}

/* Plans and writes a request that was finished. */
static int answer(struct request *request, const char *path, const struct config *config,
                  struct pe_errors *errors)
{
    struct progress *progress = watch(path);
    struct pe_plan *made = NULL;
    struct encoder *encoder = NULL;
    struct output_file file;
    int error = 0;

    if (plan(request, &made, config, errors) == PE_OK)
        encoder = encoder_new(request, made);
    if (encoder)
        error = output(encoder, &file, path, progress);
    progress_end(progress);
    const bool answered = encoder;
    encoder_free(encoder);
    pe_plan_free(made);
    if (!answered)
        return say_problems(errors);
    if (error == ENOMEM)
        return say_error(CLI_INTERNAL, "out of memory");
    return error ? say_error(CLI_INTERNAL, "%.200s: %s", file.title, strerror(error)) : 0;
}

/* ---- the request --------------------------------------------------------------------- */

/* Checks everything, says all that is wrong at once, and answers. `wrong` things were said. */
static int compute(struct request *request, const struct call *call,
                   const struct config *config, size_t wrong, struct pe_errors *errors)
{
    const char *path = call->value[COMMAND_OPTION_OUTPUT];
    struct request_words words = {.max_elements = config->max_elements, .wrong = wrong};

    request_words_set(request, call, &words, errors);
    words.wrong += !answer_format_set(request, path, errors);
    const enum pe_status finished = request_finish(request, NULL, 0, errors);
    if (*request_old_names(request) != '\0')
        say_error(0, "%s", request_old_names(request));
    if (errors->count > 0 || finished != PE_OK) {
        const int code = say_problems(errors);

        /* The exit code is that of a file only where nothing else is wrong. */
        return words.wrong == 0 && words.unread == errors->count ? words.file_code : code;
    }
    if (words.wrong > 0)
        return CLI_USAGE;
    if (words.undescribed) /* without a problem: memory was short */
        return say_error(CLI_INTERNAL, "out of memory");
    if (!answer_format_suits(request_options(request)->format, path))
        return CLI_USAGE;
    return answer(request, path, config, errors);
}

int cli_compute(const struct call *call)
{
    struct config config;
    int code = CLI_INTERNAL;

    if (call->count == 0)
        return say_error(
            CLI_USAGE,
            "compute %s [-o FILE] needs an ENCODING; posencd encodings lists them, "
            "compute ENCODING --help tells the names",
            call->command->operands);
    const struct pe_encoding *enc = request_words_encoding(call);
    config_defaults(&config);
    if (!enc)
        return CLI_USAGE;
    size_t wrong = call->wrong;
    wrong += !set_limit(&config, call, COMMAND_OPTION_MAX_ELEMENTS);
    wrong += !set_limit(&config, call, COMMAND_OPTION_MAX_TEXT_ELEMENTS);
    struct request *request = request_new(enc);
    struct pe_errors *errors = calloc(1, sizeof *errors);
    if (request && errors)
        code = compute(request, call, &config, wrong, errors);
    else
        say_error(CLI_INTERNAL, "out of memory");
    request_free(request);
    free(errors);
    return code;
}
