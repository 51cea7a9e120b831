/* SPDX-License-Identifier: Apache-2.0
 * compute_plan.c - see compute_plan.h. */
#include "server/compute/compute_plan.h"

#include "proto/output/encoder.h"
#include "proto/request/request.h"
#include "server/cache/table_cache.h"
#include "server/compute/compute.h"
#include "server/net/answer_share.h"
#include "server/net/inflight.h"
#include "server/shared.h"

static bool reserve(void *context, uint64_t bytes)
{
    const struct compute_budget *budget = context;

    if (answer_share_is_scarce(budget->service, bytes)) {
        inflight_want(budget->service, bytes);
        return false;
    }
    if (!inflight_reserve(budget->service, bytes))
        return false;
    *budget->reserved += bytes;
    return true;
}

/* The ns to add a byte to a table, of which 16 are an angle; 0.9 to 1.4 were measured. */
#define GROWTH_NS 1.5

/* The table cache counts the bytes once they are there; the in-flight budget does till then. */
static enum pe_status grow(struct compute_budget *budget, struct pe_table *table,
                           struct pe_args *args)
{
    const size_t bytes = pe_table_growth(table, args);
    bool grown;

    budget->growth_ns = GROWTH_NS * (double)bytes;
    if (budget->on_loop && budget->growth_ns > COMPUTE_INLINE_NS)
        return PE_STOPPED;
    if (bytes == 0 || !inflight_try(budget->service, bytes))
        return PE_OK;
    grown = table_cache_grow(budget->service->table_cache, table, args);
    inflight_release(budget->service, bytes);
    return grown ? PE_OK : PE_NO_MEMORY;
}

enum pe_status compute_plan(struct compute_budget *budget, bool brief,
                            const struct request *request, struct pe_plan **plan,
                            struct encoder **encoder, struct pe_errors *errors)
{
    struct service *service = budget->service;
    struct request_limits limits = {
        .max_elements = service->config.max_elements,
        .max_text_elements = service->config.max_text_elements,
        .max_prepared = PE_DEFAULT_MAX_PREPARED,
        .reserve = reserve,
        .context = budget,
        .brief = brief,
        .max_operations = (uint64_t)compute_most_operations(service->config.work_timeout_ms),
        .stop = budget->stop};
    struct pe_args *args = request_args(request);
    struct pe_table *table = NULL;
    enum pe_status status = PE_OK;

    if (pe_args_operations(args) <= (double)limits.max_operations)
        status = table_cache_get(service->table_cache, &table, args);
    if (status == PE_OK && table)
        status = grow(budget, table, args);
    if (status == PE_OK) /* too many operations are refused here, before a table is built */
        status = request_plan(request, plan, table, &limits, errors);
    pe_table_free(table); /* the plan keeps its own reference */
    if (status != PE_OK)
        return status;
    *encoder = encoder_new(request, *plan);
    return *encoder ? PE_OK : PE_NO_MEMORY;
}
