/* SPDX-License-Identifier: Apache-2.0
 * png_writer.h - writes a PNG picture of indexed colours line by line, by libpng (ISO/IEC
 * 15948). All memory is taken when the writer is made; writing fails only if a version of zlib
 * wants more than that, or if calls come in another order than here. After a failure every
 * call fails. */
#pragma once

#include <png.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

/* The encoder of pictures: its libraries decide the bytes, so their versions enter the entity
 * tag. The versions are those of the headers at build time. */
#define PNG_WRITER_TAG "libpng-" PNG_LIBPNG_VER_STRING "-zlib-" ZLIB_VERSION "-level-3"

enum { PNG_WRITER_COLOURS = 256 };

struct png_writer;

/* Makes a writer of 1 or 8 bits a pixel with 2 or PNG_WRITER_COLOURS colours, 0xrrggbb. Both
 * sides are from 1 to 4096 pixels. NULL when out of memory. */
struct png_writer *png_writer_new(uint32_t width, uint32_t height, int bits);
void png_writer_free(struct png_writer *writer);
/* Writes what stands before the pixels; false: libpng failed. */
bool png_writer_begin(struct png_writer *writer, const uint32_t *colours);
/* Writes the next line: a byte a pixel, or with 1 bit the first pixel in the highest bit.
 * false: libpng failed. */
bool png_writer_line(struct png_writer *writer, const unsigned char *pixels);
/* Writes what stands after the last line; false: libpng failed. */
bool png_writer_end(struct png_writer *writer);
/* Takes up to `capacity` of the bytes that are written and not taken; returns their number. */
size_t png_writer_take(struct png_writer *writer, char *out, size_t capacity);
/* Returns the number of bytes that are written and not taken. Take them while it is above
 * PNG_WRITER_PENDING: the writer has space for no more than another line. */
size_t png_writer_pending(const struct png_writer *writer);
enum { PNG_WRITER_PENDING = 16 << 10 };
