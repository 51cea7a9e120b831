/* SPDX-License-Identifier: Apache-2.0
 * cli_tensors.c - see cli_tensors.h. A file is read in pieces, by the readers of bodies. */
#include "server/cli/tensors/cli_tensors.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "proto/tensors/tensor_reader.h"
#include "server/cli/command/input_file.h"
#include "server/cli/command/say.h"
#include "server/cli/tensors/tensor_path.h"

enum { PIECE = 1 << 20, JSON_MAX = 1 << 30, NAMES_SIZE = 400 };

struct reading {
    struct cli_tensors *tensors;
    const struct verify_body *words;
    struct tensor_path path; /* without a tensor: all are read */
    FILE *file;
    char *block;       /* into which pieces are read */
    const char *piece; /* the block, or all of a mapped file */
    size_t len;        /* of the piece */
};

/* Sets the sentence of an error; returns its exit code. */
static int fail(struct cli_tensors *tensors, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail(struct cli_tensors *tensors, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(tensors->why, sizeof tensors->why, format, args);
    va_end(args);
    return code;
}

static bool pull(struct reading *reading)
{
    const bool mapped = reading->tensors->file != NULL;

    if (mapped && reading->piece)
        reading->len = 0; /* it was all */
    else if (mapped)
        reading->len = reading->tensors->file_len;
    else
        reading->len = fread(reading->block, 1, PIECE, reading->file);
    reading->piece = mapped ? reading->tensors->file : reading->block;
    return reading->len > 0;
}

/* ---- reading ---------------------------------------------------------------------------- */

static bool reserve(void *context, uint64_t bytes)
{
    return true;
}

static int read_binary(struct reading *reading, const struct tensor_format *format)
{
    struct tensor_source source = {.only_name = reading->path.tensor,
                                   .max_elements = VERIFY_FILE_ELEMENTS,
                                   .lasting = reading->tensors->file != NULL,
                                   .headerless = reading->words->info,
                                   .length = TENSOR_LENGTH_UNKNOWN,
                                   .max_bytes = UINT64_MAX / 2,
                                   .reserve = reserve};
    struct tensor_reader *reader = tensor_reader_new(format, &source);
    int code = 0;

    if (!reader)
        return fail(reading->tensors, CLI_INTERNAL, "out of memory");
    enum tensor_state state;
    do /* a file without an end, such as /dev/zero, is not read on behind its fault */
        state = tensor_reader_add(reader, reading->piece, reading->len);
    while (state == TENSOR_OK && pull(reading));
    state = tensor_reader_finish(reader, &reading->tensors->set);
    if (state == TENSOR_NO_MEMORY)
        code = fail(reading->tensors, CLI_INTERNAL, "out of memory");
    else if (state != TENSOR_OK)
        code = fail(reading->tensors, CLI_NO_DATA, "%.200s: %s", reading->path.file,
                    tensor_reader_error(reader));
    tensor_reader_free(reader);
    return code;
}

static int refuse_json(const struct reading *reading, const struct pe_errors *errors)
{
    const struct pe_problem *at = &errors->at[0];

    return at->status == PE_NO_MEMORY
               ? fail(reading->tensors, CLI_INTERNAL, "out of memory")
               : fail(reading->tensors, CLI_NO_DATA, "%.200s: %s%s%s", reading->path.file,
                      at->parameter, *at->parameter ? " " : "", at->detail);
}

static int read_json(struct reading *reading)
{
    struct cli_tensors *tensors = reading->tensors;
    struct pe_errors errors = {.count = 0};

    tensors->body = verify_body_new(JSON_MAX);
    if (!tensors->body)
        return fail(reading->tensors, CLI_INTERNAL, "out of memory");
    enum json_body_state state;
    do
        state = json_body_add(tensors->body, reading->piece, reading->len);
    while (state == JSON_BODY_OK && pull(reading));
    state = json_body_finish(tensors->body);
    if (state == JSON_BODY_NO_MEMORY)
        return fail(reading->tensors, CLI_INTERNAL, "out of memory");
    if (state != JSON_BODY_OK)
        return fail(reading->tensors, CLI_NO_DATA, "%.200s: %s", reading->path.file,
                    json_body_error(tensors->body));
    if (verify_body_read_json(tensors->body, reading->words, &tensors->set, &errors) != PE_OK)
        return refuse_json(reading, &errors);
    if (json_body_is_array(tensors->body) && reading->path.tensor)
        snprintf(tensors->set.at[0].name, sizeof tensors->set.at[0].name, "%s",
                 reading->path.tensor);
    tensors->has_claim = json_body_find(tensors->body, NULL, "claim", &tensors->claim);
    return 0;
}

/* Drops every tensor but number `kept`. */
static void keep_one(struct tensor_set *set, size_t kept)
{
    for (size_t i = 0; i < set->count; i++)
        if (i != kept)
            tensor_drop(&set->at[i]);
    set->at[0] = set->at[kept];
    set->count = 1;
}

/* Drops every tensor but the one of that name. */
static int pick(struct reading *reading)
{
    struct tensor_set *set = &reading->tensors->set;
    char names[NAMES_SIZE] = "";
    size_t used = 0;

    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->at[i].name, reading->path.tensor) == 0) {
            keep_one(set, i);
            return 0;
        }
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                     i > 0 ? ", " : "", set->at[i].name);
    }
    return fail(reading->tensors, CLI_NO_DATA, "%.200s has no tensor %.60s; it has %s",
                reading->path.file, reading->path.tensor, names);
}

