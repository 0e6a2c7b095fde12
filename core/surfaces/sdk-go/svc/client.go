package svc

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"
)

// Envelope has the facts of a call.
type Envelope struct {
	// Result is the result as it was received, with the fields that this version does not know.
	Result json.RawMessage

	// ActivityID is the id of the audit record that the call wrote; empty for reads.
	ActivityID string

	RequestID string

	// Replayed tells whether the response is the stored one of an earlier call with the same idempotency key.
	Replayed bool
}

// New makes a client with a secret key on servers, or a publishable key in apps. Without a key, it can only call public
// operations. It connects at the first call. Every call returns the error of an option that is not valid.
func New(apiKey string, options ...ClientOption) *Client {
	s := settings{
		apiKey:     apiKey,
		baseURL:    serverAddress,
		maxRetries: 2,
		timeout:    30 * time.Second,
		maxWait:    60 * time.Second,
		httpClient: defaultHTTPClient,
		sleep:      sleepFor,
		random:     randomFloat,
	}
	for _, option := range options {
		option.applyToClient(&s)
	}
	return newClient(&caller{s})
}

// Call calls an operation by its name, also one that only newer servers have. The input is written as JSON as it is, with the
// interface's names: client.Call(ctx, "email.send", map[string]any{"replyTo": …}). It returns the envelope with the result.
func (c *Client) Call(ctx context.Context, operation string, input any, options ...CallOption) (*Envelope, error) {
	var envelope Envelope
	if err := c.caller.call(ctx, operation, input, nil, &envelope, options); err != nil {
		return nil, err
	}
	return &envelope, nil
}

// defaultHTTPClient is shared by all clients, so that they share connections. It follows no redirects: a redirected POST would
// become a GET.
var defaultHTTPClient = &http.Client{
	Transport:     defaultTransport(),
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// defaultTransport keeps more than the two idle connections of http.DefaultTransport, because all calls go to one server.
func defaultTransport() http.RoundTripper {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	own := transport.Clone()
	own.MaxIdleConnsPerHost = own.MaxIdleConns
	return own
}

var userAgent = "svc-go/" + Version + " (" + runtime.Version() + "; " + runtime.GOOS + ")"

// caller makes calls.
type caller struct{ settings settings }

// attempt is one request of a call.
type attempt struct {
	operation string
	url       string
	header    http.Header
	body      []byte
}

// call calls an operation and reads its result into out, unless that is nil. Operations that are not retry-safe, or that this
// version does not know, get an Idempotency-Key, the same for all attempts (docs/interface.md, Calls 4): a call whose response
// was lost does not run twice.
func (c *caller) call(ctx context.Context, operation string, input, out any, envelope *Envelope, options []CallOption) error {
	s := c.settings
	for _, option := range options {
		option.applyToCall(&s)
	}
	request, err := s.request(operation, input)
	if err != nil {
		return err
	}
	for failures := 1; ; failures++ {
		answered, failure, err := s.send(ctx, request)
		if err != nil {
			return err
		}
		if failure == nil {
			*envelope = answered
			return readResult(operation, answered, out)
		}
		if failures > s.maxRetries || !isRetryable(failure) {
			return failure
		}
		wait := waitBefore(failure, failures, s.random)
		if wait > s.maxWait {
			return failure
		}
		// If the context ends before the wait does, the reason for the wait says more than the end of the context.
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
			return failure
		}
		if err := s.sleep(ctx, wait); err != nil {
			return fmt.Errorf("svc: %s: %w", operation, err)
		}
	}
}

func (s *settings) request(operation string, input any) (*attempt, error) {
	if s.maxRetries < 0 || s.timeout < 0 || s.maxWait < 0 || strings.HasPrefix(s.maxAge, "-") {
		return nil, errors.New("svc: WithMaxRetries, WithTimeout, WithMaxWait and WithMaxAge take no negative value")
	}
	if err := checkBaseURL(s.baseURL, "WithBaseURL"); err != nil {
		return nil, err
	}
	key := s.idempotencyKey
	if key == "" && !isRetrySafe(operation) {
		var random [16]byte
		if _, err := rand.Read(random[:]); err != nil {
			return nil, fmt.Errorf("svc: the system has no random numbers: %w", err)
		}
		key = hex.EncodeToString(random[:])
	}
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json")
	header.Set("User-Agent", userAgent)
	for _, each := range []struct{ option, name, prefix, value string }{
		{"the API key", "Authorization", "Bearer ", s.apiKey},
		{"the idempotency key", "Idempotency-Key", "", key},
		{"the environment's id", "Svc-Environment", "", s.environmentID},
		{"the age", "Svc-Max-Age", "", s.maxAge},
	} {
		if err := checkHeader(each.option, each.value); err != nil {
			return nil, err
		}
		if each.value != "" {
			header.Set(each.name, each.prefix+each.value)
		}
	}
	if input == nil {
		input = struct{}{}
	}
	body, err := encode(input)
	if err != nil {
		return nil, fmt.Errorf("svc: the input of %s has no form in JSON: %w", operation, err)
	}
	parts := strings.Split(operation, ".")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return &attempt{operation, s.baseURL + "/" + strings.Join(parts, "/"), header, body}, nil
}

