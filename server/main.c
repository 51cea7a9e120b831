/* SPDX-License-Identifier: Apache-2.0
 * main.c - posencd: every command is a row of server/cli/command/commands.def. */
#include "core/posenc.h"
#include "proto/text/json_memory.h"
#include "server/cli/cli.h"

int main(int argc, char *argv[])
{
    /* Both run before any thread starts and before jansson or MPFR are called. */
    json_memory_init();
    pe_reserve_init();
    return cli_run(argc, argv);
}
