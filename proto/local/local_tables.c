/* SPDX-License-Identifier: Apache-2.0
 * local_tables.c - all tables of a model in one file. */
#include <string.h>

#include "proto/http/format.h"
#include "proto/local/local_state.h"
#include "proto/models/models.h"
#include "proto/output/model_tables.h"

/* Plans and writes the tables, which are freed. */
static void write(struct local *local, struct model_tables *tables)
{
    const struct request_limits limits = local_limits();
    const enum pe_status status = model_tables_plan(tables, &limits, &local->errors);
    struct encoder *encoder = NULL;

    if (status == PE_OK)
        encoder = model_tables_encoder(tables);
    if (!encoder)
        model_tables_free(tables);
    if (status != PE_OK) {
        local_fail_status(local, status);
        return;
    }
    local->answer->type = format_safetensors.media_type;
    (void)local_encode(encoder, &local->answer->body);
    encoder_free(encoder);
}

void local_tables(struct local *local)
{
    const struct models *models = models_embedded();
    const struct model *model = models_find(models, local->segment, local->segment_len);
    struct model_tables *tables = NULL;

    if (!model) {
        local_model(local);
        return;
    }
    const enum pe_status status =
        model_tables_new(&tables, models, model, local->asked->query ? local->asked->query : "",
                         local->asked->query_len, &local->errors);
    if (status == PE_OK)
        write(local, tables);
    else
        local_fail_status(local, status);
}
