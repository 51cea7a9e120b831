# posenc: build, run, test. `make help` lists the goals, each of which is described after ##.
#
# This is the only makefile. Sources are found by their place: core/**.c is the library,
# proto/**.c and server/**.c are archives, tests/{core,proto,server}/**/test_*.c are the suites
# of one runner. A flavour (asan, tsan, fuzz, coverage, calls, mutant) is this tree compiled with other
# flags into build/<flavour>: make starts itself with FLAVOUR=<name>.

VERSION := $(shell sed -nE 's/^    return "([0-9.]+)";$$/\1/p' core/registry.c)
ABI := 0
# Whom the packages name. No mail arrives there: SECURITY.md and CONTRIBUTING.md say how to reach us. Those
# who distribute packages of their own give theirs: make deb MAINTAINER='Name <name@example.org>'.
MAINTAINER ?= authors of posencd <authors@posencd.invalid>

# ---- packages (Debian 12 and 13, Ubuntu) -----------------------------------------------------
# deps: to build, run and test. deps-dev: lint, sanitizers, fuzzing. deps-bench: the programs that
# the benchmarks compare with. deps-browser: the tests of the pages. deps-clients: the languages of
# README's examples. deps-image: the container image, and its tests. deps-ship: to build what an
# image contains, FLAVOUR=arm64 for another architecture. deps-fleet: caches and load balancers.
# deps-kubernetes: what judges deploy/kustomize, deploy/helm and deploy/compose.
# deps-package: Debian packages. deps-elsewhere: what makes a root of another Debian.
# deps-wasm: WebAssembly, and what its libraries are built with.
# What the source itself needs is in a table, which has the names elsewhere too.
DEPENDENCIES := tests/support/dependencies.txt
# Column $(3) of the rows of parts $(1) that are found by $(2).
needs = $(shell awk '$$1 ~ /^($(1))$$/ && $$2 ~ /^($(2))$$/ && !seen[$$$(3)]++ { print $$$(3) }' $(DEPENDENCIES))
LIBRARIES := $(call needs,core|proto|server,.*,4)
TOOLS := $(call needs,tool,.*,4)
ifeq ($(LIBRARIES),)
$(error $(DEPENDENCIES) names no library: copy it beside the Makefile, which links what it names)
endif
PACKAGES_deps := $(TOOLS) $(LIBRARIES) $(call needs,test,.*,4)
PACKAGES_deps-dev := clang-14 libclang-rt-14-dev clang-format-14 clang-tidy-14 llvm-14 gcovr \
    valgrind dpkg-dev musl-tools libfreetype-dev fonts-dejavu-core
PACKAGES_deps-bench := g++ wrk nginx-light h2o curl python3-torch python3-fastapi \
    python3-uvicorn python3-matplotlib python3-scipy
PACKAGES_deps-browser := chromium chromium-driver python3-selenium python3-numpy fonts-inter \
    fonts-jetbrains-mono fonts-noto-cjk $(if $(shell command -v npm),,npm)
PACKAGES_deps-clients := nodejs rustc golang-go python3-jsonschema python3-pip \
    python3-setuptools python3-wheel mypy shellcheck python3-httpx python3-geventhttpclient \
    python3-rapidjson python3-aiohttp python3-pytest zsh fish mandoc groff $(if $(shell command -v npm),,npm)
PACKAGES_deps-image := buildah mmdebstrap crun runc python3-numpy $(if $(FULL),qemu-user-static)
# An architecture by Debian's name, and the prefix of its compiler. FLAVOUR=arm64 compiles for it.
TRIPLET_amd64 := x86_64-linux-gnu
TRIPLET_arm64 := aarch64-linux-gnu
NATIVE := $(shell dpkg --print-architecture 2>/dev/null)
TARGET := $(if $(TRIPLET_$(FLAVOUR)),$(FLAVOUR),$(NATIVE))
FOREIGN := $(filter-out $(NATIVE),$(TARGET))
PACKAGES_deps-ship := $(TOOLS) $(LIBRARIES) \
    $(if $(FOREIGN),gcc-$(subst _,-,$(TRIPLET_$(FOREIGN))) $(LIBRARIES:%=%:$(FOREIGN)))
PACKAGES_deps-fleet := nginx varnish haproxy
# What executes the templates of the Helm chart.
CHART_PACKAGES := golang-go golang-github-masterminds-sprig-dev python3-jsonschema python3-yaml
PACKAGES_deps-kubernetes := nodejs nginx prometheus docker-compose $(CHART_PACKAGES) \
    $(if $(shell command -v npm),,npm)
PACKAGES_deps-wasm := clang-14 lld-14 llvm-14 wasi-libc libclang-rt-14-dev-wasm32 dpkg-dev make brotli \
    nodejs
PACKAGES_deps-package := debhelper fakeroot lintian mmdebstrap systemd mandoc gnupg gpgv \
    $(CHART_PACKAGES) $(if $(FULL),qemu-user-static)
PACKAGES_deps-elsewhere := mmdebstrap

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-builtin-rules --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

INSTALLS := deps deps-dev deps-bench deps-browser deps-clients deps-image deps-ship deps-fleet deps-kubernetes deps-package deps-elsewhere deps-wasm
wanted := $(filter $(INSTALLS),$(MAKECMDGOALS))
rest := $(filter-out $(INSTALLS),$(MAKECMDGOALS))

ifneq ($(wanted),)
# ---- packages first: install, then start again for the other goals ----------------------------
# So `make deps run` works in one call (with -j too): make reads nothing below before pkg-config
# and the libraries are installed.
.PHONY: $(wanted) $(rest) installed
.NOTPARALLEL:
installed:
	@tests/support/install_packages.sh $(foreach list,$(wanted),$(PACKAGES_$(list)))
$(wanted): installed
	@:
$(firstword $(rest)): installed
	@+$(MAKE) $(rest)
$(wordlist 2,$(words $(rest)),$(rest)): $(firstword $(rest))
	@:
else

comma := ,

# ---- flavours -----------------------------------------------------------------------------------
ifeq ($(origin CC),default)
CC := gcc
endif
HOSTCC ?= gcc
CLANG ?= clang-14
AR := ar
PYTHON := /usr/bin/python3
T ?= 60
PREFIX ?= /usr/local
DESTDIR ?=
FLAVOUR ?=
BUILD := build$(addprefix /,$(FLAVOUR))
GEN := build/gen
O := $(BUILD)/obj

CFLAGS ?= -g
# Flags per folder: kernels need the vectoriser at its best, other code size and speed.
OPTIMISE := -O2
OPTIMISE_MATH := -O3 -fno-trapping-math
SANITIZE :=
MUTATION :=
ifeq ($(FLAVOUR),asan)
CC := $(CLANG)
OPTIMISE := -O1
OPTIMISE_MATH := -O1
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else ifeq ($(FLAVOUR),tsan)
CC := $(CLANG)
OPTIMISE := -O1
OPTIMISE_MATH := -O2
SANITIZE := -fsanitize=thread -fno-omit-frame-pointer
else ifeq ($(FLAVOUR),fuzz)
CC := $(CLANG)
OPTIMISE := -O1
OPTIMISE_MATH := -O2
SANITIZE := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
else ifeq ($(FLAVOUR),coverage)
OPTIMISE := -O0
OPTIMISE_MATH := -O1
SANITIZE := --coverage -fprofile-update=atomic
else ifeq ($(FLAVOUR),calls)
# Every function is called by its name: none is inlined, split, copied or jumped to, which -O2 would do.
OPTIMISE := -O1 -fno-inline
OPTIMISE_MATH := $(OPTIMISE)
else ifeq ($(FLAVOUR),mutant)
# Without our flags the compiler would contract a*b+c: the byte tests must notice.
MUTATION := -ffp-contract=fast -mfma
else ifeq ($(FLAVOUR),wasm)
# A page loads it, so it is short: only kernels of the module of all encodings are made for speed. Lengths
# of 32 bits are the module's own; the limits of proto/local keep sizes below.
CC := $(CLANG) --target=wasm32-wasi
AR := llvm-ar-14
OPTIMISE := -Oz
OPTIMISE_MATH := -Os -fno-trapping-math
CFLAGS := -fno-pic -DNDEBUG -DPOWERS_AT_LOAD -msimd128 -ffunction-sections -fdata-sections -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL \
    -D_WASI_EMULATED_PROCESS_CLOCKS -Iproto/local/wasm/include -Ibuild/wasm/libraries/include
