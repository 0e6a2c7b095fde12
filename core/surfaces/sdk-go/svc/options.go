package svc

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// settings are those of a client, with the options of one call.
type settings struct {
	apiKey         string
	baseURL        string
	environmentID  string
	idempotencyKey string
	maxAge         string
	maxRetries     int
	timeout        time.Duration
	maxWait        time.Duration
	httpClient     *http.Client
	sleep          func(context.Context, time.Duration) error
	random         func() float64
}

// ClientOption is an option of New.
type ClientOption interface{ applyToClient(*settings) }

// CallOption is an option of one call.
type CallOption interface{ applyToCall(*settings) }

// Option is an option of New, or of one call.
type Option interface {
	ClientOption
	CallOption
}

type (
	clientOption func(*settings)
	callOption   func(*settings)
	anyOption    func(*settings)
)

func (o clientOption) applyToClient(s *settings) { o(s) }
func (o callOption) applyToCall(s *settings)     { o(s) }
func (o anyOption) applyToClient(s *settings)    { o(s) }
func (o anyOption) applyToCall(s *settings)      { o(s) }

// WithBaseURL sets the server's address: https://svc.example.com. By default, it is the server that this module was downloaded
// from.
func WithBaseURL(address string) ClientOption {
	return clientOption(func(s *settings) { s.baseURL = strings.TrimRight(address, "/") })
}

// WithHTTPClient replaces the HTTP client, for proxies or certificates. Without a CheckRedirect of its own, redirects are not
// followed: a redirected POST would become a GET.
func WithHTTPClient(client *http.Client) ClientOption {
	own := *client
	if own.CheckRedirect == nil {
		own.CheckRedirect = defaultHTTPClient.CheckRedirect
	}
	return clientOption(func(s *settings) { s.httpClient = &own })
}

// WithIdempotencyKey replaces the generated key. A repeat with the same key returns the stored response.
func WithIdempotencyKey(key string) CallOption {
	return callOption(func(s *settings) { s.idempotencyKey = key })
}

// WithEnvironmentID sets the environment that a dashboard session acts in. API keys have their own.
func WithEnvironmentID(id string) Option {
	return anyOption(func(s *settings) { s.environmentID = id })
}

// WithMaxAge sets how old the answer of a read may be, in full seconds. The reference names the reads that it applies to; if the
// server has replicas, they answer them, and less load is on its primary.
func WithMaxAge(age time.Duration) CallOption {
	return callOption(func(s *settings) { s.maxAge = strconv.FormatInt(int64(age/time.Second), 10) })
}

// WithMaxRetries sets how often a call is repeated after temporary errors. The default is 2.
func WithMaxRetries(count int) Option {
	return anyOption(func(s *settings) { s.maxRetries = count })
}

// WithTimeout sets the time limit of one attempt; after it, the call is repeated. The default is 30 seconds. The context limits
// the whole call.
func WithTimeout(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.timeout = limit })
}

// WithMaxWait sets the longest wait before a retry. If the server asks for more, the call fails at once, with RetryAfter. The
// default is 60 seconds.
func WithMaxWait(limit time.Duration) Option {
	return anyOption(func(s *settings) { s.maxWait = limit })
}

// WithSleep replaces the timer, for tests.
func WithSleep(sleep func(context.Context, time.Duration) error) ClientOption {
	return clientOption(func(s *settings) { s.sleep = sleep })
}

// WithRandom replaces the random numbers from 0 to 1 that vary the waits, for tests.
func WithRandom(random func() float64) ClientOption {
	return clientOption(func(s *settings) { s.random = random })
}

// checkHeader returns an error if a header cannot carry a value. It does not repeat the value, because that may be a secret.
func checkHeader(name, value string) error {
	for _, character := range value {
		if character < '!' || character > '~' {
			return fmt.Errorf("svc: %s must be visible ASCII without spaces or line breaks; remove what surrounds it", name)
		}
	}
	return nil
}

// checkBaseURL returns an error if there is no address.
func checkBaseURL(address, option string) error {
	if address == "" {
		return fmt.Errorf("svc: %s is missing; pass the server's address, such as https://svc.example.com", option)
	}
	return nil
}

// sleepFor waits, or returns the context's error as soon as it ends.
func sleepFor(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// randomFloat returns a number from 0 to 1. Before Go 1.20, math/rand returns the same numbers in every process.
func randomFloat() float64 {
	var bytes [8]byte
	if _, err := rand.Read(bytes[:]); err != nil {
		return 1
	}
	return float64(binary.BigEndian.Uint64(bytes[:])>>11) / (1 << 53)
}
