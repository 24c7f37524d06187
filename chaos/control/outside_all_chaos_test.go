//go:build chaos

package control

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	stdsync "sync"
	"testing"
	"unsafe"

	"github.com/rouse-go/rouse/chaos/verdict"
	"github.com/rouse-go/rouse/hooks/channel"
	"github.com/rouse-go/rouse/hooks/context"
	"github.com/rouse-go/rouse/hooks/memory"
)

// endsWaiting is the lock of a condition on which no task may wait for ever: it panics
// where Wait takes it again, or before that if the engine is gone.
type endsWaiting struct{}

func (endsWaiting) Lock()   {}
func (endsWaiting) Unlock() { panic("waits") }

// argument makes an argument of that type, for which no operation waits.
func argument(of reflect.Type) reflect.Value {
	switch of {
	case reflect.TypeFor[context.Context]():
		return reflect.ValueOf(context.Background())
	case reflect.TypeFor[chan int]():
		c := make(chan int, 2)
		c <- 1
		return reflect.ValueOf(c)
	case reflect.TypeFor[[]channel.Case]():
		return reflect.ValueOf([]channel.Case{channel.Default})
	case reflect.TypeFor[any]():
		return reflect.ValueOf(new(any)).Elem().Elem()
	}
	switch of.Kind() {
	case reflect.Pointer:
		return reflect.New(of.Elem())
	case reflect.UnsafePointer:
		return reflect.ValueOf(unsafe.Pointer(new(int)))
	case reflect.Func:
		return reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value {
			var results []reflect.Value
			for i := range of.NumOut() {
				results = append(results, reflect.Zero(of.Out(i)))
			}
			return results
		})
	case reflect.Uint8:
		return reflect.ValueOf(memory.SeqCst).Convert(of)
	case reflect.Int64: // a duration, perhaps
		return reflect.ValueOf(int64(1)).Convert(of)
	}
	return reflect.Zero(of)
}

// called returns what calls f with arguments that are made up.
func called(f reflect.Value) func() {
	var in []reflect.Value
	for i := range f.Type().NumIn() {
		of := f.Type().In(i)
		a := argument(of)
		if !a.IsValid() { // an interface
			a = reflect.New(of).Elem()
			if of == reflect.TypeFor[any]() {
				a.Set(reflect.ValueOf(1))
			}
		}
		in = append(in, a)
	}
	return func() {
		defer func() { recover() }() //nolint:errcheck // of panics with what was made up
		if f.Type().IsVariadic() {
			f.CallSlice(in)
		} else {
			f.Call(in)
		}
	}
}

// No operation of the hooks passes a goroutine that is no task: there are no others than
// those that are tried here.
func TestEveryHookSeesOutsiders(t *testing.T) {
	tried := make(map[string]bool)
	bySwitch(t, func(t *testing.T, how Switch) {
		e := start(t, Options{Switch: how})
		for name, f := range operations {
			tried[name] = true
			seesOutsider(t, e, name, func() func() { return called(reflect.ValueOf(f)) })
		}
		for name, make := range hookedTypes {
			of := reflect.TypeOf(make())
			pkg, typ, _ := strings.Cut(name, ".")
			for i := range of.NumMethod() {
				method := pkg + ".(*" + typ + ")." + of.Method(i).Name
				tried[method] = true
				if hookless[method] == "" {
					seesOutsider(t, e, method, func() func() { return called(reflect.ValueOf(make()).Method(i)) })
				}
			}
		}
	})
	for _, name := range exported(t) {
		if !tried[name] && hookless[name] == "" {
			t.Errorf("%s is neither among the operations nor without hooks", name)
		}
	}
}

// seesOutsider has a goroutine that is no task do what a task has prepared.
func seesOutsider(t *testing.T, e *Engine, name string, prepare func() func()) {
	t.Helper()
	r, _ := e.Run(1, func() {
		f := prepare()
		var over stdsync.WaitGroup
		over.Add(1)
		go func() {
			defer over.Done()
			f()
		}()
		over.Wait()
	})
	function := name[strings.LastIndexByte(name, '.')+1:]
	if r.Verdict != verdict.Uncontrolled || !strings.Contains(r.Summary, " calls hooks") || !strings.Contains(r.Summary, "outside_all_chaos_test.go:") {
		t.Errorf("%s: %s: %s", name, r.Verdict, r.Summary)
	} else if !strings.Contains(r.Summary, function) && // but where it is a closure, or one of these calls another
		!strings.Contains(name, "Once") && !strings.Contains(name, "context.With") && function != "Range" {
		t.Errorf("%s: it is not named: %s", name, r.Summary)
	}
}

// exported lists the functions and methods that package hooks and those below it export in
// the chaos build, but those that only call the standard package's.
func exported(t *testing.T) (names []string) {
	t.Helper()
	tagged := build.Default
	tagged.BuildTags = append(tagged.BuildTags, "chaos")
	for _, dir := range []string{"hooks", "hooks/sync", "hooks/atomic", "hooks/time", "hooks/channel", "hooks/context", "hooks/memory"} {
		p, err := tagged.ImportDir(filepath.Join("../..", dir), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range p.GoFiles {
			if file == "aliases.go" {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
					if name := operation(dir, f); name != "" {
						names = append(names, name)
					}
				}
			}
		}
	}
	if len(names) < 150 {
		t.Fatalf("%d functions found", len(names))
	}
	return names
}

// operation is the name of an exported function; "" if its type is not exported.
func operation(dir string, f *ast.FuncDecl) string {
	if f.Recv == nil {
		return dir + "." + f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name := of.(*ast.Ident).Name
	if !ast.IsExported(name) || name == "Order" {
		return ""
	}
	return dir + ".(*" + name + ")." + f.Name.Name
}
