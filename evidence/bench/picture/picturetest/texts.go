package picturetest

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
)

// Texts returns the texts in a picture. It fails the test if the picture is not XML.
func Texts(t testing.TB, svg io.Reader) map[string]bool {
	t.Helper()
	texts := map[string]bool{}
	for d := xml.NewDecoder(svg); ; {
		token, err := d.Token()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			texts[strings.TrimSpace(string(text))] = true
		}
	}
}