else ifneq ($(TRIPLET_$(FLAVOUR)),)
# The same bytes whatever the folder is called. The tests' libraries are not needed.
CC := $(TRIPLET_$(FLAVOUR))-gcc
STRIP := $(TRIPLET_$(FLAVOUR))-strip
CFLAGS := -ffile-prefix-map=$(CURDIR)=.
export PKG_CONFIG_LIBDIR := /usr/lib/$(TRIPLET_$(FLAVOUR))/pkgconfig:/usr/share/pkgconfig
endif

STD := -std=c11 -D_GNU_SOURCE -I. -I$(GEN) -ffp-contract=off -fno-math-errno \
    -fvisibility=hidden -fPIC
# A compiler that we do not know may warn of what ours do not: that ends no build of a user. WERROR=1
# makes warnings errors; .ci/run sets it. Constants here are enumerators, which C++, not C, forbids to meet a double
# or another enumeration's; clang warns of it in C too since 19.
WARN := -Wall -Wextra -Wno-unused-parameter -Wpedantic -Wshadow -Wconversion \
    -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat -Wformat-security $(if $(WERROR),-Werror)$(if \
    $(findstring clang,$(CC)), -Wno-enum-float-conversion -Wno-enum-enum-conversion)

# ---- hardening ------------------------------------------------------------------------------------
# What a flag does, and the flag. tests/deploy/test_hardening.py reads what each leaves in the ELF files.
# A sanitizer brings checks of its own, and coverage is measured without optimisation, which fortifying
# needs: these flavours are not hardened.
MACHINE := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
# A canary lies between the arrays of a frame and its return address: an overflow ends the process.
HARDEN_stack := -fstack-protector-strong
# A frame of several pages touches each of them, so that it cannot reach beyond the guard page unseen.
HARDEN_clash := -fstack-clash-protection
# An indirect call reaches functions alone, and a return its caller, where processor and kernel check it.
HARDEN_branch_x86_64 := -fcf-protection=full
HARDEN_branch_aarch64 := -mbranch-protection=standard
# Calls such as memcpy and snprintf compare what they write with the size of the object: level 3 with
# sizes known when the program runs (gcc 12 or clang 9, and glibc 2.34), level 2 with constant ones. The
# user's level wins; without optimisation there is none.
fortify_level = $(or $(filter 3,$(shell echo __USE_FORTIFY_LEVEL | $(CC) -O2 -U_FORTIFY_SOURCE \
    -D_FORTIFY_SOURCE=3 -include features.h -E -P -x c - 2>/dev/null | tail -n 1)),2)
HARDEN_fortify := $(if $(SANITIZE)$(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS))$(filter -O0,$(CFLAGS)),,\
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$(fortify_level))
HARDEN := $(if $(SANITIZE)$(filter wasm,$(FLAVOUR)),,$(HARDEN_stack) $(HARDEN_clash) $(HARDEN_branch_$(MACHINE)) $(HARDEN_fortify))
# Addresses of functions are all found at the start, after which their table cannot be written.
HARDEN_LINK := -Wl,-z,relro -Wl,-z,now
# The program is loaded at a random address. Its objects are those of the shared library (-fPIC).
HARDEN_PROGRAM := -pie

# Kernels are called for a few numbers, many times: a canary in theirs costs bias-fill of `make instructions`
# 2.3 %. Their arrays have constant sizes, and the tests run them under AddressSanitizer too.
SOFTEN_MATH := $(if $(SANITIZE),,-fno-stack-protector)

# OF_FOLDER are the flags of single folders. The user's flags come last and win, with one exception: the
# -O2 of a distribution is no choice against the level of the kernels.
OF_FOLDER :=
OF_USER = $(CFLAGS) $(CPPFLAGS)
COMPILE = $(CC) $(STD) $(OPTIMISE) $(HARDEN) $(WARN) $(SANITIZE) $(OF_FOLDER) $(OF_USER)
LINK = $(CC) $(SANITIZE) $(LDFLAGS)

pkg = $(shell pkg-config $(1) 2>/dev/null)
CORE_LIBS := -lmpfr -lgmp -lm
PROTO_PACKAGES := $(call needs,proto,pkg-config,3)
SERVER_PACKAGES := $(call needs,server,pkg-config,3)
TEST_PACKAGES := $(if $(TRIPLET_$(FLAVOUR))$(filter wasm,$(FLAVOUR)),,$(call needs,test,pkg-config,3))
PROTO_LIBS := $(call pkg,--libs $(PROTO_PACKAGES))
SERVER_LIBS := $(call pkg,--libs $(SERVER_PACKAGES)) -lpthread
TEST_LIBS := $(if $(TEST_PACKAGES),$(call pkg,--libs $(TEST_PACKAGES)))
# Packed relocations save a fifth of the program. Linkers of Debian 12 do it for amd64 alone; the loader
# reads them since glibc 2.36, which deploy/debian/control.in asks for.
PACKED := $(if $(filter amd64,$(TARGET)),-Wl$(comma)-z$(comma)pack-relative-relocs)
LINK_SHIPPED = $(CC) $(SANITIZE) $(HARDEN_LINK) $(PACKED) $(LDFLAGS)

# ---- sources by place -----------------------------------------------------------------------------
# proto/clients has programs that people copy: they are no part of ours.
SOURCES := $(sort $(shell find core proto server tests -name '*.c' -not -path 'proto/clients/*' 2>/dev/null))
named = $(foreach f,$(2),$(if $(filter $(1),$(notdir $(f))),$(f)))
objects = $(patsubst %.c,$(O)/%.o,$(1))

CORE := $(filter-out $(call named,make_%.c,$(SOURCES)),$(filter core/%,$(SOURCES)))
ifeq ($(FLAVOUR),wasm)
CORE := $(filter-out core/text/powers.c,$(CORE)) core/text/make_power.c core/text/make_powers_at_load.c
endif
PROTO := $(filter-out $(call named,make_%.c,$(SOURCES)),$(filter proto/%,$(SOURCES)))
SERVER := $(filter-out server/main.c,$(filter server/%,$(SOURCES)))
SUITE_FOLDERS ?= tests/core tests/proto tests/server
SUITES := $(call named,test_%.c,$(filter $(SUITE_FOLDERS:%=%/%),$(SOURCES)))
# Where there is one thread ThreadSanitizer can find nothing: of core and proto it runs the suites that
# start threads (FULL=1: all).
ifeq ($(FLAVOUR)$(FULL),tsan)
SUITES := $(filter tests/server/%,$(SUITES)) $(shell grep -l pthread_create $(filter-out tests/server/%,$(SUITES)))
endif
HTTP_SUITES := $(call named,test_%.c,$(filter tests/http/%,$(SOURCES)))
SUPPORT := $(foreach f,$(SOURCES),$(if $(findstring /support/,$(f)),$(filter tests/%,$(f))))
FUZZERS := $(call named,fuzz_%.c,$(filter tests/fuzz/%,$(SOURCES)))

LIB_CORE := $(BUILD)/libposenc.a
LIB_SHARED := $(BUILD)/libposenc.so.$(ABI)
LIB_PROTO := $(BUILD)/libproto.a
LIB_SERVER := $(BUILD)/libserver.a
POSENCD := $(BUILD)/posencd
ARCHIVES := $(LIB_SERVER) $(LIB_PROTO) $(LIB_CORE)
ALL_LIBS := $(SERVER_LIBS) $(PROTO_LIBS) $(CORE_LIBS)

# ---- objects ------------------------------------------------------------------------------------------
Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$@')

# A change of flags rebuilds everything, another change of this file does not.
FLAGS := $(BUILD)/.flags
.PHONY: FORCE
$(FLAGS): FORCE
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(OPTIMISE_MATH) $(SOFTEN_MATH) $(MUTATION) $(VERSION) $(LINK_SHIPPED)' >$@.$$$$; \
	 if cmp -s $@.$$$$ $@; then rm $@.$$$$; else \
	     pkg-config --exists --print-errors $(PROTO_PACKAGES) $(SERVER_PACKAGES) $(TEST_PACKAGES) \
	         || { rm $@.$$$$; echo 'libraries are missing: run `make deps`' >&2; exit 1; }; \
	     mv $@.$$$$ $@; fi

