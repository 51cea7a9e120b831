/* SPDX-License-Identifier: Apache-2.0
 * short_answer.h - a response that is not cached, in a format of unknown length, made at
 * once: with its length known, it is sent in one piece. */
#pragma once

#include "server/exchange/internal.h"

/* Returns whether the response is one, and quickly made; ex->work.plan and ex->work.encoder are
 * there. */
bool short_answer_suits(const struct exchange *ex);
enum next short_answer(struct exchange *ex);
