#!/usr/bin/env bash
# The long campaign, half of it with the race detector, and half of each half with all
# strategies of sleep. Recordings, reports and results in JSON stay in rouse-out, in nightly,
# nightly-strategies, nightly-race and nightly-strategies-race.
#
#   CI/nightly.sh [seed]
#   HOURS=8 CI/nightly.sh        # default: 4; whole numbers
#
# Without a seed every night has its own, which the results name.
set -euo pipefail
# shellcheck source=CI/steps.sh
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

hours=${HOURS:-4}
[[ $hours =~ ^[1-9][0-9]*$ ]] || fail "HOURS is $hours, want a whole number of hours"
each=$((hours * 60 / 4))m
! short || each=1s
(($# <= 1)) || fail "usage: CI/nightly.sh [seed]"
seed=()
(($# == 0)) || seed=(--seed "$1")

step "go version" run go version
short || step "hooks cost nothing" zero_cost
short || step_on "build for all systems, both builds" build_everywhere
short || step_on "test on 32 bits, both builds" test_32_bits
short || step_on "test with the race detector, both builds" test_race
short || step_on "the overlay of stress test for other systems and Go versions" overlay_elsewhere
short || step_on "the traps of stress test on another Go version" traps_elsewhere
short || step_on "the standard library's own tests under the overlay" std_tests
short || step_on "overlays that do not fit the Go are refused" wrong_overlays 6
short || step_on "planted bugs in code that nobody has changed" planted 20000
short || step_on "the same seed does the same in such code" unmodified_determinism 100
short || step_on "our own tests of one package under stress test" own_tests
short || step_on "unmutated code survives stress mutate" unmutated_code 10
short || step_on "the fuzzer finds inputs and schedules" fuzz_schedules
short || step_on "each fuzz target, for ten minutes" fuzz
short || step_on "recordings stop in the debugger" debug_recordings
short || step_on "commands that are ended at any instant leave nothing" kills 200
short || step_on "recorded failures of released libraries' own tests" suite_failures
short || step_on "a seventh of the bugs that others have described" corpus_slice 7
short || step_on "benchmarks, with the race detector" test_bench_race
step_on "forks, of more preemptions" test_forks
step_on "test on arm64, emulated" test_arm64
step_on "test with the runtime's goroutine-leak profile" test_leak_profile
if short; then
	step_on "native oracles see a mutant" test_mutants_natively
else
	step_on "native oracles see mutants" test_mutants_natively -natively
fi
if short; then
	step_on "soak" soak 100000
else
	step_on "soak, 100 million jobs" soak 100000000
fi
step "build stress" build_stress -tags chaos
if short; then
	step_on "mutants" mutants --only none --seeds 1 --executions 50
else
	step_on "mutants" mutants --long
fi
step_on "campaign" campaign nightly --for "$each" "${seed[@]}"
step_on "campaign with each strategy of sleep" campaign nightly-strategies --variant all --for "$each" "${seed[@]}"
step "build stress with the race detector" build_stress -race -tags chaos
step_on "campaign with the race detector" campaign nightly-race --for "$each" "${seed[@]}"
step_on "campaign with each strategy of sleep, with the race detector" campaign nightly-strategies-race --variant all --for "$each" "${seed[@]}"
