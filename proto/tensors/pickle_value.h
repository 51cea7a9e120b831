/* SPDX-License-Identifier: Apache-2.0
 * pickle_value.h - the values of a pickle while it is read: nodes, and a stack of them. For
 * pickle_machine.c and pickle_torch.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/why.h"

enum { PICKLE_NODES = 1 << 15 };

enum pickle_kind {
    PICKLE_PLAIN, /* a number, a truth, None: `number` */
    PICKLE_TEXT,
    PICKLE_MARK,
    PICKLE_NAMED, /* a function or a class, by its name */
    PICKLE_LIST,  /* of items; a tuple too */
    PICKLE_DICT,  /* of items: keys and values in turn */
    PICKLE_STORAGE,
    PICKLE_TENSOR,
};

struct pickle_node {
    enum pickle_kind kind;
    uint32_t first, last, next; /* items; the next item of its list. 0: none */
    uint64_t number;            /* a plain value, the offset of a tensor, the items of a list */
    const unsigned char *text;  /* of PICKLE_TEXT: within the pickle */
    size_t len;
    const char *name;       /* of a name, or the type of a storage or a tensor */
    uint32_t shape, stride; /* of a tensor */
};

struct pickle_machine {
    const unsigned char *at, *end;
    struct pickle_node *nodes; /* PICKLE_NODES; number 0 is none */
    uint32_t node_count;
    uint32_t *stack, depth; /* PICKLE_NODES values */
    uint32_t *memo, memo_count;
    char *why;
};

/* Sets the sentence; returns false. */
bool pickle_value_refuse(struct pickle_machine *machine, const char *sentence);
/* Refuses a pickle that ends too early. */
bool pickle_value_short(struct pickle_machine *machine);
/* Pushes a value; NULL: there are too many. */
struct pickle_node *pickle_value_push(struct pickle_machine *machine, enum pickle_kind kind);
/* Returns the value on top, or item number `i` of a tuple; NULL: there is none. */
struct pickle_node *pickle_value_top(struct pickle_machine *machine);
struct pickle_node *pickle_value_item(struct pickle_machine *machine,
                                      const struct pickle_node *list, size_t i);
