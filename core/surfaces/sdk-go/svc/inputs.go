package svc

import (
	"bytes"
	"encoding/json"
	"time"
)

// Ptr returns a pointer to a value, for fields that can be left out: svc.Ptr("Hello"), svc.Ptr(true).
func Ptr[T any](value T) *T { return &value }

// Int returns a pointer to a whole number, for fields that can be left out.
func Int(value int) *int64 {
	number := int64(value)
	return &number
}

// Nullable is a field of an input that can be left out, null, or a value. Its zero value is left out. Null clears what is stored.
type Nullable[T any] struct {
	value  T
	isSet  bool
	isNull bool
}

// Value returns a field with a value.
func Value[T any](value T) Nullable[T] { return Nullable[T]{value: value, isSet: true} }

// Null returns a field that is null: svc.Null[string]().
func Null[T any]() Nullable[T] { return Nullable[T]{isSet: true, isNull: true} }

// IsSet tells whether the field is sent, as null or as a value.
func (n Nullable[T]) IsSet() bool { return n.isSet }

// Get returns the value, and false if there is none.
func (n Nullable[T]) Get() (T, bool) { return n.value, n.isSet && !n.isNull }

// MarshalJSON returns the value's JSON, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if !n.isSet || n.isNull {
		return []byte("null"), nil
	}
	return encode(n.value)
}

// UnmarshalJSON reads a value or null.
func (n *Nullable[T]) UnmarshalJSON(text []byte) error {
	*n = Nullable[T]{isSet: true, isNull: string(text) == "null"}
	if n.isNull {
		return nil
	}
	return json.Unmarshal(text, &n.value)
}

// Strings is one text or several: []string{"ada@example.com"}. One is sent as a text, several are sent as a list.
type Strings []string

// MarshalJSON returns a text if there is exactly one, otherwise a list.
func (s Strings) MarshalJSON() ([]byte, error) {
	if len(s) == 1 {
		return encode(s[0])
	}
	return encode(append([]string{}, s...))
}

// UnmarshalJSON reads a text or a list of texts.
func (s *Strings) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*s = Strings{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(s))
}

// Timestamp is a point in time as the interface writes it (RFC 3339), such as 2026-03-01T09:30:00.000Z.
type Timestamp string

// TimestampOf returns a time as a timestamp in UTC, with milliseconds.
func TimestampOf(t time.Time) Timestamp { return Timestamp(t.UTC().Format("2006-01-02T15:04:05.000Z")) }

// Time returns the point in time. It returns an error if the text is not in the form of RFC 3339.
func (t Timestamp) Time() (time.Time, error) { return time.Parse(time.RFC3339, string(t)) }

// encode returns a value's JSON. Unlike json.Marshal, it keeps <, > and & as they are.
func encode(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// object writes a JSON object. encoding/json alone cannot leave out nil and still send empty lists and empty texts.
type object struct {
	buffer bytes.Buffer
	err    error
}

func (o *object) add(name string, value any) {
	text, err := encode(value)
	if err != nil {
		if o.err == nil {
			o.err = err
		}
		return
	}
	key, _ := encode(name)
	if o.buffer.Len() > 0 {
		o.buffer.WriteByte(',')
	}
	o.buffer.Write(key)
	o.buffer.WriteByte(':')
	o.buffer.Write(text)
}

func (o *object) bytes() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	return append(append([]byte("{"), o.buffer.Bytes()...), '}'), nil
}

// notNil returns a list that is sent as [] if it is nil, for fields that cannot be null.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
