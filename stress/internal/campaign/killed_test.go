package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rouse-go/rouse/stress/internal/report"
	"github.com/rouse-go/rouse/stress/internal/run"
	"github.com/rouse-go/rouse/stress/scenario"
)

// campaignArg makes the test binary a campaign, so that it can be killed.
const campaignArg = "stress-campaign"

// A killable is the argument of such a process.
type killable struct {
	Scenarios []scenario.Scenario
	Options   Options
	Growth    int64
}

// runCampaign runs a campaign that resumes a journal if there is one, and leaves its report in the
// folder.
func runCampaign(text string) int {
	var k killable
	err := json.Unmarshal([]byte(text), &k)
	if err == nil {
		k.Options.Journal, k.Options.growth = true, k.Growth
		if k.Options.Resume, err = ReadJournal(k.Options.Out); err == nil && k.Options.Resume != nil {
			err = k.Options.Resume.Check(k.Scenarios)
		}
	}
	var report report.Report
	if err == nil {
		report, err = Run(context.Background(), k.Scenarios, k.Options)
	}
	if err == nil {
		var data []byte
		if data, err = json.Marshal(report); err == nil {
			err = os.WriteFile(filepath.Join(k.Options.Out, reportName), data, 0o600)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

const (
	reportName = "report.json"
	// countFile, in the environment, is the file that grows by a byte with each execution under control.
	countFile = "ROUSE_TEST_COUNT"
	// heldSuffix is of the file beside it that says that a child holds.
	heldSuffix = ".held"
	// holdAt, in the environment, is the execution before which a child stops for good.
	holdAt = "ROUSE_TEST_HOLD"
	// pauseAt, in the environment, is the execution before which a child waits, so that it reports its progress
	// before the next.
	pauseAt = "ROUSE_TEST_PAUSE"
)

// countAndHold is called before each execution under control.
func countAndHold(n int) {
	if path := os.Getenv(countFile); path != "" {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
		if err != nil {
			panic(err)
		}
		f.Write([]byte{'.'}) //nolint:errcheck // the test counts
		f.Close()            //nolint:errcheck // likewise
	}
	if os.Getenv(pauseAt) == fmt.Sprint(n) {
		time.Sleep(run.AnnounceTime + run.AnnounceTime/10)
	}
	if os.Getenv(holdAt) == fmt.Sprint(n) {
		if path := os.Getenv(countFile); path != "" {
			os.WriteFile(path+heldSuffix, nil, 0o600) //nolint:errcheck // the test waits for it
		}
		select {}
	}
}
