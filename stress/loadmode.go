package stress

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/rouse-go/rouse/chaos/strategy"
	"github.com/rouse-go/rouse/internal/nearest"
)

func (l *loader) mode(n ast.Node) Mode {
	names := []string{Native.String(), Control.String()}
	switch s := l.text(n, "mode"); {
	case l.err != nil || s == names[0]:
		return Native
	case s == names[1]:
		return Control
	default:
		l.fail(n, "unknown mode %q; %s", nearest.Clip(s), nearest.Hint(s, names))
		return Native
	}
}

// strategy reads the name of one.
func (l *loader) strategy(n ast.Node) string {
	s := l.text(n, "strategy")
	if l.err != nil {
		return ""
	}
	if _, err := strategy.Parse(nearest.Clip(s)); err != nil {
		l.fail(n, "strategy: %s", strings.TrimPrefix(err.Error(), strategy.ErrUnknown.Error()+": "))
		return ""
	}
	return s
}

// checkMode refuses what only controlled scenarios have.
func (l *loader) checkMode(sc *Scenario, f *fields) {
	if sc.Mode == Control || l.err != nil {
		return
	}
	for _, key := range []string{"strategy", "max-steps"} {
		if f.has(key) {
			l.fail(f.at(key), "%s: found it in a native scenario, where nobody chooses; want mode: control, or no %s", key, key)
		}
	}
}
