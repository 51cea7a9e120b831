/* SPDX-License-Identifier: Apache-2.0
 * hf_unread.h - keys that speak of positions and that nobody read. Private to proto/hf_*. */
#ifndef PROTO_HF_UNREAD_H
#define PROTO_HF_UNREAD_H

#include "proto/models/hf/hf_reader.h"

/* A note for each, so that nothing about positions is passed over in silence. */
void hf_unread_note(struct hf_reader *reader);

#endif
