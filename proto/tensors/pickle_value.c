/* SPDX-License-Identifier: Apache-2.0
 * pickle_value.c - see pickle_value.h. */
#include "proto/tensors/pickle_value.h"

#include <stdio.h>

bool pickle_value_refuse(struct pickle_machine *machine, const char *sentence)
{
    snprintf(machine->why, WHY_SIZE, "%s", sentence);
    return false;
}

bool pickle_value_short(struct pickle_machine *machine)
{
    return pickle_value_refuse(machine,
                               "the pickle ends within an opcode, or takes more than it has");
}

struct pickle_node *pickle_value_push(struct pickle_machine *machine, enum pickle_kind kind)
{
    if (machine->node_count == PICKLE_NODES || machine->depth == PICKLE_NODES) {
        pickle_value_refuse(machine, "the pickle has too many values; save only the tensors");
        return NULL;
    }
    struct pickle_node *node = &machine->nodes[machine->node_count];
    machine->stack[machine->depth++] = machine->node_count++;
    *node = (struct pickle_node){.kind = kind};
    return node;
}

struct pickle_node *pickle_value_top(struct pickle_machine *machine)
{
    return machine->depth > 0 ? &machine->nodes[machine->stack[machine->depth - 1]] : NULL;
}

struct pickle_node *pickle_value_item(struct pickle_machine *machine,
                                      const struct pickle_node *list, size_t i)
{
    uint32_t at = list && list->kind == PICKLE_LIST ? list->first : 0;

    for (; at && i > 0; i--)
        at = machine->nodes[at].next;
    return at ? &machine->nodes[at] : NULL;
}
