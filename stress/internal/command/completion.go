package command

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/stress/scenario"
)

// shells lists the shells for which completion writes a script.
var shells = []struct {
	name  string
	write func(root *cobra.Command, to io.Writer) error
}{
	{"bash", func(root *cobra.Command, to io.Writer) error { return root.GenBashCompletionV2(to, true) }},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, to io.Writer) error { return root.GenFishCompletion(to, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

func newCompletion() *cobra.Command {
	var names []string
	for _, s := range shells {
		names = append(names, s.name)
	}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script with which a shell completes commands, flags and names",
		Long: `Print a script with which bash, zsh, fish or powershell completes commands, flags and the names
of scenarios, groups, variants, subjects and files. The script is for the name by which the program
was called, and runs the program for the names. That of bash needs the package bash-completion.`,
		Example: `  # for this session
  source <(stress completion bash)
  # for every session
  stress completion bash > ~/.local/share/bash-completion/completions/stress
  stress completion zsh > "${fpath[1]}/_stress"
  stress completion fish > ~/.config/fish/completions/stress.fish`,
		Args:              oneArg("SHELL", "bash, zsh, fish or powershell"),
		ValidArgsFunction: firstArg(cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp)),
		RunE: func(c *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return Usage("unknown shell %q; %s", nearest.Clip(args[0]), nearest.Hint(args[0], names))
			}
			root := c.Root()
			root.Use = strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
			return shells[i].write(root, c.OutOrStdout())
		},
	}
}

// firstArg completes the first argument, and no others.
func firstArg(first cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return first(c, args, begun)
	}
}

// filesWith completes the names of files with these endings.
func filesWith(endings ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(endings, cobra.ShellCompDirectiveFilterFileExt)
}

// completeFlag sets the completion of a flag's value.
func completeFlag(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // there is no such flag, or it has one already
	}
}

// completeNames makes the arguments and flags of run complete the names of the scenarios that it would run.
func (f *runFlags) completeNames(c *cobra.Command) {
	c.ValidArgsFunction = f.names(func(sc scenario.Scenario, args []string) string {
		if f.group != "" || slices.Contains(args, sc.Name) {
			return ""
		}
		return sc.Name
	})
	completeFlag(c, "group", f.names(func(sc scenario.Scenario, _ []string) string { return sc.Group }))
	completeFlag(c, "variant", f.variant.complete)
	completeFlag(c, "file", filesWith("yaml", "yml"))
}

// names completes a name that of returns for each scenario, or "" for none. If the scenarios cannot be
// loaded, there are no names, and no error, because a shell has no place for it.
func (f *runFlags) names(of func(sc scenario.Scenario, args []string) string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
		all, err := f.program.loadScenarios(f.file.Name)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for _, sc := range all {
			if name := of(sc, args); name != "" && strings.HasPrefix(name, begun) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
}
