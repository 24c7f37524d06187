package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

const buildFlag = "GOFLAGS passes it to the go command"

// refusedOfGoTest lists flags of go test that stress test does not have, with the reasons.
var refusedOfGoTest = map[string]string{
	"cpu":          "goroutines run one at a time; --procs is how many processes run tests",
	"parallel":     "it is always the same, so that what is found does not depend on the machine; --procs is how many processes run tests",
	"shuffle":      "tests do not run one after the other: each has processes of its own",
	"failfast":     "the executions of a test end with its first failure; -run selects tests",
	"bench":        "benchmarks are not run",
	"benchmem":     "benchmarks are not run",
	"benchtime":    "benchmarks are not run",
	"fuzz":         "nothing is fuzzed: fuzz tests run with their seeds, as go test without -fuzz runs them",
	"fuzztime":     "nothing is fuzzed",
	"cover":        "coverage is not measured",
	"coverprofile": "coverage is not measured",
	"coverpkg":     "coverage is not measured",
	"covermode":    "coverage is not measured",
	"cpuprofile":   "go test profiles tests",
	"memprofile":   "go test profiles tests",
	"blockprofile": "go test profiles tests",
	"mutexprofile": "go test profiles tests",
	"trace":        "go test traces tests",
	"c":            "the test binaries are temporary files",
	"o":            "the test binaries are temporary files",
	"outputdir":    "go test profiles tests",
	"artifacts":    "a test runs many times",
	"fullpath":     "files are named as go test names them",
	"list":         "go test -list lists tests",
	"msan":         "only the race detector is supported",
	"asan":         "only the race detector is supported",
	"vet":          "go test runs vet",
	"a":            buildFlag,
	"p":            "--procs is how many packages are built at a time; GOFLAGS=-p=N is passed to the go command",
	"x":            buildFlag,
	"n":            "go test -n prints commands",
	"work":         buildFlag,
	"buildmode":    buildFlag,
	"buildvcs":     buildFlag,
	"modcacherw":   buildFlag,
	"pgo":          buildFlag,
	"toolexec":     buildFlag,
	"trimpath":     buildFlag,
}

// refusedByMutate lists flags of go test that stress mutate does not have, with the reasons.
var refusedByMutate = map[string]string{
	"race":     "--way race tests with the race detector, which is the default, too",
	"timeout":  "--budget is how long a mutant is tested in each way",
	"parallel": "--procs is how many mutants are tested at a time",
	"p":        "--procs is how many mutants are tested at a time",
	"failfast": "a mutant is not tested on in the way in which a test has failed",
	"args":     "tests get no arguments",
}

// passedToGo lists flags of go build that are passed unchanged to go list and go test.
var passedToGo = map[string]string{
	"mod":      "module download `mode`: readonly, vendor or mod",
	"modfile":  "`file` to use in place of go.mod",
	"overlay":  "JSON `file` of replaced files, as go build takes it",
	"ldflags":  "`flags` for the linker",
	"gcflags":  "`flags` for the compiler",
	"asmflags": "`flags` for the assembler",
}

// A goFlag is a flag that is passed unchanged to the go command.
type goFlag struct {
	name string
	all  *[]string
}

func (g *goFlag) String() string { return "" }
func (g *goFlag) Type() string   { return "string" }
func (g *goFlag) Set(text string) error {
	*g.all = append(*g.all, "-"+g.name+"="+text)
	return nil
}

// goArgs returns the arguments of a command in the form of pflag: the flags of go have one dash or two, and
// -args ends the flags. refused lists flags of go test that the command does not have.
func goArgs(c *cobra.Command, args []string, refused map[string]string) ([]string, error) {
	var out []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		name, isFlag := strings.CutPrefix(arg, "-")
		name = strings.TrimPrefix(name, "-")
		if !isFlag || name == "" && arg != "--" {
			out = append(out, arg)
			continue
		}
		if name == "" || name == "args" {
			return append(append(out, "--"), args[i+1:]...), nil
		}
		name, _, hasValue := strings.Cut(name, "=")
		bare := strings.TrimPrefix(name, "test.")
		if why, is := refused[bare]; is && c.Flags().Lookup(bare) == nil {
			return nil, Usage("-%s: stress %s has no such flag: %s", bare, c.Name(), why)
		}
		if arg == "-json" { // no file follows it
			return nil, Usage("-json: stress %s has no such flag: --json FILE writes a report, --json - to standard output", c.Name())
		}
		flag := c.Flags().Lookup(bare)
		switch {
		case flag == nil && len(name) == 1: // -h
			out = append(out, arg)
		case flag == nil:
			out = append(out, "--"+strings.TrimLeft(arg, "-"))
		default:
			out = append(out, "--"+strings.TrimPrefix(strings.TrimLeft(arg, "-"), "test."))
		}
		if flag != nil && !hasValue && flag.NoOptDefVal == "" && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out, nil
}

// normalArgs returns the arguments of the program in the form of pflag. The arguments of stress test and
// stress mutate have the form of go test.
func normalArgs(root *cobra.Command, args []string) ([]string, error) {
	refused := map[string]map[string]string{"test": refusedOfGoTest, "mutate": refusedByMutate}
	if len(args) == 0 || refused[args[0]] == nil {
		return args, nil
	}
	commands := root.Commands()
	i := slices.IndexFunc(commands, func(c *cobra.Command) bool { return c.Name() == args[0] })
	rest, err := goArgs(commands[i], args[1:], refused[args[0]])
	return append([]string{args[0]}, rest...), err
}
