/* SPDX-License-Identifier: Apache-2.0
 * hf_unknown_keys.h - keys that speak of positions and that nobody read. Private to proto/hf_*.
 * */
#ifndef PROTO_HF_UNKNOWN_KEYS_H
#define PROTO_HF_UNKNOWN_KEYS_H

#include "proto/models/hf/hf_reader.h"

/* A note for each, so that nothing about positions is passed over in silence. */
void hf_unknown_keys_note(struct hf_reader *reader);

#endif
