// Checks recorded operations on refs for linearizability. Reads one JSON array of operations from standard input, and prints the names of
// the refs without a valid order, one per line. Exit code 0 if there are none, 1 if there are some, 2 for other failures.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// operation is a request for one ref. A write moves the ref from one object to another, or fails because the ref is elsewhere.
type operation struct {
	Client int    `json:"client"`
	Ref    string `json:"ref"`
	Kind   string `json:"kind"`
	From   string `json:"from"`
	To     string `json:"to"`
	// Outcome is "done" or "refused".
	Outcome string `json:"outcome"`
	CallNs  int64  `json:"callNs"`
	EndNs   int64  `json:"endNs"`
}

func step(state, input, _ interface{}) (bool, interface{}) {
	at, op := state.(string), input.(operation)
	switch {
	case op.Kind == "read":
		return at == op.To, state
	case op.Outcome == "refused":
		return at != op.From, state
	default:
		return at == op.From, op.To
	}
}

func main() {
	var recorded []operation
	if err := json.NewDecoder(os.Stdin).Decode(&recorded); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	byRef := map[string][]porcupine.Operation{}
	first := map[string]string{}
	for _, op := range recorded {
		if op.Kind == "first" {
			first[op.Ref] = op.To
			continue
		}
		byRef[op.Ref] = append(byRef[op.Ref], porcupine.Operation{ClientId: op.Client, Input: op, Call: op.CallNs, Output: op, Return: op.EndNs})
	}
	code := 0
	for ref, operations := range byRef {
		initial := first[ref]
		model := porcupine.Model{
			Init:  func() interface{} { return initial },
			Step:  step,
			Equal: func(a, b interface{}) bool { return a == b },
		}
		if result := porcupine.CheckOperationsTimeout(model, operations, 2*time.Minute); result != porcupine.Ok {
			fmt.Printf("%s %s\n", ref, result)
			code = 1
		}
	}
	os.Exit(code)
}
