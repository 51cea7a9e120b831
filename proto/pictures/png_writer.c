/* SPDX-License-Identifier: Apache-2.0
 * png_writer.c - libpng with memory of its own: an arena in which nothing is freed before the
 * writer is, and space for what zlib gives at once. */
#include "proto/pictures/png_writer.h"

#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVEL = 3,         /* of zlib; PNG_WRITER_TAG says it too */
    ARENA = 448 << 10, /* zlib takes 268 KiB, libpng a few lines of pixels */
    CAPACITY =
        256 << 10, /* zlib gives at most its pending block of 64 KiB and the line at once */
    ALIGNMENT = 16,
};

struct png_writer {
    png_structp png;
    png_infop info;
    jmp_buf failure; /* where an error of libpng leads to */
    bool failed;
    size_t arena_used, written, taken;
    _Alignas(ALIGNMENT) unsigned char arena[ARENA];
    char bytes[CAPACITY];
};

static png_voidp arena_take(png_structp png, png_alloc_size_t size)
{
    struct png_writer *writer = png_get_mem_ptr(png);
    const size_t at = writer->arena_used;

    if (size > ARENA - at)
        return NULL;
    writer->arena_used = at + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return writer->arena + at;
}

static void arena_leave(png_structp png, png_voidp memory)
{
}

/* libpng must not get control back: the function that called it goes on at its setjmp. */
static _Noreturn void on_error(png_structp png, png_const_charp text)
{
    struct png_writer *writer = png_get_error_ptr(png);

    writer->failed = true;
    longjmp(writer->failure, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
}

static void on_write(png_structp png, png_bytep bytes, size_t len)
{
    struct png_writer *writer = png_get_io_ptr(png);

    if (len > CAPACITY - writer->written) {
        writer->written -= writer->taken;
        memmove(writer->bytes, writer->bytes + writer->taken, writer->written);
        writer->taken = 0;
    }
    if (len > CAPACITY - writer->written)
        png_error(png, "zlib gave more at once than fits");
    memcpy(writer->bytes + writer->written, bytes, len);
    writer->written += len;
}

static void on_flush(png_structp png)
{
}

/* Makes libpng's own structures; false: it failed. */
static bool set_up(struct png_writer *writer, uint32_t width, uint32_t height, int bits)
{
    if (setjmp(writer->failure))
        return false;
    writer->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, writer, on_error, on_warning,
                                            writer, arena_take, arena_leave);
    writer->info = writer->png ? png_create_info_struct(writer->png) : NULL;
    if (!writer->info)
        return false;
    png_set_write_fn(writer->png, writer, on_write, on_flush);
    png_set_compression_level(writer->png, LEVEL);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(writer->png, writer->info, width, height, bits, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    return true;
}

struct png_writer *png_writer_new(uint32_t width, uint32_t height, int bits)
{
    struct png_writer *writer = malloc(sizeof *writer);

    if (!writer)
        return NULL;
    memset(writer, 0, offsetof(struct png_writer, arena));
    if (set_up(writer, width, height, bits))
        return writer;
    png_writer_free(writer);
    return NULL;
}

void png_writer_free(struct png_writer *writer)
{
    if (writer && writer->png)
        png_destroy_write_struct(&writer->png, &writer->info);
    free(writer);
}

bool png_writer_begin(struct png_writer *writer, const uint32_t *colours)
{
    if (writer->failed || setjmp(writer->failure))
        return false;
    const int bits = png_get_bit_depth(writer->png, writer->info);
    const int count = bits == 1 ? 2 : PNG_WRITER_COLOURS;
    png_color palette[PNG_WRITER_COLOURS];

    for (int i = 0; i < count; i++)
        palette[i] = (png_color){(png_byte)(colours[i] >> 16), (png_byte)(colours[i] >> 8),
                                 (png_byte)colours[i]};
    png_set_PLTE(writer->png, writer->info, palette, count);
    png_write_info(writer->png, writer->info);
    return true;
}

bool png_writer_line(struct png_writer *writer, const unsigned char *pixels)
{
    assert(png_writer_pending(writer) <= PNG_WRITER_PENDING);
    if (writer->failed || setjmp(writer->failure))
        return false;
    png_write_row(writer->png, pixels);
    return true;
}

bool png_writer_end(struct png_writer *writer)
{
    if (writer->failed || setjmp(writer->failure))
        return false;
    png_write_end(writer->png, NULL);
    return true;
}

size_t png_writer_take(struct png_writer *writer, char *out, size_t capacity)
{
    const size_t pending = png_writer_pending(writer);
    const size_t len = pending < capacity ? pending : capacity;

    memcpy(out, writer->bytes + writer->taken, len);
    writer->taken += len;
    if (writer->taken == writer->written)
        writer->taken = writer->written = 0;
    return len;
}

size_t png_writer_pending(const struct png_writer *writer)
{
    return writer->written - writer->taken;
}
