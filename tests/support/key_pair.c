/* SPDX-License-Identifier: Apache-2.0
 * key_pair.c - see key_pair.h. */
#include "tests/support/key_pair.h"

#include <check.h>
#include <gnutls/x509.h>
#include <stddef.h>
#include <time.h>

enum { HOUR = 3600 };

static const struct {
    gnutls_pk_algorithm_t algorithm;
    unsigned bits;
    gnutls_digest_algorithm_t digest;
} kinds[] = {
    [KEY_KIND_P256] = {GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1),
                       GNUTLS_DIG_SHA256},
    [KEY_KIND_P384] = {GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP384R1),
                       GNUTLS_DIG_SHA384},
    [KEY_KIND_ED25519] = {GNUTLS_PK_EDDSA_ED25519, 0, GNUTLS_DIG_SHA512},
    [KEY_KIND_RSA2048] = {GNUTLS_PK_RSA, 2048, GNUTLS_DIG_SHA256},
};

static void sign(gnutls_x509_crt_t certificate, gnutls_x509_privkey_t key,
                 gnutls_digest_algorithm_t digest)
{
    const time_t now = time(NULL);

    ck_assert_int_eq(gnutls_x509_crt_set_version(certificate, 3), 0);
    ck_assert_int_eq(gnutls_x509_crt_set_serial(certificate, "\1", 1), 0);
    ck_assert_int_eq(gnutls_x509_crt_set_activation_time(certificate, now - HOUR), 0);
    ck_assert_int_eq(gnutls_x509_crt_set_expiration_time(certificate, now + HOUR), 0);
    ck_assert_int_eq(gnutls_x509_crt_set_dn(certificate, "CN=localhost", NULL), 0);
    ck_assert_int_eq(gnutls_x509_crt_set_key(certificate, key), 0);
    ck_assert_int_eq(gnutls_x509_crt_sign2(certificate, certificate, key, digest, 0), 0);
}

void key_pair_make(struct key_pair *pair, enum key_kind kind)
{
    size_t chain_size = sizeof pair->chain - 1, key_size = sizeof pair->key - 1;
    gnutls_x509_privkey_t key;
    gnutls_x509_crt_t certificate;

    *pair = (struct key_pair){.chain = ""};
    ck_assert_int_eq(gnutls_x509_privkey_init(&key), 0);
    ck_assert_int_eq(gnutls_x509_crt_init(&certificate), 0);
    ck_assert_int_eq(
        gnutls_x509_privkey_generate(key, kinds[kind].algorithm, kinds[kind].bits, 0), 0);
    sign(certificate, key, kinds[kind].digest);
    ck_assert_int_eq(
        gnutls_x509_crt_export(certificate, GNUTLS_X509_FMT_PEM, pair->chain, &chain_size), 0);
    ck_assert_int_eq(gnutls_x509_privkey_export_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL,
                                                      GNUTLS_PKCS_PLAIN, pair->key, &key_size),
                     0);
    gnutls_x509_crt_deinit(certificate);
    gnutls_x509_privkey_deinit(key);
}
