/* SPDX-License-Identifier: Apache-2.0
 * pickle_torch.h - the names of torch in a pickle, and the tensors that they make. */
#pragma once

#include "proto/tensors/pickle_value.h"

/* Pushes a name that a pickle of tensors has; any other one is refused. */
bool pickle_torch_name(struct pickle_machine *machine, const char *module, size_t module_len,
                       const char *word, size_t word_len);
/* Takes ("storage", class, key, device, count) and pushes the storage. */
bool pickle_torch_storage(struct pickle_machine *machine);
/* Takes a name and its arguments, and pushes the value that they stand for. */
bool pickle_torch_call(struct pickle_machine *machine);
