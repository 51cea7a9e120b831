/* SPDX-License-Identifier: Apache-2.0
 * args_echo.h - problems that only follow from others: they are about a parameter whose value
 * was refused, or name it, so the right value may end them. */
#pragma once

#include "core/posenc.h"

/* Drops such problems from number `before` on. */
void args_echo_drop(const struct pe_args *args, struct pe_errors *errors, size_t before);
