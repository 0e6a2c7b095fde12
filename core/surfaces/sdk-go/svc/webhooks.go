package svc

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Event is an event of a webhook delivery, or of the event log. Recognize repeats by ID.
type Event struct {
	EventFields

	// Data tells the events apart:
	//
	//	switch data := event.Data.(type) {
	//	case *svc.EmailBouncedEventData:
	//		log.Print(data.Message.To)
	//	}
	Data EventData `json:"data"`

	// Raw is the event as it was received.
	Raw json.RawMessage `json:"-"`
}

// EventData is the data of an event: *EmailBouncedEventData, …, or *UnknownEventData.
type EventData interface{ eventType() string }

// UnknownEventData is the data of an event that this version does not know. Keep a default branch for it.
type UnknownEventData struct {
	// Raw is the data as it was received.
	Raw json.RawMessage
}

func (*UnknownEventData) eventType() string { return "" }

// MarshalJSON returns the data as it was received.
func (d *UnknownEventData) MarshalJSON() ([]byte, error) { return d.Raw, nil }

// UnmarshalJSON reads the data.
func (d *UnknownEventData) UnmarshalJSON(text []byte) error {
	d.Raw = append(json.RawMessage{}, text...)
	return nil
}

// UnmarshalJSON reads an event of any type.
func (e *Event) UnmarshalJSON(text []byte) error {
	var fields EventFields
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	data := newEventData(fields.Type)
	if data == nil {
		data = &UnknownEventData{}
	}
	body := struct {
		Data EventData `json:"data"`
	}{data}
	if err := json.Unmarshal(text, &body); err != nil {
		return err
	}
	*e = Event{EventFields: fields, Data: body.Data, Raw: append(json.RawMessage{}, text...)}
	return nil
}

// WebhookError is returned for a delivery whose signature is missing, malformed, too old or wrong.
type WebhookError struct {
	// Reason is malformed_header, timestamp_out_of_tolerance or signature_mismatch.
	Reason string
}

// Error says what to check.
func (e *WebhookError) Error() string {
	return "svc: the webhook signature is invalid: " + map[string]string{
		"malformed_header":           "the header Svc-Signature is missing or malformed; pass it as the request has it",
		"timestamp_out_of_tolerance": "it was made too long ago, or this machine's clock is wrong",
		"signature_mismatch":         "the secret is not this endpoint's, or the body was changed after it was received",
	}[e.Reason]
}

// Webhooks receives the deliveries of one endpoint (docs/interface.md, Events 2 and 3). Goroutines may share it.
type Webhooks struct {
	// Secret is the endpoint's signing secret exactly as it was issued, prefix included.
	Secret string

	// Tolerance is the largest difference between the signature's time and now. The default is five minutes.
	Tolerance time.Duration

	// Now replaces time.Now, for tests.
	Now func() time.Time
}

// Several v1 values are signatures with several secrets, such as the old and the new one; at most ten, so that a header costs
// little.
var signatureHeader = regexp.MustCompile(`^t=([0-9]{1,12})((?:,v1=[0-9a-f]{64}){1,10})$`)

// maxBodySize is larger than any delivery: a received mail has at most 1 MiB of text and of HTML, and JSON escapes characters.
const maxBodySize = 16 << 20

var errNoSecret = errors.New("svc: The webhook signing secret is missing: pass the text that begins with svc_wh_. " +
	"developers.webhook.create returned it once as secret; developers.webhook.secret.rotate makes a new one")

// Verify checks a delivery in constant time and returns when it was signed. One of the signatures must match: while a secret is
// rotated, deliveries have one of the old secret and one of the new secret. body is the body exactly as it was received, header
// is the header Svc-Signature. The error is a *WebhookError, or says that the secret is missing.
func (w Webhooks) Verify(body []byte, header string) (time.Time, error) {
	// With an empty secret, anyone could sign.
	if w.Secret == "" {
		return time.Time{}, errNoSecret
	}
	if w.Tolerance < 0 {
		return time.Time{}, errors.New("svc: Webhooks.Tolerance is negative")
	}
	found := signatureHeader.FindStringSubmatch(header)
	if found == nil {
		return time.Time{}, &WebhookError{Reason: "malformed_header"}
	}
	mac := hmac.New(sha256.New, []byte(w.Secret))
	mac.Write([]byte(found[1] + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	matches := false
	// All are compared: which of them matches does not show in the time.
	for _, each := range strings.Split(found[2], ",v1=")[1:] {
		signature, err := hex.DecodeString(each)
		matches = (err == nil && hmac.Equal(expected, signature)) || matches
	}
	if !matches {
		return time.Time{}, &WebhookError{Reason: "signature_mismatch"}
	}
	seconds, err := strconv.ParseInt(found[1], 10, 64)
	if err != nil {
		return time.Time{}, &WebhookError{Reason: "malformed_header"}
	}
	signedAt := time.Unix(seconds, 0)
	tolerance := w.Tolerance
	if tolerance == 0 {
		tolerance = 5 * time.Minute
	}
	if difference := nowOf(w.Now).Sub(signedAt); difference > tolerance || difference < -tolerance {
		return time.Time{}, &WebhookError{Reason: "timestamp_out_of_tolerance"}
	}
	return signedAt, nil
}

// ConstructEvent verifies a delivery and returns its event. The parameters and errors are those of Verify.
func (w Webhooks) ConstructEvent(body []byte, header string) (*Event, error) {
	if _, err := w.Verify(body, header); err != nil {
		return nil, err
	}
	var event Event
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, fmt.Errorf("svc: the event has a form that this version does not know: %w", err)
	}
	return &event, nil
}

// ReadEvent reads a request's body, verifies the delivery and returns its event. The errors are those of Verify, and of reading.
func (w Webhooks) ReadEvent(r *http.Request) (*Event, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBodySize+1))
	if err != nil {
		return nil, fmt.Errorf("svc: the delivery could not be read: %w", err)
	}
	if len(body) > maxBodySize {
		return nil, errors.New("svc: the body is larger than any delivery")
	}
	return w.ConstructEvent(body, r.Header.Get("Svc-Signature"))
}

func nowOf(now func() time.Time) time.Time {
	if now == nil {
		return time.Now()
	}
	return now()
}
