/* SPDX-License-Identifier: Apache-2.0
 * npz_in.c - reads several tensors as numpy.savez and numpy.savez_compressed write them: a ZIP
 * archive (zip_reader.h) of members in NumPy's format (npy_head.h), each named after its
 * tensor. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/npy_head.h"
#include "proto/tensors/tensor_format.h"
#include "proto/tensors/torch_in.h"
#include "proto/tensors/zip_reader.h"
#include "proto/text/buffer.h"

enum { LABEL_SIZE = TENSOR_NAME_SIZE + 4 };

struct npz {
    struct zip_reader zip;
    struct npy_head npy;    /* of the member that is being read */
    bool in_head;           /* the header is not complete */
    bool reserved;          /* the budget has been charged for decompression */
    char label[LABEL_SIZE]; /* "cos.npy" */
    struct torch *torch;    /* of an archive of torch.save; NULL: it is none */
    bool in_config;         /* the member is a model's configuration */
    uint64_t config_left;   /* bytes of its text that are to come, if an array has them */
    struct buffer config;   /* the text */
};

static const char suffix[] = ".npy";
enum { SUFFIX = sizeof suffix - 1 };

/* ---- a configuration --------------------------------------------------------------------- */

enum { CONFIG_MOST = 1 << 18 }; /* bytes of a model's config.json */

/* Begins the text of a config.json beside the tensors, for readers of tensors of any names. */
static void begin_config(struct tensor_reader *reader, struct npz *npz, uint64_t bytes)
{
    npz->config_left = bytes;
    if (npz->config.len > 0)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the archive has two configurations; send one");
    else if (tensor_reader_reserve(reader, CONFIG_MOST))
        npz->in_config = true;
}

/* Adds bytes of the text; returns how many are of it. */
static size_t add_config(struct tensor_reader *reader, struct npz *npz, const char *bytes,
                         size_t len)
{
    const size_t some = len < npz->config_left ? len : (size_t)npz->config_left;

    npz->config_left -= some;
    if (npz->config.len + some > CONFIG_MOST)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "%s is longer than the %d bytes that a config.json may have",
                           npz->label, (int)CONFIG_MOST);
    else
        buffer_add(&npz->config, bytes, some);
    if (npz->config.failed)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    return some;
}

/* Ends the text, which is the set's from now on. */
static void end_config(struct tensor_reader *reader, struct npz *npz)
{
    npz->in_config = false;
    if (npz->config.len == 0 || npz->config.bytes[0] != '{' ||
        (npz->config_left > 0 && npz->config_left < UINT64_MAX - CONFIG_MOST)) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "%s must be the text of a model's config.json, as uint8 in UTF-8: "
                           "numpy.frombuffer(text.encode(), 'u1')",
                           npz->label);
        return;
    }
    reader->set.config = strndup(npz->config.bytes, npz->config.len);
    if (!reader->set.config)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
}

/* ---- members ----------------------------------------------------------------------------- */

static bool ends_with(const struct zip_member *member, const char *end)
{
    const size_t len = strlen(end);

    return member->name_len >= len &&
           memcmp(member->name + member->name_len - len, end, len) == 0;
}

static void begin_member(struct tensor_reader *reader, struct npz *npz)
{
    const struct zip_member *member = &npz->zip.member;
    const size_t len = member->name_len;

    if (!npz->torch && !reader->source.enc && torch_in_is_pickle(member->name, len)) {
        npz->torch = calloc(1, sizeof *npz->torch);
        if (!npz->torch)
            tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    }
    if (npz->torch) {
        torch_in_begin(npz->torch, reader, member->name, len);
    } else if (torch_in_is_pickle(member->name, len)) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the archive is a file of torch.save; send what numpy.savez writes, "
                           "or safetensors");
    } else if (!reader->source.enc && len == strlen("config.json") &&
               (member->deflated || !member->unsized) && /* else its end is not known */
               ends_with(member, "config.json")) {
        snprintf(npz->label, sizeof npz->label, "config.json");
        begin_config(reader, npz, UINT64_MAX);
    } else if (!ends_with(member, suffix)) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "every member of the archive must be a tensor, NAME.npy, as "
                           "numpy.savez writes it; the name of member %zu ends otherwise",
                           npz->zip.count);
    } else if (len >= LABEL_SIZE || memchr(member->name, '\0', len)) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the name of a tensor has 1 to %d printable characters of ASCII; "
                           "that of tensor %zu has not",
                           TENSOR_NAME_SIZE - 1, npz->zip.count);
    } else {
        memcpy(npz->label, member->name, len);
        npz->label[len] = '\0';
        npz->npy = (struct npy_head){.what = "a member of the archive"};
        npz->in_head = true;
    }
    if (member->deflated && !npz->reserved && reader->state == TENSOR_OK)
        npz->reserved = tensor_reader_reserve(reader, INFLATE_MEMORY);
}

static void copy_name(const struct npz *npz, char name[TENSOR_NAME_SIZE])
{
    memcpy(name, npz->label, strlen(npz->label) - SUFFIX);
    name[strlen(npz->label) - SUFFIX] = '\0';
}

/* Adds the tensor of a complete header. */
static void begin_tensor(struct tensor_reader *reader, struct npz *npz)
{
    char name[TENSOR_NAME_SIZE];

    npz->in_head = false;
    copy_name(npz, name);
    if (!reader->source.enc && npz->npy.layout.rank == 1 &&
        npz->npy.layout.type->dtype == PE_U8 &&
        (strcmp(name, "config") == 0 || strcmp(name, "config.json") == 0))
        begin_config(reader, npz, npz->npy.layout.dims[0]);
    else if (tensor_reader_expect(reader, name, &npz->npy.layout) == TENSOR_OK)
        tensor_reader_begin_tensor(reader);
}

