/* SPDX-License-Identifier: Apache-2.0
 * record.c - linked into the unit tests by --wrap, writes what they give to our parsers as
 * seeds for the fuzzers: a file an input below the folder $POSENC_RECORD, in the form its
 * fuzz_*.c reads. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/request/request.h"
#include "proto/tensors/tensor_format.h"
#include "proto/tensors/tensor_reader.h"
#include "proto/text/json_body.h"
#include "proto/text/json_numbers.h"

enum { SEED_MAX = 16384 };

/* Keeps a share of the inputs, each once: the file is named after its bytes. */
static void record(const char *target, unsigned every, const char *prefix, size_t prefix_len,
                   const char *bytes, size_t len)
{
    const char *folder = getenv("POSENC_RECORD");
    uint64_t hash = 14695981039346656037u;
    char path[512];
    int fd;

    if (!folder || len == 0 || len > SEED_MAX)
        return;
    for (size_t i = 0; i < prefix_len + len; i++)
        hash = (hash ^ (unsigned char)(i < prefix_len ? prefix[i] : bytes[i - prefix_len])) *
               1099511628211u;
    if (hash / 65536 % every != 0)
        return;
    snprintf(path, sizeof path, "%s/%s", folder, target);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "%s/%s/%016llx", folder, target, (unsigned long long)hash);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (fd < 0)
        return;
    if (write(fd, prefix, prefix_len) != (ssize_t)prefix_len ||
        write(fd, bytes, len) != (ssize_t)len)
        unlink(path);
    close(fd);
}

/* ---- queries --------------------------------------------------------------------------- */

enum pe_status __real_request_set_query(struct request *request, const char *query, size_t len,
                                        struct pe_errors *errors);
enum pe_status __wrap_request_set_query(struct request *request, const char *query, size_t len,
                                        struct pe_errors *errors);

enum pe_status __wrap_request_set_query(struct request *request, const char *query, size_t len,
                                        struct pe_errors *errors)
{
    char index = 0;

    while (pe_at((size_t)index) != request_encoding(request))
        index++;
    record("query", 1, &index, 1, query, len);
    return __real_request_set_query(request, query, len, errors);
}

/* ---- bodies: of a request, and of config.json ------------------------------------------ */

enum json_body_state __real_json_body_add(struct json_body *body, const char *bytes,
                                          size_t len);
enum json_body_state __wrap_json_body_add(struct json_body *body, const char *bytes,
                                          size_t len);

enum json_body_state __wrap_json_body_add(struct json_body *body, const char *bytes, size_t len)
{
    const char rope[2] = {'\0', '\0'};

    record("body", 16, "", 0, bytes, len);
    record("hf_config", 4, "", 0, bytes, len);
    record("request", 16, rope, sizeof rope, bytes, len);
    return __real_json_body_add(body, bytes, len);
}

/* ---- tensors: what comes in chunks, put together --------------------------------------- */

enum tensor_state __real_tensor_reader_add(struct tensor_reader *reader, const char *bytes,
                                           size_t len);
enum tensor_state __wrap_tensor_reader_add(struct tensor_reader *reader, const char *bytes,
                                           size_t len);

enum tensor_state __wrap_tensor_reader_add(struct tensor_reader *reader, const char *bytes,
                                           size_t len)
{
    static struct {
        const struct tensor_reader *reader;
        char bytes[SEED_MAX];
        size_t len;
    } whole; /* of the reader that was fed last */
    const char *type = reader->format->media_types[0];
    const char *name = strstr(type, "safetensors") ? "safetensors"
                       : strstr(type, "npy")       ? "npy"
                       : strstr(type, "npz")       ? "npz"
                       : strstr(type, "csv")       ? "csv"
                       : strstr(type, "gguf")      ? "gguf"
                                                   : NULL;

    if (whole.reader != reader)
        whole.len = 0;
    whole.reader = reader;
    if (name && len <= sizeof whole.bytes - whole.len) {
        memcpy(whole.bytes + whole.len, bytes, len);
        whole.len += len;
        record(name, 8, "\xff", 1, whole.bytes, whole.len);
    }
    return __real_tensor_reader_add(reader, bytes, len);
}

/* ---- positions and numbers ------------------------------------------------------------- */

enum pe_status __real_pe_args_set_text(struct pe_args *args, const char *name, size_t name_len,
                                       const char *text, size_t len, struct pe_errors *errors);
enum pe_status __wrap_pe_args_set_text(struct pe_args *args, const char *name, size_t name_len,
                                       const char *text, size_t len, struct pe_errors *errors);

enum pe_status __wrap_pe_args_set_text(struct pe_args *args, const char *name, size_t name_len,
                                       const char *text, size_t len, struct pe_errors *errors)
{
    if ((name_len == 3 && memcmp(name, "pos", 3) == 0) ||
        (name_len == 1 && (*name == 'q' || *name == 'k')))
        record("position", 1, "", 0, text, len);
    return __real_pe_args_set_text(args, name, name_len, text, len, errors);
}

enum json_numbers_state __real_json_numbers_f64(const char *text, const char *end,
                                                double *value, const char **next);
enum json_numbers_state __wrap_json_numbers_f64(const char *text, const char *end,
                                                double *value, const char **next);

enum json_numbers_state __wrap_json_numbers_f64(const char *text, const char *end,
                                                double *value, const char **next)
{
    size_t len = (size_t)(end - text);

    record("float_text", 128, "", 0, text, len < 400 ? len : 400);
    return __real_json_numbers_f64(text, end, value, next);
}
