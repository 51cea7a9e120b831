# SPDX-License-Identifier: Apache-2.0
"""rows.py - one row an encoding: a function from a draw to its cases."""

import features
import images
import masks
import rotary
import sinusoids

FAMILIES = [features, images, masks, rotary, sinusoids]
ROWS = {name: row for family in FAMILIES for name, row in family.ROWS.items()}
