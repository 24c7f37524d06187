#!/usr/bin/env bash
# The gate for a pull request: everything that must hold before a merge. Needs Go
# and a C compiler (for the race detector), and takes some 20 minutes on 2 cores with an empty
# build cache.
#
#   CI/pull-request.sh
set -euo pipefail
# shellcheck source=CI/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

step "go version" run go version
step "format" check_format
step "scripts" check_scripts
step "module" check_module
step "vet, both builds" check_vet
step "lint, both builds" check_lint
step "vet and lint what proves" check_evidence
step "build for other systems, both builds" build_elsewhere
step "hooks cost nothing" zero_cost
step "test" test_normal
step "test, as the README says" test_readme
step "tests that take minutes, a share" test_long
step "test on 32 bits, both builds, a share" test_32_bits -short
step "test with the race detector, both builds, a share" test_race -short
step "benchmarks" check_bench
step "corpus" check_corpus
step "soak, 5 million jobs" soak 5000000
step "recordings are the same in all builds" check_recordings
step "stress refuses the normal build" refuse_normal_build
step "build stress" build_stress -tags chaos
step "the other scripts, in short" check_short
step "mutants, a few" mutants --only none --only notification-dropped --only jec-not-moved --seeds 3 --executions 500
step "campaign with a strategy of sleep of each family" campaign strategies --variant tickle,rfc5,jec-readme --for 90s
step "campaign" campaign pull-request --for 40s
step "campaign of each entry of the pool" campaign entries --group entries --for 6s
binary=stress-race
step "build stress with the race detector" build_stress -race -tags chaos
step "campaign, with the race detector" campaign pull-request-race --for 40s
step "campaign with a strategy of sleep of each family, with the race detector" campaign strategies-race --group falling-asleep --variant tickle,rfc5,jec-readme --for 5s
step "campaign of each entry of the pool, with the race detector" campaign entries-race --group entries --for 6s
