//go:build chaos

package remote_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/rouse-go/rouse/chaos/remote"
	"github.com/rouse-go/rouse/hooks"
)

var flush = hooks.Declare("example/flush", "the buffer is full, and the writer is not notified yet", hooks.Disturbs|hooks.Drops)

// A service mounts the handler, and a client on the same machine that has the token arms a plan.
func Example() {
	faults := remote.New()
	mux := http.NewServeMux()
	mux.Handle("/chaos/", http.StripPrefix("/chaos", faults))
	service := httptest.NewServer(mux)
	defer service.Close()

	plan := strings.NewReader("{at: example/flush, fault: drop, count: 1, ttl: 30s}")
	request, err := http.NewRequest(http.MethodPost, service.URL+"/chaos/arm", plan)
	if err != nil {
		fmt.Println(err)
		return
	}
	request.Header.Set("Content-Type", remote.ContentType)
	request.Header.Set("Authorization", "Bearer "+faults.Token()) // $CHAOS_TOKEN, or one that New has drawn
	response, err := service.Client().Do(request)
	if err != nil {
		fmt.Println(err)
		return
	}
	response.Body.Close()

	fmt.Println(response.Status, "notify", hooks.Notify(flush), hooks.Notify(flush))
	faults.Disarm()
	status := faults.Status()
	fmt.Println(status.Armed, status.Faults[0].Fault, "fired", status.Faults[0].Fires)
	// Output:
	// 200 OK notify 0 1
	// false {at: example/flush, fault: drop, count: 1} fired 1
}
