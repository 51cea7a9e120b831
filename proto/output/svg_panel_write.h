/* SPDX-License-Identifier: Apache-2.0
 * svg_panel_write.h - writes a panel of a figure as SVG, in two parts around the base64 text of
 * its picture. Private to proto/output. */
#pragma once

#include "proto/output/svg_panel.h"

/* Writes what stands before the base64 text; of a number or a curve, everything. */
void svg_panel_write_open(struct buffer *out, struct encoder *encoder,
                          const struct svg_panel *panel);
/* Writes what stands after the base64 text of a panel with a picture. */
void svg_panel_write_close(struct buffer *out, const struct svg_panel *panel);
