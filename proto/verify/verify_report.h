/* SPDX-License-Identifier: Apache-2.0
 * verify_report.h - verdicts in the forms that machines of continuous integration read: a file
 * of JUnit's XML, and the annotations of GitHub's workflows. The name of a file has nothing
 * that a terminal obeys. */
#pragma once

#include "proto/text/buffer.h"
#include "proto/verify/verify_request.h"

/* The result of one file, which is a verdict or an error. */
struct verify_report_file {
    const char *name;
    const char *kind;   /* "exact"; "error" */
    const char *says;   /* one sentence */
    const char *detail; /* what the command prints about it */
    bool right, failed; /* failed: an error, of the file or of the claim */
};

struct verify_report { /* {0} has no files */
    struct buffer cases;
    size_t files, wrong, failed;
};

/* Adds a file as a test case of JUnit. */
void verify_report_add(struct verify_report *report, const struct verify_report_file *file);
/* Writes the XML of all files. */
void verify_report_write(struct buffer *out, const struct verify_report *report);
void verify_report_fini(struct verify_report *report);
/* Writes a line that GitHub shows at the file; nothing for one that is right. */
void verify_report_annotate(struct buffer *out, const struct verify_report_file *file);
