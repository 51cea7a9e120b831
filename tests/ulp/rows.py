# SPDX-License-Identifier: Apache-2.0
"""rows.py - one row for each encoding: a function from a draw to its cases."""

import axes
import biases
import codes
import combined
import convolutions
import directions
import features
import graphs
import images
import learned
import masks
import networks
import projections
import recurrences
import rotary
import sinusoids
import windows

FAMILIES = [axes, biases, codes, combined, convolutions, directions, features, graphs, images,
            learned, masks, networks, projections, recurrences, rotary, sinusoids, windows]
ROWS = {name: row for family in FAMILIES for name, row in family.ROWS.items()}
