/* SPDX-License-Identifier: Apache-2.0
 * cli.h - posencd as a program: the command that argv[1] names is run. */
#pragma once

/* Runs the command argv[1]; without one, or with a flag there, serve. Returns the exit code. */
int cli_run(int argc, char *argv[]);
