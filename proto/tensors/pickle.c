/* SPDX-License-Identifier: Apache-2.0
 * pickle.c - see pickle.h. The machine reads all values; then tensors are looked for in the
 * dictionaries and lists of the last one. */
#include "proto/tensors/pickle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/pickle_machine.h"

/* A byte of a pickle makes at most a node, its copy in a list, and a place on the stack. */
enum { BYTE_GROWS = 2 * sizeof(struct pickle_node) + 2 * sizeof(uint32_t) };
enum { DEPTH_MOST = 16, VISITS_MOST = 2 * PICKLE_NODES };

struct walk {
    struct pickle_machine *machine;
    struct pickle_tensor *tensors;
    size_t count, visits;
};

/* Writes whole numbers of a tuple; false: they are more than axes, or others. */
static bool read_axes(struct pickle_machine *machine, uint32_t list, uint64_t out[PE_MAX_RANK],
                      uint64_t *rank)
{
    uint32_t at = machine->nodes[list].first;

    for (*rank = 0; at && *rank < PE_MAX_RANK; at = machine->nodes[at].next) {
        if (machine->nodes[at].kind != PICKLE_PLAIN)
            return false;
        out[(*rank)++] = machine->nodes[at].number;
    }
    return at == 0;
}

static bool add_tensor(struct walk *walk, const struct pickle_node *node, const char *name)
{
    struct pickle_machine *machine = walk->machine;
    uint64_t strides;

    if (walk->count == TENSOR_MAX) {
        snprintf(machine->why, WHY_SIZE, "the file has more than %d tensors; save fewer",
                 TENSOR_MAX);
        return false;
    }
    struct pickle_tensor *tensor = &walk->tensors[walk->count++];
    *tensor = (struct pickle_tensor){.type = node->name, .offset = node->number};
    snprintf(tensor->name, sizeof tensor->name, "%s", name);
    snprintf(tensor->key, sizeof tensor->key, "%.*s",
             (int)(node->len < PICKLE_KEY_SIZE ? node->len : PICKLE_KEY_SIZE - 1),
             (const char *)node->text);
    if (!read_axes(machine, node->shape, tensor->dims, &tensor->rank) ||
        !read_axes(machine, node->stride, tensor->stride, &strides) || strides != tensor->rank)
        return pickle_value_refuse(machine, "the pickle has a tensor without a shape");
    return true;
}

/* Writes the name of an item behind that of what it is in. */
static bool join(char name[TENSOR_NAME_SIZE], const char *outer, const struct pickle_node *key,
                 size_t number)
{
    const char *dot = *outer ? "." : "";
    const size_t len = key && key->kind == PICKLE_TEXT ? key->len : 0;
    const int written = len > 0 && len < TENSOR_NAME_SIZE
                            ? snprintf(name, TENSOR_NAME_SIZE, "%s%s%.*s", outer, dot, (int)len,
                                       (const char *)key->text)
                            : snprintf(name, TENSOR_NAME_SIZE, "%s%s%zu", outer, dot, number);

    return written < TENSOR_NAME_SIZE;
}

static bool look(struct walk *walk, const struct pickle_node *node, const char *outer,
                 int depth)
{
    const struct pickle_node *nodes = walk->machine->nodes;
    char name[TENSOR_NAME_SIZE];
    size_t number = 0;

    if (node->kind == PICKLE_TENSOR)
        return add_tensor(walk, node, outer);
    if ((node->kind != PICKLE_DICT && node->kind != PICKLE_LIST) || depth == DEPTH_MOST)
        return true;
    for (uint32_t at = node->first; at; at = nodes[at].next, number++) {
        if (walk->visits++ == VISITS_MOST)
            return pickle_value_refuse(walk->machine, "the pickle repeats itself too often");

        const struct pickle_node *key = NULL;

        if (node->kind == PICKLE_DICT) {
            key = &nodes[at];
            at = nodes[at].next;
            if (!at)
                return pickle_value_short(walk->machine);
        }
        if (join(name, outer, key, number) && !look(walk, &nodes[at], name, depth + 1))
            return false;
    }
    return true;
}

uint64_t pickle_memory(size_t len)
{
    const uint64_t most = PICKLE_NODES * (sizeof(struct pickle_node) + 2 * sizeof(uint32_t)),
                   grown = BYTE_GROWS * (uint64_t)len;

    return grown < most ? grown : most;
}

bool pickle_read(struct pickle_tensor tensors[TENSOR_MAX], size_t *count,
                 const unsigned char *bytes, size_t len, char why[WHY_SIZE])
{
    struct pickle_machine machine = {.at = bytes,
                                     .end = bytes + len,
                                     .node_count = 1,
                                     .why = why};
    struct walk walk = {.machine = &machine, .tensors = tensors};
    struct pickle_node *root;

    why[0] = '\0';
    *count = 0;
    machine.nodes = calloc(PICKLE_NODES, sizeof *machine.nodes);
    machine.stack = calloc(2 * PICKLE_NODES, sizeof *machine.stack);
    machine.memo = machine.stack ? machine.stack + PICKLE_NODES : NULL;
    bool ok = machine.nodes && machine.stack
                  ? pickle_machine_run(&machine, &root) && look(&walk, root, "", 0)
                  : pickle_value_refuse(&machine, "out of memory");
    *count = walk.count;
    free(machine.nodes);
    free(machine.stack);
    return ok;
}
