# posencd as an image: it is built and tested on Debian bookworm and contains the program and the
# libraries that it needs, but no shell, no package manager and no root.
#
#   docker build -t posencd .        or, without a daemon and without a registry: make image
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS build
RUN command -v make >/dev/null || \
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends make; }
COPY . /src
WORKDIR /src
RUN make deps all unit
RUN make install DESTDIR=/out PREFIX=/usr && deploy/closure.sh /out/usr/bin/posencd /ship

FROM scratch
COPY --from=build /ship /
USER 65532:65532
ENV POSENCD_SECCOMP=on GLIBC_TUNABLES=glibc.malloc.tcache_count=60
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/usr/bin/posencd", "health"]
ENTRYPOINT ["/usr/bin/posencd"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
