/* SPDX-License-Identifier: Apache-2.0
 * cli_compute.c - posencd compute ENCODING name=value ...: exactly the bytes that
 * GET /v1/ENCODING?name=value sends, made by the same request, plan and encoder. */
#include <stdlib.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/http/format.h"
#include "proto/request/request.h"
#include "server/cli/answer_format.h"
#include "server/cli/answer_limit.h"
#include "server/cli/answer_output.h"
#include "server/cli/cli_encoding.h"
#include "server/cli/command/call.h"
#include "server/cli/command/say.h"
#include "server/cli/request_words.h"
#include "server/config/config.h"

/* ---- the answer ---------------------------------------------------------------------- */

static enum pe_status plan(const struct request *request, struct pe_plan **out,
                           const struct config *config, struct pe_errors *errors)
{
    const struct request_limits limits = {.max_elements = config->max_elements,
                                          .max_text_elements = config->max_text_elements,
                                          .max_prepared = PE_DEFAULT_MAX_PREPARED};

    return request_plan(request, out, NULL, &limits, errors);
}

/* Plans and writes a request that was finished. */
static int answer(struct request *request, const char *path, const struct config *config,
                  struct pe_errors *errors)
{
    struct answer_output output;
    struct pe_plan *made = NULL;
    struct encoder *encoder = NULL;

    answer_output_begin(&output, path, request_options(request)->format);
    if (plan(request, &made, config, errors) == PE_OK)
        encoder = encoder_new(request, made);
    const int code = answer_output_end(&output, encoder, errors);
    encoder_free(encoder);
    pe_plan_free(made);
    return code;
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
    wrong += !answer_limit_set(&config, call, COMMAND_OPTION_MAX_ELEMENTS);
    wrong += !answer_limit_set(&config, call, COMMAND_OPTION_MAX_TEXT_ELEMENTS);
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
