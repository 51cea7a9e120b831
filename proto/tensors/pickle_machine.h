/* SPDX-License-Identifier: Apache-2.0
 * pickle_machine.h - runs the opcodes of a pickle. For pickle.c. */
#pragma once

#include "proto/tensors/pickle_value.h"

/* Runs the opcodes up to STOP; *root is the value then. False: machine->why says why not. */
bool pickle_machine_run(struct pickle_machine *machine, struct pickle_node **root);
