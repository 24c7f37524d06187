package command

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rouse-go/rouse/stress/internal/mutate"
)

// flagsOfEachKind are flags with values of their own, and whether what String returns is a value of the flag.
func flagsOfEachKind() map[pflag.Value]bool {
	return map[pflag.Value]bool{
		new(spanFlag): true, new(Count): true, new(sizeFlag): false, new(seedFlag): false, &Path{What: "file"}: true, new(shardFlag): true,
		&searchFlag{}: true, new(stepFlag): true, new(scoreFlag): true, new(reportsFlag): true, new(uncontrolledFlag): true, new(clockFlag): true,
		new(annotateFlag): true, &namesFlag{have: mutate.Ways}: true, &variantsFlag{have: []string{"rfc5", "lazy"}}: true,
	}
}

// Catches: a value that is refused and taken nevertheless, an error of several lines, and a value that the flag shows
// differently.
func FuzzFlags(f *testing.F) {
	for _, text := range []string{
		"90s", "4h", "0s", "-1s", "1e9h", "7", "0", "-7", "2147483648", "500MiB", "2 GiB", "1e30TB", "NaNMiB", "-InfGB", "0x1pGiB", "none", "0x2a", "0X2A", "18446744073709551616",
		"a.md", "out/", "a.txt", ".", "..", "a\x00b", "a\nb.html", "0/4", "4/4", "1/", "65536/65537", "0.8", "1.1", "NaN", "plain,race", "plain,,", "all", "rfc5,lazy", "rfc5,rfc5", "github", "mixed", "fail", "", " ",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for v, shows := range flagsOfEachKind() {
			before := reflect.ValueOf(v).Elem().Interface()
			name := reflect.TypeOf(v).Elem().Name()
			if err := v.Set(text); err != nil {
				if !reflect.DeepEqual(before, reflect.ValueOf(v).Elem().Interface()) {
					t.Fatalf("%s refuses %q, and is %v", name, text, v)
				}
				if strings.ContainsFunc(err.Error(), unicode.IsControl) && !strings.ContainsFunc(text, unicode.IsControl) {
					t.Fatalf("%s refuses %q with %q", name, text, err)
				}
				continue
			}
			switch v := v.(type) {
			case *sizeFlag:
				if *v != -1 && *v < 1<<20 {
					t.Fatalf("%q is a size of %d", text, *v)
				}
			case *scoreFlag:
				if !(*v >= 0 && *v <= 1) {
					t.Fatalf("%q is a score of %v", text, *v)
				}
			case *reportsFlag:
				if len(*v) != 1 || v.file(text) == "" {
					t.Fatalf("%q is %v", text, *v)
				}
			}
			if !shows {
				continue
			}
			for again := range flagsOfEachKind() {
				if reflect.TypeOf(again) != reflect.TypeOf(v) {
					continue
				}
				if err := again.Set(v.String()); err != nil || !reflect.DeepEqual(v, again) {
					t.Fatalf("%s of %q shows %q, which is %v: %v", name, text, v.String(), again, err)
				}
			}
		}
	})
}

// Catches: an argument that is lost or added where flags of the go command are read, and one after -args that is read.
func FuzzGoArgs(f *testing.F) {
	for _, line := range []string{"-run X ./...", "--run=X", "-race -test.v", "-args -run", "-- -run", "-", "---x", "-=", "-h", "-test.", "-json x", "-bench .", "a\x00b -", ""} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c := &cobra.Command{Use: "test"}
		c.Flags().String("run", "", "")
		c.Flags().Bool("race", false, "")
		args := strings.Fields(line)
		out, err := goArgs(c, args, refusedByMutate)
		if err != nil {
			if out != nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %q, %v", args, out, err)
			}
			return
		}
		if len(out) != len(args) {
			t.Fatalf("%q is %q", args, out)
		}
		plain := false
		for i, arg := range args {
			if want := strings.TrimPrefix(strings.TrimLeft(arg, "-"), "test."); plain && out[i] != arg || !plain && !strings.HasSuffix(out[i], want) && out[i] != "--" {
				t.Fatalf("%q is %q", args, out)
			}
			plain = plain || out[i] == "--"
		}
	})
}
