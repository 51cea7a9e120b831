/* SPDX-License-Identifier: Apache-2.0
 * short_answer.h - a response that is not cached, made at once: with its length known, it is
 * sent in one call with its head, and a process that is killed cuts none between the two. */
#pragma once

#include "server/exchange/internal.h"

/* Returns whether the response is one, and quickly made: in a format of the service's own,
 * whose length is unknown, or the answer to a body, of which no client asks for a part.
 * ex->work.plan and ex->work.encoder are there. */
bool short_answer_suits(const struct exchange *ex);
enum next short_answer(struct exchange *ex);
