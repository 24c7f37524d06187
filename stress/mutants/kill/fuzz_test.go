package kill

import (
	"bytes"
	"slices"
	"testing"
)

// Catches: an answer that is lost between other lines, or read differently from how it is written.
func FuzzRead(f *testing.F) {
	var b bytes.Buffer
	for _, a := range []Answer{{Schema: schema, Seed: 1, Executions: 7, Verdict: "pass", Complete: true}, {Schema: schema, Verdict: "deadlock", Summary: "\x00\n<&>", Bounded: "x"}} {
		if err := write(&b, a); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(b.Bytes())
	f.Add(append([]byte("=== RUN TestKill"), b.Bytes()...))
	f.Add([]byte("{}\n"))
	f.Add([]byte(`{"schema":2}`))
	f.Add([]byte("PASS\n"))
	f.Fuzz(func(t *testing.T, output []byte) {
		answers, err := Read(bytes.NewReader(output))
		if err != nil {
			if answers != nil {
				t.Fatalf("%q: %v, %v", output, answers, err)
			}
			return
		}
		var again bytes.Buffer
		for _, a := range answers {
			again.WriteString("--- PASS: TestKill")
			if err := write(&again, a); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := Read(&again); err != nil || !slices.Equal(got, answers) {
			t.Fatalf("%q has the answers %+v, and those are read as %+v: %v", output, answers, got, err)
		}
	})
}
