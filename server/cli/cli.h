/* SPDX-License-Identifier: Apache-2.0
 * cli.h - the subcommands of posencd: a table with one function each. The function gets the
 * arguments after the subcommand's name and returns the exit code. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

struct cli_command {
    const char *name;
    const char *usage; /* the arguments after the name */
    const char *summary;
    int (*run)(int argc, char *argv[]);
};

/* Exit codes beyond 0 (ok) and 1 (health failed, tensors are wrong); 69, 70 and 78 come from
 * the service. Those of files are EX_DATAERR and EX_NOINPUT of sysexits.h. */
enum { CLI_USAGE = 64, CLI_NO_DATA = 65, CLI_NO_INPUT = 66 };

/* Runs the subcommand argv[1]; without one, or with a flag there, serve. */
int cli_run(int argc, char *argv[]);

int cli_serve(int argc, char *argv[]);
int cli_check(int argc, char *argv[]);
int cli_compute(int argc, char *argv[]);
int cli_verify(int argc, char *argv[]);
int cli_health(int argc, char *argv[]);

/* Writes the line "posencd: ..." to stderr and returns exit_code. */
int cli_fail(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Writes each problem to stderr in the words of the service; returns the exit code. */
int cli_report(const struct pe_errors *errors);
/* Writes the text to stdout and empties it; 0, or 70 when memory or the output failed. */
int cli_print(struct buffer *text);
