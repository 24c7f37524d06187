package main

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// A probe is the source of a main package that uses all that some packages
// export, so that the linker keeps it and generic code is instantiated.
//
// It takes every function and method as a value, which keeps it, and calls it
// from a function of its own, which shows whether it can still be inlined into
// a caller in another package.
type probe struct {
	imports map[string]string // path -> name in the probe
	order   []string
	body    strings.Builder // the functions that call
	values  []string
	calls   int
	// out are the functions that could not be used, with the reason.
	out []string
}

// newProbe generates the probe of packages.
func newProbe(packages []*types.Package) *probe {
	p := &probe{imports: map[string]string{}}
	for _, pkg := range packages {
		p.qualify(pkg)
		scope := pkg.Scope()
		for _, name := range scope.Names() {
			if !token.IsExported(name) {
				continue
			}
			switch obj := scope.Lookup(name).(type) {
			case *types.Func:
				p.function(pkg, obj)
			case *types.TypeName:
				p.methods(pkg, obj)
			case *types.Var:
				p.values = append(p.values, "&"+p.qualify(pkg)+"."+name)
			}
		}
	}
	return p
}

// source returns the probe as a file.
func (p *probe) source() []byte {
	var b strings.Builder
	b.WriteString("package main\n\n")
	for _, path := range p.order {
		fmt.Fprintf(&b, "import %s %q\n", p.imports[path], path)
	}
	b.WriteString("\nvar sink any\n\nfunc keep(values ...any) {\n\tfor _, v := range values {\n\t\tsink = v\n\t}\n}\n\n")
	b.WriteString("func main() {\n")
	for _, v := range p.values {
		fmt.Fprintf(&b, "\tkeep(%s)\n", v)
	}
	b.WriteString("}\n")
	b.WriteString(p.body.String())
	return []byte(b.String())
}

// qualify returns the name of pkg in the probe, and imports it.
func (p *probe) qualify(pkg *types.Package) string {
	name, ok := p.imports[pkg.Path()]
	if !ok {
		name = fmt.Sprintf("%s%d", pkg.Name(), len(p.order))
		p.imports[pkg.Path()] = name
		p.order = append(p.order, pkg.Path())
	}
	return name
}

func (p *probe) function(pkg *types.Package, fn *types.Func) {
	sig := fn.Signature()
	name := p.qualify(pkg) + "." + fn.Name()
	if sig.TypeParams().Len() > 0 {
		inst, args, err := instantiate(sig, sig.TypeParams())
		if err != nil {
			p.out = append(p.out, fmt.Sprintf("%s.%s: %v", pkg.Path(), fn.Name(), err))
			return
		}
		sig, name = inst.(*types.Signature), name+p.typeArgs(args)
	}
	p.use(name, nil, sig)
}

func (p *probe) methods(pkg *types.Package, obj *types.TypeName) {
	var t types.Type = obj.Type()
	if named, ok := t.(*types.Named); ok && named.TypeParams().Len() > 0 {
		inst, _, err := instantiate(named, named.TypeParams())
		if err != nil {
			p.out = append(p.out, fmt.Sprintf("%s.%s: %v", pkg.Path(), obj.Name(), err))
			return
		}
		t = inst
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		if iface.IsMethodSet() {
			p.values = append(p.values, fmt.Sprintf("(*%s)(nil)", p.typeName(t)))
		}
		return
	}
	ptr := types.NewPointer(t)
	p.values = append(p.values, fmt.Sprintf("(%s)(nil)", p.typeName(ptr)))
	set := types.NewMethodSet(ptr)
	for i := range set.Len() {
		fn := set.At(i).Obj().(*types.Func)
		if !fn.Exported() {
			continue
		}
		recv := types.Type(ptr)
		if _, ok := fn.Signature().Recv().Type().(*types.Pointer); !ok && len(set.At(i).Index()) == 1 {
			recv = t
		}
		p.use(fmt.Sprintf("(%s).%s", p.typeName(recv), fn.Name()), recv, set.At(i).Type().(*types.Signature))
	}
}

