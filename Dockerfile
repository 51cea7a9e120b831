# posencd as an image: it is built on Debian bookworm and contains the program and the libraries that it
# needs, but no shell, no package manager and no root. What it is built of has deploy/README.md.
#
#   docker build -t posencd .        or, without a daemon and without a registry: make image
#   docker build --target ship --output ship .       its files and its bill of materials
ARG BASE=docker.io/library/debian:bookworm-slim

FROM --platform=$BUILDPLATFORM ${BASE} AS build
RUN command -v make >/dev/null || \
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends make; }
COPY . /src
WORKDIR /src
ARG TARGETARCH
ARG SOURCE_DATE_EPOCH
RUN dpkg --add-architecture "$TARGETARCH" && make deps-ship ship FLAVOUR="$TARGETARCH" SHIP=/ship

FROM scratch AS ship
COPY --from=build /ship /

FROM scratch
COPY --from=build /ship/root /
ARG VERSION REVISION CREATED
LABEL org.opencontainers.image.title="posencd" \
      org.opencontainers.image.description="positional encodings and attention biases over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED"
USER 65532:65532
ENV POSENCD_SECCOMP=on GLIBC_TUNABLES=glibc.malloc.tcache_count=60
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["/usr/bin/posencd", "health"]
ENTRYPOINT ["/usr/bin/posencd"]
CMD ["serve", "--listen", "0.0.0.0:8080"]
