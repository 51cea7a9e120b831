/* SPDX-License-Identifier: Apache-2.0
 * zip_data.h - the data of a member of a ZIP archive: steps of zip_reader. */
#pragma once

#include "proto/tensors/zip_state.h"

/* Have an event of the next bytes of a member that is stored, of one that is deflated; ZIP_NONE
 * when it has ended. */
enum zip_event zip_data_store(struct zip_reader *zip);
enum zip_event zip_data_inflate(struct zip_reader *zip);
/* Counts the data of the last event, when the caller has said where it ends. */
void zip_data_settle(struct zip_reader *zip);
