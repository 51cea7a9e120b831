/* SPDX-License-Identifier: Apache-2.0
 * pickle_torch.c - see pickle_torch.h. */
#include "proto/tensors/pickle_torch.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 200 };

/* The functions and classes that a pickle of tensors may name, with the type of a storage's
 * elements. */
static const struct {
    const char *name, *type;
} names[] = {
    {"torch._utils _rebuild_tensor_v2", NULL},
    {"torch._utils _rebuild_parameter", NULL},
    {"collections OrderedDict", NULL},
    {"torch FloatStorage", "f32"},
    {"torch DoubleStorage", "f64"},
    {"torch HalfStorage", "f16"},
    {"torch BFloat16Storage", "bf16"},
    {"torch LongStorage", "i64"},
    {"torch IntStorage", "i32"},
    {"torch ShortStorage", "i16"},
    {"torch CharStorage", "i8"},
    {"torch ByteStorage", "u8"},
    {"torch BoolStorage", "bool"},
    {"torch ComplexFloatStorage", "c64"},
    {"torch ComplexDoubleStorage", "c128"},
};
enum { REBUILD_TENSOR, REBUILD_PARAMETER, ORDERED_DICT, NAMES = sizeof names / sizeof *names };

bool pickle_torch_name(struct pickle_machine *machine, const char *module, size_t module_len,
                       const char *word, size_t word_len)
{
    char name[NAME_MOST];

    snprintf(name, sizeof name, "%.*s %.*s", (int)(module_len < 90 ? module_len : 90), module,
             (int)(word_len < 90 ? word_len : 90), word);
    for (size_t i = 0; i < NAMES; i++)
        if (strcmp(names[i].name, name) == 0) {
            struct pickle_node *node = pickle_value_push(machine, PICKLE_NAMED);

            if (node)
                node->name = names[i].name;
            return node != NULL;
        }
    for (char *c = name; *c; c++)
        *c = *c == ' ' ? '.' : *c < ' ' || *c > '~' ? '?' : *c;
    snprintf(machine->why, WHY_SIZE,
             "the pickle names %.120s (opcode GLOBAL), which is no part of a tensor; nothing "
             "was called",
             name);
    return false;
}

bool pickle_torch_storage(struct pickle_machine *machine)
{
    const struct pickle_node *tuple = pickle_value_top(machine),
                             *class = pickle_value_item(machine, tuple, 1),
                             *key = pickle_value_item(machine, tuple, 2);

    if (!class || class->kind != PICKLE_NAMED || !key || key->kind != PICKLE_TEXT)
        return pickle_value_refuse(
            machine, "the pickle has a persistent id that is no storage of torch");
    machine->depth--;
    struct pickle_node *storage = pickle_value_push(machine, PICKLE_STORAGE);
    if (!storage)
        return false;
    storage->text = key->text;
    storage->len = key->len;
    for (size_t i = 0; i < NAMES; i++)
        if (names[i].name == class->name)
            storage->name = names[i].type;
    return true;
}

bool pickle_torch_call(struct pickle_machine *machine)
{
    if (machine->depth < 2)
        return pickle_value_short(machine);
    const struct pickle_node *arguments = pickle_value_top(machine),
                             *called = &machine->nodes[machine->stack[machine->depth - 2]];
    const struct pickle_node *first = pickle_value_item(machine, arguments, 0);
    const size_t size = arguments->first ? pickle_value_item(machine, arguments, 2) != NULL : 0;

    if (called->kind != PICKLE_NAMED || arguments->kind != PICKLE_LIST)
        return pickle_value_refuse(machine, "the pickle calls what is no name (opcode REDUCE)");
    machine->depth -= 2;
    if (called->name == names[ORDERED_DICT].name)
        return pickle_value_push(machine, PICKLE_DICT) != NULL;
    if (called->name == names[REBUILD_PARAMETER].name && first &&
        first->kind == PICKLE_TENSOR) {
        struct pickle_node *node = pickle_value_push(machine, PICKLE_TENSOR);

        if (node)
            *node = *first;
        return node != NULL;
    }
    if (called->name != names[REBUILD_TENSOR].name || !first || first->kind != PICKLE_STORAGE ||
        !size)
        return pickle_value_refuse(
            machine, "the pickle calls a class of torch with other arguments than a "
                     "tensor has");
    struct pickle_node *tensor = pickle_value_push(machine, PICKLE_TENSOR);
    if (!tensor)
        return false;
    *tensor = *first;
    tensor->kind = PICKLE_TENSOR;
    const struct pickle_node *offset = pickle_value_item(machine, arguments, 1),
                             *shape = pickle_value_item(machine, arguments, 2),
                             *stride = pickle_value_item(machine, arguments, 3);
    if (offset->kind != PICKLE_PLAIN || shape->kind != PICKLE_LIST || !stride ||
        stride->kind != PICKLE_LIST)
        return pickle_value_refuse(machine, "the pickle has a tensor without a shape");
    tensor->number = offset->number;
    tensor->shape = (uint32_t)(shape - machine->nodes);
    tensor->stride = (uint32_t)(stride - machine->nodes);
    return true;
}
