/* SPDX-License-Identifier: Apache-2.0
 * pickle_torch.c - see pickle_torch.h. */
#include "proto/tensors/pickle_torch.h"

#include <stdio.h>
#include <string.h>

enum { NAME_MOST = 200 };

/* The functions, classes and types that a pickle of tensors may name, with the type of the
 * elements of a storage or of a tensor: torch/_utils.py and torch/_tensor.py of pytorch/pytorch
 * at commit 000d210c. A tensor of a newer type has a storage of bytes and names its type
 * itself; "" is a type whose numbers are not read. */
static const struct {
    const char *name, *type;
} names[] = {
    {"torch._utils _rebuild_tensor_v2", NULL},
    {"torch._utils _rebuild_tensor_v3", NULL},
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
    {"torch.storage UntypedStorage", "u8"},
    {"torch float8_e4m3fn", "f8_e4m3"},
    {"torch float8_e5m2", "f8_e5m2"},
    {"torch uint16", "u16"},
    {"torch uint32", "u32"},
    {"torch uint64", "u64"},
    {"torch float8_e4m3fnuz", ""},
    {"torch float8_e5m2fnuz", ""},
    {"torch float8_e8m0fnu", ""},
    {"torch float4_e2m1fn_x2", ""},
    {"torch bits8", ""},
    {"torch bits16", ""},
    {"torch bits1x8", ""},
    {"torch bits2x4", ""},
    {"torch bits4x2", ""},
    {"torch QInt8Storage", ""},
    {"torch QUInt8Storage", ""},
    {"torch QInt32Storage", ""},
    {"torch QUInt4x2Storage", ""},
    {"torch QUInt2x4Storage", ""},
};
enum {
    REBUILD_TENSOR,
    REBUILD_TYPED,
    REBUILD_PARAMETER,
    ORDERED_DICT,
    NAMES = sizeof names / sizeof *names
};
enum { TYPE_ARGUMENT = 6 }; /* of _rebuild_tensor_v3 */

/* Makes a name of the pickle one that can be printed: with a dot, and of ASCII alone. */
static void make_printable(char *name)
{
    for (char *c = name; *c; c++)
        *c = *c == ' ' ? '.' : *c < ' ' || *c > '~' ? '?' : *c;
}

bool pickle_torch_name(struct pickle_machine *machine, const char *module, size_t module_len,
                       const char *word, size_t word_len)
{
    char name[NAME_MOST];
    size_t i = 0;

    snprintf(name, sizeof name, "%.*s %.*s", (int)(module_len < 90 ? module_len : 90), module,
             (int)(word_len < 90 ? word_len : 90), word);
    while (i < NAMES && strcmp(names[i].name, name) != 0)
        i++;
    make_printable(name);
    if (i == NAMES)
        snprintf(machine->why, WHY_SIZE,
                 "the pickle names %.120s (opcode GLOBAL), which is no part of a tensor; "
                 "nothing was called",
                 name);
    else if (names[i].type && names[i].type[0] == '\0')
        snprintf(machine->why, WHY_SIZE,
                 "the file has numbers of %.120s, which are not read: save them as float32",
                 name);
    if (machine->why[0] != '\0')
        return false;
    struct pickle_node *node = pickle_value_push(machine, PICKLE_NAMED);
    if (node)
        node->name = names[i].name;
    return node != NULL;
}

/* Returns the type that a name of the table stands for; NULL: none. */
static const char *type_of(const struct pickle_node *node)
{
    for (size_t i = 0; i < NAMES; i++)
        if (node->kind == PICKLE_NAMED && names[i].name == node->name)
            return names[i].type;
    return NULL;
}

bool pickle_torch_storage(struct pickle_machine *machine)
{
    const struct pickle_node *tuple = pickle_value_top(machine),
                             *class = pickle_value_item(machine, tuple, 1),
                             *key = pickle_value_item(machine, tuple, 2);

    if (!class || class->kind != PICKLE_NAMED || !key || key->kind != PICKLE_TEXT)
        return pickle_value_refuse(
            machine, "the pickle has a persistent id that is no storage of torch");
    const char *type = type_of(class);
    machine->depth--;
    struct pickle_node *storage = pickle_value_push(machine, PICKLE_STORAGE);
    if (!storage)
        return false;
    storage->text = key->text;
    storage->len = key->len;
    storage->name = type;
    return true;
}

static bool refuse_arguments(struct pickle_machine *machine)
{
    return pickle_value_refuse(machine,
                               "the pickle calls a class of torch with other arguments "
                               "than a tensor has");
}

/* Pushes the tensor that a function makes of its arguments: a storage, the offset, the shape,
 * the strides, and of a newer type its name. */
static bool push_tensor(struct pickle_machine *machine, const struct pickle_node *arguments,
                        bool is_typed)
{
    const struct pickle_node *storage = pickle_value_item(machine, arguments, 0),
                             *offset = pickle_value_item(machine, arguments, 1),
                             *shape = pickle_value_item(machine, arguments, 2),
                             *stride = pickle_value_item(machine, arguments, 3),
                             *class = is_typed
                                          ? pickle_value_item(machine, arguments, TYPE_ARGUMENT)
                                          : NULL;
    const char *type = class ? type_of(class) : NULL;

    if (!storage || storage->kind != PICKLE_STORAGE || !shape || (is_typed && !type))
        return refuse_arguments(machine);
    if (offset->kind != PICKLE_PLAIN || shape->kind != PICKLE_LIST || !stride ||
        stride->kind != PICKLE_LIST)
        return pickle_value_refuse(machine, "the pickle has a tensor without a shape");
    struct pickle_node *tensor = pickle_value_push(machine, PICKLE_TENSOR);
    if (!tensor)
        return false;
    *tensor = *storage;
    tensor->kind = PICKLE_TENSOR;
    tensor->next = 0;
    tensor->name = is_typed ? type : tensor->name;
    tensor->number = offset->number;
    tensor->shape = (uint32_t)(shape - machine->nodes);
    tensor->stride = (uint32_t)(stride - machine->nodes);
    return true;
}

bool pickle_torch_call(struct pickle_machine *machine)
{
    if (machine->depth < 2)
        return pickle_value_short(machine);
    const struct pickle_node *arguments = pickle_value_top(machine),
                             *called = &machine->nodes[machine->stack[machine->depth - 2]];

    if (called->kind != PICKLE_NAMED || arguments->kind != PICKLE_LIST)
        return pickle_value_refuse(machine, "the pickle calls what is no name (opcode REDUCE)");
    machine->depth -= 2;
    if (called->name == names[ORDERED_DICT].name)
        return pickle_value_push(machine, PICKLE_DICT) != NULL;
    if (called->name == names[REBUILD_TENSOR].name)
        return push_tensor(machine, arguments, false);
    if (called->name == names[REBUILD_TYPED].name)
        return push_tensor(machine, arguments, true);
    const struct pickle_node *first = pickle_value_item(machine, arguments, 0);
    if (called->name != names[REBUILD_PARAMETER].name || !first || first->kind != PICKLE_TENSOR)
        return refuse_arguments(machine);
    struct pickle_node *node = pickle_value_push(machine, PICKLE_TENSOR);
    if (node)
        *node = *first;
    return node != NULL;
}
