/* SPDX-License-Identifier: Apache-2.0
 * cli_verify.c - posencd verify FILE ... name=value ...: what POST /v1/verify answers about
 * each file, as text or, with --json, byte for byte. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/tensor_file.h"
#include "proto/verify/verify_answer.h"
#include "proto/verify/verify_text.h"
#include "server/cli/command/call.h"
#include "server/cli/command/input_file.h"
#include "server/cli/command/say.h"
#include "server/cli/command/terminal.h"
#include "server/cli/progress.h"
#include "server/cli/tensors/cli_tensors.h"
#include "server/cli/tensors/tensor_folder.h"
#include "server/cli/verify/against.h"
#include "server/cli/verify/verdict_outputs.h"

enum { CONFIG_MOST = 1 << 20 };

struct asked {
    struct query query; /* the words name=value, borrowed from the arguments */
    struct verify_body body;
    bool coloured;
    struct verdict_outputs outputs;
    struct against *against; /* NULL: files are compared with no other */
    struct verify_pairs pairs;
    struct pe_errors errors;
};

static bool has_colours(void)
{
    const char *unwanted = getenv("NO_COLOR");

    return terminal_is_output() && (!unwanted || *unwanted == '\0');
}

/* Returns 0 for what is right, 1 for a mistake, and 2 for what nothing explains, or what is
 * close without a tolerance that holds; NULL: nothing was identified. */
static int code_of(const struct pe_verdict *verdict)
{
    if (!verdict || verdict->kind == PE_UNEXPLAINED ||
        (verdict->kind == PE_CLOSE && !verdict->holds))
        return CLI_UNEXPLAINED;
    return verdict->kind == PE_MISTAKE ? 1 : 0;
}

/* Returns the exit code of two files: an error comes first, then a mistake. */
static int worse_code(int code, int other)
{
    if (code < CLI_USAGE && other < CLI_USAGE && (code == 1 || other == 1))
        return 1;
    return code > other ? code : other;
}

