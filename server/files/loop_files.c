/* SPDX-License-Identifier: Apache-2.0
 * loop_files.c - see loop_files.h. A set is replaced before the generation is raised: so the
 * sets that are taken after the generation was read are at least as new as it. */
#include "server/files/loop_files.h"

#include "proto/tensors/tables.h"
#include "server/files/model_files.h"
#include "server/files/table_files.h"
#include "server/shared.h"

void loop_files_renew(struct loop_files *files, struct service *service)
{
    const unsigned generation =
        atomic_load_explicit(&service->generation, memory_order_acquire);

    if (files->models && files->generation == generation)
        return;
    loop_files_drop(files);
    files->models = model_files_take(service->models);
    files->tables = table_files_take(service->tables);
    files->generation = generation;
}

void loop_files_drop(struct loop_files *files)
{
    model_files_drop(files->models);
    tables_drop(files->tables);
    *files = (struct loop_files){0};
}
