//go:build go1.26

package testing

// rousePaths gives a root the paths that runTests gives it.
func (t *T) rousePaths(m *M) { t.modulePath, t.importPath = m.deps.ModulePath(), m.deps.ImportPath() }