/* Says an error of a file, or of the call where it is NULL; returns the exit code. */
static int fail(struct asked *asked, const char *file, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static int fail(struct asked *asked, const char *file, int code, const char *format, ...)
{
    char text[sizeof asked->errors.at[0].detail];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pe_errors_clear(&asked->errors);
    pe_fail(&asked->errors, PE_BAD_VALUE, NULL, "%s", text);
    return verdict_outputs_fail(&asked->outputs, file, code, &asked->errors);
}

/* Prints how a file is beside another one of which nothing is known; returns the exit code. */
static int print_pairs(struct asked *asked, const char *file)
{
    struct buffer lines = {0}, text = {0};
    int code;

    against_write(asked->against, &lines, file, &asked->pairs);
    if (lines.failed)
        buffer_fail(&text);
    else if (asked->outputs.json)
        against_write_json(asked->against, &text, &asked->pairs);
    else
        buffer_add(&text, lines.bytes, lines.len);
    code = verdict_outputs_print(&asked->outputs, &text);
    if (code == 0)
        code = verdict_outputs_add_pairs(&asked->outputs, file, &asked->pairs, lines.bytes);
    buffer_fini(&lines);
    return code != 0 ? code : asked->pairs.equal ? 0 : CLI_UNEXPLAINED;
}

/* Prints the verdict; returns the exit code. */
static int print(struct asked *asked, const char *file, const struct verify_request *request,
                 const struct pe_verdict *verdict)
{
    struct buffer text = {0};
    int code;

    if (asked->against && !asked->outputs.json)
        against_write(asked->against, &text, file, &asked->pairs);
    if (asked->outputs.json)
        verify_answer_write(&text, request, verdict);
    else
        verdict_outputs_write(&text, file, request, verdict, asked->coloured);
    if (asked->against && asked->outputs.json && !text.failed)
        against_write_json(asked->against, &text, &asked->pairs);
    code = verdict_outputs_print(&asked->outputs, &text);
    if (code == 0)
        code =
            verdict_outputs_add(&asked->outputs, file, request, verdict, code_of(verdict) == 0);
    return code != 0 ? code : code_of(verdict);
}

static int judge(struct asked *asked, const char *file, const char *role,
                 const struct query *words, const struct cli_tensors *tensors)
{
    struct verify_source source = {.query = words,
                                   .body = tensors->body,
                                   .claim = tensors->has_claim ? &tensors->claim : NULL,
                                   .tensors = &tensors->set,
                                   .models = models_embedded(),
                                   .headerless = tensors->headerless,
                                   .named = tensors->named,
                                   .role = role};
    struct verify_request request;
    struct pe_verdict *verdict = NULL;
    int code;

    struct pe_limits limits = {.max_elements = VERIFY_FILE_ELEMENTS,
                               .max_prepared = PE_DEFAULT_MAX_PREPARED};
    pe_errors_clear(&asked->errors);
    if (verify_request_read(&request, &source, &asked->errors) != PE_OK)
        return verdict_outputs_fail(&asked->outputs, file, 0, &asked->errors);
    if (request.request && *request_old_names(request.request) != '\0')
        say_error(0, "%s", request_old_names(request.request));
    struct progress *progress = progress_start();
    const enum pe_status status =
        verify_request_run(&request, &verdict, &limits, &asked->errors);
    progress_end(progress);
    code = status == PE_OK ? print(asked, file, &request, verdict)
                           : verdict_outputs_fail(&asked->outputs, file, 0, &asked->errors);
    pe_verdict_free(verdict);
    verify_request_fini(&request);
    return code;
}

/* Compares the tensors with those of the other file, and judges them by its claim. */
static int judge_against(struct asked *asked, const char *file, const char *role,
                         const struct cli_tensors *tensors)
{
    struct query words;

    against_compare(asked->against, &asked->pairs, &tensors->set, &asked->query);
    if (!asked->against->known)
        return print_pairs(asked, file);
    against_words(asked->against, &words, &asked->query, &asked->pairs);
    return judge(asked, file, role, &words, tensors);
}

/* Returns the "=" of FILE:TENSOR=ROLE; NULL where the word has no role. */
static char *role_of(char *word)
{
    char *equals = strrchr(word, '='),
         *colon = equals ? memchr(word, ':', (size_t)(equals - word)) : NULL;

    return colon && strncmp(word, "role.", 5) != 0 ? equals : NULL;
}

static int verify(struct asked *asked, char *file)
{
    struct cli_tensors tensors;
    char *role = role_of(file);

    if (role)
        *role++ = '\0';
    int code = cli_tensors_read(&tensors, file, &asked->body);
    if (code != 0)
        return fail(asked, file, code, "%s", tensors.why);
    if (asked->against)
        code = judge_against(asked, file, role, &tensors);
    else
        code = judge(asked, file, role, &asked->query, &tensors);
    cli_tensors_fini(&tensors);
    return code;
}

/* Adds the text of a config.json as a word of the claim, which the caller frees; returns 0 or
 * the exit code. */
static int take_config(struct asked *asked, const char *path, char **text)
{
    const char *why;
    FILE *file = input_file_open(path, &why);

    if (!file)
        return fail(asked, path, CLI_NO_INPUT, "%.200s: %s", path, why);
    *text = malloc(CONFIG_MOST + 1);
    const size_t len = *text ? fread(*text, 1, CONFIG_MOST, file) : 0;
    const bool failed = ferror(file);
    input_file_close(file);
    if (!*text)
        return fail(asked, path, CLI_INTERNAL, "out of memory");
    if (failed)
        return fail(asked, path, CLI_NO_INPUT, "%.200s cannot be read", path);
    (*text)[len] = '\0';
    asked->query.at[asked->query.count++] =
        (struct query_parameter){.name = "config",
                                 .name_len = strlen("config"),
                                 .value = *text,
                                 .value_len = len};
    return 0;
}

/* Returns whether the words name an encoding or a model. */
static bool has_claim(const struct query *query)
{
    for (size_t i = 0; i < query->count; i++)
        if (strcmp(query->at[i].name, "encoding") == 0 ||
            strcmp(query->at[i].name, "model") == 0 || strcmp(query->at[i].name, "config") == 0)
            return true;
    return false;
}

/* Judges each file of a folder, whose config.json is the claim where the words have none. */
static int verify_folder(struct asked *asked, const char *path,
                         const struct tensor_folder *folder)
{
    const size_t words = asked->query.count;
    char *text = NULL, ends[TENSOR_FILE_ENDS_SIZE];
    int worst = 0;

    if (folder->count == 0)
        return fail(asked, path, CLI_NO_DATA, "%.200s has no files of tensors: %s", path,
                    tensor_file_print_ends(ends));
    if (folder->config && !has_claim(&asked->query))
        worst = take_config(asked, folder->config, &text);
    for (size_t i = 0; i < folder->count && worst < CLI_USAGE; i++) {
        const int code = verify(asked, folder->file[i]);

        worst = worse_code(code, worst);
    }
    asked->query.count = words;
    free(text);
    return worst;
}

/* Judges a file, or the files of a folder. */
static int verify_path(struct asked *asked, char *path)
{
    struct tensor_folder folder;

    if (!tensor_folder_list(&folder, path))
        return verify(asked, path);
    const int code = verify_folder(asked, path, &folder);
    tensor_folder_fini(&folder);
    return code;
}

/* Takes name=value; false: there are too many of them. */
static bool take_word(struct query *query, char *word, char *equals)
{
    if (query->count + 1 == QUERY_MAX_PARAMETERS) /* config= has a place */
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
        char *equals = role_of(call->word[i]) ? NULL : strchr(call->word[i], '=');

        if (!equals) {
            call->word[files++] = call->word[i];
        } else if (!take_word(&asked->query, call->word[i], equals)) {
            fail(asked, NULL, CLI_USAGE, "at most %d words name=value are read",
                 QUERY_MAX_PARAMETERS);
            return 0;
        }
    }
    if (files == 0)
        fail(asked, NULL, CLI_USAGE,
             "verify %s; FILE is npy, npz, safetensors, GGUF, torch.save's, JSON or CSV, or - "
             "for standard input",
             call->command->operands);
    return files;
}

