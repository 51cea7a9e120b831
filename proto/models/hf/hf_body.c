/* SPDX-License-Identifier: Apache-2.0
 * hf_body.c - the names of long members of a config.json that have nothing about positions. */
#include "proto/models/hf/hf_body.h"

struct json_body *hf_body_new(uint64_t max_bytes)
{
    static const char *const skipped[] = {"quantization_config",
                                          "compression_config",
                                          "quantization",
                                          "id2label",
                                          "label2id",
                                          "task_specific_params",
                                          NULL};

    return json_body_new_python(max_bytes, skipped);
}
