#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# for_pods.sh FILE - prints deploy/nginx/posencd.conf for a pod: it listens at port 8080 for any
# name, and its replicas are the pods behind the headless Service posencd-pods, as DNS has them
# (nginx 1.27.3 or later; older ones know no `resolve`).
#
# The names are asked for as SRV records (service=http), since nginx hashes the name of a server: with
# the name of the Service all pods would be one server, and requests would be spread by turns. Each
# SRV record has a name of its own.
set -eu

resolv=${RESOLV_CONF:-/etc/resolv.conf}
nameserver=$(awk '$1 == "nameserver" { print ($2 ~ /:/) ? "[" $2 "]" : $2; exit }' "$resolv")
# The first domain to search is NAMESPACE.svc.CLUSTER.
domain=$(awk '$1 == "search" { print $2; exit }' "$resolv")
if [ -z "$nameserver" ] || [ -z "$domain" ]; then
    echo "$resolv must have a nameserver and a search domain, as pods with dnsPolicy ClusterFirst have" >&2
    exit 1
fi

replicas="zone posencd 1m; resolver $nameserver valid=5s;"
replicas="$replicas server posencd-pods.$domain service=http resolve"
awk -v replicas="$replicas" '
    /^ *server 127\.0\.0\.1:8080/ { sub(/server 127\.0\.0\.1:8080/, replicas); pods++ }
    /^ *listen 127\.0\.0\.1:8081;/ { sub(/127\.0\.0\.1:8081/, "8080"); ports++ }
    /^ *server_name / { sub(/server_name [^;]*/, "server_name _"); names++ }
    { print }
    END {
        if (pods != 1 || ports != 1 || names != 1) {
            print "one server 127.0.0.1:8080, one listen 127.0.0.1:8081 and one server_name are wanted; got " \
                pods + 0 ", " ports + 0 " and " names + 0 >"/dev/stderr"
            exit 1
        }
    }' "$1"
