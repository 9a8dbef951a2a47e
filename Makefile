# Everything is done by a target, from a Debian machine that has Go 1.26,
# Node 20 and npm. "make run" gives a usable page, "make test" runs all tests.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

# One set of flags everywhere: each other set compiles SQLite once more.
export CGO_ENABLED ?= 0
GO := go
TOOL := $(GO) tool -modfile=tools/go.mod
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
# SQLite is C, translated: as C would be, it is not watched by the race detector,
# which takes two fifths of the time of the tests otherwise, and its pointers are
# not checked. Its driver is watched, and so is all else.
RACE := -race -gcflags=modernc.org/...=-d=checkptr=0 \
	-gcflags=modernc.org/sqlite/lib=-race=false \
	-gcflags=modernc.org/libc/...=-race=false \
	-gcflags=modernc.org/memory=-race=false
DIST := web/static/dist
TEMPL := $(shell find web -name '*.templ' 2>/dev/null)
ASSETS := $(shell find web/assets -type f 2>/dev/null)

.PHONY: run demo build assets gen test lint bench soak check clean needs

run: build ## build and serve on 127.0.0.1:3000
	bin/workspace serve

demo: build ## serve built-in sample accounts on 127.0.0.1:3100
	bin/workspace serve --demo

build: assets ## bin/workspace, static, with its assets inside
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/workspace ./cmd/workspace

# Warnings are about the conformance suite, which brings the Node it wants.
node_modules/.stamp: package.json package-lock.json .npmrc
	npm ci --no-progress --loglevel=error
	@touch $@

$(DIST)/.stamp: node_modules/.stamp $(ASSETS)
	npm run --silent build
	@touch $@

assets: $(DIST)/.stamp ## bundle scripts and styles from npm packages by lock file

gen: ## generate the templates' Go code; it is committed
	$(GO) tool templ generate

needs: ## what the tests need beside Go, Node and npm
	tools/install-test-needs

# The browser's tests take longest, so they begin first. "make lint" vets all code,
# so that is not done here once more with other flags.
test: assets needs ## everything, the browser included, with the race detector
	CGO_ENABLED=1 env $$(tools/quick-folder) $(GO) test $(RACE) -vet=off -timeout 20m ./e2e ./...

lint: node_modules/.stamp ## formatting, vet, layer rules, types of the scripts
	$(GO) vet ./...
	$(TOOL) golangci-lint run
	npx --no-install tsc -p . --noEmit

check: assets ## what CI runs beside the tests
	$(GO) tool templ generate -check
	@test "$$($(GO) list -m -f '{{.Version}}' modernc.org/libc)" = "$$(tools/libc-pin)" || { echo "modernc.org/libc must be $$(tools/libc-pin): go get modernc.org/libc@$$(tools/libc-pin)"; exit 1; }
	$(MAKE) lint

bench: build ## figures beside their baselines
	$(GO) test -run '^$$' -bench . -benchtime 1x ./bench -v

soak: assets needs ## the long runs: more kills, longer fuzzing
	RACE='$(RACE)' tools/soak

clean:
	rm -rf bin $(DIST)/* node_modules
