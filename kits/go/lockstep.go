// The protocol (docs/protocol.md): the briefing is a line of JSON, then binary frames of doubles. Nothing here needs to be changed.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
)

var input = bufio.NewReader(os.Stdin)
var output = bufio.NewWriter(os.Stdout)

// Message is the first one; its briefing is read into whatever the bot wants to know of it.
type Message struct {
	World    string          `json:"world"`
	Seat     int             `json:"seat"`
	Seats    int             `json:"seats"`
	Briefing json.RawMessage `json:"briefing"`
}

// readBriefing fills `briefing`, a pointer to a struct, and gives the message around it.
func readBriefing(briefing interface{}) Message {
	line, err := input.ReadBytes('\n')
	var message Message
	if err == nil {
		err = json.Unmarshal(line, &message)
	}
	if err == nil {
		err = json.Unmarshal(message.Briefing, briefing)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the briefing:", err)
		os.Exit(1)
	}
	return message
}

// sayReady promises answers in frames that fill the fields of this example, a JSON text.
func sayReady(example string) {
	fmt.Fprintf(output, "{\"type\":\"ready\",\"frames\":\"binary\",\"action\":%s}\n", example)
	output.Flush()
}

// Frame is a view as it comes: its values one after another, in the order of its fields.
type Frame struct {
	bytes []byte
}

// receive gives nil when the game is over.
func receive() *Frame {
	var head [4]byte
	if _, err := io.ReadFull(input, head[:]); err != nil {
		return nil
	}
	bytes := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(input, bytes); err != nil || len(bytes) == 0 {
		return nil
	}
	return &Frame{bytes[8:]} // the first is the tick
}

func (frame *Frame) next() float64 {
	value := math.Float64frombits(binary.LittleEndian.Uint64(frame.bytes))
	frame.bytes = frame.bytes[8:]
	return value
}

func (frame *Frame) skip(count int) {
	frame.bytes = frame.bytes[8*count:]
}

// length begins a list or a text.
func (frame *Frame) length() int {
	return int(frame.next())
}

func (frame *Frame) text() string {
	letters := make([]rune, frame.length())
	for i := range letters {
		letters[i] = rune(frame.next())
	}
	return string(letters)
}

func send(answer []float64) {
	bytes := make([]byte, 4+8*len(answer))
	binary.LittleEndian.PutUint32(bytes, uint32(8*len(answer)))
	for i, value := range answer {
		binary.LittleEndian.PutUint64(bytes[4+8*i:], math.Float64bits(value))
	}
	output.Write(bytes)
	output.Flush()
}
