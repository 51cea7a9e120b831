/* SPDX-License-Identifier: Apache-2.0
 * certificate.h - a chain of X.509 certificates and its key, ready for handshakes. */
#pragma once

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* TLS 1.2 and 1.3 with forward secrecy, without SHA-1 and workarounds for old clients. */
#define CERTIFICATE_PRIORITIES                                                                 \
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-RSA:-DHE-RSA:-GROUP-ALL:"                  \
    "+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:%SERVER_PRECEDENCE"

#define CERTIFICATE_EXCHANGE_OPERATIONS 130e3 /* of exchanging keys, without a signature */

/* Of verifying a client's certificate and its signature. */
#define CERTIFICATE_CLIENT_OPERATIONS 300e3

struct certificate; /* immutable, reference-counted */

struct certificate_file { /* the text of a file; NULL: there is none */
    const char *text;
    size_t len;
};
/* From PEM. NULL, and in `why` what is wrong: the key must belong to the certificate, whose
 * time must not be over. authorities: those that sign the certificates of clients, which are
 * asked for one then; the time of one of them at least must not be over. */
struct certificate *certificate_new(struct certificate_file chain, struct certificate_file key,
                                    struct certificate_file authorities, char *why,
                                    size_t size);
struct certificate *certificate_share(struct certificate *certificate); /* NULL: NULL */
void certificate_drop(struct certificate *certificate);                 /* NULL is ignored */

/* The session will send the certificate in its handshake, which has not begun. The certificate
 * must outlive the session. */
bool certificate_show(struct certificate *certificate, gnutls_session_t session);
/* Returns whether clients are asked for a certificate of theirs, which they need not have. */
bool certificate_asks(const struct certificate *certificate);
/* Verifies the certificate that the client of the session has shown, if any. False, and in
 * `why` the reason: it is none that an authority has signed, for a client and for this time. */
bool certificate_verify(gnutls_session_t session, char *why, size_t size);
/* Returns the name in a client's verified certificate: the common name of its subject, else the
 * first name or URI of its subjectAltName; free() it. NULL: it has shown none, or out of
 * memory. */
char *certificate_subject(gnutls_session_t session);
/* Returns true if both were made from the same files. */
bool certificate_equal(const struct certificate *a, const struct certificate *b);
/* Returns the operations of a handshake with it (core/posenc.h): keys are exchanged, and the
 * certificate's key signs. */
double certificate_operations(const struct certificate *certificate);
/* When the certificate expires, in seconds since 1970; -1: unknown. */
time_t certificate_expires(const struct certificate *certificate);
