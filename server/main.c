/* SPDX-License-Identifier: Apache-2.0
 * main.c - posencd: every subcommand is a row of cli.c's table. */
#include "server/cli.h"

int main(int argc, char *argv[])
{
    return cli_run(argc, argv);
}
