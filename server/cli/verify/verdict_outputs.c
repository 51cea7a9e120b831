/* SPDX-License-Identifier: Apache-2.0
 * verdict_outputs.c - see verdict_outputs.h. */
#include "server/cli/verify/verdict_outputs.h"

#include <errno.h>
#include <string.h>

#include "proto/text/json_write.h"
#include "proto/verify/verify_text.h"
#include "server/cli/command/printable.h"
#include "server/cli/command/say.h"
#include "server/cli/output_file.h"
#include "server/cli/verify/output_paths.h"

static bool wants_files(const struct verdict_outputs *outputs)
{
    return outputs->junit || outputs->diff || outputs->github;
}

/* Adds the file to the report, and prints its annotation. */
static int add_file(struct verdict_outputs *outputs, const struct verify_report_file *file)
{
    struct buffer line = {0};

    if (outputs->junit)
        verify_report_add(&outputs->report, file);
    if (!outputs->github)
        return 0;
    verify_report_annotate(&line, file);
    if (line.len > 0 || line.failed)
        return say_coloured(&line);
    buffer_fini(&line);
    return 0;
}

int verdict_outputs_check(struct verdict_outputs *outputs, const char *operand)
{
    const char *const paths[] = {outputs->junit, outputs->diff};
    struct pe_errors errors = {.count = 0};

    if (paths[0] && paths[1] && output_paths_are_one(paths[0], paths[1]))
        pe_fail(&errors, PE_BAD_VALUE, NULL,
                "--junit and --diff both write %.200s; name two files", paths[0]);
    for (size_t i = 0; i < sizeof paths / sizeof *paths && errors.count == 0; i++)
        if (paths[i] && output_paths_overwrite(paths[i], operand))
            pe_fail(&errors, PE_BAD_VALUE, NULL,
                    "%.200s is read and would be overwritten; name another file", paths[i]);
    if (errors.count == 0)
        return 0;
    outputs->junit = outputs->diff = NULL;
    return verdict_outputs_fail(outputs, NULL, CLI_USAGE, &errors);
}

void verdict_outputs_write(struct buffer *text, const char *file,
                           const struct verify_request *request,
                           const struct pe_verdict *verdict, bool coloured)
{
    struct buffer name = {0};

    printable_add_name(&name, file);
    if (name.failed)
        buffer_fail(text);
    else
        verify_text_write(text, name.bytes, request, verdict, coloured);
    buffer_fini(&name);
}

int verdict_outputs_add(struct verdict_outputs *outputs, const char *file,
                        const struct verify_request *request, const struct pe_verdict *verdict,
                        bool right)
{
    struct buffer name = {0}, text = {0};
    int code = 0;

    if (!wants_files(outputs))
        return 0;
    printable_add_name(&name, file);
    if (!name.failed)
        verify_text_write(&text, name.bytes, request, verdict, false);
    if (name.failed || text.failed)
        code = say_error(CLI_INTERNAL, "out of memory");
    else
        code = add_file(outputs,
                        &(struct verify_report_file){
                            .name = name.bytes,
                            .kind = pe_verdict_name(verdict ? verdict->kind : PE_UNEXPLAINED),
                            .says = verdict ? verdict->says : request->unknown,
                            .detail = text.bytes,
                            .right = right});
    if (code == 0 && outputs->diff)
        verify_picture_add(&outputs->picture, name.bytes, request, verdict);
    buffer_fini(&name);
    buffer_fini(&text);
    return code;
}

int verdict_outputs_add_pairs(struct verdict_outputs *outputs, const char *file,
                              const struct verify_pairs *pairs, const char *lines)
{
    struct buffer name = {0};

    if (!wants_files(outputs))
        return 0;
    printable_add_name(&name, file);
    const int code =
        name.failed
            ? say_error(CLI_INTERNAL, "out of memory")
            : add_file(outputs, &(struct verify_report_file){.name = name.bytes,
                                                             .kind = verify_pair_kind(pairs),
                                                             .says = verify_pair_says(pairs),
                                                             .detail = lines,
                                                             .right = pairs->equal});
    if (code == 0 && outputs->diff)
        verify_picture_add_pairs(&outputs->picture, name.bytes, pairs);
    buffer_fini(&name);
    return code;
}

