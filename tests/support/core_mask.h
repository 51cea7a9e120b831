/* SPDX-License-Identifier: Apache-2.0
 * core_mask.h - masks as texts: "1000 1100" is two queries and four keys. */
#ifndef SUPPORT_CORE_MASK_H
#define SUPPORT_CORE_MASK_H

/* The output `mask` of the query holds these rows, whatever axes are before them. */
void core_mask_prints(const char *encoding, const char *query, const char *rows);

#endif
