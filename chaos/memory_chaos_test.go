//go:build chaos

package chaos_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rouse-go/rouse/chaos"
	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/recording"
	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/atomic"
	"github.com/rouse-go/rouse/hooks/memory"
	"github.com/rouse-go/rouse/hooks/sync"
	"github.com/rouse-go/rouse/internal/faketest"
)

// dekker lets two tasks say that they are there, and then look for the other.
func dekker(_ *faketest.Test, c *chaos.C) {
	if dekkerMisses(c) {
		c.Errorf("both are in")
	}
}

func dekkerMisses(c *chaos.C) bool {
	var here, there atomic.Bool
	var in atomic.Int32
	var wg sync.WaitGroup
	meet := func(mine, other *atomic.Bool) {
		memory.StoreBool(mine, true, memory.Release)
		between()
		if !memory.LoadBool(other, memory.Acquire) {
			in.Add(1)
		}
	}
	wg.Go(func() { meet(&here, &there) })
	wg.Go(func() { meet(&there, &here) })
	wg.Wait()
	return in.Load() == 2
}

func between() { memory.Fence(memory.SeqCst) }

func TestExploreMemory(t *testing.T) {
	without := chaos.WithoutFences("chaos_test.between")
	for _, m := range []control.Memory{control.SC, control.TSO, control.Views} {
		if r := explore(t.TempDir(), dekker, chaos.WithMemory(m)); r.Failed() {
			t.Errorf("%v, with the fence: %s", m, r.Log)
		}
		dir := t.TempDir()
		r := explore(dir, dekker, chaos.WithMemory(m), without)
		if m == control.SC {
			if r.Failed() {
				t.Errorf("%v: fences have no meaning here: %s", m, r.Log)
			}
			continue
		}
		for _, want := range []string{
			`^relies-on-sc in execution \d+ \(.*\): the (load|store) at memory_chaos_test.go:3[46] .*, and so: wrong-result: both are in\n`,
			`memory_chaos_test.go:3[46] \((reads an older store|into the store buffer)\)`,
		} {
			if !regexp.MustCompile(want).MatchString(r.Log) {
				t.Errorf("%v: the message does not match %s:\n%s", m, want, r.Log)
			}
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*", "*"))
		if len(files) != 1 {
			t.Fatalf("files: %q, want one", files)
		}
		rec, err := recording.Read(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"memory=" + m.String(), "without-fence=chaos_test.between"}; rec.Verdict != verdict.ReliesOnSC || !slices.Equal(rec.Options, want) {
			t.Errorf("the recording is\n%s", rec)
		}

		reproduced(t, dir, dekker, control.Options{Memory: m, WithoutFences: []string{"chaos_test.between"}})

		// It repeats as it was recorded, whatever memory the test asks for by then; then
		// the test continues with its own.
		again := explore(dir, dekker, chaos.WithExecutions(1))
		if !again.Failed() || !strings.HasPrefix(again.Log, "relies-on-sc: the recorded failure ") || !strings.Contains(again.Log, "by the recorded trace") {
			t.Errorf("repeated: %s", again.Log)
		}
		cured := explore(dir, func(_ *faketest.Test, c *chaos.C) { c.Go(func() {}) }, chaos.WithExecutions(3))
		if cured.Failed() || !strings.Contains(cured.Log, "no longer happens (relies-on-sc: the execution passes; ") {
			t.Errorf("failed: %v: %s", cured.Failed(), cured.Log)
		}
		rec.Options[0] = "memory=views?"
		if err := rec.Write(files[0]); err != nil {
			t.Fatal(err)
		}
		if r := explore(dir, dekker); !r.Failed() || !strings.Contains(r.Log, `options: found "memory=views?", want memory=sc, memory=tso or memory=views`) {
			t.Errorf("a recording with a memory that does not exist: %s", r.Log)
		}
	}
}

// A test that fails itself also reports what depends on the memory.
func TestExploreMemoryOfAFailedTest(t *testing.T) {
	r := explore(t.TempDir(), func(r *faketest.Test, c *chaos.C) {
		if dekkerMisses(c) {
			r.Fail()
		}
	}, chaos.WithMemory(control.Views), chaos.WithoutFences("chaos_test.between"))
	if !r.Failed() || !strings.HasPrefix(r.Log, "relies-on-sc") || !strings.Contains(r.Log, "wrong-result: the body has failed the test") {
		t.Errorf("%s", r.Log)
	}
}

func TestMemorySettings(t *testing.T) {
	t.Setenv("CHAOS_MEMORY", "view")
	if r := explore(t.TempDir(), dekker); !r.Failed() || !strings.Contains(r.Log, `-chaos.memory: found "view", want sc, tso or views`) {
		t.Errorf("%s", r.Log)
	}
	t.Setenv("CHAOS_MEMORY", "views")
	if r := explore(t.TempDir(), dekker, chaos.WithoutFences("chaos_test.between")); !strings.HasPrefix(r.Log, "relies-on-sc") {
		t.Errorf("CHAOS_MEMORY has done nothing: %s", r.Log)
	}
	t.Setenv("CHAOS_MEMORY", "sc")
	if r := explore(t.TempDir(), dekker, chaos.WithMemory(control.Views), chaos.WithoutFences("chaos_test.between")); r.Failed() {
		t.Errorf("CHAOS_MEMORY has done nothing: %s", r.Log)
	}
	t.Setenv("CHAOS_MEMORY", "")
	r := explore(t.TempDir(), dekker, chaos.WithMemory(control.TSO), chaos.WithoutFences("chaos_test.betwen"), chaos.WithExecutions(10))
	if r.Failed() || !strings.Contains(r.Log, "no execution came to a fence at chaos_test.betwen") {
		t.Errorf("%s", r.Log)
	}
	if r := explore(t.TempDir(), dekker, chaos.WithoutFences("in two words")); !r.Failed() || !strings.Contains(r.Log, `WithoutFences: found "in two words"`) {
		t.Errorf("%s", r.Log)
	}
}
