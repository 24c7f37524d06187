package porting

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/panjf2000/ants/v2"
	"github.com/rouse-go/rouse/pool"
	"go.uber.org/goleak"
)

type tests struct{ goleak.TestingM }

func (m tests) Run() int {
	ants.Release() // it starts a pool when it is loaded
	code := m.TestingM.Run()
	_ = pool.Default().Close(context.Background())
	return code
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(tests{m}) }

var inputs = []string{"1", "2", "3", "4", "5", "6", "7"}

// Catches: a port that computes something else, or misses an error.
func TestHashers(t *testing.T) {
	root := t.TempDir()
	for _, name := range inputs {
		folder := filepath.Join(root, name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, file := range inputs {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(name+file), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	want, err := HashErrgroup(t.Context(), root)
	got, gotErr := HashGroup(t.Context(), root)
	if err != nil || gotErr != nil || len(got) != 49 || !maps.Equal(got, want) {
		t.Errorf("%d and %d sums, errors %v and %v", len(want), len(got), err, gotErr)
	}
	_, err = HashErrgroup(t.Context(), filepath.Join(root, "none"))
	_, gotErr = HashGroup(t.Context(), filepath.Join(root, "none"))
	if !errors.Is(err, os.ErrNotExist) || !errors.Is(gotErr, os.ErrNotExist) {
		t.Errorf("%v and %v", err, gotErr)
	}
}

// Catches: a port that is longer than what it was.
func TestHashersAreAsLong(t *testing.T) {
	text, err := os.ReadFile("errgroup.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := func(name string) int {
		_, body, ok := strings.Cut(string(text), "func "+name+"(")
		if !ok {
			t.Fatalf("no %s", name)
		}
		body, _, _ = strings.Cut(body, "\n}\n")
		return strings.Count(body, "\n")
	}
	if was, is := lines("HashErrgroup"), lines("HashGroup"); is > was || was < 10 {
		t.Errorf("%d lines, and it was %d", is, was)
	}
}

func TestMaps(t *testing.T) {
	want, err := MapConc(t.Context(), inputs, strconv.Atoi)
	got, gotErr := MapPool(t.Context(), inputs, strconv.Atoi)
	slices.Sort(want)
	if err != nil || gotErr != nil || !slices.Equal(got, want) {
		t.Errorf("%v and %v, errors %v and %v", want, got, err, gotErr)
	}
	bad := append(slices.Clone(inputs), "x")
	_, err = MapConc(t.Context(), bad, strconv.Atoi)
	_, gotErr = MapPool(t.Context(), bad, strconv.Atoi)
	if !errors.Is(err, strconv.ErrSyntax) || !errors.Is(gotErr, strconv.ErrSyntax) {
		t.Errorf("%v and %v", err, gotErr)
	}
}

func TestSums(t *testing.T) {
	length := func(s string) int { return len(s) }
	want, err := SumAnts(inputs, length)
	got, gotErr := SumGroup(inputs, length)
	if err != nil || gotErr != nil || got != want || got != 7 {
		t.Errorf("%d and %d, errors %v and %v", want, got, err, gotErr)
	}
}

func TestChecks(t *testing.T) {
	failed := errors.New("failed")
	for _, bad := range []string{"", "5"} {
		check := func(s string) error {
			if s == bad {
				return failed
			}
			return nil
		}
		want, got := CheckPond(t.Context(), inputs, check), CheckGroup(t.Context(), inputs, check)
		if errors.Is(want, failed) != (bad != "") || !errors.Is(got, failed) && bad != "" || got != nil && bad == "" {
			t.Errorf("%v and %v", want, got)
		}
	}
}
