/* SPDX-License-Identifier: Apache-2.0
 * torch_in.h - the members of an archive that torch.save wrote: a pickle that says which
 * tensors there are (pickle.h), and then the bytes of each storage. For npz_in.c, whose
 * archives begin alike. */
#pragma once

#include "proto/tensors/pickle.h"
#include "proto/tensors/tensor_format.h"
#include "proto/text/buffer.h"

struct torch {
    enum { TORCH_IGNORED, TORCH_PICKLE, TORCH_ORDER, TORCH_STORAGE } member;
    struct buffer pickle;
    struct pickle_tensor tensors[TENSOR_MAX];
    bool found[TENSOR_MAX];
    size_t count;
    uint64_t skip; /* bytes of the storage before the tensor */
};

/* Returns whether a member of this name begins such an archive. */
bool torch_in_is_pickle(const char *name, size_t len);
/* Begin a member, read its bytes, end it; end the archive. They fail the reader. */
void torch_in_begin(struct torch *torch, struct tensor_reader *reader, const char *name,
                    size_t len);
void torch_in_data(struct torch *torch, struct tensor_reader *reader, const char *bytes,
                   size_t len);
void torch_in_end(struct torch *torch, struct tensor_reader *reader);
void torch_in_finish(struct torch *torch, struct tensor_reader *reader);
