package native

import (
	"strconv"
	"strings"

	"github.com/rouse-go/rouse/chaos/internal/splitmix"
	"github.com/rouse-go/rouse/internal/seam"
)

// An ident names a task by its place in the tree of tasks: the n-th child of its
// parent, from 0. It is immutable.
type ident struct {
	parent *ident
	root   string // the name, if there is no parent
	n      uint64
	key    uint64 // represents the path in every draw
}

// The roots: the task that armed the engine, and the parent of foreign tasks.
const (
	mainRoot    = "main"
	foreignRoot = "foreign"
)

//go:norace
func rootIdent(name string) *ident { return &ident{root: name, key: seam.Hash(name)} }

// child returns the n-th child of id.
//
//go:norace
func (id *ident) child(n uint64) *ident {
	return &ident{parent: id, n: n, key: splitmix.Mix(id.key, n)}
}

// path returns "main/0/2". It builds the text on demand: a text for each task
// would cost its depth, and few are ever read.
//
//go:norace
func (id *ident) path() string {
	depth := 0
	for i := id; i.parent != nil; i = i.parent {
		depth++
	}
	parts := make([]string, depth+1)
	for ; id.parent != nil; id = id.parent {
		parts[depth] = strconv.FormatUint(id.n, 10)
		depth--
	}
	parts[0] = id.root
	return strings.Join(parts, "/")
}

// pathKey returns the key of the task at that path, and whether it is a path.
func pathKey(path string) (uint64, bool) {
	root, rest, nested := strings.Cut(path, "/")
	if root != mainRoot && root != foreignRoot {
		return 0, false
	}
	id := rootIdent(root)
	for nested {
		var part string
		part, rest, nested = strings.Cut(rest, "/")
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || strconv.FormatUint(n, 10) != part {
			return 0, false
		}
		id = id.child(n)
	}
	return id.key, true
}