$(O)/core/math/%.o: OF_FOLDER = $(MUTATION) $(SOFTEN_MATH)
KERNELS := $(O)/core/math/%.o $(O)/core/dtype.o $(O)/proto/text/elements.o
$(KERNELS): OPTIMISE := $(OPTIMISE_MATH)
$(KERNELS): OF_USER = $(CFLAGS:-O2=$(OPTIMISE_MATH)) $(CPPFLAGS)
$(O)/core/%.o: OF_FOLDER = $(MUTATION)
# Whether the C library's heap has settings: glibc's has, musl's has not.
$(O)/server/sys/heap.o: OF_FOLDER = $(shell echo 'int main(void) { return mallopt(M_MXFAST, malloc_trim(0)); }' | \
    $(CC) -include malloc.h -x c -o /dev/null - 2>/dev/null && echo -DHAVE_MALLOPT)
$(O)/%.o: %.c $(FLAGS)
	@mkdir -p $(@D)
	$(call say,cc)
	$(Q)$(COMPILE) -MMD -MP -c -o $@ $<

-include $(patsubst %.o,%.d,$(call objects,$(SOURCES)))

# Tables that a program computes at build time: header <- generator.
POWERS := $(if $(filter core/text/make_powers.c,$(SOURCES)),$(GEN)/float_powers.h)
$(GEN)/make_powers: core/text/make_powers.c core/text/make_power.c core/text/make_power.h core/text/powers.h
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(HOSTCC) $(STD) -O2 $(WARN) -o $@ $(filter %.c,$^) -lgmp
$(GEN)/float_%.h: $(GEN)/make_%
	$(call say,gen)
	$(Q)$< >$@.$$$$ && mv $@.$$$$ $@
.SECONDARY:
$(call objects,$(filter core/text/%,$(SOURCES))): | $(POWERS)
# Facts of models, embedded: header <- core/models/*.json. An incomplete file is refused.
MODELS := $(GEN)/model_rows.h
MODEL_FILES := $(sort $(wildcard core/models/*.json))
MODEL_DOWNLOADS := core/models/downloads.txt
$(MODELS): proto/models/make_models.py proto/models/model_files.py core/models $(MODEL_FILES) $(MODEL_DOWNLOADS) # the folder, since a file may be removed
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) $< --downloads=$(MODEL_DOWNLOADS) $(MODEL_FILES) >$@.$$$$ && mv $@.$$$$ $@
$(O)/proto/models/models.o: $(MODELS)
# Documents that are pages too, embedded: header <- docs/*.md. A broken link is refused.
GUIDES := $(GEN)/guide_rows.h
GUIDE_FILES := $(addprefix docs/,api.md cli.md clients.md explorer.md limits.md models.md when-asking-wins.md) \
    $(sort $(wildcard docs/learn/*.md docs/learn/zh/*.md docs/verify/*.md))
$(GUIDES): proto/pages/make_guides.py docs/learn docs/learn/zh docs/learn/zh/words.tsv docs/verify $(GUIDE_FILES) # the folders, since a file may be removed
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) $< $(GUIDE_FILES) >$@.$$$$ && mv $@.$$$$ $@
$(O)/proto/pages/guide.o: $(GUIDES)
# Schemas of OpenAPI, embedded: header <- proto/describe/schemas/*.json. An array without items is refused.
SCHEMAS := $(GEN)/schema_rows.h
SCHEMA_FILES := $(sort $(wildcard proto/describe/schemas/*.json))
$(SCHEMAS): proto/describe/make_schemas.py proto/describe/schemas $(SCHEMA_FILES) # the folder, since a file may be removed
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) $< $(SCHEMA_FILES) >$@.$$$$ && mv $@.$$$$ $@
$(O)/proto/describe/openapi.o: $(SCHEMAS)
# The glyphs of pictures: header <- table, which `make glyphs` draws from a font.
GLYPHS := $(GEN)/glyph_rows.h
$(GLYPHS): proto/pictures/make_glyphs.py proto/pictures/glyphs.txt
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) $< proto/pictures/glyphs.txt >$@.$$$$ && mv $@.$$$$ $@
$(O)/proto/pictures/glyph.o: $(GLYPHS)
# The pages' script and stylesheet, embedded: header <- server/web/*.
ASSETS := $(GEN)/web_assets.h
ESBUILD ?= esbuild
$(ASSETS): server/web/make_assets.py server/web/tables.py proto/tensors/tensor_files.def server/web $(wildcard server/web/*.js server/web/*.css)
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) $< $(ESBUILD) server/web >$@.$$$$ && mv $@.$$$$ $@ || { rm -f $@.$$$$; exit 1; }
$(O)/server/handlers/assets.o: $(ASSETS)
# The scripts of completion, embedded: header <- server/cli/scripts/*.
SCRIPTS := $(GEN)/completion_scripts.h
SCRIPT_FILES := $(sort $(wildcard server/cli/scripts/posencd.*))
$(SCRIPTS): server/cli/make_scripts.py server/cli/scripts $(SCRIPT_FILES)
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) $< $(SCRIPT_FILES) >$@.$$$$ && mv $@.$$$$ $@
$(O)/server/cli/completion_script.o: $(SCRIPTS)
GENERATED := $(POWERS) $(MODELS) $(GUIDES) $(GLYPHS) $(SCHEMAS) $(SCRIPTS) $(ASSETS) $(GEN)/suites.def $(GEN)/http_suites.def

# ---- WebAssembly ----------------------------------------------------------------------------------------
# Modules of core and proto with proto/local/module.h as their interface. posenc.wasm has all of it. In
# posenc-NAME.wasm the tables of proto/local/wasm/NAME stand for those of the tree: the sources that include
# one of them are compiled again, and the kernels of the small module for their length. Models are in
# posenc-core.wasm without what only documents of models say.
MODULE_SIZES := posenc:750 posenc-core:640 posenc-small:200 # KB of each, compressed by brotli
WASM_LIBRARIES := build/wasm/libraries/.done
WASM_LINK = $(CC) -mexec-model=reactor -Wl,--gc-sections -Wl,--compress-relocations -Wl,-z,stack-size=1048576 -Wl,--strip-all -o $@ $^ \
    -Lbuild/wasm/libraries/lib -lmpfr -lgmp -ljansson -lpng -lz -ldeflate -lxxhash -lm \
    -lwasi-emulated-signal -lwasi-emulated-mman -lwasi-emulated-process-clocks
ifeq ($(FLAVOUR),wasm)
OF_TABLES := proto/models/models.c $(shell grep -lF "$$(find proto/local/wasm -name '*.def' \
    -printf 'include "%P"\n' | sed 's,"[^/]*/,",')" $(CORE) $(PROTO))
OF_SMALL := $(sort $(OF_TABLES) $(filter core/math/% core/dtype.c core/text/% proto/text/elements.c,$(CORE) $(PROTO)))
$(O)/%.o: STD := $(STD:-fPIC=)
# Asserts are left out, so that what they alone read is unused.
$(O)/%.o: WARN := -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -Wno-unused-but-set-variable -Wno-sign-compare
# Objects of a module have the path of their source, in a folder of the module's own.
define of_module
$(BUILD)/$(1)/%.o: %.c $(FLAGS) | $(GENERATED)
	@mkdir -p $$(@D)
	$$(call say,cc)
	$$(Q)$$(CC) -Iproto/local/wasm/$(1) -I$(BUILD)/$(1) $$(STD:-fPIC=) $(2) $$(CFLAGS) -MMD -MP -c -o $$@ $$<
$(BUILD)/posenc-$(1).wasm: $(patsubst %.c,$(BUILD)/$(1)/%.o,$(3)) $(O)/proto/local/module.o $(LIB_PROTO) $(LIB_CORE)
	$$(call say,ld)
	$$(Q)$$(WASM_LINK)
-include $(patsubst %.c,$(BUILD)/$(1)/%.d,$(3))
endef
$(BUILD)/small/proto/models/models.o: | $(BUILD)/small/model_rows.h
$(BUILD)/small/model_rows.h: proto/local/wasm/small/models.txt proto/models/make_models.py
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) proto/models/make_models.py $$(grep -v '^#' $< || true) >$@.$$$$ && mv $@.$$$$ $@
$(BUILD)/core/proto/models/models.o: | $(BUILD)/core/model_rows.h
$(BUILD)/core/model_rows.h: proto/models/make_models.py proto/models/model_files.py $(MODEL_FILES) $(MODEL_DOWNLOADS)
	@mkdir -p $(@D)
	$(call say,gen)
	$(Q)$(PYTHON) $< --settings --downloads=$(MODEL_DOWNLOADS) $(MODEL_FILES) >$@.$$$$ && mv $@.$$$$ $@
