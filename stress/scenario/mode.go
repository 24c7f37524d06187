package scenario

import (
	"strings"

	"github.com/rouse-go/rouse/chaos/control"
	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/nearest"
	"github.com/rouse-go/rouse/internal/yamltree"
)

func (l *loader) mode(n yamltree.Node) Mode {
	names := []string{Native.String(), Control.String()}
	switch s := l.Text(n, "mode"); {
	case l.Err != nil || s == names[0]:
		return Native
	case s == names[1]:
		return Control
	default:
		l.Fail(n, "unknown mode %q; %s", nearest.Clip(s), nearest.Hint(s, names))
		return Native
	}
}

// strategy reads the name of one.
func (l *loader) Strategy(n yamltree.Node) string {
	s := l.Text(n, "strategy")
	if l.Err != nil {
		return ""
	}
	if _, err := strategy.Parse(nearest.Clip(s)); err != nil {
		l.Fail(n, "strategy: %s", strings.TrimPrefix(err.Error(), strategy.ErrUnknown.Error()+": "))
		return ""
	}
	return s
}

// clock reads when timers fire.
func (l *loader) clock(n yamltree.Node) control.Clock {
	s := l.Text(n, "clock")
	c, ok := control.ParseClock(s)
	if !ok && l.Err == nil {
		l.Fail(n, "unknown clock %q; %s", nearest.Clip(s), nearest.Hint(s, []string{control.Lazy.String(), control.Racy.String()}))
	}
	return c
}

// checkMode refuses what only controlled scenarios have.
func (l *loader) checkMode(sc *Scenario, f *yamltree.Fields) {
	if sc.Mode == Control || l.Err != nil {
		return
	}
	for _, key := range []string{"strategy", "max-steps", "clock"} {
		if f.Has(key) {
			l.Fail(f.At(key), "%s: found it in a native scenario, where nobody chooses; want mode: control, or no %s", key, key)
		}
	}
}
