// Package yamltree reads YAML that users write. Its errors name file, line and column, what was found
// and what is wanted, with the nearest valid name.
//
// Read parses a text with goccy/go-yaml. A Reader then converts nodes of the tree to values and keeps
// the first error, so that callers check it once, at the end. Fields are the keys of a mapping, without
// unknown and duplicate ones. A Tree is a node as plain values, each with its place, for callers that
// validate them against a schema. Anchors, aliases and merge keys are followed, an alias never into
// itself; tags are refused. Texts have at most 256 KiB, 10,000 lines, 100 empty lines in a row, 30,000
// commas and 1000 levels.
//
// It serves the scenarios and recordings of stress, and the plans of chaos/plan; keys and their
// meaning are defined there.
//
// It imports internal/nearest and goccy/go-yaml. hooks, sleep and pool must never import it, nor may
// chaos in the normal build: a service that mounts chaos/remote ships without a parser.
package yamltree
