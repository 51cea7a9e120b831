/* SPDX-License-Identifier: Apache-2.0
 * span.c - see span.h. */
#include "server/sys/span.h"

#include <uv.h>

const char *span_step_name(enum span_step step)
{
    static const char *const names[SPAN_STEPS] = {
#define SPAN_STEP(ID, NAME) [SPAN_##ID] = NAME,
#include "server/sys/span_steps.def"
    };

    return names[step];
}

void span_begin(struct span *span, uint64_t now_ns)
{
    *span = (struct span){.begun = true, .since_ns = now_ns};
}

void span_end(struct span *span, uint64_t now_ns)
{
    if (!span->begun)
        return;
    span->ns[span->step] += now_ns - span->since_ns;
    span->since_ns = now_ns;
}

void span_enter(struct span *span, enum span_step step)
{
    if (!span->begun)
        return;
    span_end(span, uv_hrtime());
    span->step = step;
}

void span_wait(struct span *span)
{
    if (!span->begun || span->step == SPAN_WAIT)
        return;
    span->before = span->step;
    span_enter(span, SPAN_WAIT);
}

void span_wake(struct span *span)
{
    if (span->begun && span->step == SPAN_WAIT)
        span_enter(span, span->before);
}

void span_move(struct span *span, enum span_step from, enum span_step to, uint64_t ns)
{
    if (!span->begun)
        return;
    span_enter(span, span->step); /* what the step has so far counts */
    ns = ns < span->ns[from] ? ns : span->ns[from];
    span->ns[from] -= ns;
    span->ns[to] += ns;
}
