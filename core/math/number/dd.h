/* SPDX-License-Identifier: Apache-2.0
 * dd.h - a double-double: the unevaluated sum of two doubles, about 107 bits. Dekker 1971. */
#pragma once

/* The value is hi + lo, and |lo| is at most an ULP of hi. */
struct dd {
    double hi, lo;
};
