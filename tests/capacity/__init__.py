# SPDX-License-Identifier: Apache-2.0
"""What an answer costs and what a load needs. The clients and clocks are those of tests/bench, whose
modules name each other without their folder."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench"))
