package proptest

import (
	"fmt"
	"reflect"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/leanovate/gopter/gen"
)

// A Machine compares a subject of type S with a model of it of type M, by random
// sequences of commands. It is gopter/commands with types, and with one way to
// state expectations.
type Machine[M, S any] struct {
	// Initial generates models to begin with. It must be pure.
	Initial gopter.Gen
	// New makes a subject in the state of the model.
	New func(model M) S
	// Commands lists the commands for a state of the model. One of those whose When
	// holds is chosen, each with the same probability.
	Commands func(model M) []Command[M, S]
}

// A Command is one thing to do to the subject and the model.
type Command[M, S any] struct {
	Name string
	// When reports whether the command may be used in a state of the model; nil is always.
	When func(model M) bool
	// Step returns the model's next state, and the result that Run must return. It
	// must not change its argument: shrinking runs the same sequence, with some
	// commands left out, from the start.
	Step func(model M) (next M, want any)
	// Run runs the command on the subject and returns all observable results.
	Run func(subject S) any
}

// expectation is gopter's state: the model after a command, and what that
// command must have returned.
type expectation[M any] struct {
	model M
	want  any
}

// Property returns the property that the subject behaves like the model.
func (m Machine[M, S]) Property() gopter.Prop {
	return commands.Prop(&commands.ProtoCommands{
		InitialStateGen: m.Initial.Map(func(model M) expectation[M] { return expectation[M]{model: model} }),
		NewSystemUnderTestFunc: func(s commands.State) commands.SystemUnderTest {
			return m.New(s.(expectation[M]).model)
		},
		GenCommandFunc: func(s commands.State) gopter.Gen {
			model := s.(expectation[M]).model
			var possible []any
			for _, c := range m.Commands(model) {
				if c.When == nil || c.When(model) {
					possible = append(possible, c.proto())
				}
			}
			return gen.OneConstOf(possible...)
		},
	})
}

func (c Command[M, S]) proto() *commands.ProtoCommand {
	return &commands.ProtoCommand{
		Name: c.Name,
		PreConditionFunc: func(s commands.State) bool {
			return c.When == nil || c.When(s.(expectation[M]).model)
		},
		NextStateFunc: func(s commands.State) commands.State {
			next, want := c.Step(s.(expectation[M]).model)
			return expectation[M]{next, want}
		},
		RunFunc: func(s commands.SystemUnderTest) commands.Result { return c.Run(s.(S)) },
		PostConditionFunc: func(s commands.State, got commands.Result) *gopter.PropResult {
			want := s.(expectation[M]).want
			if reflect.DeepEqual(got, want) {
				return &gopter.PropResult{Status: gopter.PropTrue}
			}
			return gopter.NewPropResult(false, fmt.Sprintf("%s returned %+v, want %+v", c.Name, got, want))
		},
	}
}
