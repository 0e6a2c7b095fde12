// The driver of the Go SDK (driver.ts). It finds methods and types by reflection, because it gets their names as data.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"time"

	"svc.internal/svc"
)

type outcome map[string]any

type request struct {
	Do     string
	Client struct {
		BaseURL       string
		APIKey        string
		EnvironmentID string
		MaxRetries    *int
		TimeoutMs     *int
		MaxWaitMs     *int
	}
	Operation string
	Input     json.RawMessage
	Options   struct {
		IdempotencyKey string
		EnvironmentID  string
		MaxAgeSeconds  *int
	}
	Take          int
	Body          []byte
	Header        string
	Secret        string
	NowMs         int64
	BaseURL       string
	EnvironmentID string
	Checks        []struct {
		Token string
		NowMs int64
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func milliseconds(count int) time.Duration { return time.Duration(count) * time.Millisecond }

// jsonOf returns the JSON of a typed value, with the unknown fields of what was received. Only fields of newer servers may be
// unknown, and only fields that were received are compared.
func jsonOf(value any, received []byte) any {
	var typed, raw any
	must(0, json.Unmarshal(must(json.Marshal(value)), &typed))
	must(0, json.Unmarshal(received, &raw))
	return merged(typed, raw)
}

func merged(typed, raw any) any {
	switch raw := raw.(type) {
	case map[string]any:
		fields, ok := typed.(map[string]any)
		if !ok {
			return typed
		}
		out := map[string]any{}
		for name, each := range raw {
			field, known := fields[name]
			switch {
			case known:
				out[name] = merged(field, each)
			case each == nil || strings.HasPrefix(name, "fieldOfNewer"):
				out[name] = each
			}
		}
		return out
	case []any:
		items, ok := typed.([]any)
		if !ok || len(items) != len(raw) {
			return typed
		}
		out := make([]any, len(raw))
		for i := range raw {
			out[i] = merged(items[i], raw[i])
		}
		return out
	}
	return typed
}

// member returns the field or method of this name, in any case.
func member(value reflect.Value, name string) reflect.Value {
	for i := 0; i < value.NumMethod(); i++ {
		if strings.EqualFold(value.Type().Method(i).Name, name) {
			return value.Method(i)
		}
	}
	return value.FieldByNameFunc(func(each string) bool { return strings.EqualFold(each, name) })
}

// call calls the method of an operation with its typed input.
func call(client *svc.Client, operation, suffix string, input []byte, options []svc.CallOption) []reflect.Value {
	found := reflect.ValueOf(client).Elem()
	parts := strings.Split(operation, ".")
	parts[len(parts)-1] += suffix
	for _, part := range parts {
		found = member(found, part)
	}
	typed := reflect.New(found.Type().In(1))
	decoder := json.NewDecoder(bytes.NewReader(input))
	decoder.DisallowUnknownFields()
	must(0, decoder.Decode(typed.Interface()))
	return found.CallSlice([]reflect.Value{reflect.ValueOf(context.Background()), typed.Elem(), reflect.ValueOf(options)})
}

func failureOf(value reflect.Value) error {
	failure, _ := value.Interface().(error)
	return failure
}

// carryOutCall carries out a call, also of a list, with a client that does not wait.
func carryOutCall(r request) outcome {
	waits := []int64{}
	options := []svc.ClientOption{
		svc.WithBaseURL(r.Client.BaseURL),
		svc.WithRandom(func() float64 { return 1 }),
		svc.WithSleep(func(_ context.Context, wait time.Duration) error {
			waits = append(waits, wait.Milliseconds())
			return nil
		}),
	}
	if r.Client.EnvironmentID != "" {
		options = append(options, svc.WithEnvironmentID(r.Client.EnvironmentID))
	}
	if r.Client.MaxRetries != nil {
		options = append(options, svc.WithMaxRetries(*r.Client.MaxRetries))
	}
	if r.Client.TimeoutMs != nil {
		options = append(options, svc.WithTimeout(milliseconds(*r.Client.TimeoutMs)))
	}
	if r.Client.MaxWaitMs != nil {
		options = append(options, svc.WithMaxWait(milliseconds(*r.Client.MaxWaitMs)))
	}
	var callOptions []svc.CallOption
	if r.Options.IdempotencyKey != "" {
		callOptions = append(callOptions, svc.WithIdempotencyKey(r.Options.IdempotencyKey))
	}
	if r.Options.EnvironmentID != "" {
		callOptions = append(callOptions, svc.WithEnvironmentID(r.Options.EnvironmentID))
	}
	if r.Options.MaxAgeSeconds != nil {
		callOptions = append(callOptions, svc.WithMaxAge(time.Duration(*r.Options.MaxAgeSeconds)*time.Second))
	}
	client := svc.New(r.Client.APIKey, options...)
	answer, err := answerOf(r, client, callOptions)
	if err != nil {
		answer = outcome{"error": factsOf(err)}
	}
	answer["waitsMs"] = waits
	return answer
}

func answerOf(r request, client *svc.Client, options []svc.CallOption) (outcome, error) {
	switch r.Do {
	case "callByName":
		envelope, err := client.Call(context.Background(), r.Operation, r.Input, options...)
		if err != nil {
			return nil, err
		}
		return outcome{"result": envelope.Result, "activityId": envelope.ActivityID, "replayed": envelope.Replayed}, nil
	case "all":
		take := r.Take
		if take == 0 {
			take = math.MaxInt
		}
		iterator := call(client, r.Operation, "All", r.Input, options)[0]
		items := []any{}
		for len(items) < take && iterator.MethodByName("Next").Call(nil)[0].Bool() {
			items = append(items, iterator.MethodByName("Item").Call(nil)[0].Interface())
		}
		return outcome{"items": items}, failureOf(iterator.MethodByName("Err").Call(nil)[0])
	}
	answered := call(client, r.Operation, "", r.Input, options)
	if err := failureOf(answered[1]); err != nil {
		return nil, err
	}
	envelope := answered[0].Elem().FieldByName("Envelope").Interface().(svc.Envelope)
	return outcome{"result": jsonOf(answered[0].Interface(), envelope.Result)}, nil
}

func factsOf(err error) outcome {
	var failed *svc.Error
	if !errors.As(err, &failed) {
		panic(err)
	}
	facts := outcome{
		"code":      failed.Code,
		"status":    failed.Status,
		"message":   failed.Message,
		"fix":       failed.Fix,
		"requestId": failed.RequestID,
		"operation": failed.Operation,
		"details":   failed.Details,
	}
	if failed.RetryAfter > 0 {
		facts["retryAfter"] = failed.RetryAfter / time.Second
	}
	if failed.IdempotencyKey != "" {
		facts["idempotencyKey"] = failed.IdempotencyKey
	}
	return facts
}

func receive(r request) outcome {
	webhooks := svc.Webhooks{Secret: r.Secret, Now: func() time.Time { return time.UnixMilli(r.NowMs) }}
	event, err := webhooks.ConstructEvent(r.Body, r.Header)
	var rejected *svc.WebhookError
	if errors.As(err, &rejected) {
		return outcome{"rejected": rejected.Reason}
	}
	if err != nil {
		return outcome{"misused": err.Error()}
	}
	return outcome{"event": jsonOf(event, event.Raw)}
}

func checkTokens(r request) outcome {
	var now time.Time
	verifier := &svc.TokenVerifier{BaseURL: r.BaseURL, EnvironmentID: r.EnvironmentID, Now: func() time.Time { return now }}
	checks := []outcome{}
	for _, check := range r.Checks {
		now = time.UnixMilli(check.NowMs)
		claims, err := verifier.Verify(context.Background(), check.Token)
		var rejected *svc.TokenError
		if errors.As(err, &rejected) {
			checks = append(checks, outcome{"rejected": rejected.Reason})
		} else {
			checks = append(checks, outcome{"sub": must(claims, err).UserID})
		}
	}
	return outcome{"checks": checks}
}

func carryOut(line []byte) (answer outcome) {
	defer func() {
		if failed := recover(); failed != nil {
			answer = outcome{"failed": fmt.Sprintf("%v\n%s", failed, debug.Stack())}
		}
	}()
	var r request
	must(0, json.Unmarshal(line, &r))
	switch r.Do {
	case "webhook":
		return receive(r)
	case "tokens":
		return checkTokens(r)
	}
	return carryOutCall(r)
}

func main() {
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		fmt.Println(string(must(json.Marshal(carryOut(line)))))
	}
}
