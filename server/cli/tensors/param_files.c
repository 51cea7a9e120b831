/* SPDX-License-Identifier: Apache-2.0
 * param_files.c - see param_files.h. The format of a file is that of its first bytes; a
 * file of no known format is raw. */
#include "server/cli/tensors/param_files.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/request/option.h"
#include "server/cli/command/input_file.h"
#include "server/cli/command/say.h"
#include "server/cli/tensors/safetensors_file.h"
#include "server/cli/tensors/tensor_path.h"

enum { PIECE = 1 << 20 };

/* One file while it is read. */
struct reading {
    struct param_files *files;
    const struct pe_param *param;
    struct tensor_path path;
    FILE *file;
    char *piece;
    size_t len;            /* of the piece */
    struct tensor_set set; /* the tensors of the file */
    struct pe_errors *errors;
};

bool param_files_take(const struct pe_param *param)
{
    return option_of(param) == OPTION_COUNT &&
           (param->type == PE_TENSOR || param->type == PE_REALS || param->type == PE_POSITIONS);
}

/* Returns the file's name for errors. */
static const char *title(const struct reading *reading)
{
    return reading->file == stdin ? "the standard input" : reading->path.file;
}

/* Counts a file that is not read; the first one decides the exit code. */
static void count(const struct reading *reading, int code)
{
    struct param_files *files = reading->files;

    files->code = files->wrong++ == 0 ? code : files->code;
}

/* Adds the problem "x reads q.npy, which <why>", with the exit code of such files. */
static enum pe_status fail(const struct reading *reading, int code, const char *why)
{
    count(reading, code);
    return pe_fail(reading->errors, PE_BAD_VALUE, reading->param->name,
                   "reads %.60s, which %.220s", title(reading), why);
}

static enum pe_status no_memory(const struct reading *reading)
{
    return pe_fail(reading->errors, PE_NO_MEMORY, NULL, "out of memory");
}

static enum pe_status fail_system(const struct reading *reading, const char *why)
{
    count(reading, CLI_NO_INPUT);
    return pe_fail(reading->errors, PE_BAD_VALUE, reading->param->name,
                   "cannot read %.150s: %s", title(reading), why);
}

/* ---- reading ------------------------------------------------------------------------- */

static bool reserve(void *context, uint64_t bytes)
{
    return true;
}

/* Reads a file of any format but safetensors, whole. */
static enum pe_status read_whole(struct reading *reading, const struct tensor_format *format)
{
    const struct param_files *files = reading->files;
    struct tensor_source source = {.only_name = reading->param->name,
                                   .max_elements = files->max_elements,
                                   .headerless = files->headerless,
                                   .length = TENSOR_LENGTH_UNKNOWN,
                                   .max_bytes = UINT64_MAX / 2,
                                   .reserve = reserve};
    struct tensor_reader *reader = tensor_reader_new(format, &source);
    enum pe_status status = PE_OK;

    if (!reader)
        return no_memory(reading);
    enum tensor_state state = TENSOR_OK;
    while (reading->len > 0 && state == TENSOR_OK) { /* a file may have no end: /dev/zero */
        state = tensor_reader_add(reader, reading->piece, reading->len);
        reading->len = fread(reading->piece, 1, PIECE, reading->file);
    }
    state = tensor_reader_finish(reader, &reading->set);
    if (state == TENSOR_NO_MEMORY) {
        status = no_memory(reading);
    } else if (state != TENSOR_OK) {
        char why[240];

        snprintf(why, sizeof why, "is not read: %.200s", tensor_reader_error(reader));
        status = fail(reading, CLI_NO_DATA, why);
    }
    tensor_reader_free(reader);
    return status;
}

/* Drops every tensor of the file but the chosen one. */
static enum pe_status choose(struct reading *reading)
{
    const struct tensor_choice choice = {reading->path.tensor, reading->param->name};
    struct tensor_set *set = &reading->set;
    const char *names[TENSOR_MAX];
    char why[TENSOR_CHOICE_WHY_SIZE];

    for (size_t i = 0; i < set->count; i++)
        names[i] = set->at[i].name;
    const size_t chosen = tensor_choice_find(&choice, names, set->count, why);
    if (chosen == set->count)
        return fail(reading, CLI_USAGE, why);
    const struct tensor kept = set->at[chosen];
    set->at[chosen].data = NULL;
    tensor_set_fini(set);
    set->at[set->count++] = kept;
    return PE_OK;
}

static enum pe_status read_safetensors(struct reading *reading)
{
    struct safetensors_file source = {
        .file = reading->file,
        .start = reading->piece,
        .start_len = reading->len,
        .choice = {reading->path.tensor, reading->param->name},
        .max_elements = reading->files->max_elements,
    };
    char why[SAFETENSORS_FILE_WHY_SIZE];

