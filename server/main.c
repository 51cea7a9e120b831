/* SPDX-License-Identifier: Apache-2.0
 * main.c - posencd: every subcommand is a row of cli.c's table. */
#include "proto/text/json_memory.h"
#include "server/cli.h"

int main(int argc, char *argv[])
{
    json_memory_init(); /* before jansson's first call and any thread */
    return cli_run(argc, argv);
}