static enum element_accept accept_of(const struct tensor_reader *reader, const struct npz *npz)
{
    char name[TENSOR_NAME_SIZE];

    copy_name(npz, name);
    return element_type_accept(reader->source.enc, name);
}

/* Reads bytes of the header; returns their number. */
static size_t read_head(struct tensor_reader *reader, struct npz *npz, const char *bytes,
                        size_t len)
{
    char why[WHY_SIZE];
    size_t used;

    switch (npy_head_add(&npz->npy, accept_of(reader, npz), bytes, len, &used, why)) {
    case NPY_HEAD_MORE:
        break;
    case NPY_HEAD_COMPLETE:
        begin_tensor(reader, npz);
        break;
    case NPY_HEAD_WRONG:
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%s: %s", npz->label, why);
        break;
    }
    return used;
}

static void read_data(struct tensor_reader *reader, struct npz *npz)
{
    struct zip_reader *zip = &npz->zip;

    if (npz->torch) {
        torch_in_data(npz->torch, reader, zip->data, zip->data_len);
        return;
    }
    size_t used = npz->in_head ? read_head(reader, npz, zip->data, zip->data_len) : 0;

    if (reader->state == TENSOR_OK && npz->in_config)
        used += add_config(reader, npz, zip->data + used, zip->data_len - used);
    else if (reader->state == TENSOR_OK && !npz->in_head)
        used += tensor_reader_fill(reader, zip->data + used, zip->data_len - used);
    if (reader->state != TENSOR_OK || used == zip->data_len)
        return;
    if (zip->member.unsized && !zip->member.deflated)
        zip_reader_end_data(zip, zip->data_len - used);
    else
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%s goes on after the bytes of its tensor",
                           npz->label);
}

static void end_member(struct tensor_reader *reader, struct npz *npz)
{
    if (npz->torch)
        torch_in_end(npz->torch, reader);
    else if (npz->in_config)
        end_config(reader, npz);
    else if (npz->in_head)
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%s ends within its NPY header",
                           npz->label);
    else if (reader->tensor < reader->set.count)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "%s ends before the bytes of its tensor are there", npz->label);
}

/* ---- the archive ------------------------------------------------------------------------- */

/* Ends the header of the body, which the whole archive is. */
static void end_archive(struct tensor_reader *reader, struct npz *npz)
{
    if (npz->torch)
        torch_in_finish(npz->torch, reader);
    if (reader->state != TENSOR_OK)
        return;
    reader->in_data = true;
    if (reader->set.count == 0)
        tensor_reader_fail(reader, TENSOR_MALFORMED, "the archive has no tensor");
}

/* Handles the event; false if no event follows at once. */
static bool handle(struct tensor_reader *reader, struct npz *npz, enum zip_event event)
{
    switch (event) {
    case ZIP_NONE:
    case ZIP_MORE:
        return false;
    case ZIP_MEMBER:
        begin_member(reader, npz);
        break;
    case ZIP_DATA:
        read_data(reader, npz);
        break;
    case ZIP_MEMBER_END:
        end_member(reader, npz);
        break;
    case ZIP_END:
        end_archive(reader, npz);
        return false;
    case ZIP_WRONG:
        tensor_reader_fail(reader, TENSOR_MALFORMED, "%s", npz->zip.why);
        break;
    case ZIP_TOO_LARGE:
        tensor_reader_fail(reader, TENSOR_TOO_LARGE, "%s", npz->zip.why);
        break;
    case ZIP_NO_MEMORY:
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
        break;
    }
    return reader->state == TENSOR_OK;
}

static void handle_all(struct tensor_reader *reader, struct npz *npz)
{
    while (handle(reader, npz, zip_reader_next(&npz->zip)))
        ;
}

static size_t head(struct tensor_reader *reader, const char *bytes, size_t len)
{
    struct npz *npz = reader->head;
    size_t used = 0;

    while (used < len && reader->state == TENSOR_OK) {
        used += zip_reader_add(&npz->zip, bytes + used, len - used);
        handle_all(reader, npz);
    }
    return used;
}

static void finish(struct tensor_reader *reader)
{
    struct npz *npz = reader->head;

    zip_reader_complete(&npz->zip);
    handle_all(reader, npz);
}

static void end(struct tensor_reader *reader)
{
    struct npz *npz = reader->head;

    zip_reader_fini(&npz->zip);
    buffer_fini(&npz->config);
    if (npz->torch)
        buffer_fini(&npz->torch->pickle);
    free(npz->torch);
}

/* A member, or the end of an archive without any. */
static bool sniff(const unsigned char *bytes, size_t len)
{
    return len >= 4 &&
           (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "PK\x05\x06", 4) == 0);
}

static const char *const media_types[] = {"application/x-npz", "application/npz", NULL};

const struct tensor_format npz_in = {
    .media_types = media_types,
    .summary =
        "tensors by name as numpy.savez and numpy.savez_compressed write them: f4, f2 or "
        "f8; each is answered under its own name",
    .sniff = sniff,
    .state_size = sizeof(struct npz),
    .head = head,
    .finish = finish,
    .end = end,
};
