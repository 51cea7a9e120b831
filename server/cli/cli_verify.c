/* SPDX-License-Identifier: Apache-2.0
 * cli_verify.c - posencd verify FILE ... name=value ...: what POST /v1/verify answers about
 * each file, as text or, with --json, byte for byte. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/verify/verify_answer.h"
#include "proto/verify/verify_text.h"
#include "server/cli/command/call.h"
#include "server/cli/command/printable.h"
#include "server/cli/command/say.h"
#include "server/cli/progress.h"
#include "server/cli/tensors/cli_tensors.h"
#include "server/config/config.h"

struct asked {
    struct query query; /* the words name=value, borrowed from the arguments */
    struct verify_body body;
    bool json, coloured;
    struct pe_errors errors;
};

static bool has_colours(void)
{
    const char *unwanted = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) && (!unwanted || *unwanted == '\0');
}

/* Writes the verdict as text, in which the name of the file alone comes from outside. */
static void write_text(const struct asked *asked, struct buffer *text, const char *file,
                       const struct verify_request *request, const struct pe_verdict *verdict)
{
    struct buffer name = {0};

    printable_add(&name, file, strlen(file));
    if (name.failed)
        buffer_fail(text);
    else
        verify_text_write(text, name.bytes, request, verdict, asked->coloured);
    buffer_fini(&name);
}

/* Prints the verdict; returns the exit code. */
static int print(const struct asked *asked, const char *file,
                 const struct verify_request *request, const struct pe_verdict *verdict)
{
    struct buffer text = {0};
    bool right = verdict && verdict->kind <= PE_PROFILE;
    int code;

    if (asked->json)
        verify_answer_write(&text, request, verdict);
    else
        write_text(asked, &text, file, request, verdict);
    code = asked->json ? say_text(&text) : say_coloured(&text);
    return code != 0 ? code : right ? 0 : 1;
}

static int judge(struct asked *asked, const char *file, const struct cli_tensors *tensors)
{
    struct verify_source source = {.query = &asked->query,
                                   .body = tensors->body,
                                   .claim = tensors->has_claim ? &tensors->claim : NULL,
                                   .tensors = &tensors->set,
                                   .models = models_embedded(),
                                   .headerless = tensors->headerless,
                                   .named = tensors->named};
    struct verify_request request;
    struct pe_verdict *verdict = NULL;
    struct config config;
    int code;

    config_defaults(&config);
    struct pe_limits limits = {.max_elements = config.max_elements,
                               .max_prepared = PE_DEFAULT_MAX_PREPARED};
    pe_errors_clear(&asked->errors);
    if (verify_request_read(&request, &source, &asked->errors) != PE_OK)
        return say_problems(&asked->errors);
    if (request.request && *request_old_names(request.request) != '\0')
        say_error(0, "%s", request_old_names(request.request));
    struct progress *progress = progress_start();
    const enum pe_status status =
        verify_request_run(&request, &verdict, &limits, &asked->errors);
    progress_end(progress);
    code =
        status == PE_OK ? print(asked, file, &request, verdict) : say_problems(&asked->errors);
    pe_verdict_free(verdict);
    verify_request_fini(&request);
    return code;
}

static int verify(struct asked *asked, const char *file)
{
    struct cli_tensors tensors;
    int code = cli_tensors_read(&tensors, file, &asked->body);

    if (code != 0)
        return code;
    code = judge(asked, file, &tensors);
    cli_tensors_fini(&tensors);
    return code;
}

/* Takes name=value; false: there are too many of them. */
static bool take_word(struct query *query, char *word, char *equals)
{
    if (query->count == QUERY_MAX_PARAMETERS)
        return false;
    *equals = '\0';
    query->at[query->count++] = (struct query_parameter){.name = word,
                                                         .name_len = (size_t)(equals - word),
                                                         .value = equals + 1,
                                                         .value_len = strlen(equals + 1)};
    return true;
}

/* Takes the words of the claim and moves the files to the front of the operands; returns the
 * number of files, 0 after a line on stderr. */
static size_t sort(struct asked *asked, const struct call *call)
{
    size_t files = 0;

    for (size_t i = 0; i < call->count; i++) {
        char *equals = strchr(call->word[i], '=');

        if (!equals) {
            call->word[files++] = call->word[i];
        } else if (!take_word(&asked->query, call->word[i], equals)) {
            say_error(CLI_USAGE, "at most %d words name=value are read", QUERY_MAX_PARAMETERS);
            return 0;
        }
    }
    if (files == 0)
        say_error(CLI_USAGE,
                  "verify %s; FILE is npy, npz, safetensors or JSON, or - for standard "
                  "input",
                  call->command->operands);
    return files;
}

int cli_verify(const struct call *call)
{
    struct asked *asked = calloc(1, sizeof *asked);
    int worst = 0;
    size_t files;

    if (!asked)
        return say_error(CLI_INTERNAL, "out of memory");
    asked->coloured = has_colours();
    asked->json = call->value[COMMAND_OPTION_VERIFY_JSON];
    files = sort(asked, call);
    if (files == 0 || call->wrong > 0)
        worst = CLI_USAGE;
    asked->body = verify_body_of(&asked->query);
    for (size_t i = 0; i < files && worst != CLI_USAGE; i++) {
        int code = verify(asked, call->word[i]);

        worst = code > worst ? code : worst;
    }
    free(asked);
    return worst;
}
