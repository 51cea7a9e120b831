# posenc: build, run, test. `make help` lists the targets.
# (Structure only; every flavour has its own folder below build/.)
CC ?= gcc
BUILD ?= build
CFLAGS ?= -O2 -g
STD := -std=c11 -D_GNU_SOURCE -I. -I$(BUILD)/gen -ffp-contract=off -fno-math-errno -fvisibility=hidden -fPIC
WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
