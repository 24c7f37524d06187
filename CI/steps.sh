# shellcheck shell=bash
# The steps of all jobs, each written once. The scripts next to this file choose
# from them; what runs the scripts (a person, a workflow, .ci/run) adds nothing.
#
#   ROUSE_OUT     where recordings and reports go; default: rouse-out in the checkout
#   ROUSE_SHORT   if set, the other scripts do little of everything: the gate runs them so,
#                 to see that they work

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=${ROUSE_OUT:-$PWD/rouse-out}
work=$(mktemp -d)
export CGO_ENABLED=1 # the race detector needs it
# Many tests mostly wait, so more packages than processors. The step vet checks more than go test would, which
# would analyse the standard library once more for each configuration.
GOFLAGS="$(go env GOFLAGS) -p=$((2 * $(getconf _NPROCESSORS_ONLN))) -vet=off"
export GOFLAGS
export ROUSE_RECORDINGS=$work/recordings # what the tests of one build record, those of all others must record, too

staticcheck_module=honnef.co/go/tools/cmd/staticcheck@v0.8.2 # 2026.2.2, the first minor that reads Go 1.26
actionlint=github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

short() { [[ -n ${ROUSE_SHORT:-} ]]; }
few=() # the scenarios of a campaign; all if there are none
! short || few=(window-registered controlled-private-look)

# --- running them -----------------------------------------------------------

ended=()     # a line per step that has ended
running=''   # the step that has not
began=0      # when it began, in seconds since the script did
cpu=0        # the processor time of all steps that have ended, in seconds
failed=false # whether a step has failed that did not end the script
group=''     # the process group of the step, while there is one

# together COMMAND... runs it in a process group of its own, and sets code to its exit code. A shell takes
# no signal while it waits for a command in its own group.
together() {
	set +e
	set -m
	(set +m -e && "$@") &
	group=$!
	set +m
	wait "$group"
	code=$?
	group=''
	set -e
}

# step NAME COMMAND... runs one step. The first that fails ends the script.
step() {
	local code
	running=$1 began=$SECONDS
	shift
	printf '\n=== %s\n' "$running"
	together "$@"
	((code == 0)) || exit "$code"
	end_step ok
}

# step_on is step, but a failure ends the script only when all steps are done.
step_on() {
	local code outcome=ok
	running=$1 began=$SECONDS
	shift
	printf '\n=== %s\n' "$running"
	together "$@"
	((code == 0)) || failed=true outcome=FAILED
	end_step "$outcome"
}

# end_step OUTCOME adds the line of the step: its time, and its processor time, which depends less on what else
# the machine does.
end_step() {
	local before=$cpu children
	times >"$work/times"
	children=$(tail -n 1 "$work/times")
	cpu=$(tr ms '  ' <<<"$children" | awk '{ printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }')
	ended+=("$(printf '%-6s  %5ds  %5ds CPU  %s' "$1" $((SECONDS - began)) $((cpu - before)) "$running")")
	running=''
}

# run COMMAND... says what it runs.
run() {
	printf '+'
	printf ' %q' "$@"
	printf '\n'
	"$@"
}

# fail MESSAGE ends the script.
fail() {
	printf '%s\n' "$*" >&2
	exit 1
}

# end_group ends what the step in progress has started. It has some seconds: stress puts its reports in
# their places, and a script that a script has started does the same as this one.
end_group() {
	local tenth
	[[ -n $group ]] || return 0
	kill -TERM -- "-$group" 2>/dev/null || return 0
	for ((tenth = 0; tenth < 100; tenth++)); do
		kill -0 -- "-$group" 2>/dev/null || return 0
		sleep 0.1
	done
	kill -KILL -- "-$group" 2>/dev/null || true
}

