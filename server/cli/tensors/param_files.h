/* SPDX-License-Identifier: Apache-2.0
 * param_files.h - the files that parameters of one request are read from, x=@FILE[:TENSOR]. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/tensors/tensor.h"
#include "proto/tensors/tensor_reader.h"

struct param_files { /* {0} but for the fields of the caller has no files */
    const struct pe_encoding *enc;
    struct pe_tensor headerless; /* what raw bytes are, from in_dtype= and shape= */
    bool described;              /* shape= was given, though it or another word may be wrong */
    uint64_t max_elements;       /* of one file */

    struct tensor_set set;              /* the tensors, named after their parameters */
    const struct tensor_format *format; /* of the body that has them; NULL: no file was read */
    bool undescribed; /* raw bytes were not read, because of a word that describes them */
    bool input_taken; /* the standard input was read */
    int code;         /* exit code of the first file that was not read, or 0 */
    size_t wrong;     /* files that were not read, with a problem each */
};

/* Returns whether parameters of this kind are read from files. */
bool param_files_take(const struct pe_param *param);
/* Reads the file, "q.npy", "t.safetensors:wpe" or "-", and adds its tensor to the set.
 * Otherwise adds the problem and returns its status; of raw bytes whose description is
 * wrong, which is a problem already, none is added. */
enum pe_status param_files_read(struct param_files *files, const struct pe_param *param,
                                const char *argument, struct pe_errors *errors);