/* Takes the options, and the words of the claim; returns the number of files, 0 after a line on
 * stderr. */
static size_t read_call(struct asked *asked, const struct call *call)
{
    struct verdict_outputs *outputs = &asked->outputs;

    asked->coloured = has_colours();
    outputs->json = call->value[COMMAND_OPTION_VERIFY_JSON];
    outputs->github = call->value[COMMAND_OPTION_VERIFY_GITHUB];
    outputs->junit = call->value[COMMAND_OPTION_VERIFY_JUNIT];
    outputs->diff = call->value[COMMAND_OPTION_VERIFY_DIFF];
    if (call->wrong > 0) {
        if (outputs->json) /* the words that are wrong have been said */
            fail(asked, NULL, CLI_USAGE, "an option of the call is wrong");
        return 0;
    }
    if (outputs->json && outputs->github) {
        outputs->github = false;
        fail(asked, NULL, CLI_USAGE,
             "--json and --github both write to the standard output; give one of them");
        return 0;
    }
    return sort(asked, call);
}

/* Reads the file that the others are compared with, where there is one; returns 0 or the exit
 * code. */
static int read_against(struct asked *asked, const char *path)
{
    struct against *against = path ? calloc(1, sizeof *against) : NULL;

    if (!path)
        return 0;
    if (!against)
        return say_error(CLI_INTERNAL, "out of memory");
    const int code = against_read(against, path, &asked->query, &asked->body, &asked->errors);
    if (code == 0) {
        asked->against = against;
        return 0;
    }
    free(against);
    return verdict_outputs_fail(&asked->outputs, path, code == CLI_USAGE ? 0 : code,
                                &asked->errors);
}

/* Returns 0 where no file that is read would be overwritten, or the exit code. */
static int check_outputs(struct asked *asked, const struct call *call, size_t files)
{
    const char *const options[] = {call->value[COMMAND_OPTION_VERIFY_AGAINST],
                                   call->value[COMMAND_OPTION_VERIFY_CONFIG]};
    int code = 0;

    for (size_t i = 0; i < files && code == 0; i++)
        code = verdict_outputs_check(&asked->outputs, call->word[i]);
    for (size_t i = 0; i < sizeof options / sizeof *options && code == 0; i++)
        if (options[i])
            code = verdict_outputs_check(&asked->outputs, options[i]);
    return code;
}

int cli_verify(const struct call *call)
{
    struct asked *asked = calloc(1, sizeof *asked);
    const char *config = call->value[COMMAND_OPTION_VERIFY_CONFIG];
    char *text = NULL;
    int worst = 0;
    size_t files;

    if (!asked)
        return say_error(CLI_INTERNAL, "out of memory");
    files = read_call(asked, call);
    worst = files == 0 ? CLI_USAGE : check_outputs(asked, call, files);
    if (worst != 0)
        files = 0;
    if (worst == 0 && config && (worst = take_config(asked, config, &text)) != 0)
        files = 0;
    asked->body = verify_body_of(&asked->query);
    if (worst == 0 &&
        (worst = read_against(asked, call->value[COMMAND_OPTION_VERIFY_AGAINST])) != 0)
        files = 0;
    for (size_t i = 0; i < files && worst != CLI_USAGE; i++) {
        int code = verify_path(asked, call->word[i]);

        worst = worse_code(code, worst);
    }
    worst = verdict_outputs_end(&asked->outputs, worst);
    if (asked->against)
        against_fini(asked->against);
    free(asked->against);
    free(text);
    free(asked);
    return worst;
}
