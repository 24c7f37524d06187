package channel

import "testing"

// A passing case is overtaken as soon as it has been looked at.
type passing struct {
	Case
	then func()
}

func (p passing) try() bool {
	ok := p.Case.try()
	p.then()
	return ok
}

// At every instant one of the two channels holds a value: a select statement never
// takes its default here. Looking at one after the other can miss both.
func TestDefaultIsTakenOnlyIfNoCaseIsReadyAtOneTime(t *testing.T) {
	for range 20 { // whichever is looked at first
		a, b := make(chan int, 1), make(chan int, 1)
		b <- 1
		move := func() {
			select {
			case a <- 1:
				<-b
			default:
			}
		}
		if i := wait([]Case{passing{OnReceive(a, nil, nil), move}, OnReceive(b, nil, nil), Default}); i == None {
			t.Fatal("took the default, though one of the two was ready all the time")
		}
	}
}
