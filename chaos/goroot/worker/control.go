package worker

import (
	"encoding/json"
	"fmt"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/plan"
	"github.com/rouse-go/rouse/chaos/verdict"
)

// control returns the functions by which a library takes part in executions. The library may have a
// copy of this module of its own, so all are of standard types; package chaos uses them.
func (s *session) control() map[string]any {
	e := s.Engine
	return map[string]any{
		"start":   s.worker.setup.Start,
		"choose":  e.Choose,
		"task":    e.Task,
		"name":    e.SetName,
		"failing": s.failing,
		"fail": func(v, summary, detail string) {
			s.setDetail(detail)
			s.failing()
			e.Fail(verdict.Verdict(v), summary)
		},
		"stuck": func(judge func(verdict, summary string) (string, string)) {
			e.OnStuck(func(stuck control.Result) (verdict.Verdict, string) {
				v, summary := judge(string(stuck.Verdict), stuck.Summary)
				return verdict.Verdict(v), summary
			})
		},
		"arm": func(text []byte) error {
			var p plan.Plan
			if err := json.Unmarshal(text, &p); err != nil {
				return fmt.Errorf("plan: %w", err)
			}
			return e.Arm(p)
		},
		"visit": func(point string, can uint16, value uint64) (delay int64, until string, limit int64, yield bool, copies int, failed bool, result uint64) {
			f := e.Visit(point, can, value)
			return int64(f.Delay), f.Until, int64(f.Limit), f.Yield, f.Copies, f.Failed, f.Value
		},
	}
}

// setDetail is called by a task, whose turns the race detector does not see.
//
//go:norace
func (s *session) setDetail(text string) { s.detail = text }