# Kernels ask for inlining at each call, for speed; the small module has each body once.
$(eval $(call of_module,small,-Oz -Dalways_inline=unused,$(OF_SMALL)))
$(eval $(call of_module,core,-Oz,$(OF_TABLES)))
$(BUILD)/posenc.wasm: $(O)/proto/local/module.o $(LIB_PROTO) $(LIB_CORE)
	$(call say,ld)
	$(Q)$(WASM_LINK)
endif
$(WASM_LIBRARIES): proto/local/wasm/libraries.sh
	@CLANG=$(CLANG) $< build/wasm/libraries
.PHONY: wasm wasm-modules
wasm-modules: $(foreach size,$(MODULE_SIZES),$(BUILD)/$(firstword $(subst :, ,$(size))).wasm)
wasm: $(GENERATED) $(WASM_LIBRARIES) ## builds core and proto as WebAssembly modules, build/wasm/posenc*.wasm, after `make deps-wasm`
	@+$(MAKE) FLAVOUR=wasm wasm-modules
	@for size in $(MODULE_SIZES); do file=build/wasm/$${size%:*}.wasm; brotli --force --keep --best $$file; \
	     bytes=$$(stat -c %s $$file.br); echo "  $$file: $$(stat -c %s $$file) bytes, $$bytes by brotli"; \
	     [ $$bytes -le $${size#*:}000 ] || { echo "$$file is longer than $${size#*:} KB" >&2; exit 1; }; \
	 done

# ---- libraries and programs ---------------------------------------------------------------------------
define archive
	@mkdir -p $(@D)
	$(call say,ar)
	$(Q)rm -f $@; $(AR) rcs $@ $(filter %.o,$^)
endef
$(LIB_CORE): $(call objects,$(CORE)) ; $(archive)
$(LIB_PROTO): $(call objects,$(PROTO)) ; $(archive)
$(LIB_SERVER): $(call objects,$(SERVER)) ; $(archive)

$(LIB_SHARED): $(call objects,$(CORE))
	$(call say,ld)
	$(Q)$(LINK_SHIPPED) -shared -Wl,-soname,$(@F) -Wl,-z,defs -o $@ $^ $(CORE_LIBS)
	$(Q)ln -sf $(@F) $(BUILD)/libposenc.so

$(POSENCD): $(O)/server/main.o $(ARCHIVES)
	$(call say,ld)
	$(Q)$(LINK_SHIPPED) $(HARDEN_PROGRAM) -o $@ $^ $(ALL_LIBS)

$(BUILD)/posenc.pc: FORCE # holds PREFIX, LIBDIR and INCLUDEDIR
	@mkdir -p $(@D)
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR:$(PREFIX)/%=$${prefix}/%)' \
	    'includedir=$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%)' '' \
	    'Name: posenc' 'Description: positional encodings and attention biases, exact and fast' \
	    'Version: $(VERSION)' 'Libs: -L$${libdir} -lposenc' 'Libs.private: $(CORE_LIBS)' \
	    'Cflags: -I$${includedir}' >$@

# The manual page of the library is its header: posenc(3).
$(BUILD)/posenc.3: core/make_man.py core/posenc.h core/registry.c # which has the version
	$(call say,man)
	$(Q)$(PYTHON) $< core/posenc.h $(VERSION) >$@.$$$$ && mv $@.$$$$ $@

.PHONY: all core proto server
all: core proto server ## builds the libraries and build/posencd
core: $(LIB_CORE) $(LIB_SHARED) $(BUILD)/posenc.pc $(BUILD)/posenc.3
proto: $(LIB_PROTO)
server: $(if $(wildcard server/main.c),$(POSENCD),$(LIB_SERVER))

# ---- tests -----------------------------------------------------------------------------------------------
# test_x.c exports `const struct suite x_suite`; the lists of suites follow from the file names.
define suites
	@mkdir -p $(@D)
	@printf '%s\n' $(patsubst test_%.c,'SUITE_NAME(%)',$(notdir $(1))) >$@.$$$$; \
	 if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi
endef
$(GEN)/suites.def: FORCE ; $(call suites,$(SUITES))
$(GEN)/http_suites.def: FORCE ; $(call suites,$(HTTP_SUITES))

# Calls of these functions from our objects pass through tests/support/alloc_fail.h,
# thread_limit.h, epoll_fail.h and stop_looks.h.
WRAP := $(foreach f,malloc calloc realloc reallocarray aligned_alloc free libdeflate_alloc_compressor \
    pthread_create pthread_join epoll_ctl pe_stop_is_set, \
    -Wl$(comma)--wrap=$(f))

RUNNER := $(BUILD)/tests/run
$(O)/tests/run.o: $(GEN)/suites.def
$(RUNNER): $(call objects,tests/run.c $(SUITES) $(SUPPORT)) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) $(WRAP) -o $@ $^ $(TEST_LIBS) $(ALL_LIBS)

# The runner with the black-box suites is a process of its own, because they start posencd.
HTTP_RUNNER := $(BUILD)/tests/http
$(O)/tests/run_http.o: tests/run.c $(GEN)/http_suites.def $(FLAGS)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) -DSUITES_FILE='"http_suites.def"' -MMD -MP -c -o $@ $<
$(HTTP_RUNNER): $(O)/tests/run_http.o $(call objects,$(HTTP_SUITES) $(SUPPORT)) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) $(WRAP) -o $@ $^ $(TEST_LIBS) $(ALL_LIBS)

# The rows of the text files, for programs in Python.
PRINT_ROWS := $(BUILD)/tests/print_rows
$(PRINT_ROWS): $(call objects,tests/same/print_rows.c $(SUPPORT)) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) $(WRAP) -o $@ $^ $(TEST_LIBS) $(ALL_LIBS)

# Programs that check numbers: the accuracy run and the digests.
$(BUILD)/tests/prove: $(call objects,$(filter tests/prove/%,$(SOURCES))) $(LIB_PROTO) $(LIB_CORE)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) -o $@ $^ $(PROTO_LIBS) $(CORE_LIBS) -lpthread
$(BUILD)/tests/digest: $(call objects,$(filter tests/golden/digest%.c,$(SOURCES))) $(LIB_PROTO) $(LIB_CORE)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) -o $@ $^ $(PROTO_LIBS) $(CORE_LIBS) -lpthread