summary() {
	local code=$?
	trap '' INT TERM HUP
	end_group
	[[ -z $running ]] || end_step FAILED
	rm -rf "$work"
	if ((code == 0)) && $failed; then code=1; fi
	printf '\n=== summary: exit code %d after %ds\n' "$code" "$SECONDS"
	((${#ended[@]} == 0)) || printf '%s\n' "${ended[@]}"
	exit "$code"
}
trap summary EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# --- the source -------------------------------------------------------------

check_format() {
	local files
	echo '+ gofmt -l .'
	files=$(gofmt -l .)
	[[ -z $files ]] || fail "gofmt would change:"$'\n'"$files"
}

check_module() {
	run go mod verify
	run go mod tidy -diff
}

check_vet() {
	run go vet ./...
	run go vet -tags chaos ./...
}

# The matrix makes staticcheck see both builds at once: what only one of them uses
# is used.
check_lint() {
	GOBIN=$work run go install "$staticcheck_module"
	printf 'normal: -tags=\nchaos: -tags=chaos\n' | staticcheck -matrix ./...
}

# staticcheck FLAG... collects its garbage less often: a third of its processor time went there.
staticcheck() { GOGC=400 GOMEMLIMIT=2GiB run "$work/staticcheck" "$@"; }

check_scripts() {
	local scripts=(CI/*.sh .ci/run)
	local script
	for script in "${scripts[@]}"; do
		run bash -n "$script"
	done
	if command -v shellcheck >/dev/null; then
		run shellcheck -x "${scripts[@]}"
	else
		echo "no shellcheck on this machine: syntax only"
	fi
	GOBIN=$work run go install "$actionlint"
	run "$work/actionlint" CI/github.yml CI/module.yml CI/mutate.yml
	run cmp CI/github.yml .github/workflows/ci.yml
}

# --- building and testing ---------------------------------------------------

# Each thing that can differ once: another architecture and no Linux, no Unix; the tests on 32 bits build for a third.
# With an empty cache this compiles the standard library for each, so it neither optimises nor links.
build_elsewhere() {
	local target
	for target in darwin/arm64 windows/amd64; do
		compile_for "$target"
		compile_for "$target" -tags chaos
	done
}

compile_for() {
	echo "# $*"
	GOOS=${1%/*} GOARCH=${1#*/} CGO_ENABLED=0 run go list -export -gcflags='all=-N -l' -f '{{""}}' "${@:2}" ./...
}

build_everywhere() {
	local target
	for target in linux/{amd64,arm64,386} darwin/{amd64,arm64} windows/{amd64,arm64,386}; do
		build_for "$target"
		build_for "$target" -tags chaos
	done
}

build_for() {
	echo "# $*"
	GOOS=${1%/*} GOARCH=${1#*/} CGO_ENABLED=0 run go build "${@:2}" ./...
}

# newest_go is the newest release of Go that there are patches for, as GOTOOLCHAIN has it.
newest_go() { go list -m -versions go | tr ' ' '\n' | grep -E '^1\.27\.[0-9]+$' | tail -n 1 | sed 's/^/go/'; }

# overlay_elsewhere makes the overlay of stress test for the Go versions that there are patches for, and compiles
# the standard library under it for platforms that are not this one. With an empty cache, or with another engine
# than the last time, a platform costs 35 to 50 s of processor time.
overlay_elsewhere() {
	local tried
	ROUSE_TOOLCHAINS="go1.26.0 go1.27.0 $(newest_go)" run go test -count=1 -run '^TestInstalled$' ./chaos/goroot
	tried=$(ROUSE_TOOLCHAINS=$(newest_go) ROUSE_PLATFORMS='linux/amd64 linux/arm64 darwin/arm64 windows/amd64' \
		run go test -count=1 -timeout 30m -run '^TestInstalled$' -v ./chaos/goroot) || fail "$tried"
	grep -e '--- PASS' <<<"$tried"
	(($(grep -ce '--- PASS: TestInstalled/.*/' <<<"$tried") == 8)) || fail 'not all platforms were tried with both versions'
}

# traps_elsewhere runs the packages of traps on the newest Go, and the programs of Go's own test of the
# goroutine-leak profile: stress test must find what it finds on the installed one. The standard library is
# built for it first.
traps_elsewhere() {
	ROUSE_TOOLCHAINS=$(newest_go) run go test -count=1 -timeout 60m -run '^Test(Traps(Native)?|LongTraps|LeakPrograms)$' ./chaos/goroot/corpus -long all
}

# std_tests runs the standard library's own tests of what the overlay patches, under the overlay and out of
# control, in the Go versions that there are patches for.
std_tests() { ROUSE_STD=all ROUSE_TOOLCHAINS=$(newest_go) run go test -count=1 -timeout 60m -run '^TestStandardLibrary$' ./chaos/goroot; }

# releases tries what the table of docs/go-versions.md has no row for: see evidence/bench/unmodified/releases.go. The page with
# the new rows is in rouse-out.
releases() {
	local code=0
	run go -C evidence/bench build -o "$work/unmodified" ./cmd/unmodified
	run mkdir -p "$out"
	cp docs/go-versions.md "$out/go-versions.md"
	if short; then # nothing is downloaded, or tried
		run "$work/unmodified" releases --only none --into "$out/go-versions.md" || code=$?
		((code == 2)) || fail "a release that there is not: exit code $code, want 2"
		return
	fi
	run "$work/unmodified" releases --source . --into "$out/go-versions.md"
}

# wrong_overlays tries overlays that do not fit the Go, so many of each kind: the anchors, the build or the self-test
# must refuse each. One compiles most of the standard library.
wrong_overlays() { run go test -count=1 -timeout 2h -run '^TestPlants$' ./stress/internal/suite -plants "$1"; }

# own_tests runs tests of this module under stress test: those of one small package.
own_tests() {
	run go run ./cmd/stress test ./hooks/sync --skip '^TestNormalBinary|^TestDropIns|^TestComparison' --executions 50 --quiet -count=1
}

# unmutated_code tests code without a mutant in each way of stress mutate: nothing kills it.
unmutated_code() { run go test -count=1 -timeout 30m -run '^TestUnmutatedSurvives$' ./stress/internal/mutate -times "$1"; }

# with_delve runs a command with Delve on the PATH, which it installs if need be.
with_delve() {
	local folder
	folder=$(mktemp -d)
	command -v dlv >/dev/null || GOBIN=$folder run go install github.com/go-delve/delve/cmd/dlv@v1.27.2
	PATH=$folder:$PATH run "$@"
	rm -r "$folder"
}

# kills ends commands at random instants, that often, and looks for what they leave.
kills() { with_delve go test -count=1 -timeout 60m -run '^TestKills$' ./cmd/stress -kills "$1"; }

# debug_recordings stops recordings at their steps in Delve.
debug_recordings() { with_delve go test -count=1 -timeout 30m -run '^TestDebug' ./cmd/stress; }

# fuzz_schedules has the fuzzer of the go command find what is wrong in examples/fuzz: an input and a schedule
# for each target. Each is to fail, within a minute.
fuzz_schedules() {
	local target folder
	folder=$(mktemp -d)
	run go test -tags chaos -c -fuzz . -o "$folder/fuzz" ./examples/fuzz
	for target in FuzzBatch FuzzGate FuzzAccounts; do
		(cd "$folder" && ! ./fuzz -test.run '^$' -test.fuzz "^$target\$" -test.fuzzcachedir "$folder/cache" -test.fuzztime 60s >"$target.txt" 2>&1) ||
			fail "$target found nothing in a minute"
		grep 'in the schedule of the input' "$folder/$target.txt"
	done
	rm -r "$folder"
}

# fuzz_targets FLAG... lists the fuzz targets of all packages, as the go command finds them: a package and a name
# a line. Those of examples/fuzz are to fail, and fuzz_schedules runs them.
fuzz_targets() {
	go test -list '^Fuzz' "$@" ./... | awk '
		/^Fuzz/ { names[n++] = $1 }
		$1 == "ok" { for (i = 0; i < n; i++) if ($2 !~ /\/examples\//) print $2, names[i]; n = 0 }'
}

# fuzz_target NAME-OF-LOG PACKAGE TARGET FLAG... runs a target for $FUZZ_TIME.
fuzz_target() {
	local log=$1 package=$2 target=$3
	shift 3
	if go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZ_TIME:-10m}" -fuzzminimizetime 100x -parallel 1 "$@" "$package" >"$log" 2>&1; then
		printf 'ok   %s %s: %s\n' "$package" "$target" "$(grep -o 'execs: [0-9]*' "$log" | tail -n 1)"
	else
		printf 'FAIL %s %s\n%s\n' "$package" "$target" "$(grep -v '^fuzz: elapsed' "$log")"
		return 1
	fi
}

# fuzz runs each fuzz target for $FUZZ_TIME, 10 minutes if that is not set, and as many at a time as there are
# processors. Inputs that reach new code stay in the folder fuzz of the build cache (go env GOCACHE), and the next
# night begins with them. One that fails is in testdata/fuzz of its package, and in rouse-out.
fuzz() {
	local code=0 n=0 running=0 package target flags
	local processors
	processors=$(getconf _NPROCESSORS_ONLN)
	fuzz_targets -tags chaos | sort >"$work/targets-chaos"
	fuzz_targets | sort >"$work/targets-normal"
	{
		sed 's/$/ -tags=chaos/' "$work/targets-chaos"
		comm -13 "$work/targets-chaos" "$work/targets-normal"
	} >"$work/targets"
	[[ -s $work/targets ]] || fail "there is no fuzz target"
	while read -r package target flags; do
		if ((running == processors)); then
			wait -n || code=1
			running=$((running - 1))
		fi
		# shellcheck disable=SC2086 # no flag is no word
		fuzz_target "$work/fuzz-$n" "$package" "$target" $flags &
		running=$((running + 1)) n=$((n + 1))
	done <"$work/targets"
	for ((; running > 0; running--)); do
		wait -n || code=1
	done
	echo "$n fuzz targets, ${FUZZ_TIME:-10m} each"
	mkdir -p "$out/fuzz"
	git ls-files -z --others -- '*/testdata/fuzz/*' | xargs -0 -r cp --parents -t "$out/fuzz"
	return "$code"
}

# Packages whose tests build programs and run them from outside: in which build those tests themselves
# run changes nothing. They run once, with all others, in the command of the README.
programs='/(cmd/stress|stress/internal/(suite|mutate)|examples/queue/stress|CI/zerocost|internal/arrows|internal/stdout|chaos/goroot|chaos/goroot/corpus|rouse-go/rouse)$'

# A package with no goroutine but that of its tests, and nothing shared: a race detector makes its tests six
# times as long, and has nothing to look at.
alone='/chaos/strategy$'

# list_packages PATTERN... puts all packages into listed but those.
list_packages() {
	local all
	all=$(go list ./...)
	while (($# > 0)); do
		all=$(grep -Ev "$1" <<<"$all")
		shift
	done
	mapfile -t listed <<<"$all"
}

# test_codes FLAG... lists the code of each package's tests, by a hash of what it is compiled from.
test_codes() { go list -test -export -f '{{if .ForTest}}{{.ForTest}} {{.BuildID}}{{end}}' "$@" ./... | sort -u; }

# test_normal leaves out what is compiled from the same in the chaos build, which the command of the README tests.
test_normal() {
	local differs
	test_codes >"$work/normal"
	test_codes -tags chaos >"$work/chaos"
	differs=$(comm -3 "$work/normal" "$work/chaos" | awk '{ print $1 }' | sort -u)
	list_packages "$programs"
	mapfile -t listed < <(printf '%s\n' "${listed[@]}" | grep -Fx "$differs")
	run go test "${listed[@]}"
}

# The packages that ship. Only these differ in the normal build; the other tests would say nothing new on 32 bits.
shipped=(./pool/... ./sleep/... ./hooks/...)

# test_32_bits FLAG... tests the pool where a word has 32 bits.
test_32_bits() {
	GOARCH=386 CGO_ENABLED=0 run go list -export -f '{{""}}' ./...
	GOARCH=386 CGO_ENABLED=0 run go list -export -tags chaos -f '{{""}}' ./...
	GOARCH=386 CGO_ENABLED=0 run go test "$@" "${shipped[@]}"
	GOARCH=386 CGO_ENABLED=0 run go test -tags chaos "$@" "${shipped[@]}"
}

# Every schedule of forks and loops with a preemption more than the tests take by themselves, where that takes minutes.
test_forks() {
	if short; then
		run go test -tags chaos -timeout 5m -run '^TestForkCores$/^2_workers,_1_deep,_1_times' ./pool -fork-preemptions 2
		return
	fi
	run go test -tags chaos -timeout 3h -run '^TestForksExhausted$|^TestForkCores$/^3_workers' ./pool -fork-preemptions 2
}

# The pool on another architecture, in the normal build, by the user-mode emulator of QEMU where it is
# installed (Debian's qemu-user).
test_arm64() {
	if ! command -v qemu-aarch64 >/dev/null; then
		echo "no qemu-aarch64 on this machine (package qemu-user): arm64 has been built, and is not tried"
		return
	fi
	if short; then
		GOARCH=arm64 CGO_ENABLED=0 run go test -timeout 5m -exec qemu-aarch64 -run '^$' ./sleep
		return
	fi
	GOARCH=arm64 CGO_ENABLED=0 ROUSE_EMULATOR=qemu-aarch64 run go test -short -timeout 30m -exec qemu-aarch64 ./pool/... ./sleep/...
	run go build -o "$work/stress" ./cmd/stress
	# The emulator has no file descriptors of processes, by which a task waits for a child and others go on.
	(cd chaos/goroot/testdata/traps && GOARCH=arm64 CGO_ENABLED=0 run "$work/stress" test --seed 1 --executions 100 -exec qemu-aarch64 -skip '^TestFound|Child' --out "$work/arm64" ./...)
}

# The oracle of leaks quotes the runtime's own profile where the binary has one. With Go 1.26 no other build here does:
# there it is an experiment, and later versions know no such experiment.
test_leak_profile() {
	local tests='^(TestOracleSeesLeak|TestSlowIsNoLeak)$' experiment=''
	[[ $(go env GOVERSION) != go1.26* ]] || experiment=goroutineleakprofile
	if short; then # without building the standard library once more
		GOEXPERIMENT=$experiment run go list ./stress/...
		run go test -tags chaos -list "$tests" ./stress/... | grep TestOracleSeesLeak
		return
	fi
	GOEXPERIMENT=$experiment run go test -tags chaos -timeout 10m -run "$tests" ./stress/...
	GOEXPERIMENT=$experiment run go test -tags chaos -timeout 30m ./pool/... ./sleep/...
}

# Stress itself, built around mutants: what its native oracles report about each.
test_mutants_natively() { run go test -tags chaos -timeout 30m -run '^TestNative(OraclesSeeMutants|FailuresAreFoundUnderControl)$' ./stress/mutants "$@"; }

# The README promises a command. It is run as written there, in the line that
# ends in "# CI runs this line". Before that, one test builds the standard library with the overlay of stress
# test: several packages need it, and would each build it at the same time.
test_readme() {
	local line
	run go test -tags chaos -run '^TestDriver$/^off$' ./chaos/goroot
	[[ -f README.md ]] || fail "there is no README.md to take the test command from"
	line=$(sed -n 's/^ *\(go test [^#]*[^# ]\) *# CI runs this line$/\1/p' README.md)
	[[ -n $line ]] || fail 'README.md has no line "go test ...  # CI runs this line"'
	[[ $line != *$'\n'* ]] || fail "README.md has more than one line that CI is to run"
	local command
	read -ra command <<<"$line"
	run "${command[@]}"
}

# turn PARTS says which of so many parts, from 1, a commit tests where it does not test all: each has its turn.
turn() { echo $((16#$(git rev-parse --short=7 HEAD) % $1 + 1)); }

# test_long runs a third of the tests of code that nobody has changed that take minutes. The nightly job runs all (planted).
test_long() { run go test -tags chaos -timeout 30m -run '^TestLong' ./chaos/goroot/corpus -long "$(turn 3)"; }

# test_race FLAG... leaves out what has nothing to show to the race detector. In the normal build it tests what
# ships: the other packages are for the chaos build. With -short it leaves out the pool there, whose tests the
# chaos build runs, and in the chaos build it tests what ships and a third of the rest.
test_race() {
	list_packages "$programs" "$alone"
	! grep -nE --exclude='*_test.go' '^[[:space:]]*go |"sync' chaos/strategy/*.go || fail "chaos/strategy has something to show to the race detector: take it out of alone"
	local normal=("${shipped[@]}") part
	if [[ ${1:-} == -short ]]; then
		normal=(./sleep/... ./hooks/...)
		part=$(turn 3)
		mapfile -t listed < <(printf '%s\n' "${listed[@]}" | awk -v part="$part" '/\/rouse\/(pool|sleep|hooks)(\/|$)/ || NR % 3 == part % 3')
	fi
	run go test -race "$@" "${normal[@]}"
	run go test -race -tags chaos -timeout 30m "$@" "${listed[@]}"
}

# test_race_of FLAG... PACKAGE... tests packages in both builds.
test_race_of() {
	run go test -race "$@"
	run go test -race -tags chaos "$@"
}

# The tests compare their recordings with those of the builds before (internal/reproduce).
# This sees to it that there were some.
check_recordings() {
	local files=("$ROUSE_RECORDINGS"/*.rouse)
	[[ -e ${files[0]} ]] || fail "no test has recorded anything in $ROUSE_RECORDINGS"
	echo "${#files[@]} recordings, the same with and without the race detector"
}

# check_evidence vets and lints the modules of evidence/, which ./... does not reach.
check_evidence() (
	local module
	cd evidence/bench
	for module in bench corpus; do
		cd "../$module"
		run go mod tidy -diff
		run go vet ./...
		staticcheck ./...
	done
	for module in programs/*/go.mod; do
		[[ ! -e $module ]] || run go -C "${module%/go.mod}" vet -tags chaos ./...
	done
)

# check_bench tests evidence/bench/, and runs each benchmark once. What that measures means nothing.
check_bench() (
	cd evidence/bench
	run go test ./...
	run go test -run '^$' -bench . -benchtime 1x .
	run go build -o "$work/seeds" ./cmd/seeds
	run "$work/seeds" burst --iterations 2 --rounds 1 --out "$work/seeds-out"
	run "$work/seeds" sleep --iterations 1 --rounds 1 --noop-iterations 1 --out "$work/seeds-out"
	run go build -o "$work/peers" ./cmd/peers
	run "$work/peers" table --quick --rounds 1 --out "$work/peers-out"
	run "$work/peers" curves --rounds 1 --longest 50ms --out "$work/peers-out"
)

# check_corpus tests evidence/corpus/. Drivers of libraries are compiled where they run.
check_corpus() { run go -C evidence/corpus test ./...; }

# corpus_slice PARTS looks for one part of the bugs of evidence/corpus/, by the first seeds; which part follows from the
# commit, so that all have their turn. Then it runs those of evidence/track-stories.md. What differs from a table
# or that page fails.
corpus_slice() {
	local part
	part=$(turn "$1")
	run go -C evidence/corpus build -o "$work/corpus" ./cmd/corpus
	run "$work/corpus" run --source evidence/corpus --slice "$part/$1" --seeds 3 --replays 10
	run "$work/corpus" stories --source evidence/corpus --check
}

# planted EXECUTIONS looks for the planted bugs of code that nobody has changed, and for false alarms of
# their fixed twins. What is built with the race detector is looked for by tests that are, too.
planted() {
	run go test -tags chaos -timeout 2h -run '^TestPlanted$' ./chaos/goroot/corpus -bug-executions "$1" -twin-executions "$1"
	run go test -race -tags chaos -timeout 2h -run '^TestPlanted$' ./chaos/goroot/corpus -bug-executions "$1" -twin-executions "$1"
	run go test -race -tags chaos -timeout 30m -run '^TestDriverRaces$' ./chaos/goroot
	run go test -tags chaos -timeout 2h -run '^Test(Traps|Long)' ./chaos/goroot/corpus -trap-executions 1000 -loop-executions 20 -long all
}

# unmodified_determinism EXECUTIONS runs such code twice with the same seed, by other processes, processors and builds.
unmodified_determinism() {
	run go -C evidence/bench build -o "$work/unmodified" ./cmd/unmodified
	run "$work/unmodified" determinism --source . --executions "$1" --cache "$work/second-cache"
}

# suite_failures replays the recorded failures of released libraries' own tests (evidence/suites.md).
suite_failures() {
	run go -C evidence/bench build -o "$work/unmodified" ./cmd/unmodified
	run "$work/unmodified" suites --source . --recordings evidence/suites
}

test_bench_race() { run go -C evidence/bench test -race ./...; }

# soak JOBS runs so many jobs through the pool of the normal build, each accounted for.
soak() {
	run go -C evidence/bench build -o "$work/soak" ./cmd/soak
	run "$work/soak" --jobs "$1"
}

# zero_cost builds the proof and then runs it: go run would flatten its exit code.
zero_cost() {
	run go build -o "$work/zerocost" ./CI/zerocost
	run "$work/zerocost"
}

# --- the campaign -----------------------------------------------------------

binary=stress # that campaign runs

# build_stress FLAG... builds the binary for campaign. go run would flatten its
# exit codes: 1 is a failed oracle, 3 a failure of the tool, as is a build that fails because a module
# cannot be fetched.
build_stress() { run go build "$@" -o "$work/$binary" ./cmd/stress || exit 3; }

refuse_normal_build() {
	local code=0
	run go build -o "$work/stress-normal" ./cmd/stress
	run "$work/stress-normal" run --for 1s --out "$work/refused" || code=$?
	((code == 2)) || fail "stress without the tag chaos: exit code $code, want 2"
	[[ ! -e $work/refused ]] || fail "stress without the tag chaos has written something"
}

# mutants FLAG... plants defects, and fails if one is not detected.
mutants() { run "$work/stress" mutants "$@"; }

# campaign NAME FLAG... runs the default campaign and leaves all that it writes in
# the folder NAME.
campaign() {
	local to=$out/$1
	rm -f "$to/journal.jsonl" # of one that was interrupted
	go_on "$@"
}

# go_on is campaign, but with --resume it continues one that was interrupted.
go_on() {
	local to=$out/$1 code=0
	shift
	mkdir -p "$to"
	short || run "$work/$binary" validate --quiet
	run "$work/$binary" run "${few[@]}" "$@" --out "$to" --json "$to/results.jsonl" --report "$to/report/" || code=$?
	verdict "$code" "$to"
}

# merge REPORT... makes one report of those of all shards.
merge() {
	local to=$out/merged code=0
	mkdir -p "$to"
	run "$work/stress" merge "$@" --json "$to/results.jsonl" --report "$to/report/" || code=$?
	verdict "$code" "$to, and what the shards have left"
}

# verdict CODE WHERE reports and keeps the exit code of stress: a job may be retried after 3, and need
# not be after 1.
verdict() {
	case $1 in
	0) return ;;
	1) printf 'failed: recordings and reports are in %s\n' "$2" >&2 ;;
	*) printf 'stress itself failed: exit code %d\n' "$1" >&2 ;;
	esac
	exit "$1"
}

# replay FILE TIMES runs a recording again.
replay() { run "$work/stress" replay "$1" --times "$2"; }

# --- the other scripts -----------------------------------------------------

# check_short runs each of them in its short form. What is replayed is the failure of a positive control.
check_short() {
	local to=$work/short code=0 recordings
	local short=(env ROUSE_SHORT=1 ROUSE_OUT="$to" CHAOS_SEED=1)
	run "${short[@]}" CI/flake.sh 1 ./internal/nearest
	run "${short[@]}" CI/nightly.sh 1
	run "${short[@]}" CI/releases.sh
	run "${short[@]}" CI/shard.sh 0 2
	run "${short[@]}" CI/shard.sh 1 2
	run "${short[@]}" CI/merge.sh "$to"/shard-0-of-2 "$to"/shard-1-of-2
	run "$work/stress" run controlled-dropped-job --executions 50 --out "$to/control" --keep-controls
	recordings=("$to"/control/*.rouse)
	run "${short[@]}" CI/replay.sh "${recordings[0]}" 2 || code=$?
	((code == 1)) || fail "CI/replay.sh of a control's recording: exit code $code, want 1"
}
