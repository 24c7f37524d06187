package unmodified

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/rouse-go/rouse/chaos/goroot/corpus"
)

// Recordings returns the files of the suite's recordings below folder, where each suite with recordings
// has a folder of its name.
func (s *Suite) Recordings(folder string) ([]string, error) {
	return filepath.Glob(filepath.Join(folder, s.Name, "*.rouse"))
}

// Replay replays recordings of the suite in dir, prints the result of each, and returns how many no
// longer fail as recorded.
func (s *Suite) Replay(ctx context.Context, tool corpus.Tool, dir string, files []string, out io.Writer) (gone int, err error) {
	for _, file := range files {
		file, err := filepath.Abs(file)
		if err != nil {
			return 0, err
		}
		failed, exact, printed, err := tool.Replay(ctx, dir, file, s.env())
		if err != nil {
			return 0, err
		}
		outcome := "fails as recorded"
		switch {
		case !failed:
			outcome = "NO LONGER FAILS AS RECORDED\n" + printed
			gone++
		case !exact:
			outcome = "fails as recorded, by another trace"
		}
		fmt.Fprintf(out, "%s %s: %s\n", s.Name, filepath.Base(file), outcome)
	}
	return gone, nil
}
