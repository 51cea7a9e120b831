/* SPDX-License-Identifier: Apache-2.0
 * pickle_machine.c - see pickle_machine.h. */
#include "proto/tensors/pickle_machine.h"

#include <stdio.h>
#include <string.h>

#include "proto/tensors/pickle_torch.h"

/* Adds a copy of a node at the end of a list: a node may be in several. */
static bool add_item(struct pickle_machine *machine, struct pickle_node *list, uint32_t item)
{
    if (machine->node_count == PICKLE_NODES)
        return pickle_value_refuse(machine,
                                   "the pickle has too many values; save only the tensors");
    const uint32_t copy = machine->node_count++;
    machine->nodes[copy] = machine->nodes[item];
    machine->nodes[copy].next = 0;
    if (list->last)
        machine->nodes[list->last].next = copy;
    else
        list->first = copy;
    list->last = copy;
    list->number++;
    return true;
}

/* Moves the values from number `from` on into a list or dictionary. */
static bool gather(struct pickle_machine *machine, struct pickle_node *list, uint32_t from)
{
    for (uint32_t i = from; i < machine->depth; i++)
        if (!add_item(machine, list, machine->stack[i]))
            return false;
    machine->depth = from;
    return true;
}

/* Makes a tuple of the values from number `from` on. */
static bool make_tuple(struct pickle_machine *machine, uint32_t from)
{
    struct pickle_node tuple = {.kind = PICKLE_LIST};

    if (!gather(machine, &tuple, from))
        return false;
    struct pickle_node *node = pickle_value_push(machine, PICKLE_LIST);
    if (!node)
        return false;
    *node = tuple;
    return true;
}

/* Returns the place above the last mark, which is taken off; false: there is none. */
static bool take_mark(struct pickle_machine *machine, uint32_t *from)
{
    uint32_t at = machine->depth;

    while (at > 0 && machine->nodes[machine->stack[at - 1]].kind != PICKLE_MARK)
        at--;
    if (at == 0)
        return pickle_value_short(machine);
    memmove(machine->stack + at - 1, machine->stack + at,
            (machine->depth - at) * sizeof *machine->stack);
    machine->depth--;
    *from = at - 1;
    return true;
}

/* ---- opcodes ----------------------------------------------------------------------------- */

static bool take(struct pickle_machine *machine, size_t len, uint64_t *number)
{
    *number = 0;
    if ((size_t)(machine->end - machine->at) < len)
        return pickle_value_short(machine);
    for (size_t i = 0; i < len && i < 8; i++)
        *number |= (uint64_t)machine->at[i] << 8 * i;
    machine->at += len;
    return true;
}

static bool push_number(struct pickle_machine *machine, size_t len)
{
    uint64_t number;
    struct pickle_node *node =
        take(machine, len, &number) ? pickle_value_push(machine, PICKLE_PLAIN) : NULL;

    if (node)
        node->number = number;
    return node != NULL;
}

static bool push_text(struct pickle_machine *machine, size_t prefix)
{
    uint64_t len;

    if (!take(machine, prefix, &len))
        return false;
    if (len > (uint64_t)(machine->end - machine->at))
        return pickle_value_short(machine);
    struct pickle_node *node = pickle_value_push(machine, PICKLE_TEXT);
    if (!node)
        return false;
    node->text = machine->at;
    node->len = (size_t)len;
    machine->at += len;
    return true;
}

static bool global(struct pickle_machine *machine)
{
    const char *module = (const char *)machine->at;
    const char *line = memchr(machine->at, '\n', (size_t)(machine->end - machine->at));
    const char *word = line ? line + 1 : NULL;
    const char *stop =
        word ? memchr(word, '\n', (size_t)((const char *)machine->end - word)) : NULL;

    if (!stop)
        return pickle_value_short(machine);
    machine->at = (const unsigned char *)stop + 1;
    return pickle_torch_name(machine, module, (size_t)(line - module), word,
                             (size_t)(stop - word));
}

static bool stack_global(struct pickle_machine *machine)
{
    if (machine->depth < 2)
        return pickle_value_short(machine);
    const struct pickle_node *word = pickle_value_top(machine),
                             *module = &machine->nodes[machine->stack[machine->depth - 2]];
    if (word->kind != PICKLE_TEXT || module->kind != PICKLE_TEXT)
        return pickle_value_refuse(machine,
                                   "the pickle names what is no text (opcode STACK_GLOBAL)");
    machine->depth -= 2;
    return pickle_torch_name(machine, (const char *)module->text, module->len,
                             (const char *)word->text, word->len);
}

static bool put(struct pickle_machine *machine, uint64_t number)
{
    if (machine->depth == 0 || number >= PICKLE_NODES)
        return pickle_value_short(machine);
    machine->memo[number] = machine->stack[machine->depth - 1];
    if (number >= machine->memo_count)
        machine->memo_count = (uint32_t)number + 1;
    return true;
}

