/* SPDX-License-Identifier: Apache-2.0
 * loop_files.h - the models and the learned tables that a loop reads requests by. The loop
 * keeps its references until the generation of the service has changed, so that reading a
 * request takes no lock. */
#pragma once

struct model_set;
struct service;
struct tables;

struct loop_files { /* {0} has taken nothing */
    struct model_set *models;
    struct tables *tables;
    unsigned generation;
};

/* Makes the references those to the sets that the service has now, if they are older. Called
 * before a request is read, and in the tick of the loop, so that old sets are freed soon. */
void loop_files_renew(struct loop_files *files, struct service *service);
void loop_files_drop(struct loop_files *files);
