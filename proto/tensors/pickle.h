/* SPDX-License-Identifier: Apache-2.0
 * pickle.h - the pickle of torch.save, read as data: the few opcodes that dictionaries, lists,
 * numbers, texts and tensors need. Nothing that it names is called; any other opcode or name is
 * refused. (Python's pickletools.py; torch/serialization.py) */
#pragma once

#include "proto/tensors/tensor.h"
#include "proto/text/why.h"

enum { PICKLE_MOST = 1 << 20, PICKLE_KEY_SIZE = 24 };

/* A tensor within a storage, which is a member of the archive, "data/KEY". */
struct pickle_tensor {
    char name[TENSOR_NAME_SIZE]; /* the names and numbers that lead to it, "model.cos"; or "" */
    const char *type;            /* "f32"; NULL: it has no type here */
    char key[PICKLE_KEY_SIZE];
    uint64_t offset, rank; /* elements before the first; axes */
    uint64_t dims[PE_MAX_RANK], stride[PE_MAX_RANK];
};

/* Returns the bytes that reading a pickle of `len` bytes takes at most. */
uint64_t pickle_memory(size_t len);
/* Finds the tensors of a whole pickle, at most TENSOR_MAX. False: `why` says what is wrong, the
 * first opcode or name that is not read. */
bool pickle_read(struct pickle_tensor tensors[TENSOR_MAX], size_t *count,
                 const unsigned char *bytes, size_t len, char why[WHY_SIZE]);
