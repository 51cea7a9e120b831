/* SPDX-License-Identifier: Apache-2.0
 * module.h - local_answer as the functions of a WebAssembly module. Pointers and lengths are of
 * the module's memory, where the caller writes texts into blocks of module_allocate. */
#pragma once

#include <stddef.h>

#ifdef __wasm__
#define MODULE_EXPORT(NAME) __attribute__((export_name(#NAME)))
#else
#define MODULE_EXPORT(NAME)
#endif

struct local_answer;

MODULE_EXPORT(module_allocate) void *module_allocate(size_t size); /* NULL: no memory */
MODULE_EXPORT(module_release) void module_release(void *memory);

/* Asks; texts end in NUL, and have no other. method is a name ("GET"); accept and type may be
 * NULL (local.h), type is NULL if there is no body. Returns the answer, which the caller frees;
 * NULL: no memory. */
MODULE_EXPORT(module_ask)
struct local_answer *module_ask(const char *method, const char *path, const char *query,
                                const char *accept, const char *type, const char *body,
                                size_t body_len);
MODULE_EXPORT(module_free) void module_free(struct local_answer *answer);

MODULE_EXPORT(module_status) unsigned module_status(const struct local_answer *answer);
MODULE_EXPORT(module_type) const char *module_type(const struct local_answer *answer);
MODULE_EXPORT(module_headers) const char *module_headers(const struct local_answer *answer);
MODULE_EXPORT(module_body) const char *module_body(const struct local_answer *answer);
MODULE_EXPORT(module_body_len) size_t module_body_len(const struct local_answer *answer);
