package main

import (
	"slices"
	"strings"
)

// compareInlining compares what the compiler can inline: where the code differs,
// that is often the cause, and callers that the probe does not know differ, too.
func (p *proof) compareInlining() error {
	var decisions [2]map[string]string
	for i, t := range []*tree{p.with, p.without} {
		var err error
		if decisions[i], err = t.inlining(p.paths()); err != nil {
			return err
		}
	}
	for _, f := range compareInlining(decisions[0], decisions[1]) {
		p.add(f)
	}
	return nil
}

// compareObjects compares the machine code, function by function.
func (p *proof) compareObjects() error {
	with, err := p.objects(p.with)
	if err != nil {
		return err
	}
	without, err := p.objects(p.without)
	if err != nil {
		return err
	}
	for _, object := range union(with, without) {
		findings, noops := compareCode(with[object], without[object])
		for _, f := range findings {
			p.add(f)
		}
		for symbol, n := range noops {
			p.seen[symbol] = true
			if v, _ := p.owner(symbol); v != nil {
				v.noops[symbol] += n
			}
		}
	}
	p.unseen(with)
	return nil
}

// objects disassembles the object files of the packages and of the probe.
func (p *proof) objects(t *tree) (map[string][]code, error) {
	packages, err := t.list(false, true, append(p.paths(), p.probe)...)
	if err != nil {
		return nil, err
	}
	objects := map[string][]code{}
	for _, pkg := range packages {
		if objects[pkg.ImportPath], err = t.disassemble(pkg.Export); err != nil {
			return nil, err
		}
	}
	return objects, nil
}

// unseen reports the hooked functions that have no code in any object.
func (p *proof) unseen(objects map[string][]code) {
	coded := map[string]bool{}
	for _, functions := range objects {
		for _, f := range functions {
			if v, fn := p.owner(f.symbol); v != nil {
				coded[v.path+"."+fn] = true
			}
		}
	}
	for _, v := range p.report.packages {
		for _, fn := range v.hooked {
			if !coded[v.path+"."+fn] {
				v.findings = append(v.findings, finding{
					fn: v.path + "." + fn, what: "is hooked, but has no code: nothing that is exported reaches it",
				})
			}
		}
	}
}

// compareBinaries links both probes and compares what the linker put in. What has
// been reported as code is not reported again as a symbol.
func (p *proof) compareBinaries() error {
	extra, err := p.imported()
	if err != nil {
		return err
	}
	var tables [2][]symbol
	for i, t := range []*tree{p.with, p.without} {
		exe, err := t.build(p.probe)
		if err != nil {
			return err
		}
		if tables[i], err = t.symbols(exe); err != nil {
			return err
		}
	}
	n := names{module: p.with.module, points: map[string]bool{}}
	for _, v := range p.report.packages {
		for _, point := range v.stripped.points {
			n.points[linkName(v.path)+"."+point] = true
		}
	}
	// Whatever else is linked in with more packages is those packages' doing.
	counts := func(name string) bool { return len(extra) == 0 || strings.Contains(name, n.module+"/") }
	for _, f := range compareSymbols(n, tables[0], tables[1], counts) {
		if !p.seen[f.fn] {
			p.add(f)
		}
	}
	return nil
}

// imported reports the packages that are in the binary only because hooks import
// them, and returns them.
func (p *proof) imported() ([]string, error) {
	without, err := p.without.list(true, false, p.probe)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, pkg := range without {
		known[pkg.ImportPath] = true
	}
	with, err := p.with.list(true, false, p.probe)
	if err != nil {
		return nil, err
	}
	s := newStripper(p.with.module, nil)
	var extra, direct []string
	for _, pkg := range with {
		ours := s.isHooks(pkg.ImportPath) || pkg.ImportPath == s.module+"/internal/seam"
		switch {
		case !ours && !known[pkg.ImportPath]:
			extra = append(extra, pkg.ImportPath)
		case ours:
			direct = append(direct, pkg.Imports...)
		}
	}
	slices.Sort(direct)
	for _, path := range slices.Compact(direct) {
		if slices.Contains(extra, path) {
			p.add(finding{fn: path, what: "is linked and initialised only because hooks import it"})
		}
	}
	return extra, nil
}