/* Refuses a file whose first bytes are of no format that is read; kind is what they are. */
static int refuse_kind(const struct reading *reading, const char *kind)
{
    if (reading->len == 0)
        return fail(reading->tensors, CLI_NO_DATA, "%.200s is empty", reading->path.file);
    if (kind && strcmp(kind, "application/gzip") == 0)
        return fail(reading->tensors, CLI_NO_DATA,
                    "%.200s is compressed by gzip: expand it first", reading->path.file);
    if (kind)
        return fail(
            reading->tensors, CLI_NO_DATA,
            "%.200s is a pickle by itself, as torch.save wrote before PyTorch 1.6: save "
            "it again by a newer one, or by numpy.savez",
            reading->path.file);
    return fail(
        reading->tensors, CLI_NO_DATA,
        "%.200s has no tensors: it is neither npy, npz, safetensors, GGUF, torch.save's, "
        "JSON nor CSV; raw bytes need in_dtype= and shape=",
        reading->path.file);
}

static int read_tensors(struct reading *reading)
{
    (void)pull(reading);
    const char *kind = tensor_format_sniff(reading->piece, reading->len);
    if (kind && strcmp(kind, "application/json") == 0)
        reading->tensors->headerless = false; /* in_dtype is of its numbers */
    if (reading->tensors->headerless)
        kind = "application/octet-stream";
    bool json = kind && strcmp(kind, "application/json") == 0;
    const struct tensor_format *format = kind ? tensor_format_find(kind) : NULL;
    if (!format && !json)
        return refuse_kind(reading, kind);
    int code = json ? read_json(reading) : read_binary(reading, format);
    reading->tensors->named =
        json ? !json_body_is_array(reading->tensors->body) : verify_body_is_named(format);
    return code == 0 && reading->path.tensor && reading->tensors->named ? pick(reading) : code;
}

/* ---- the file --------------------------------------------------------------------------- */

static int read_file(struct reading *reading)
{
    const char *why;
    int code;

    reading->file = input_file_open(reading->path.file, &why);
    if (!reading->file)
        return fail(reading->tensors, CLI_NO_INPUT, "%.200s: %s", reading->path.file, why);
    reading->tensors->file = input_file_map(reading->file, &reading->tensors->file_len);
    code = read_tensors(reading);
    if (ferror(reading->file))
        code = fail(reading->tensors, CLI_NO_INPUT, "%.200s: %s", reading->path.file,
                    strerror(errno));
    input_file_close(reading->file);
    return code;
}

int cli_tensors_read(struct cli_tensors *tensors, const char *argument,
                     const struct verify_body *words)
{
    struct reading reading = {.tensors = tensors, .words = words};
    int code;

    *tensors = (struct cli_tensors){.headerless = words->given[VERIFY_BODY_IN_DTYPE] ||
                                                  words->given[VERIFY_BODY_SHAPE]};
    if (!tensor_path_split(&reading.path, argument) ||
        (reading.path.tensor && strlen(reading.path.tensor) >= TENSOR_NAME_SIZE))
        return fail(tensors, CLI_USAGE, "\"%.200s\" must be FILE, FILE:NAME or -", argument);
    reading.block = malloc(PIECE);
    code = reading.block ? read_file(&reading) : fail(tensors, CLI_INTERNAL, "out of memory");
    free(reading.block);
    if (code != 0)
        cli_tensors_fini(tensors);
    return code;
}

void cli_tensors_fini(struct cli_tensors *tensors)
{
    tensor_set_fini(&tensors->set);
    json_body_free(tensors->body);
    tensors->body = NULL;
    if (tensors->file)
        (void)munmap(tensors->file, tensors->file_len);
    tensors->file = NULL;
}
