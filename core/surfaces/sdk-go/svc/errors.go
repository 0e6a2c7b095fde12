package svc

import (
	"errors"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Error is a call that failed, or that got no response. Find it with errors.As.
type Error struct {
	// Code is stable: branch on it, never on the message. The constants Code… are those that this version knows.
	Code string

	// Status is the HTTP status; 0 without a response.
	Status int

	Message string

	// Fix is the next step, in plain language.
	Fix string

	// RequestID identifies the call in the server's log; empty without a response.
	RequestID string

	// Operation is the operation's name: email.send.
	Operation string

	// Details has more data for programs, depending on the code. Details["field"] names the field of an invalid input.
	Details map[string]any

	// RetryAfter is the wait that the response asks for; 0 if it asks for none.
	RetryAfter time.Duration

	// IdempotencyKey is the key of the call, if it had one. To repeat a call whose response was lost, pass it to
	// WithIdempotencyKey: the call then runs only once.
	IdempotencyKey string

	asksForWait bool
	cause       error
}

// Error returns message, code and fix.
func (e *Error) Error() string {
	return strings.TrimSpace(e.Message + " [" + e.Code + "] " + e.Fix)
}

// Unwrap returns why there was no response, such as context.DeadlineExceeded.
func (e *Error) Unwrap() error { return e.cause }

// isRetryable tells whether a retry may succeed: after no response, 408, 429 or 503, or while the first call is still running.
// Statuses of a gateway are retried only if a gateway sent them: a 502 from svc itself means that a provider rejected the
// call (docs/interface.md, Errors 6).
func isRetryable(e *Error) bool {
	switch e.Code {
	case CodeConnectionFailed, CodeTimedOut, CodeIdempotencyInProgress:
		return true
	case CodeUnexpectedAnswer:
		if isGatewayStatus(e.Status) {
			return true
		}
	case CodeChallengeLocked, CodeProviderNotConfigured:
		return false
	}
	return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable
}

// isGatewayStatus tells whether a gateway states with a status that it got no answer from svc. The statuses from 520 on are
// Cloudflare's own, which no standard defines.
func isGatewayStatus(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusGatewayTimeout || status >= 520 && status <= 524 || status == 530
}

var waitInFix = regexp.MustCompile(`(?i)\bwait (an?|[0-9]{1,9}) seconds?\b`)
var seconds = regexp.MustCompile(`^[0-9]+$`)

// maxRetryAfter is the longest wait that is kept, in seconds; longer ones would overflow a time.Duration.
const maxRetryAfter = 999_999_999

// setRetryAfter sets the wait that the response asks for: in the header Retry-After (seconds or a date), else as “Wait 12
// seconds” in fix.
func (e *Error) setRetryAfter(header, fix string) {
	header = strings.TrimSpace(header)
	wait := func(text string) {
		number, err := strconv.Atoi(text)
		if errors.Is(err, strconv.ErrRange) || number > maxRetryAfter {
			number = maxRetryAfter
		} else if err != nil {
			// “a second”
			number = 1
		}
		e.asksForWait, e.RetryAfter = true, time.Duration(number)*time.Second
	}
	if seconds.MatchString(header) {
		wait(header)
	} else if date, err := http.ParseTime(header); err == nil {
		whole := math.Min(maxRetryAfter, math.Max(0, math.Ceil(time.Until(date).Seconds())))
		e.asksForWait, e.RetryAfter = true, time.Duration(whole)*time.Second
	} else if found := waitInFix.FindStringSubmatch(fix); found != nil {
		wait(found[1])
	}
}

// The first wait of the exponential back-off, and the longest.
const (
	initialBackoff = 500 * time.Millisecond
	maxBackoff     = 8 * time.Second
)

// waitBefore returns the wait before the next attempt: what the response asks for, otherwise exponential back-off with random
// jitter (50 % to 100 % of the wait). failures is the number of failed attempts so far, at least 1.
func waitBefore(e *Error, failures int, random func() float64) time.Duration {
	if e.asksForWait {
		return e.RetryAfter
	}
	backoff := initialBackoff
	for i := 1; i < failures && backoff < maxBackoff; i++ {
		backoff *= 2
	}
	return backoff/2 + time.Duration(float64(backoff/2)*random())
}
