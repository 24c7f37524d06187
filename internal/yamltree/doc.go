// Package yamltree reads YAML that a person wrote, and says where what does not fit
// stands: each error names file, line and column, what was found, and what would be
// right, the nearest valid name included.
//
// Read parses a text with goccy/go-yaml. A Reader then takes values out of the tree and
// keeps the first error, so that who reads may read on and ask once, at the end. Fields
// are the keys of a mapping: unknown and duplicate ones are refused. Anchors, aliases and
// merge keys are followed, an alias never into itself; tags are refused. Texts are at
// most 256 KiB, and nested at most 1000 deep.
//
// It is the one reader of what people write in YAML: of stress's scenarios and recordings,
// and of the plans of chaos/plan. What keys there are, and what they mean, is theirs.
//
// It imports internal/nearest and goccy/go-yaml. hooks, sleep and pool must never import
// it, nor may chaos in the normal build: a service that mounts chaos/remote is shipped
// without a parser.
package yamltree
