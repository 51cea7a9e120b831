/* SPDX-License-Identifier: Apache-2.0
 * gguf_bytes.h - writes a file of llama.cpp for tests: its head, metadata and tensors. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { GGUF_U32 = 4, GGUF_F32 = 6, GGUF_TEXT = 8 }; /* types of metadata */

/* The file so far; a test may change it. */
extern struct gguf_bytes {
    char at[4096];
    size_t len;
} gguf_bytes;

/* Writes the head of a new file. */
void gguf_bytes_begin(unsigned version, uint64_t tensors, uint64_t pairs);
/* Write bytes; a number of `size` bytes; a text behind its length. */
void gguf_bytes_add(const void *bytes, size_t size);
void gguf_bytes_add_whole(uint64_t value, size_t size);
void gguf_bytes_add_text(const char *text);
/* These write a pair of metadata: its key and type alone, or with the value. */
void gguf_bytes_add_key(const char *key, unsigned type);
void gguf_bytes_add_u32(const char *key, unsigned value);
void gguf_bytes_add_f32(const char *key, float value);
void gguf_bytes_add_word(const char *key, const char *word);
/* Writes a row of the list of tensors, of one axis. */
void gguf_bytes_add_tensor(const char *name, unsigned type, uint64_t dim, uint64_t offset);
/* Writes zeros up to a multiple of `to` bytes. */
void gguf_bytes_pad(size_t to);