static bool get(struct pickle_machine *machine, uint64_t number)
{
    if (number >= machine->memo_count || machine->depth == PICKLE_NODES)
        return pickle_value_short(machine);
    machine->stack[machine->depth++] = machine->memo[number];
    return true;
}

/* Adds the values above a place to the list or dictionary below it. */
static bool extend(struct pickle_machine *machine, uint32_t from)
{
    if (from == 0 || from > machine->depth)
        return pickle_value_short(machine);
    struct pickle_node *list = &machine->nodes[machine->stack[from - 1]];
    return list->kind == PICKLE_LIST || list->kind == PICKLE_DICT ? gather(machine, list, from)
                                                                  : pickle_value_short(machine);
}

static bool of_mark(struct pickle_machine *machine,
                    bool (*then)(struct pickle_machine *, uint32_t))
{
    uint32_t from = 0;

    return take_mark(machine, &from) && then(machine, from);
}

static bool tuple_of(struct pickle_machine *machine, uint32_t count)
{
    return machine->depth < count ? pickle_value_short(machine)
                                  : make_tuple(machine, machine->depth - count);
}

static bool drop(struct pickle_machine *machine)
{
    if (machine->depth < 2)
        return pickle_value_short(machine);
    machine->depth--;
    return true;
}

static bool ignore(struct pickle_machine *machine, size_t bytes)
{
    uint64_t number;

    return take(machine, bytes, &number);
}

static bool operand(struct pickle_machine *machine, size_t bytes,
                    bool (*then)(struct pickle_machine *, uint64_t))
{
    uint64_t number;

    return take(machine, bytes, &number) && then(machine, number);
}

static bool unknown(struct pickle_machine *machine, unsigned char opcode)
{
    snprintf(machine->why, WHY_SIZE,
             "the pickle has opcode 0x%02x, which no tensor needs; nothing was called", opcode);
    return false;
}

/* Runs one opcode; its numbers are those of Python's pickletools. */
/* lint: long, because an opcode is a line of it */
static bool step(struct pickle_machine *machine, unsigned char opcode)
{
    const uint32_t depth = machine->depth;

    switch (opcode) {
    case 0x80: /* PROTO */
        return ignore(machine, 1);
    case 0x95: /* FRAME */
        return ignore(machine, 8);
    case '}':
        return pickle_value_push(machine, PICKLE_DICT) != NULL;
    case ')':
    case ']':
        return pickle_value_push(machine, PICKLE_LIST) != NULL;
    case '(':
        return pickle_value_push(machine, PICKLE_MARK) != NULL;
    case 'N':
    case 0x88: /* NEWTRUE */
    case 0x89: /* NEWFALSE */
        return push_number(machine, 0);
    case 'K':
        return push_number(machine, 1);
    case 'M':
        return push_number(machine, 2);
    case 'J':
        return push_number(machine, 4);
    case 'G':
        return push_number(machine, 8);
    case 0x8a: /* LONG1 */
        return machine->at < machine->end && push_number(machine, *machine->at++);
    case 'X':
        return push_text(machine, 4);
    case 0x8c: /* SHORT_BINUNICODE */
        return push_text(machine, 1);
    case 'c':
        return global(machine);
    case 0x93: /* STACK_GLOBAL */
        return stack_global(machine);
    case 'Q':
        return pickle_torch_storage(machine);
    case 'R':
        return pickle_torch_call(machine);
    case 'q':
        return operand(machine, 1, put);
    case 'r':
        return operand(machine, 4, put);
    case 0x94: /* MEMOIZE */
        return put(machine, machine->memo_count);
    case 'h':
        return operand(machine, 1, get);
    case 'j':
        return operand(machine, 4, get);
    case 't':
        return of_mark(machine, make_tuple);
    case 0x85: /* TUPLE1 to TUPLE3 */
    case 0x86:
    case 0x87:
        return tuple_of(machine, opcode - 0x84);
    case 's':
        return depth >= 3 ? extend(machine, depth - 2) : pickle_value_short(machine);
    case 'a':
        return depth >= 2 ? extend(machine, depth - 1) : pickle_value_short(machine);
    case 'u':
    case 'e':
        return of_mark(machine, extend);
    case 'b': /* BUILD: the attributes of a dictionary are passed over */
        return drop(machine);
    default:
        return unknown(machine, opcode);
    }
}

bool pickle_machine_run(struct pickle_machine *machine, struct pickle_node **root)
{
    while (machine->at < machine->end) {
        const unsigned char opcode = *machine->at++;

        if (opcode == '.') {
            *root = pickle_value_top(machine);
            return *root || pickle_value_short(machine);
        }
        if (!step(machine, opcode))
            return machine->why[0] ? false : pickle_value_short(machine);
    }
    return pickle_value_short(machine);
}
