/* SPDX-License-Identifier: Apache-2.0
 * assets.h - the script and the stylesheet of the pages, compressed when the program was built.
 * Each has a name with the hash of its content, so that a browser keeps it for ever. */
#pragma once

#include "server/exchange/internal.h"

/* The paths of the two, "/assets/page-1a2b3c4d.js", without --path-prefix. */
extern const char assets_script[], assets_style[];
/* The first step of a request for an asset. */
exchange_step assets_answer;
