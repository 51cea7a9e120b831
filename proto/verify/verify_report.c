/* SPDX-License-Identifier: Apache-2.0
 * verify_report.c - see verify_report.h. GitHub's commands have % and line ends as %25, %0D and
 * %0A, and in their properties : and , as well. */
#include "proto/verify/verify_report.h"

#include <string.h>

#include "proto/text/xml_text.h"

static void add_attribute(struct buffer *out, const char *name, const char *text)
{
    buffer_add_format(out, " %s=\"", name);
    xml_text_add(out, text, strlen(text));
    buffer_add_text(out, "\"");
}

void verify_report_add(struct verify_report *report, const struct verify_report_file *file)
{
    struct buffer *out = &report->cases;
    const char *fault = file->failed ? "error" : "failure";

    report->files++;
    report->wrong += !file->right && !file->failed;
    report->failed += file->failed;
    buffer_add_text(out, "<testcase classname=\"posencd.verify\"");
    add_attribute(out, "name", file->name);
    buffer_add_text(out, ">");
    if (!file->right) {
        buffer_add_format(out, "<%s", fault);
        add_attribute(out, "type", file->kind);
        add_attribute(out, "message", file->says);
        buffer_add_text(out, ">");
        xml_text_add(out, file->detail, strlen(file->detail));
        buffer_add_format(out, "</%s>", fault);
    } else {
        buffer_add_text(out, "<system-out>");
        xml_text_add(out, file->detail, strlen(file->detail));
        buffer_add_text(out, "</system-out>");
    }
    buffer_add_text(out, "</testcase>\n");
}

void verify_report_write(struct buffer *out, const struct verify_report *report)
{
    buffer_add_format(out,
                      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<testsuite name=\"posencd verify\" tests=\"%zu\" failures=\"%zu\" "
                      "errors=\"%zu\">\n",
                      report->files, report->wrong, report->failed);
    if (report->cases.failed)
        buffer_fail(out);
    else if (report->cases.len > 0)
        buffer_add(out, report->cases.bytes, report->cases.len);
    buffer_add_text(out, "</testsuite>\n");
}

void verify_report_fini(struct verify_report *report)
{
    buffer_fini(&report->cases);
}

static void add_data(struct buffer *out, const char *text, const char *escaped)
{
    for (; *text != '\0'; text++)
        if (strchr(escaped, *text))
            buffer_add_format(out, "%%%02X", (unsigned)(unsigned char)*text);
        else
            buffer_add(out, text, 1);
}

void verify_report_annotate(struct buffer *out, const struct verify_report_file *file)
{
    const bool unexplained = !file->failed && strcmp(file->kind, "mistake") != 0;

    if (file->right)
        return;
    buffer_add_format(out, "::%s file=", unexplained ? "warning" : "error");
    add_data(out, file->name, "%\r\n:,");
    buffer_add_text(out, ",title=posencd verify");
    buffer_add_text(out, "::");
    add_data(out, file->kind, "%\r\n");
    buffer_add_text(out, ": ");
    add_data(out, file->says, "%\r\n");
    if (*file->detail != '\0')
        buffer_add_text(out, "%0A");
    add_data(out, file->detail, "%\r\n");
    buffer_add_text(out, "\n");
}