# ---- the stages of `make test`, each a goal too -----------------------------------------------------------
# Every stage ends with "N passed, N failed"; tests/stages.sh times the stages and adds up.
export POSENC_BUILD := $(CURDIR)/$(BUILD)
# check gives a test 4 s; on a slow machine that is loaded too, a test of one second takes a minute.
export CK_DEFAULT_TIMEOUT := 600
STAGES := unit http wire $(if $(wildcard tests/golden/run.py),golden models) \
    $(if $(wildcard tests/golden/digest.c),digests mutant) \
    $(if $(wildcard tests/prove/*.c),prove-quick) ulp-quick install-test \
    $(if $(wildcard server/main.c),readme-test deploy-test)
.PHONY: test unit http wire golden models models-table class-table configs-check presets digests mutant prove prove-quick ulp ulp-quick verify-corpus verify-users same-verdicts install-test readme-test deploy-test test-kubernetes chart test-browser clients test-clients oip-client
test: $(GENERATED) $(RUNNER) core server $(HTTP_RUNNER) ## runs every test below but prove and presets; a few minutes
	@+tests/stages.sh $(STAGES)
# In one process a core, which is ten times faster; if one hangs there, a run with forks names it.
unit: export TEST_JOBS ?= $(shell nproc)
unit: $(RUNNER) ## runs the unit suites; CK_RUN_SUITE=rope runs one
	@status=0; CK_FORK=no timeout 3600 $(RUNNER) || status=$$?; \
	 if [ $$status -ge 124 ]; then $(RUNNER); else exit $$status; fi
http: $(HTTP_RUNNER) server ## tests the service as a black box, through libcurl
	@$(HTTP_RUNNER)
wire: server ## tests the service over plain sockets: formats, connections, life cycle, streaming
	@$(PYTHON) tests/run.py http
golden: server ## compares answers with published reference numbers; DIR= names another set
	@tests/golden/run.py $(or $(DIR),tests/golden/cases)
	@tests/golden/ids.py
	@tests/golden/worked.py
	@tests/golden/verified.py
	@tests/golden/variants.py
	@tests/golden/powf.py
	@tests/golden/resolve.py $(DIR)
	@tests/golden/configs.py
	@tests/golden/class_configs.py
	@tests/golden/reads.py
models-table: server
	@tests/golden/models.py
class-table: server
	@tests/golden/class_table.py
ifdef FULL
models: server
	@+tests/stages.sh models-table class-table presets $(if $(SOURCE),'configs-check SOURCE=$(SOURCE)')
else
models: models-table ## compares every model with public code and configurations, a row each (FULL=1: with PyTorch too, after `make deps-bench`; SOURCE=folder: with the fetched files)
endif
configs-check: ## recomputes tests/golden/configs.tsv, class_configs.tsv and model_sources.tsv from git directories below SOURCE= (after `make deps-bench`)
	@tests/golden/configs.py --check $(or $(SOURCE),$(error give SOURCE=, a folder of fetched repositories))
	@tests/golden/class_configs.py --check $(SOURCE)
	@tests/golden/models.py --sources $(SOURCE)
presets: server ## compares each model's inv_freq under f32-pow, and attention by whole models' tables, with PyTorch (after `make deps-bench`)
	@tests/golden/powf.py --measure
	@tests/golden/presets.py
	@tests/golden/attention.py
digests: $(BUILD)/tests/digest ## compares SHA-256 of answers with tests/golden/digests
	@$(BUILD)/tests/digest tests/golden/digests
mutant: $(GENERATED) ## checks that a build with fused multiply-add fails the digests
	@$(MAKE) -s FLAVOUR=mutant build/mutant/tests/digest
	@tests/golden/mutant.sh build/mutant/tests/digest
prove: $(BUILD)/tests/prove ## compares ten million values with MPFR (minutes)
	@$(BUILD)/tests/prove
prove-quick: $(BUILD)/tests/prove
	@$(BUILD)/tests/prove --thousandth
ulp: server ## measures the worst error in ULP of every encoding against mpmath (ROUNDS=10)
	@$(PYTHON) tests/ulp/run.py --rounds $(or $(ROUNDS),10) $(ONLY)
	@$(PYTHON) tests/ulp/models.py
ulp-quick: server ## measures the worst errors in three rounds
	@$(PYTHON) tests/ulp/run.py --rounds 3
	@$(PYTHON) tests/ulp/models.py
# SEEDS names other corpora; the kinds of cases are those of tests/verify/*.py.
SEEDS := $(if $(FULL),1 2 3,1)
verify-corpus: server ## posts right and wrong tables to /v1/verify and scores what it finds (FULL=1: three seeds, more of each)
	@for seed in $(SEEDS); do \
	    $(PYTHON) tests/verify/make.py SEED=$$seed EACH=$(if $(FULL),3,1) OUT=$(BUILD)/verify/$$seed; done
	@$(PYTHON) tests/verify/score.py $(SEEDS:%=$(BUILD)/verify/%) --fresh=$(if $(FULL),10000,300)
verify-users: server ## runs posencd verify on files as users have them, compares with known misses (FULL=1: three draws of each)
	@$(PYTHON) tests/verify/users/score.py --quiet --out=$(BUILD)/verify/users $(if $(FULL),--full)
same-verdicts: server ## posts those files to a service of one thread and to one of four, and compares the verdicts byte by byte (FULL=1: all, beside twelve busy processes)
	@$(PYTHON) tests/verify/users/same_verdicts.py --out=$(BUILD)/verify/same $(if $(FULL),--full)
install-test: core
	@tests/install/run.sh
readme-test: server
	@$(PYTHON) tests/readme/check.py README.md $(POSENCD)
# axe-core has the rules of accessibility; nothing but this test uses it.
AXE := build/browser/node_modules/axe-core/axe.min.js
$(AXE):
	@mkdir -p build/browser
	$(call say,npm)
	$(Q)npm install --silent --no-save --ignore-scripts --no-audit --no-fund --prefix build/browser axe-core@4.14.1
test-browser: server $(AXE) ## drives the pages in Chromium, after `make deps-browser` (ONLY=test_state, FULL=1: every output); photographs in build/browser
	@FULL=$(FULL) $(PYTHON) tests/run.py browser $(ONLY)
# The programs that judge OpenAPI and make clients from it, and their Node, each pinned.
CLIENT_TOOLS := build/clients/node_modules/.installed
$(CLIENT_TOOLS): tests/clients/package.json
	@mkdir -p build/clients && cp $< build/clients/
	$(call say,npm)
	$(Q)npm install --silent --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --prefix build/clients && touch $@
# Packages for people: the runtime of proto/clients with what the program says of its encodings.
clients: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
clients: server core $(CLIENT_TOOLS) ## makes the packages for Python (wheel, sdist) and TypeScript (tgz) in build/clients; SOURCE_URL= is their home
	@$(PYTHON) proto/clients/make_python.py $(POSENCD) build/clients/python
	@$(PYTHON) proto/clients/make_typescript.py $(POSENCD) build/clients/typescript
	@proto/clients/pack.sh build/clients
oip-client: server ## runs Triton's own Python client against posencd (SOURCE=folder: a checkout of triton-inference-server/client), after `make deps-clients`
	@$(PYTHON) tests/clients/oip_client.py $(or $(SOURCE),$(error SOURCE=folder must name a checkout of triton-inference-server/client))
.PHONY: test-wasm site
site: server wasm ## writes the pages as files for any file server, which compute by the modules in place of a service, in build/site (SITE_URL=https://posenc.example/below: where they will be, for previews of links)
	@$(PYTHON) server/web/make_site.py $(POSENCD) $(ESBUILD) build/wasm build/site $(SITE_URL)
test-wasm: server wasm ## asks the modules all examples, digests and wrong requests, in Node, in Chromium and from Python, compares with the service, and drives the pages of `make site` (FULL=1: every encoding), after `make deps-wasm deps-clients deps-browser`
	@$(MAKE) clients
	@$(PYTHON) tests/clients/run.py engines
	@$(PYTHON) tests/wasm/run.py
	@FULL=$(FULL) $(PYTHON) tests/run.py wasm
test-clients: server clients $(CLIENT_TOOLS) ## judges OpenAPI by validators, generated clients and random requests, after `make deps-clients` (ONLY=property, FULL=1: 10,000 requests)
	@FULL=$(FULL) $(PYTHON) tests/clients/run.py $(ONLY)
.PHONY: test-scale test-upgrade
test-scale: server build/campaign/wire_fuzz ## tries nginx, Varnish and HAProxy with three replicas through every accident, and nginx with mutated requests, after `make deps-fleet` (FULL=1: all accidents; BESIDE='batch, gzip': beside a flood of that row of tests/campaign/flood_rows.py)
	@FULL=$(FULL) BESIDE="$(BESIDE)" $(PYTHON) tests/run.py -v fleet front scale smuggling runbook
test-upgrade: server ## rolls two versions behind one cache forth and back under load, after `make deps-fleet` (FULL=1: nginx and Varnish; BESIDE as in test-scale)
	@FULL=$(FULL) BESIDE="$(BESIDE)" $(PYTHON) tests/run.py -v fleet upgrade
# The types and schemas that judge what Kubernetes is given, pinned.
KUBERNETES_TOOLS := build/kubernetes/node_modules/.installed
$(KUBERNETES_TOOLS): tests/deploy/kubernetes/package.json
	@mkdir -p build/kubernetes && cp $< build/kubernetes/
	$(call say,npm)
	$(Q)npm install --silent --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --prefix build/kubernetes && touch $@
# What renders the chart as Helm would, with Debian's packages of Go.
CHART_RENDERER := build/kubernetes/render
$(CHART_RENDERER): tests/deploy/chart/render.go
	@mkdir -p $(@D)
	$(call say,go)
	$(Q)GOPATH=/usr/share/gocode GO111MODULE=off GOCACHE=$(CURDIR)/build/kubernetes/go go build -o $@ $<
chart: server ## writes the Helm chart deploy/helm/posencd from deploy/kustomize and deploy/helm/table.yaml
	@$(PYTHON) deploy/helm/make_chart.py $(POSENCD) $(VERSION)
test-kubernetes: server $(KUBERNETES_TOOLS) $(CHART_RENDERER) ## checks deploy/kustomize, the Helm chart and deploy/compose by schemas and processes, after `make deps-kubernetes` (ONLY=test_end, FULL=1: every field misspelt, KSERVE=folder: a checkout of kserve/kserve)
	@FULL=$(FULL) KSERVE=$(KSERVE) $(PYTHON) tests/run.py deploy/kubernetes $(ONLY)
.PHONY: test-deb
test-deb: deb ## lints the Debian packages, installs, upgrades and purges them, kills and restarts the service; tries the release's tarball (FULL=1: in a root of Debian, all built anew), after `make deps-package`
	@FULL=$(FULL) $(PYTHON) tests/run.py -v package deb $(if $(FULL),root) release
# The quick form packs what is built here; the full form builds the images in a Debian of their own.
.PHONY: test-image
test-image: server ## runs the image confined by runc or crun: contents, health, memory, digests, faults (FULL=1: built in Debian, twice, and for the other architecture), after `make deps-image`
ifdef FULL
	@$(MAKE) image
	@$(MAKE) image ARCH=$(filter-out $(NATIVE),$(ARCHITECTURES))
	@IMAGE=$(CURDIR)/build/image/$(NATIVE) FULL=$(FULL) $(PYTHON) tests/run.py -v image ship pack contents health life digests foreign twice
else
	@$(MAKE) ship SHIP=build/image/host/ship
	@IMAGE=build/image/host SHIP=build/image/host/ship deploy/image/image.sh $(VERSION) $(NATIVE)
	@$(PYTHON) tests/run.py -v image ship pack contents health life digests
endif
# What another libmicrohttpd, libuv, jansson or compiler may change. Sockets are waited for most of the time:
# what is built first runs beside each other then.
LIBRARY_SUITES := tests/server tests/proto tests/core/args tests/core/plan tests/core/text
LIBRARY_LIFE := life tls sockets confined
LIBRARY_WIRE := streaming uploads ranges codings long_bodies sharing access_log
.PHONY: test-elsewhere library-tests library-suites library-forms library-life library-wire library-framings library-refusals
library-forms: server
	@$(PYTHON) tests/run.py http wire
library-life: server
	@$(PYTHON) tests/run.py http $(LIBRARY_LIFE)
library-wire: server
	@$(PYTHON) tests/run.py http $(LIBRARY_WIRE)
library-framings: server
	@$(PYTHON) tests/campaign/run.py --quick framings
library-refusals: server
	@$(PYTHON) tests/campaign/run.py --quick refusals
library-suites: server $(RUNNER) $(HTTP_RUNNER)
	@+BESIDE=yes tests/stages.sh unit http library-forms library-life library-wire library-framings library-refusals
library-tests:
	@+$(MAKE) SUITE_FOLDERS='$(LIBRARY_SUITES)' library-suites
test-elsewhere: ## builds and tests with the compilers and libraries of Debian 13, as root, in a root of its own (FULL=1: `make deps test`, and with clang 19 too; SUITE=noble: of Ubuntu 24.04), after `make deps-elsewhere`
	@WERROR=$(WERROR) tests/elsewhere/debian.sh $(or $(SUITE),trixie) '$(PACKAGES_deps)$(if $(FULL), clang-19)' $(if $(FULL),'deps test' \
	    'clean' 'CC=clang-19 server' 'CC=clang-19 unit' 'CC=clang-19 http' 'CC=clang-19 wire','library-tests')
.PHONY: same-answers
same-answers: server $(PRINT_ROWS) ## sends the requests of all row files, and malformed ones, to another build (BEFORE=program) and this one, and compares the answers byte by byte (ONLY='wire scenarios')
	@$(PYTHON) tests/same/same_answers.py $(or $(BEFORE),$(error give BEFORE=, the posencd of another build)) $(POSENCD) $(ONLY)
deploy-test: core server ## checks deploy/ against the program: selectors, flags, limits, metrics
	@$(PYTHON) tests/run.py deploy

# ---- the same tests in other flavours -----------------------------------------------------------------------
.PHONY: check-asan check-tsan check-flavour fuzzers fuzz coverage bench bench-full capacity costs instructions request-path
check-flavour: $(RUNNER) $(HTTP_RUNNER) server
	@+tests/stages.sh unit http wire
# A sanitizer's shadow memory does not fit every address layout that newer kernels choose; a
# container may not be allowed to choose the layout.
FIXED = $(shell setarch -R true 2>/dev/null && echo setarch -R)
check-%: export CK_FORK := no
check-%: export CK_TIMEOUT_MULTIPLIER := 20
check-asan: export ASAN_OPTIONS := detect_stack_use_after_return=1:allocator_may_return_null=1
check-asan: export UBSAN_OPTIONS := print_stacktrace=1
check-asan: $(GENERATED) ## runs unit and black-box tests under AddressSanitizer and UBSan (clang)
	@+$(FIXED) $(MAKE) FLAVOUR=asan check-flavour
check-tsan: export TSAN_OPTIONS := halt_on_error=1:second_deadlock_stack=1:allocator_may_return_null=1:suppressions=$(CURDIR)/tests/tsan.supp
check-tsan: $(GENERATED) ## runs unit and black-box tests under ThreadSanitizer (clang)
	@+$(FIXED) $(MAKE) FLAVOUR=tsan check-flavour

fuzzers: $(patsubst tests/fuzz/%.c,$(BUILD)/%,$(FUZZERS))
$(BUILD)/fuzz_%: $(O)/tests/fuzz/fuzz_%.o $(ARCHIVES)
	$(call say,ld)
	$(Q)$(CC) -fsanitize=fuzzer,address,undefined -o $@ $^ $(ALL_LIBS)
$(BUILD)/fuzz_verdict: $(call objects,tests/support/core_draw.c tests/support/core_random.c)
# The recorder is the unit runner with wrapped parsers: it keeps what they are given as seeds.
RECORDED := request_set_query json_body_add tensor_reader_add pe_args_set_text json_numbers_f64
build/fuzz/recorder: $(call objects,tests/fuzz/record.c tests/run.c $(SUITES) $(SUPPORT)) $(ARCHIVES)
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) $(WRAP) $(foreach f,$(RECORDED),-Wl$(comma)--wrap=$(f)) -o $@ $^ $(TEST_LIBS) $(ALL_LIBS)
fuzz: $(GENERATED) build/fuzz/recorder ## runs every fuzz target for T=60 seconds
	@$(MAKE) FLAVOUR=fuzz fuzzers
	@$(FIXED) tests/fuzz/run.sh $(T) $(patsubst tests/fuzz/%.c,build/fuzz/%,$(FUZZERS))

# Faults are caused on purpose and their effects counted; see tests/campaign/README.md.
.PHONY: campaign campaign-wire soak
CAMPAIGN := tests/campaign/run.py $(if $(QUICK),--quick) $(STAGE)
CAMPAIGN_PARTS := server $(RUNNER) build/fuzz/recorder build/campaign/fail.so build/campaign/wire_fuzz build/campaign/crowd
campaign: $(GENERATED) $(CAMPAIGN_PARTS) ## causes faults, crowds, races and bad input, and writes build/campaign.md (QUICK=1, STAGE=torture)
	@$(MAKE) FLAVOUR=asan campaign-wire
	@$(MAKE) FLAVOUR=fuzz fuzzers
	@$(MAKE) FLAVOUR=tsan server
	@$(FIXED) $(PYTHON) $(CAMPAIGN)
soak: $(GENERATED) $(CAMPAIGN_PARTS) ## runs the campaign for HOURS=1, with loads that last, and writes build/soak.md
	@$(MAKE) FLAVOUR=asan campaign-wire
	@$(FIXED) $(PYTHON) tests/campaign/soak.py $(or $(HOURS),1)
build/campaign/fail.so: tests/campaign/fail.c tests/campaign/fail_calls.c \
    tests/campaign/fail_files.c tests/campaign/fail_library.c tests/campaign/fail.h
	@mkdir -p $(@D)
	$(call say,so)
	$(Q)$(CC) $(STD) -fvisibility=default -O2 $(WARN) -shared -o $@ $(filter %.c,$^)
build/campaign/wire_fuzz: tests/campaign/wire_fuzz.c
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(CC) $(STD) -O2 $(WARN) -o $@ $<
build/campaign/crowd: $(patsubst %.c,$(O)/%.o,$(wildcard tests/campaign/crowd*.c))
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) -o $@ $^ -lgnutls
# The server with a sanitized libmicrohttpd, where its source can be fetched.
campaign-wire: $(O)/server/main.o $(ARCHIVES)
	@mkdir -p $(BUILD)/campaign
	@CLANG='$(CLANG)' tests/campaign/sanitized_mhd.sh $(BUILD)/mhd || echo 'no source of libmicrohttpd: see $(BUILD)/mhd/log'
	@if [ -e $(BUILD)/mhd/libmicrohttpd.a ]; then \
	    $(LINK) -o $(BUILD)/campaign/posencd $^ $(subst -lmicrohttpd,$(BUILD)/mhd/libmicrohttpd.a -lgnutls,$(ALL_LIBS)); \
	    echo "compiled with ASan and UBSan from Debian's source" >$(BUILD)/campaign/library; \
	else \
	    $(LINK) -o $(BUILD)/campaign/posencd $^ $(ALL_LIBS); \
	    echo 'as installed, not sanitized: its source could not be had' >$(BUILD)/campaign/library; \
	fi

coverage: $(GENERATED) ## measures line and branch coverage of the unit suites, by gcovr
	@$(MAKE) FLAVOUR=coverage build/coverage/tests/run
	@find build/coverage -name '*.gcda' -delete
	@build/coverage/tests/run
	@gcovr --root . --object-directory build/coverage --filter 'core/' --filter 'proto/' \
	    --filter 'server/' --html-details build/coverage/index.html --print-summary

BENCHES := $(BUILD)/bench/ask $(BUILD)/bench/cost $(BUILD)/bench/fill $(BUILD)/bench/number_text $(BUILD)/bench/floor $(BUILD)/bench/cache_line $(BUILD)/bench/verify $(BUILD)/bench/echo/posencd $(if $(shell command -v g++),$(BUILD)/bench/number_text_cxx)
bench: core server $(BENCHES) ## measures what we claim, as ratios within one run (after `make deps-bench`)
	@$(PYTHON) tests/bench/run.py $(ONLY)
bench-full: core server $(BENCHES) ## runs the benchmarks with plots, into build/bench.html and .md, and writes docs/when-asking-wins.md (ONLY=asking: 2 minutes; WORDS=1 keeps the figures)
	@$(PYTHON) tests/bench/run.py $(if $(WORDS),--words,--report $(ONLY))
capacity: server $(BUILD)/bench/ask ## measures what an answer costs and a fleet needs, and writes deploy/CAPACITY.md (after `make deps-fleet`; 3 minutes; WORDS=1 keeps the figures)
	@$(PYTHON) tests/capacity/measure.py $(if $(WORDS),--words)
instructions: server $(BUILD)/bench/fill $(BUILD)/bench/steps $(BUILD)/bench/number_text ## counts instructions of frequent paths, and locks, by valgrind; RECORD=1 records them
	@$(PYTHON) tests/bench/instructions.py $(if $(RECORD),--record) $(ONLY)
	@$(if $(RECORD)$(ONLY),,$(PYTHON) tests/bench/locks.py)
request-path: $(GENERATED) ## counts the functions and files that a cold GET runs in, by valgrind, with nothing inlined; LIST=1 names them
	@$(MAKE) FLAVOUR=calls build/calls/posencd
	@$(PYTHON) tests/bench/request_path.py $(if $(LIST),--list) build/calls/posencd
costs: $(BUILD)/bench/cost $(BUILD)/bench/clock/posencd ## checks that encodings and tasks take the time they state, within a factor of four
	@$(BUILD)/bench/cost tests/bench/costs
	@$(PYTHON) tests/bench/task_costs.py $(BUILD)/bench/clock/posencd
$(BUILD)/bench/number_text: $(O)/tests/bench/number_text.o $(LIB_PROTO) $(LIB_CORE)
$(BUILD)/bench/ask: $(O)/tests/bench/ask.o $(O)/tests/bench/ask_wire.o
$(BUILD)/bench/floor: $(O)/tests/bench/floor.o
$(BUILD)/bench/cost: $(O)/tests/bench/cost.o $(O)/tests/bench/cost_find.o $(O)/tests/bench/operation_time.o $(LIB_CORE)
$(BUILD)/bench/fill: $(O)/tests/bench/fill.o $(LIB_CORE)
$(BUILD)/bench/steps: $(O)/tests/bench/steps.o $(LIB_CORE)
$(BUILD)/bench/cache_line: $(O)/tests/bench/cache_line.o $(ARCHIVES)
$(BUILD)/bench/verify: $(O)/tests/bench/verify.o $(LIB_CORE)
$(BUILD)/bench/echo/posencd: $(O)/tests/bench/echo.o $(O)/server/main.o $(ARCHIVES) # its own rope/apply
$(BUILD)/bench/clock/posencd: LDFLAGS += -Wl$(comma)--wrap=thread_pool_add
$(BUILD)/bench/clock/posencd: $(O)/tests/bench/task_clock.o $(O)/tests/bench/operation_time.o $(O)/server/main.o $(ARCHIVES)
$(BUILD)/bench/clock/posencd $(BUILD)/bench/ask $(BUILD)/bench/cost $(BUILD)/bench/fill $(BUILD)/bench/steps $(BUILD)/bench/number_text $(BUILD)/bench/floor $(BUILD)/bench/cache_line $(BUILD)/bench/verify $(BUILD)/bench/echo/posencd:
	@mkdir -p $(@D)
	$(call say,ld)
	$(Q)$(LINK) -o $@ $^ $(ALL_LIBS)
$(BUILD)/bench/number_text_cxx: tests/bench/number_text_cxx.cc
	@mkdir -p $(@D)
	$(call say,c++)
	$(Q)g++ -std=c++17 -O2 -Wall -Wextra -o $@ $<

# ---- rules that a program can check ------------------------------------------------------------------------
TEXT_FILES = $(shell find core proto server tests -name '*.[ch]')
.PHONY: hardening
hardening: ## prints the flags that harden what is built: the compiler's, the linker's, the program's
	@printf '%s\n' '$(strip $(HARDEN))' '$(HARDEN_LINK)' '$(HARDEN_PROGRAM)'
.PHONY: lint musl glyphs layout format format-check tidy
# musl's headers declare what its library has; Debian has no other library built with it, so that nothing is
# linked. A source is read again when it, or a header of it, has changed.
MUSL := $(patsubst %.c,build/musl/%.read,$(CORE) $(PROTO) $(SERVER) server/main.c)
build/musl/include/.done: tests/lint/library_headers.sh $(DEPENDENCIES)
	@$< $(@D)
build/musl/%.read: %.c $(FLAGS) | build/musl/include/.done $(GENERATED)
	@mkdir -p $(@D)
	$(call say,musl)
	$(Q)musl-gcc -fsyntax-only $(STD) $(filter-out -Werror,$(WARN)) -Werror -isystem build/musl/include -MMD -MP -MT $@ -MF $(@:.read=.d) $< && touch $@
ifneq ($(filter lint musl,$(MAKECMDGOALS)),)
-include $(MUSL:.read=.d)
endif
musl: $(MUSL) ## compiles core, proto and server with the headers of musl, after `make deps-dev`
# Sources of the fuzzers and of the campaign are compiled here: their own stages come last.
lint: musl core proto server $(RUNNER) $(call objects,$(filter tests/fuzz/% tests/campaign/%,$(SOURCES))) ## checks layers, names, sizes, banned calls, headers, one place for each name, and what `make new` begins
	@tests/lint/templates.sh
	@$(PYTHON) tests/lint/run.py $(BUILD)
	@$(MAKE_GLYPH_TABLE); $(PYTHON) proto/pictures/make_glyphs.py proto/pictures/glyphs.txt $(GEN)/glyphs.txt
# Draws the table of glyphs from the font of fonts-dejavu-core.
FONT ?= /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
MAKE_GLYPH_TABLE = mkdir -p $(GEN) && $(HOSTCC) -O2 -o $(GEN)/make_glyph_table proto/pictures/make_glyph_table.c \
    $$(pkg-config --cflags --libs freetype2) && $(GEN)/make_glyph_table $(FONT) >$(GEN)/glyphs.txt
glyphs: ## draws the glyphs of pictures anew, proto/pictures/glyphs.txt, after `make deps-dev`
	@$(MAKE_GLYPH_TABLE) && cp $(GEN)/glyphs.txt proto/pictures/glyphs.txt
layout: ## prints lines by part, the largest folder, include circles, includes and calls against the order
	@$(PYTHON) tests/lint/folders.py
format: ## lays the sources out (clang-format 14)
	@core/template/sort.sh
	@clang-format-14 -i $(TEXT_FILES)
format-check: ## names the files that `make format` would change
	@wrong=0; for file in $(TEXT_FILES); do \
	    clang-format-14 $$file | cmp -s - $$file || { echo "$$file: run \`make format\`"; wrong=1; }; \
	done; exit $$wrong
tidy: $(GENERATED) ## runs clang-tidy 14 over core, proto and server
	@printf '%s\n' $(CORE) $(PROTO) $(SERVER) server/main.c | \
	    xargs -P $$(nproc) -I{} clang-tidy-14 --quiet {} -- $(STD) 2>&1 | \
	    { ! grep -E 'warning:|error:' ; }

# ---- to use and to ship it -------------------------------------------------------------------------------------
.PHONY: run install install-lib uninstall image ship ship-packages deb release new readme help clean clean-tree
run: server ## serves on 127.0.0.1:8080; ARGS= are flags of posencd serve
	@exec $(POSENCD) serve $(ARGS)

# Where files go; DESTDIR stands before each. STRIP=true keeps symbols.
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
SHAREDIR ?= $(PREFIX)/share
MANDIR ?= $(SHAREDIR)/man
ZSHDIR ?= $(SHAREDIR)/zsh/site-functions
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSCONFDIR ?= $(if $(filter /usr,$(PREFIX)),/etc,$(PREFIX)/etc)
STRIP ?= strip
install: install-lib server ## installs everything into DESTDIR/PREFIX (/usr/local): program, pages, completion, units, library
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(UNITDIR) $(DESTDIR)$(SYSCONFDIR)/default
	install -m 755 -s --strip-program=$(STRIP) $(POSENCD) $(DESTDIR)$(BINDIR)/
	ZSHDIR=$(DESTDIR)$(ZSHDIR) MANDIR=$(DESTDIR)$(MANDIR) deploy/install_words.sh $(POSENCD) $(DESTDIR)$(SHAREDIR)
	sed 's|/usr/bin/posencd|$(BINDIR)/posencd|; s|/etc/default/posencd|$(SYSCONFDIR)/default/posencd|; s|/etc/systemd/system/|$(UNITDIR)/|' \
	    deploy/systemd/posencd.service >$(DESTDIR)$(UNITDIR)/posencd.service
	sed 's|/etc/systemd/system/|$(UNITDIR)/|' deploy/systemd/posencd.socket >$(DESTDIR)$(UNITDIR)/posencd.socket
	chmod 644 $(DESTDIR)$(UNITDIR)/posencd.service $(DESTDIR)$(UNITDIR)/posencd.socket
	[ -e $(DESTDIR)$(SYSCONFDIR)/default/posencd ] || \
	    install -m 644 deploy/systemd/posencd.default $(DESTDIR)$(SYSCONFDIR)/default/posencd
install-lib: core ## installs the library alone
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)
	install -m 644 core/posenc.h core/posenc_show.h core/posenc_verify.h $(DESTDIR)$(INCLUDEDIR)/
	install -m 644 $(LIB_CORE) $(DESTDIR)$(LIBDIR)/
	$(STRIP) --strip-debug $(DESTDIR)$(LIBDIR)/$(notdir $(LIB_CORE))
	install -m 644 $(LIB_SHARED) $(DESTDIR)$(LIBDIR)/
	$(STRIP) --strip-unneeded $(DESTDIR)$(LIBDIR)/$(notdir $(LIB_SHARED))
	ln -sf $(notdir $(LIB_SHARED)) $(DESTDIR)$(LIBDIR)/libposenc.so
	install -m 644 $(BUILD)/posenc.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	install -d $(DESTDIR)$(MANDIR)/man3
	install -m 644 $(BUILD)/posenc.3 $(DESTDIR)$(MANDIR)/man3/
uninstall: core server ## removes what `make install` with the same variables has written
	@deploy/uninstall.sh '$(DESTDIR)' $(MAKE) install

ARCHITECTURES := amd64 arm64
check-arch = $(if $(filter $(ARCHITECTURES),$(1)),,$(error $(1) is none of the architectures $(ARCHITECTURES)))
ifneq ($(filter ship,$(MAKECMDGOALS)),)
$(call check-arch,$(or $(FLAVOUR),$(NATIVE)))
endif
# What an image contains: SHIP/root, and the bill of materials beside it.
SHIP ?= build/image/$(TARGET)/ship
ship: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
ship: server
	@$(PYTHON) -B deploy/image/ship.py $(POSENCD) $(SHIP) --version $(VERSION) --strip $(STRIP) \
	    --arch $(TARGET) --triplet $(TRIPLET_$(TARGET))
ARCH ?= $(NATIVE)
image: ## builds a container image in build/image (after `make deps-image`), by buildah, without a daemon; ARCH=arm64
	@$(call check-arch,$(ARCH))deploy/image/image.sh $(VERSION) $(ARCH) $$($(MAKE) -s FLAVOUR=$(ARCH) ship-packages)
ship-packages:
	@echo $(PACKAGES_deps-ship)
deb: all ## makes the Debian packages of posencd and libposenc in build/deb (after `make deps-package`)
	@CFLAGS='$(CFLAGS)' deploy/deb.sh $(VERSION) '$(MAINTAINER)' $(PACKAGES_deps)
release: export PACKAGES := $(PACKAGES_deps)
release: $(if $(wildcard /usr/share/gocode/src/github.com/Masterminds/sprig),$(CHART_RENDERER)) ## makes all that can be published in build/release, tries each in a clean root offline and prints a table, build/release.md (after `make deps-package deps-clients deps-wasm deps-image deps-kubernetes`; PARTS='tarball chart', SIGN=key of gpg, VERIFY=here or no)
	+@SIGN='$(SIGN)' VERIFY='$(VERIFY)' deploy/release.sh $(VERSION) $(PARTS)

new: ## begins an encoding from the template: NAME=kerple FAMILY=bias
	@core/template/new.sh '$(NAME)' '$(FAMILY)'

readme: server ## writes anew what README and the documents behind it show, docs/encodings.md, docs/disagreements.md and docs/building.md
	@$(PYTHON) tests/readme/check.py --write README.md $(POSENCD)

clean-tree: # fails if a build left a file outside build/
	@left=$$(git status --porcelain); [ -z "$$left" ] || { echo "$$left"; exit 1; }

clean: ## removes build/
	rm -rf build

help: ## prints this list
	@echo 'make deps | deps-dev | deps-bench | deps-image installs what is missing (Debian, Ubuntu)'
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/make \1\t\2/p' Makefile | expand -t 20
endif
