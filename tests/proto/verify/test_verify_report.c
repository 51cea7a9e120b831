/* SPDX-License-Identifier: Apache-2.0
 * test_verify_report.c - verdicts as JUnit's XML and as annotations of GitHub. */
#include "proto/verify/verify_report.h"
#include "tests/support/suite.h"

static const struct verify_report_file
    right = {"a.npz", "exact", "cos is exact", "a.npz: exact\n", .right = true},
    wrong = {"b,1:c.npz", "mistake", "base 1 < 2", "50 %\nmore\n", .right = false},
    unexplained = {"c.npz", "unexplained", "nothing explains it", "", .right = false},
    failed = {"d.npz", "error", "d.npz: No such file", "", .failed = true};

START_TEST(every_file_is_a_case_of_junit)
{
    struct verify_report report = {.files = 0};
    struct buffer out = {0};

    verify_report_add(&report, &right);
    verify_report_add(&report, &wrong);
    verify_report_add(&report, &failed);
    verify_report_write(&out, &report);
    ck_assert_str_eq(
        out.bytes,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuite name=\"posencd verify\" tests=\"3\" failures=\"1\" errors=\"1\">\n"
        "<testcase classname=\"posencd.verify\" name=\"a.npz\"><system-out>a.npz: exact\n"
        "</system-out></testcase>\n"
        "<testcase classname=\"posencd.verify\" name=\"b,1:c.npz\"><failure type=\"mistake\" "
        "message=\"base 1 &lt; 2\">50 %\nmore\n</failure></testcase>\n"
        "<testcase classname=\"posencd.verify\" name=\"d.npz\"><error type=\"error\" "
        "message=\"d.npz: No such file\"></error></testcase>\n"
        "</testsuite>\n");
    buffer_fini(&out);
    verify_report_fini(&report);
}
END_TEST

START_TEST(a_report_without_files_is_a_suite_too)
{
    struct verify_report report = {.files = 0};
    struct buffer out = {0};

    verify_report_write(&out, &report);
    ck_assert_str_eq(out.bytes, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite "
                                "name=\"posencd verify\" tests=\"0\" failures=\"0\" "
                                "errors=\"0\">\n</testsuite>\n");
    buffer_fini(&out);
}
END_TEST

static void check_note(const struct verify_report_file *file, const char *expected)
{
    struct buffer out = {0};

    verify_report_annotate(&out, file);
    ck_assert_str_eq(out.len > 0 ? out.bytes : "", expected);
    buffer_fini(&out);
}

START_TEST(an_annotation_is_one_line_whatever_the_texts_have)
{
    check_note(&right, "");
    check_note(&wrong, "::error file=b%2C1%3Ac.npz,title=posencd verify::mistake: base 1 < 2"
                       "%0A50 %25%0Amore%0A\n");
    check_note(&unexplained,
               "::warning file=c.npz,title=posencd verify::unexplained: nothing explains it\n");
    check_note(&failed,
               "::error file=d.npz,title=posencd verify::error: d.npz: No such file\n");
}
END_TEST

SUITE(verify_report, TEST(every_file_is_a_case_of_junit),
      TEST(a_report_without_files_is_a_suite_too),
      TEST(an_annotation_is_one_line_whatever_the_texts_have));
