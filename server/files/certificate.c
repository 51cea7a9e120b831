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
    bool asks;                   /* clients for a certificate */
    unsigned char hash[3][HASH]; /* of the files of the chain, the key and the authorities */
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

/* ---- files ------------------------------------------------------------------------------- */

static gnutls_datum_t datum_of(struct certificate_file file)
{
    return (gnutls_datum_t){(unsigned char *)(uintptr_t)file.text, (unsigned)file.len};
}

static int hash_file(struct certificate_file file, unsigned char hash[HASH])
{
    return file.text ? gnutls_hash_fast(GNUTLS_DIG_SHA256, file.text, file.len, hash) : 0;
}

/* Returns when the last of the certificates expires; -1: they cannot be read. */
static time_t last_expiry(struct certificate_file file)
{
    const gnutls_datum_t pem = datum_of(file);
    gnutls_x509_crt_t *list = NULL;
    unsigned count = 0;
    time_t last = -1;

    if (gnutls_x509_crt_list_import2(&list, &count, &pem, GNUTLS_X509_FMT_PEM, 0) < 0)
        return -1;
    for (unsigned i = 0; i < count; i++) {
        const time_t time = gnutls_x509_crt_get_expiration_time(list[i]);

        last = time > last ? time : last;
        gnutls_x509_crt_deinit(list[i]);
    }
    gnutls_free(list);
    return last;
}

/* Returns whether the time is over, and says so in `why`. */
static bool is_over(time_t expires, const char *what, char *why, size_t size)
{
    char text[40] = "?";
    struct tm day;

    if (expires < 0 || expires > time(NULL))
        return false;
    if (gmtime_r(&expires, &day))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &day);
    snprintf(why, size, "%s expired at %s; put a newer one in its place", what, text);
    return true;
}

/* Reads the three files; 0, or an error of GnuTLS. */
static int read_files(struct certificate *made, struct certificate_file chain,
                      struct certificate_file key, struct certificate_file authorities)
{
    const gnutls_datum_t chain_pem = datum_of(chain), key_pem = datum_of(key);
    const gnutls_datum_t authorities_pem = datum_of(authorities);
    int code = gnutls_certificate_allocate_credentials(&made->credentials);

    if (code >= 0)
        code = gnutls_certificate_set_x509_key_mem2(made->credentials, &chain_pem, &key_pem,
                                                    GNUTLS_X509_FMT_PEM, NULL, 0);
    if (code >= 0 && authorities.text)
        code = gnutls_certificate_set_x509_trust_mem(made->credentials, &authorities_pem,
                                                     GNUTLS_X509_FMT_PEM);
    if (code >= 0)
        code = hash_file(chain, made->hash[0]);
    if (code >= 0)
        code = hash_file(key, made->hash[1]);
    return code >= 0 ? hash_file(authorities, made->hash[2]) : code;
}

static void free_certificate(struct certificate *made)
{
    if (made && made->credentials)
        gnutls_certificate_free_credentials(made->credentials);
    free(made);
}

struct certificate *certificate_new(struct certificate_file chain, struct certificate_file key,
                                    struct certificate_file authorities, char *why, size_t size)
{
    struct certificate *made = calloc(1, sizeof *made);
    const time_t last = authorities.text ? last_expiry(authorities) : 0;
    int code = GNUTLS_E_MEMORY_ERROR;

    if (made && last >= 0)
        code = read_files(made, chain, key, authorities);
    if (last < 0) {
        snprintf(why, size, "the authorities of clients must be PEM certificates");
    } else if (code < 0) {
        snprintf(why, size, "must be a PEM certificate and its key, without a password: %s",
                 gnutls_strerror(code));
    } else {
        atomic_init(&made->owners, 1);
        made->asks = authorities.text != NULL;
        made->expires = expiry(made->credentials);
        made->operations =
            CERTIFICATE_EXCHANGE_OPERATIONS + signing_operations(made->credentials);
        if (!is_over(made->expires, "the certificate", why, size) &&
            !(authorities.text &&
              is_over(last, "every authority of clients is over: the last", why, size)))
            return made;
    }
    free_certificate(made);
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
    free_certificate(certificate);
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

/* ---- clients ----------------------------------------------------------------------------- */

bool certificate_asks(const struct certificate *certificate)
{
    return certificate->asks;
}

bool certificate_verify(gnutls_session_t session, char *why, size_t size)
{
    gnutls_typed_vdata_st purpose = {.type = GNUTLS_DT_KEY_PURPOSE_OID,
                                     .data =
                                         (unsigned char *)(uintptr_t)GNUTLS_KP_TLS_WWW_CLIENT};
    gnutls_datum_t text = {NULL, 0};
    unsigned count = 0, status = 0;
    int code;

    if (!gnutls_certificate_get_peers(session, &count) || count == 0)
        return true;
    code = gnutls_certificate_verify_peers(session, &purpose, 1, &status);
    if (code >= 0 && status == 0)
        return true;
    if (code < 0 ||
        gnutls_certificate_verification_status_print(status, GNUTLS_CRT_X509, &text, 0) < 0)
        snprintf(why, size, "%s", gnutls_strerror(code));
    else
        snprintf(why, size, "%s", (const char *)text.data);
    gnutls_free(text.data);
    return false;
}

/* Reads the common name of the subject, else a name beside it. */
static char *read_subject(gnutls_x509_crt_t shown)
{
    char text[512];
    size_t len = sizeof text;

    if (gnutls_x509_crt_get_dn_by_oid(shown, GNUTLS_OID_X520_COMMON_NAME, 0, 0, text, &len) >=
        0)
        return strndup(text, len);
    for (unsigned i = 0;; i++) {
        int type;

        len = sizeof text;
        type = gnutls_x509_crt_get_subject_alt_name(shown, i, text, &len, NULL);
        if (type == GNUTLS_SAN_DNSNAME || type == GNUTLS_SAN_URI)
            return strndup(text, len);
        if (type < 0)
            return NULL;
    }
}

char *certificate_subject(gnutls_session_t session)
{
    unsigned count = 0;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);
    gnutls_x509_crt_t shown;
    char *subject = NULL;

    if (!chain || count == 0 || gnutls_x509_crt_init(&shown) < 0)
        return NULL;
    if (gnutls_x509_crt_import(shown, &chain[0], GNUTLS_X509_FMT_DER) >= 0)
        subject = read_subject(shown);
    gnutls_x509_crt_deinit(shown);
    return subject;
}