    switch (safetensors_file_read(&source, &reading->set, why)) {
    case SAFETENSORS_FILE_OK:
        return PE_OK;
    case SAFETENSORS_FILE_WRONG:
        return fail(reading, CLI_NO_DATA, why);
    case SAFETENSORS_FILE_CHOICE:
        return fail(reading, CLI_USAGE, why);
    case SAFETENSORS_FILE_NO_MEMORY:
        break;
    }
    return no_memory(reading);
}

/* Reads a file of the format, in which one tensor was named or not. */
static enum pe_status read_format(struct reading *reading, const struct tensor_format *format)
{
    const bool unnamed = tensor_format_is_unnamed(format);
    struct param_files *files = reading->files;
    enum pe_status status;

    if (unnamed && reading->path.tensor)
        return fail(reading, CLI_USAGE, "has one tensor without a name; leave the name out");
    if (tensor_format_is_headerless(format) && files->headerless.rank == 0 &&
        files->described) {
        files->undescribed = true;
        files->format = format;
        return PE_BAD_VALUE;
    }
    if (tensor_format_is_headerless(format) && files->headerless.rank == 0)
        return fail(reading, CLI_NO_DATA,
                    "is neither npy, npz nor safetensors; raw bytes need in_dtype= and shape=");
    status = read_whole(reading, format);
    return status == PE_OK && !unnamed ? choose(reading) : status;
}

static enum pe_status read_sniffed(struct reading *reading)
{
    static const char octets[] = "application/octet-stream", many[] = "application/safetensors";
    struct param_files *files = reading->files;

    reading->len = fread(reading->piece, 1, PIECE, reading->file);
    if (reading->len == 0)
        return ferror(reading->file) ? fail_system(reading, strerror(errno))
                                     : fail(reading, CLI_NO_DATA, "is empty");
    const char *type = tensor_format_sniff(reading->piece, reading->len);
    const struct tensor_format *format = tensor_format_find(type ? type : octets);
    format =
        format ? format : tensor_format_find(octets); /* JSON and gzip have no reader here */
    enum pe_status status = format == tensor_format_find(many) ? read_safetensors(reading)
                                                               : read_format(reading, format);

    if (status == PE_OK && ferror(reading->file))
        return fail_system(reading, strerror(errno));
    if (status == PE_OK && (!files->format || tensor_format_is_headerless(format)))
        files->format = format;
    return status;
}

/* ---- the tensor ---------------------------------------------------------------------- */

/* Checks the type of the elements: vectors are real numbers of four types; lists and positions
 * may be whole numbers too. */
static enum pe_status check_type(const struct reading *reading)
{
    const struct tensor *tensor = &reading->set.at[0];
    char why[120];

    if (!tensor->complex &&
        (tensor_holds_reals(tensor->info.dtype) || reading->param->type != PE_TENSOR))
        return PE_OK;
    snprintf(why, sizeof why, "has elements %s; they must be f64, f32, f16 or bf16",
             tensor->type ? tensor->type : pe_dtype_name(tensor->info.dtype));
    return fail(reading, CLI_NO_DATA, why);
}

static enum pe_status keep(struct reading *reading)
{
    struct tensor_set *all = &reading->files->set;

    if (all->count == TENSOR_MAX)
        return pe_fail(reading->errors, PE_TOO_LARGE, reading->param->name,
                       "is one too many: at most %d files are read", TENSOR_MAX);
    assert(strlen(reading->param->name) < TENSOR_NAME_SIZE);
    all->at[all->count] = reading->set.at[0];
    snprintf(all->at[all->count++].name, TENSOR_NAME_SIZE, "%s", reading->param->name);
    reading->set.at[0].data = NULL;
    return PE_OK;
}

static enum pe_status read_open(struct reading *reading)
{
    enum pe_status status;

    reading->piece = malloc(PIECE);
    status = reading->piece ? read_sniffed(reading) : no_memory(reading);
    if (status == PE_OK)
        status = check_type(reading);
    if (status == PE_OK)
        status = keep(reading);
    tensor_set_fini(&reading->set);
    free(reading->piece);
    return status;
}

enum pe_status param_files_read(struct param_files *files, const struct pe_param *param,
                                const char *argument, struct pe_errors *errors)
{
    struct reading reading = {.files = files, .param = param, .errors = errors};

    if (!tensor_path_split(&reading.path, argument))
        return pe_fail(errors, PE_BAD_VALUE, param->name,
                       "must be %s=@FILE, %s=@FILE:TENSOR or %s=@-", param->name, param->name,
                       param->name);
    const bool input = strcmp(reading.path.file, "-") == 0;
    if (input && files->input_taken)
        return pe_fail(errors, PE_CONFLICT, param->name,
                       "must come from a file: the standard input is read for one parameter "
                       "alone");
    files->input_taken |= input;
    const char *why;
    reading.file = input_file_open(reading.path.file, &why);
    if (!reading.file)
        return fail_system(&reading, why);
    const enum pe_status status = read_open(&reading);
    input_file_close(reading.file);
    return status;
}