// send makes one attempt. It returns the envelope, or why the attempt failed. The error is the caller's: its context ended.
func (s *settings) send(ctx context.Context, request *attempt) (Envelope, *Error, error) {
	limited := ctx
	if s.timeout > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	response, body, err := s.exchange(limited, request)
	if err == nil {
		answered, failure := readAnswer(request, response, body)
		return answered, failure, nil
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return Envelope{}, nil, fmt.Errorf("svc: %s: %w", request.operation, ctx.Err())
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		failure := noResponse(request, err, "timed_out", "before the context's deadline")
		failure.cause = ctx.Err()
		return Envelope{}, nil, failure
	}
	var timeout net.Error
	if limited.Err() != nil || errors.As(err, &timeout) && timeout.Timeout() {
		return Envelope{}, noResponse(request, err, "timed_out", "within "+s.timeout.String()), nil
	}
	return Envelope{}, noResponse(request, err, "connection_failed", ""), nil
}

func (s *settings) exchange(ctx context.Context, request *attempt) (*http.Response, []byte, error) {
	sent, err := http.NewRequestWithContext(ctx, http.MethodPost, request.url, bytes.NewReader(request.body))
	if err != nil {
		return nil, nil, err
	}
	sent.Header = request.header.Clone()
	// With it, net/http would repeat the request on its own.
	sent.GetBody = nil
	response, err := s.httpClient.Do(sent)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = fmt.Errorf("the response is longer than %d bytes", maxAnswer)
	}
	return response, body, err
}

// maxAnswer is more than any response of svc has, in bytes. A longer one is not from svc.
const maxAnswer = 256 << 20

// isPlainHTTP tells whether the server answered https with plain http, whose first bytes are not TLS.
func isPlainHTTP(err error) bool {
	var record tls.RecordHeaderError
	return errors.As(err, &record) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// noResponse returns the error of an attempt without a response.
func noResponse(request *attempt, cause error, code, limit string) *Error {
	reason := cause.Error()
	var wrapped *url.Error
	if errors.As(cause, &wrapped) {
		reason = wrapped.Err.Error()
	}
	key := request.header.Get("Idempotency-Key")
	fix := "Check that the server at the base URL is running and reachable, then call again"
	if key != "" {
		fix += " with the IdempotencyKey of this error, so that the call does not run twice"
	}
	fix += "."
	lower := strings.ToLower(request.url)
	if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") {
		fix = "Pass a base URL that begins with https:// or http://, such as https://svc.example.com."
	} else if isPlainHTTP(cause) {
		reason = "the server does not speak TLS at that port"
		fix = "Let the base URL begin with http:// where the server is reached directly, or name the address of the proxy that ends TLS."
	}
	message := fmt.Sprintf("%s got no response: %s.", request.operation, strings.TrimSuffix(reason, "."))
	if limit != "" {
		message = fmt.Sprintf("%s got no response %s.", request.operation, limit)
	}
	return &Error{
		Code:           code,
		Message:        message,
		Fix:            fix,
		Operation:      request.operation,
		Details:        map[string]any{},
		IdempotencyKey: key,
		cause:          cause,
	}
}

// readAnswer reads a response. Fields that this version does not know stay in the envelope's result.
func readAnswer(request *attempt, response *http.Response, body []byte) (Envelope, *Error) {
	var answer struct {
		ActivityID any             `json:"activityId"`
		Result     json.RawMessage `json:"result"`
		Error      json.RawMessage `json:"error"`
	}
	requestID := response.Header.Get("X-Request-Id")
	isJSON := json.Unmarshal(body, &answer) == nil
	if isJSON && response.StatusCode >= 200 && response.StatusCode < 300 && bytes.HasPrefix(answer.Result, []byte("{")) {
		activityID, _ := answer.ActivityID.(string)
		replayed := response.Header.Get("Idempotent-Replayed") == "true"
		return Envelope{Result: answer.Result, ActivityID: activityID, RequestID: requestID, Replayed: replayed}, nil
	}
	failure := &Error{
		Status:         response.StatusCode,
		RequestID:      requestID,
		Operation:      request.operation,
		Details:        map[string]any{},
		IdempotencyKey: request.header.Get("Idempotency-Key"),
	}
	var facts map[string]any
	if isJSON {
		// Anything else than an object is not from svc.
		_ = json.Unmarshal(answer.Error, &facts)
	}
	failure.Code, _ = facts["code"].(string)
	if failure.Code == "" {
		failure.Code = "unexpected_answer"
		failure.Message = fmt.Sprintf("%s got a response with status %d that is not from svc.", request.operation, response.StatusCode)
		failure.Fix = "Check that the base URL is the address of the svc server, and check the proxies in front of it."
		failure.setRetryAfter(response.Header.Get("Retry-After"), "")
		return Envelope{}, failure
	}
	failure.Message, _ = facts["message"].(string)
	failure.Fix, _ = facts["fix"].(string)
	if id, _ := facts["requestId"].(string); id != "" {
		failure.RequestID = id
	}
	if details, ok := facts["details"].(map[string]any); ok {
		failure.Details = details
	}
	failure.setRetryAfter(response.Header.Get("Retry-After"), failure.Fix)
	return Envelope{}, failure
}

// readResult reads a result into out, unless that is nil.
func readResult(operation string, envelope Envelope, out any) error {
	if out == nil {
		return nil
	}
	// Fields of the envelope are not part of the JSON.
	if err := json.Unmarshal(envelope.Result, out); err != nil {
		return &Error{
			Code:      "unexpected_answer",
			Status:    http.StatusOK,
			Message:   fmt.Sprintf("%s was carried out, but its result has a form that this version does not know: %v.", operation, err),
			Fix:       "Install the module of the server's version. Call reads the result of any version.",
			RequestID: envelope.RequestID,
			Operation: operation,
			Details:   map[string]any{},
			cause:     err,
		}
	}
	return nil
}
