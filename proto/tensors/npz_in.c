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
    struct npy_head npy;     /* of the member that is being read */
    bool in_head;            /* the header is not complete */
    bool reserved;           /* the budget has been charged for decompression */
    char label[LABEL_SIZE];  /* "cos.npy" */
    struct torch *torch;     /* of an archive of torch.save; NULL: it is none */
    const struct part *part; /* the member is a text beside the tensors; NULL: it is none */
    uint64_t text_left;      /* bytes of it that are to come, if an array has them */
    struct buffer text;      /* its bytes so far */
};

static const char suffix[] = ".npy";
enum { SUFFIX = sizeof suffix - 1 };

/* ---- texts beside the tensors ------------------------------------------------------------ */

enum { TEXT_MOST = 1 << 18 }; /* bytes of one */

/* A text that says what the tensors are, for readers of tensors of any names. */
struct part {
    const char *name; /* of its array, or with ".json" of its array or member */
    const char *what;
    bool is_object; /* it begins with a brace */
    size_t offset;  /* of the text in struct tensor_set */
};

static const struct part parts[] = {
    {"config", "a model's config.json", true, offsetof(struct tensor_set, config)},
    {"claim", "a claim, as encoding=rope&dim=128 or an object", false,
     offsetof(struct tensor_set, claim)},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* Finds the part that an array or a member is named after; NULL: there is none. */
static const struct part *find_part(const struct tensor_reader *reader, const char *name,
                                    size_t len, bool is_member)
{
    static const char end[] = ".json";
    const size_t end_len = sizeof end - 1;
    const bool has_end = len > end_len && memcmp(name + len - end_len, end, end_len) == 0;

    if (reader->source.enc || (is_member && !has_end))
        return NULL;
    len -= has_end ? end_len : 0;
    for (size_t i = 0; i < PARTS; i++)
        if (strlen(parts[i].name) == len && memcmp(parts[i].name, name, len) == 0)
            return &parts[i];
    return NULL;
}

static char **text_of(struct tensor_reader *reader, const struct part *part)
{
    return (char **)(void *)((char *)&reader->set + part->offset);
}

static void begin_text(struct tensor_reader *reader, struct npz *npz, const struct part *part,
                       uint64_t bytes)
{
    npz->text_left = bytes;
    npz->text.len = 0;
    if (*text_of(reader, part))
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "the archive has two texts called %s; send one", part->name);
    else if (tensor_reader_reserve(reader, TEXT_MOST))
        npz->part = part;
}

/* Adds bytes of the text; returns how many are of it. */
static size_t add_text(struct tensor_reader *reader, struct npz *npz, const char *bytes,
                       size_t len)
{
    const size_t some = len < npz->text_left ? len : (size_t)npz->text_left;

    npz->text_left -= some;
    if (npz->text.len + some > TEXT_MOST)
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "%s is longer than the %d bytes that %s may have", npz->label,
                           (int)TEXT_MOST, npz->part->what);
    else
        buffer_add(&npz->text, bytes, some);
    if (npz->text.failed)
        tensor_reader_fail(reader, TENSOR_NO_MEMORY, "out of memory");
    return some;
}

/* Ends the text, which is the set's from now on. */
static void end_text(struct tensor_reader *reader, struct npz *npz)
{
    const struct part *part = npz->part;
    const bool is_whole =
        npz->text_left == 0 || npz->text_left >= UINT64_MAX - TEXT_MOST; /* of a member */

    npz->part = NULL;
    if (npz->text.len == 0 || !is_whole || memchr(npz->text.bytes, '\0', npz->text.len) ||
        (part->is_object && npz->text.bytes[0] != '{')) {
        tensor_reader_fail(reader, TENSOR_MALFORMED,
                           "%s must be the text of %s, as uint8 in UTF-8: "
                           "numpy.frombuffer(text.encode(), 'u1')",
                           npz->label, part->what);
        return;
    }
    *text_of(reader, part) = strndup(npz->text.bytes, npz->text.len);
    if (!*text_of(reader, part))
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
    const struct part *part = find_part(reader, member->name, len, true);

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
    } else if (part && (member->deflated || !member->unsized)) { /* else its end is not known */
        snprintf(npz->label, sizeof npz->label, "%s.json", part->name);
        begin_text(reader, npz, part, UINT64_MAX);
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
    const struct tensor_layout *layout = &npz->npy.layout;
    const bool is_text = layout->rank == 1 && layout->type->dtype == PE_U8;
    char name[TENSOR_NAME_SIZE];

    npz->in_head = false;
    copy_name(npz, name);
    const struct part *part = is_text ? find_part(reader, name, strlen(name), false) : NULL;
    if (part)
        begin_text(reader, npz, part, layout->dims[0]);
    else if (tensor_reader_expect(reader, name, layout) == TENSOR_OK)
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

    if (reader->state == TENSOR_OK && npz->part)
        used += add_text(reader, npz, zip->data + used, zip->data_len - used);
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
    else if (npz->part)
        end_text(reader, npz);
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
    buffer_fini(&npz->text);
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
