package context_test

import (
	standard "context"
	"errors"
	"fmt"
	"time"

	"github.com/rouse-go/rouse/hooks/context"
)

func ExampleBackground() {
	fmt.Println(context.Background(), context.Background().Err())
	// Output: context.Background <nil>
}

func ExampleTODO() {
	fmt.Println(context.TODO())
	// Output: context.TODO
}

func ExampleWithCancel() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		<-ctx.Done()
		fmt.Println(ctx.Err())
	}()
	cancel()
	<-done
	// Output: context canceled
}

func ExampleWithCancelCause() {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("the disk is full"))
	fmt.Println(ctx.Err(), "-", context.Cause(ctx))
	// Output: context canceled - the disk is full
}

func ExampleCause() {
	ctx, cancel := context.WithCancelCause(context.Background())
	fmt.Println(context.Cause(ctx))
	cancel(nil)
	fmt.Println(context.Cause(ctx))
	// Output:
	// <nil>
	// context canceled
}

func ExampleWithTimeout() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err() == standard.DeadlineExceeded)
	// Output: true
}

func ExampleWithTimeoutCause() {
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Millisecond, errors.New("too slow"))
	defer cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err(), "-", context.Cause(ctx))
	// Output: context deadline exceeded - too slow
}

func ExampleWithDeadline() {
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancel()
	fmt.Println(ctx.Err())
	// Output: context deadline exceeded
}

func ExampleWithDeadlineCause() {
	ctx, cancel := context.WithDeadlineCause(context.Background(), time.Now().Add(time.Hour), errors.New("too slow"))
	cancel() // in time: the cause is for the deadline only
	fmt.Println(context.Cause(ctx))
	// Output: context canceled
}

func ExampleWithValue() {
	type user struct{}
	ctx := context.WithValue(context.Background(), user{}, "Ada")
	fmt.Println(ctx.Value(user{}))
	// Output: Ada
}

func ExampleWithoutCancel() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	fmt.Println(context.WithoutCancel(ctx).Err())
	// Output: <nil>
}

func ExampleAfterFunc() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		fmt.Println("cleaning up")
		close(done)
	})
	cancel()
	<-done
	fmt.Println("stopped:", stop())
	// Output:
	// cleaning up
	// stopped: false
}
