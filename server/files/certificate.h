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

struct certificate; /* immutable, reference-counted */

/* From PEM. NULL, and in `why` what is wrong; the key must belong to the certificate. */
struct certificate *certificate_new(const char *chain, size_t chain_len, const char *key,
                                    size_t key_len, char *why, size_t size);
struct certificate *certificate_share(struct certificate *certificate); /* NULL: NULL */
void certificate_drop(struct certificate *certificate);                 /* NULL is ignored */

/* The session will send the certificate in its handshake, which has not begun. The certificate
 * must outlive the session. */
bool certificate_show(struct certificate *certificate, gnutls_session_t session);
/* Returns true if both were made from the same files. */
bool certificate_equal(const struct certificate *a, const struct certificate *b);
/* Returns the operations of a handshake with it (core/posenc.h): keys are exchanged, and the
 * certificate's key signs. */
double certificate_operations(const struct certificate *certificate);
/* When the certificate expires, in seconds since 1970; -1: unknown. */
time_t certificate_expires(const struct certificate *certificate);
