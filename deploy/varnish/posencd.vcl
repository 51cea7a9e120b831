# Varnish (7) as a cache and load balancer in front of replicas of posencd:
#   varnishd -f posencd.vcl -a :8081 -s malloc,1g -p backend_remote_error_holddown=0
# (without the last, a replica that begins again is refused requests for a quarter of a second; of
# three restarts at once no replica would be left).
# What differs from site to site stands first: the replicas.
#
# Answers are pure functions of the request, so that every request may be sent again, POST among
# them, and any answer may be kept for as long as it says.
vcl 4.1;

import directors;
import std;
import vtc;

probe ready {
    .url = "/readyz";
    .interval = 1s;
    .timeout = 500ms;
    .window = 2;
    .threshold = 1;
    .initial = 1;
}

backend replica1 { .host = "127.0.0.1"; .port = "8080"; .connect_timeout = 300ms; .probe = ready; }
# backend replica2 { .host = "127.0.0.2"; .port = "8080"; .connect_timeout = 300ms; .probe = ready; }

# The same replicas without a probe, used while none says that it is ready, as when all drain at once.
# A replica that drains still serves.
backend unready1 { .host = "127.0.0.1"; .port = "8080"; .connect_timeout = 300ms; }
# backend unready2 { .host = "127.0.0.2"; .port = "8080"; .connect_timeout = 300ms; }

sub vcl_init {
    # One URL always meets one replica, whose own cache then has it.
    new replicas = directors.shard();
    replicas.set_rampup(0s);
    replicas.add_backend(replica1);
    # replicas.add_backend(replica2);
    replicas.reconfigure();
    new unready = directors.shard();
    unready.set_rampup(0s);
    unready.add_backend(unready1);
    # unready.add_backend(unready2);
    unready.reconfigure();
}

acl purgers {
    "localhost";
}

sub vcl_recv {
    if (req.method == "BAN") { # forgets every answer without a pinned revision
        if (client.ip !~ purgers) {
            return (synth(403, "Only purgers may purge."));
        }
        ban("obj.http.Cache-Control !~ immutable");
        return (synth(200, "Purged"));
    }
    unset req.http.X-Unsure;
    if (req.http.X-Request-Id !~ "^[A-Za-z0-9._-]{1,64}$") {
        set req.http.X-Request-Id = "v-" + req.xid;
    }
    if (req.url == "/metrics") {
        return (synth(404, "Ask each replica for its metrics."));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        # A body is kept to be sent again. A long one, or one of unknown length, is sent once.
        if (!req.http.Content-Length) {
            set req.http.X-Once = "1";
        } else if (std.integer(req.http.Content-Length, 0) > 8388608) {
            set req.http.X-Once = "1";
        } else {
            unset req.http.X-Once;
            std.cache_req_body(8MB);
        }
        return (pass);
    }
    unset req.http.X-Once;
    if (req.http.Range) { # a part of an answer is made by itself
        return (pass);
    }
    return (hash);
}

sub vcl_backend_fetch {
    # The n-th try is that of the n-th replica for this URL. Requests with a body are spread.
    if (bereq.method == "GET" || bereq.method == "HEAD") {
        set bereq.backend = replicas.backend(by=URL, alt=bereq.retries, healthy=CHOSEN);
        if (!bereq.backend) {
            set bereq.backend = unready.backend(by=URL, alt=bereq.retries, healthy=IGNORE);
        }
    } else {
        set bereq.backend = replicas.backend(by=KEY, key=replicas.key(bereq.http.X-Request-Id),
                                             alt=bereq.retries, healthy=CHOSEN);
        if (!bereq.backend) {
            set bereq.backend = unready.backend(by=KEY, key=replicas.key(bereq.http.X-Request-Id),
                                                alt=bereq.retries, healthy=IGNORE);
        }
    }
    # posencd begins every answer within --work-timeout (2 s).
    set bereq.first_byte_timeout = 2500ms;
    set bereq.between_bytes_timeout = 2500ms;
}

sub vcl_backend_response {
    if (beresp.status == 503 && bereq.retries < 3 && !bereq.http.X-Once) {
        set bereq.http.X-Unsure = "1";
        return (retry);
    }
    # While two versions serve, another replica may have the revision.
    if (beresp.status == 404 && bereq.retries < 3 && !bereq.http.X-Once &&
        bereq.url ~ "([?&]rev=|^/v2/models/[^/]+/versions/)") {
        return (retry);
    }
    # A 404 behind the 503 of a replica that has the revision, or behind one that did not answer, is
    # no answer.
    if (beresp.status == 404 && bereq.http.X-Unsure) {
        return (error(503));
    }
    # An answer of 10 MB or more, or of unknown length, is passed on as it is made. Others are
    # complete before the first byte is sent, so that a replica may fail in the midst of one.
    if (!beresp.http.Content-Length || beresp.http.Content-Length ~ "^[0-9]{8,}$") {
        set beresp.uncacheable = true;
        set beresp.ttl = 60s;
    } else {
        set beresp.do_stream = false;
        set beresp.keep = 7d; # to be revalidated by its entity tag
    }
}

sub vcl_backend_error {
    # The next replica is asked at once; the tries after that wait for 2.5 s together, in which all
    # replicas may begin again.
    if (bereq.retries < 3 && !bereq.http.X-Once) {
        set bereq.http.X-Unsure = "1";
        vtc.sleep(500ms * bereq.retries * bereq.retries);
        return (retry);
    }
    set beresp.http.Content-Type = "application/problem+json";
    set beresp.http.Cache-Control = "no-store";
    set beresp.http.Retry-After = "1";
    set beresp.body = """{"type":"/problems/overloaded","title":"Overloaded","status":503,"detail":"no replica answered; try again"}
""";
    return (deliver);
}

sub vcl_deliver {
    set resp.http.X-Request-Id = req.http.X-Request-Id;
    if (obj.hits > 0) {
        set resp.http.X-Cache-Status = "HIT";
        unset resp.http.Server-Timing; # that of the request which filled the cache
    } else {
        set resp.http.X-Cache-Status = "MISS";
    }
}
