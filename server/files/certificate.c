/* SPDX-License-Identifier: Apache-2.0
 * certificate.c - see certificate.h. */
#include "server/files/certificate.h"

#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH = 32 };

struct certificate {
    atomic_uint owners;
    gnutls_certificate_credentials_t credentials;
    time_t expires;
    double operations;           /* of a handshake */
    unsigned char hash[2][HASH]; /* of the chain's file and of the key's */
};

/* When the first certificate of the chain expires; -1: unknown. */
static time_t expiry(gnutls_certificate_credentials_t credentials)
{
    gnutls_x509_crt_t *list = NULL;
    unsigned count = 0;
    time_t time = -1;

    if (gnutls_certificate_get_x509_crt(credentials, 0, &list, &count) != 0)
        return -1;
    for (unsigned i = 0; i < count; i++) {
        if (i == 0)
            time = gnutls_x509_crt_get_expiration_time(list[i]);
        gnutls_x509_crt_deinit(list[i]);
    }
    gnutls_free(list);
    return time;
}

/* Of one signature, in about nanoseconds, as GnuTLS 3.7 needs them on a server's core: RSA of
 * 2048, 3072 and 4096 bits 1.3, 3.6 and 7.4 ms, the curves 0.1 and 0.2 ms. A key that cannot
 * be read here, which GnuTLS has taken, counts as one of RSA. */
static double signing_operations(gnutls_certificate_credentials_t credentials)
{
    gnutls_x509_privkey_t key = NULL;
    unsigned bits = 2048;
    int algorithm = GNUTLS_PK_RSA;
    double times;

    if (gnutls_certificate_get_x509_key(credentials, 0, &key) == 0) {
        algorithm = gnutls_x509_privkey_get_pk_algorithm2(key, &bits);
        gnutls_x509_privkey_deinit(key);
    }
    if (algorithm != GNUTLS_PK_RSA && algorithm != GNUTLS_PK_RSA_PSS)
        return bits <= 256 ? 100e3 : 200e3;
    times = bits / 2048.0;
    return 1.3e6 * times * times * sqrt(times);
}

struct certificate *certificate_new(const char *chain, size_t chain_len, const char *key,
                                    size_t key_len, char *why, size_t size)
{
    const gnutls_datum_t chain_pem = {(unsigned char *)(uintptr_t)chain, (unsigned)chain_len};
    const gnutls_datum_t key_pem = {(unsigned char *)(uintptr_t)key, (unsigned)key_len};
    struct certificate *made = calloc(1, sizeof *made);
    int code = GNUTLS_E_MEMORY_ERROR;

    if (made)
        code = gnutls_certificate_allocate_credentials(&made->credentials);
    if (code >= 0)
        code = gnutls_certificate_set_x509_key_mem2(made->credentials, &chain_pem, &key_pem,
                                                    GNUTLS_X509_FMT_PEM, NULL, 0);
    if (code >= 0)
        code = gnutls_hash_fast(GNUTLS_DIG_SHA256, chain, chain_len, made->hash[0]);
    if (code >= 0)
        code = gnutls_hash_fast(GNUTLS_DIG_SHA256, key, key_len, made->hash[1]);
    if (code >= 0) {
        atomic_init(&made->owners, 1);
        made->expires = expiry(made->credentials);
        made->operations =
            CERTIFICATE_EXCHANGE_OPERATIONS + signing_operations(made->credentials);
        return made;
    }
    snprintf(why, size, "must be a PEM certificate and its key, without a password: %s",
             gnutls_strerror(code));
    if (made && made->credentials)
        gnutls_certificate_free_credentials(made->credentials);
    free(made);
    return NULL;
}

struct certificate *certificate_share(struct certificate *certificate)
{
    if (certificate)
        atomic_fetch_add(&certificate->owners, 1);
    return certificate;
}

void certificate_drop(struct certificate *certificate)
{
    if (!certificate || atomic_fetch_sub(&certificate->owners, 1) != 1)
        return;
    gnutls_certificate_free_credentials(certificate->credentials);
    free(certificate);
}

bool certificate_show(struct certificate *certificate, gnutls_session_t session)
{
    return gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, certificate->credentials) ==
           0;
}

bool certificate_equal(const struct certificate *a, const struct certificate *b)
{
    return memcmp(a->hash, b->hash, sizeof a->hash) == 0;
}

time_t certificate_expires(const struct certificate *certificate)
{
    return certificate->expires;
}

double certificate_operations(const struct certificate *certificate)
{
    return certificate->operations;
}
