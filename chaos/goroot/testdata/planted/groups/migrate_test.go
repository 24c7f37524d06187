package groups

import (
	"strings"
	"sync"
	"testing"
)

func TestMigrate(t *testing.T) {
	for name, limit := range map[string]int{"one at a time": 1, "two at a time": 2} {
		t.Run(name, func(t *testing.T) {
			table := NewTable(2)
			var wg sync.WaitGroup
			wg.Go(func() {
				for {
					if _, version := table.Read(1); table.Write(1, "new", version) {
						return
					}
				}
			})
			if err := table.Migrate(limit); err != nil {
				t.Error(err)
			}
			wg.Wait()
			if row, _ := table.Read(0); !strings.HasSuffix(row, "+") {
				t.Errorf("row 0 is %q", row)
			}
		})
	}
}
