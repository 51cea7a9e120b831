/* SPDX-License-Identifier: Apache-2.0
 * test_certificate.c - what a handshake costs is told by the kind of the certificate's key. */
#include "server/files/certificate.h"

#include <string.h>

#include "tests/support/key_pair.h"
#include "tests/support/suite.h"

static const struct {
    enum key_kind kind;
    double least, most; /* operations of a handshake */
} rows[] = {
    {KEY_KIND_P256, 200e3, 300e3},
    {KEY_KIND_P384, 300e3, 400e3},
    {KEY_KIND_ED25519, 200e3, 300e3},
    {KEY_KIND_RSA2048, 1.3e6, 1.5e6},
};

START_TEST(a_handshake_costs_what_the_key_of_its_certificate_needs)
{
    struct key_pair pair;
    struct certificate *certificate;
    char why[300] = "";

    key_pair_make(&pair, rows[_i].kind);
    certificate = certificate_new((struct certificate_file){pair.chain, strlen(pair.chain)},
                                  (struct certificate_file){pair.key, strlen(pair.key)},
                                  (struct certificate_file){.text = NULL}, why, sizeof why);
    ck_assert_msg(certificate != NULL, "%s", why);
    ck_assert_double_ge(certificate_operations(certificate), rows[_i].least);
    ck_assert_double_le(certificate_operations(certificate), rows[_i].most);
    certificate_drop(certificate);
}
END_TEST

SUITE(certificate, TEST_EACH(a_handshake_costs_what_the_key_of_its_certificate_needs, rows));
