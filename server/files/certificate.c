/* SPDX-License-Identifier: Apache-2.0
 * certificate.c - see certificate.h. */
#include "server/files/certificate.h"

#include <gnutls/x509.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct certificate {
    atomic_uint owners;
    gnutls_certificate_credentials_t credentials;
    time_t expires;
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
    if (code >= 0) {
        atomic_init(&made->owners, 1);
        made->expires = expiry(made->credentials);
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

time_t certificate_expires(const struct certificate *certificate)
{
    return certificate->expires;
}