// use takes the function expr as a value and calls it. Of a method, expr is the
// method expression and recv the type of its receiver.
func (p *probe) use(expr string, recv types.Type, sig *types.Signature) {
	p.values = append(p.values, expr)
	var params, args []string
	add := func(t types.Type, dots string) {
		arg := fmt.Sprintf("a%d", len(args))
		params = append(params, arg+" "+p.typeName(t))
		args = append(args, arg+dots)
	}
	if recv != nil {
		add(recv, "")
	}
	for i := range sig.Params().Len() {
		dots := ""
		if sig.Variadic() && i == sig.Params().Len()-1 {
			dots = "..."
		}
		add(sig.Params().At(i).Type(), dots)
	}
	var results []string
	for i := range sig.Results().Len() {
		results = append(results, p.typeName(sig.Results().At(i).Type()))
	}
	if unspeakable(sig) {
		return
	}
	p.calls++
	ret := ""
	if len(results) > 0 {
		ret = "return "
	}
	name := fmt.Sprintf("call%d_%s", p.calls, strings.Trim(notWord.ReplaceAllString(expr, "_"), "_"))
	p.values = append(p.values, name)
	fmt.Fprintf(&p.body, "\n// %s\nfunc %s(%s) (%s) { %s%s(%s) }\n",
		expr, name, strings.Join(params, ", "), strings.Join(results, ", "), ret, expr, strings.Join(args, ", "))
}

var notWord = regexp.MustCompile(`\W+`)

// unspeakable reports whether a signature has a type in it that another package
// cannot name.
func unspeakable(sig *types.Signature) bool {
	hidden := false
	var visit func(t types.Type)
	seen := map[types.Type]bool{}
	visit = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Named:
			hidden = hidden || t.Obj().Pkg() != nil && !t.Obj().Exported()
			for i := range t.TypeArgs().Len() {
				visit(t.TypeArgs().At(i))
			}
		case *types.Alias:
			visit(types.Unalias(t))
		case *types.Pointer:
			visit(t.Elem())
		case *types.Slice:
			visit(t.Elem())
		case *types.Array:
			visit(t.Elem())
		case *types.Chan:
			visit(t.Elem())
		case *types.Map:
			visit(t.Key())
			visit(t.Elem())
		case *types.Signature:
			visit(t.Params())
			visit(t.Results())
		case *types.Tuple:
			for i := range t.Len() {
				visit(t.At(i).Type())
			}
		}
	}
	visit(sig)
	return hidden
}

func (p *probe) typeName(t types.Type) string {
	return types.TypeString(unalias(t), p.qualify)
}

// unalias resolves an alias at the top: an alias of another package may be the
// only mention of hooks, and is no type of its own.
func unalias(t types.Type) types.Type {
	if alias, ok := t.(*types.Alias); ok {
		return types.Unalias(alias)
	}
	return t
}

func (p *probe) typeArgs(args []types.Type) string {
	var names []string
	for _, a := range args {
		names = append(names, p.typeName(a))
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// candidates are the type arguments that instantiate tries, in this order.
var candidates = []types.Type{
	types.Typ[types.Int],
	types.Typ[types.String],
	types.NewSlice(types.Typ[types.Int]),
	types.NewMap(types.Typ[types.Int], types.Typ[types.Int]),
	types.NewPointer(types.Typ[types.Int]),
	types.NewSignatureType(nil, nil, nil, nil, nil, false),
	types.NewChan(types.SendRecv, types.Typ[types.Int]),
	types.NewStruct(nil, nil),
	types.Universe.Lookup("error").Type(),
	types.Typ[types.Float64],
}

// instantiate finds type arguments that satisfy the constraints.
func instantiate(generic types.Type, params *types.TypeParamList) (types.Type, []types.Type, error) {
	args := make([]types.Type, params.Len())
	tries := 1
	for range args {
		tries *= len(candidates)
	}
	if tries > 100_000 {
		return nil, nil, fmt.Errorf("%d type parameters are more than can be tried", len(args))
	}
	ctx := types.NewContext()
	for try := range tries {
		for i := range args {
			args[i] = candidates[try%len(candidates)]
			try /= len(candidates)
		}
		if inst, err := types.Instantiate(ctx, generic, args, true); err == nil {
			return inst, args, nil
		}
	}
	return nil, nil, fmt.Errorf("no type argument that is known here satisfies the constraints")
}