int verdict_outputs_print(const struct verdict_outputs *outputs, struct buffer *text)
{
    struct buffer lines = {.failed = text->failed};

    if (outputs->json)
        return say_json(text);
    if (!outputs->github)
        return say_coloured(text);
    if (!text->failed)
        printable_add_lines(&lines, text->bytes, text->len);
    buffer_fini(text);
    return say_coloured(&lines);
}

/* ---- errors ----------------------------------------------------------------------------- */

static void add_problem(struct buffer *text, const struct pe_problem *at)
{
    buffer_add_format(text, "%s%s%s%s%s", text->len > 0 ? "; " : "", at->parameter,
                      *at->parameter ? " " : "", at->detail, *at->hint ? " (" : "");
    if (*at->hint)
        buffer_add_format(text, "%s)", at->hint);
}

static int print_json(const char *file, int code, const struct pe_errors *errors)
{
    struct buffer out = {0};

    json_write(&out, "{'verdict':null,'error':{");
    json_write_text(&out, "file", file);
    json_write(&out, "'exit':%d,'problems':[", code);
    for (size_t i = 0; i < errors->count; i++) {
        json_write(&out, "{");
        if (*errors->at[i].parameter)
            json_write_text(&out, "parameter", errors->at[i].parameter);
        json_write_text(&out, "detail", errors->at[i].detail);
        if (*errors->at[i].hint)
            json_write_text(&out, "hint", errors->at[i].hint);
        json_write(&out, "}");
    }
    json_write(&out, "]}}\n");
    return say_json(&out);
}

static int report_problems(struct verdict_outputs *outputs, const char *file,
                           const struct pe_errors *errors)
{
    struct buffer name = {0}, says = {0}, shown = {0};
    int code;

    if (file)
        printable_add_name(&name, file);
    for (size_t i = 0; i < errors->count; i++)
        add_problem(&says, &errors->at[i]);
    if (says.len > 0)
        printable_add(&shown, says.bytes, says.len);
    code = name.failed || says.failed || shown.failed
               ? say_error(CLI_INTERNAL, "out of memory")
               : add_file(outputs, &(struct verify_report_file){
                                       .name = name.len > 0 ? name.bytes : "the call",
                                       .kind = "error",
                                       .says = shown.len > 0 ? shown.bytes : "",
                                       .detail = "",
                                       .failed = true});
    buffer_fini(&name);
    buffer_fini(&says);
    buffer_fini(&shown);
    return code;
}

int verdict_outputs_fail(struct verdict_outputs *outputs, const char *file, int code,
                         const struct pe_errors *errors)
{
    int worse = 0;

    if (errors->count == 0 || code == 0)
        code = say_problems(errors);
    else
        for (size_t i = 0; i < errors->count; i++)
            say_error(code, "%s", errors->at[i].detail);
    if (outputs->json)
        worse = print_json(file, code, errors);
    if (worse == 0 && wants_files(outputs))
        worse = report_problems(outputs, file, errors);
    return worse > code ? worse : code;
}

/* ---- files ------------------------------------------------------------------------------ */

/* Writes a text to a file, whole or not at all, and frees it. */
static int write_file(const char *path, struct buffer *text)
{
    struct output_file file;
    bool ok = !text->failed && output_file_open(&file, path);

    if (!ok) {
        buffer_fini(text);
        return say_error(CLI_INTERNAL, "%.200s cannot be written: %s", path, strerror(errno));
    }
    ok = output_file_write(&file, text->bytes, text->len);
    const int error = errno;
    const bool closed = output_file_close(&file, ok);
    buffer_fini(text);
    if (ok && closed)
        return 0;
    return say_error(CLI_INTERNAL, "%.200s cannot be written: %s", path,
                     strerror(ok ? errno : error));
}

int verdict_outputs_end(struct verdict_outputs *outputs, int code)
{
    struct buffer text = {0};
    int worse = 0;

    if (outputs->junit) {
        verify_report_write(&text, &outputs->report);
        worse = write_file(outputs->junit, &text);
    }
    if (outputs->diff) {
        verify_picture_write(&text, &outputs->picture);
        const int other = write_file(outputs->diff, &text);
        worse = other > worse ? other : worse;
    }
    verify_report_fini(&outputs->report);
    verify_picture_fini(&outputs->picture);
    return worse > code ? worse : code;
}
