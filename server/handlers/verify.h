/* SPDX-License-Identifier: Apache-2.0
 * verify.h - /v1/verify: tensors of a client, judged on the pool. */
#pragma once

#include "server/exchange/internal.h"

exchange_step verify_begin;
