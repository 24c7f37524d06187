package remote

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"os"
	"strings"
)

// tokenEnv is the variable that holds the token for requests that change something.
const tokenEnv = "CHAOS_TOKEN"

// minToken is the minimum number of characters of a token: 96 bits if they are drawn from 64.
const minToken = 16

// checkToken returns an error if a token can be guessed, or cannot be sent in a header.
func checkToken(token string) error {
	if len(token) < minToken {
		return fmt.Errorf("found %d characters, want at least %d", len(token), minToken)
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("found a character that a header cannot hold, want visible ASCII without spaces")
	}
	return nil
}

// chooseToken takes the token from the environment, unless an option has set one, or draws one.
func (f *Faults) chooseToken() {
	if f.token != "" {
		return
	}
	if f.token = os.Getenv(tokenEnv); f.token == "" {
		f.token, f.drawn = rand.Text(), true
		return
	}
	if err := checkToken(f.token); err != nil {
		f.badToken = fmt.Errorf("$%s: %w", tokenEnv, err)
	}
}

// Token returns the token that requests for changes must have in the header Authorization,
// after "Bearer ": $CHAOS_TOKEN, WithToken's, or one that New has drawn.
func (f *Faults) Token() string { return f.token }

// authorize returns why a request may change nothing, "" if it may, and the status for that.
func (f *Faults) authorize(r *http.Request) (code int, why string) {
	if f.badToken != nil {
		return http.StatusForbidden, "nothing can be changed by HTTP: " + f.badToken.Error()
	}
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return http.StatusUnauthorized, fmt.Sprintf("found %d headers Authorization, want one: Bearer and $%s, or the token that the service has logged", len(values), tokenEnv)
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	// Of hashes, so that the time does not depend on the length either.
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(f.token))
	if same := subtle.ConstantTimeCompare(got[:], want[:]); same != 1 || !strings.EqualFold(scheme, "Bearer") {
		return http.StatusUnauthorized, fmt.Sprintf("the header Authorization has another token, want Bearer and $%s, or the token that the service has logged", tokenEnv)
	}
	return 0, ""
}
