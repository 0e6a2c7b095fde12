// What the conformance suite cannot ask a driver for. test/sdk/go.test.ts runs it in a project that has the module.
package behaviour_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"svc.internal/svc"
)

// server answers with the handlers in turn, the last one for all further requests, and keeps the bodies.
type server struct {
	*httptest.Server
	mutex  sync.Mutex
	bodies []string
}

func serve(t *testing.T, handlers ...http.HandlerFunc) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mutex.Lock()
		handler := handlers[len(handlers)-1]
		if len(s.bodies) < len(handlers) {
			handler = handlers[len(s.bodies)]
		}
		s.bodies = append(s.bodies, string(body))
		s.mutex.Unlock()
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) arrived() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]string{}, s.bodies...)
}

func answers(result string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"activityId":"","result":%s}`, result) }
}

func refuses(status int, code, fix string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"code":"%s","message":"No.","fix":"%s","requestId":"r"}}`, code, fix)
	}
}

// hangs answers when the caller is gone, or at the end of the test.
func hangs(t *testing.T) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		// Cleanups run in reverse order: this one runs before the server waits for its requests.
		end := make(chan struct{})
		t.Cleanup(func() { close(end) })
		select {
		case <-r.Context().Done():
		case <-end:
		}
	}
}

func expect(t *testing.T, found, expected any) {
	t.Helper()
	if fmt.Sprint(found) != fmt.Sprint(expected) {
		t.Fatalf("found %v, expected %v", found, expected)
	}
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestInputsSendWhatIsSetAndNothingElse(t *testing.T) {
	expect(t, jsonOf(t, svc.AccountUpdateInput{}), `{}`)
	expect(t, jsonOf(t, svc.AccountUpdateInput{Country: svc.Null[string]()}), `{"country":null}`)
	expect(t, jsonOf(t, svc.AccountUpdateInput{Country: svc.Value("AT"), Name: svc.Ptr("")}), `{"name":"","country":"AT"}`)
	expect(t, jsonOf(t, svc.EmailSendInput{To: []string{"a@example.com"}, Cc: []string{}}), `{"to":"a@example.com","cc":[]}`)
	expect(t, jsonOf(t, svc.EmailSendInput{To: []string{"a@example.com", "b@example.com"}}), `{"to":["a@example.com","b@example.com"]}`)
	expect(t, jsonOf(t, svc.EmailBatchSendInput{}), `{"messages":[]}`)
	var stored svc.AccountUpdateInput
	if err := json.Unmarshal([]byte(`{"country":null}`), &stored); err != nil {
		t.Fatal(err)
	}
	expect(t, jsonOf(t, stored), `{"country":null}`)
	s := serve(t, answers(`{}`))
	client := svc.New("key", svc.WithBaseURL(s.URL))
	_, err := client.Email.Send(context.Background(), svc.EmailSendInput{Text: svc.Ptr("<b> & \u2028")})
	expect(t, err, nil)
	expect(t, s.arrived()[0], `{"to":[],"text":"<b> & \u2028"}`)
	_, err = client.Email.Send(context.Background(), svc.EmailSendInput{Variables: map[string]any{"f": func() {}}})
	expect(t, strings.Contains(err.Error(), "the input of email.send has no form in JSON"), true)
}

func TestErrorsKeepSecretsAndSayWhatIsWrong(t *testing.T) {
	for _, client := range []*svc.Client{
		svc.New("svc_live_SECRET\n", svc.WithBaseURL("http://127.0.0.1:2")),
		svc.New("svc_test_…", svc.WithBaseURL("http://127.0.0.1:2")),
	} {
		_, err := client.Account.Get(context.Background(), svc.AccountGetInput{})
		expect(t, err, "svc: the API key must be visible ASCII without spaces or line breaks; remove what surrounds it")
	}
	_, err := svc.New("", svc.WithBaseURL("")).Account.Get(context.Background(), svc.AccountGetInput{})
	expect(t, err, "svc: WithBaseURL is missing; pass the server's address, such as https://svc.example.com")
	s := serve(t, answers(`{"account":7}`))
	_, err = svc.New("", svc.WithBaseURL(s.URL)).Account.Get(context.Background(), svc.AccountGetInput{})
	var failed *svc.Error
	expect(t, errors.As(err, &failed) && failed.Code == svc.CodeUnexpectedAnswer, true)
}

func TestContextsLimitTheWholeCall(t *testing.T) {
	s := serve(t, hangs(t))
	client := svc.New("key", svc.WithBaseURL(s.URL))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := client.Email.Send(ctx, svc.EmailSendInput{})
	var failed *svc.Error
	if !errors.As(err, &failed) || !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	expect(t, failed.Code, svc.CodeTimedOut)
	expect(t, len(failed.IdempotencyKey), 32)
	canceled, stop := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, stop)
	_, err = client.Email.Send(canceled, svc.EmailSendInput{})
	expect(t, errors.Is(err, context.Canceled), true)
}

func TestAWaitThatTheContextDoesNotAllowFailsAtOnce(t *testing.T) {
	s := serve(t, refuses(429, "rate_limited", "Wait 20 seconds, then call again."))
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err := svc.New("key", svc.WithBaseURL(s.URL)).Email.Send(ctx, svc.EmailSendInput{})
	var failed *svc.Error
	expect(t, errors.As(err, &failed), true)
	expect(t, failed.Code, svc.CodeRateLimited)
	expect(t, failed.RetryAfter, 20*time.Second)
	expect(t, ctx.Err(), nil)
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) })
	_, err := svc.New("key", svc.WithBaseURL(s.URL)).Account.Get(context.Background(), svc.AccountGetInput{})
	var failed *svc.Error
	expect(t, errors.As(err, &failed), true)
	expect(t, fmt.Sprintf("%s %d %d", failed.Code, failed.Status, len(s.arrived())), "unexpected_answer 302 1")
}

func TestIteratorsEndWithTheErrorOrWhenTheLoopDoes(t *testing.T) {
	first := answers(`{"members":[{"id":"1"},{"id":"2"}],"nextBefore":"2"}`)
	s := serve(t, first, refuses(403, "forbidden", "Ask."), first)
	client := svc.New("key", svc.WithBaseURL(s.URL))
	var seen []string
	client.Account.Member.ListAll(context.Background(), svc.AccountMemberListInput{}).Seq()(func(member svc.Member, err error) bool {
		seen = append(seen, fmt.Sprintf("%s %t", member.ID, err != nil))
		return true
	})
	expect(t, seen, []string{"1 false", "2 false", " true"})
	client.Account.Member.ListAll(context.Background(), svc.AccountMemberListInput{}).Seq()(func(svc.Member, error) bool { return false })
	expect(t, s.arrived(), []string{`{}`, `{"before":"2"}`, `{}`})
}

// signer makes access tokens, and publishes its key.
type signer struct {
	id     string
	public ed25519.PublicKey
	secret ed25519.PrivateKey
}

func newSigner(id string) signer {
	public, secret, _ := ed25519.GenerateKey(nil)
	return signer{id, public, secret}
}

func (s signer) publishes(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, `{"keys":[{"kid":"%s","alg":"EdDSA","kty":"OKP","crv":"Ed25519","x":"%s"}]}`, s.id, base64.RawURLEncoding.EncodeToString(s.public))
}

func (s signer) token(issuer string, expires time.Time) string {
	return s.tokenWith("", issuer, expires)
}

// tokenWith makes a token with more claims, as JSON that begins with a comma.
func (s signer) tokenWith(more, issuer string, expires time.Time) string {
	header := fmt.Sprintf(`{"alg":"EdDSA","typ":"JWT","kid":"%s"}`, s.id)
	claims := fmt.Sprintf(`{"iss":"%s","aud":"e","sub":"ada","exp":%d,"mfa":true,"amr":["code"],"act":{"sub":"eve"}%s}`, issuer, expires.Unix(), more)
	text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
	return text + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(s.secret, []byte(text)))
}

func reasonOf(err error) string {
	var rejected *svc.TokenError
	if errors.As(err, &rejected) {
		return rejected.Reason
	}
	return fmt.Sprint(err)
}

func TestForgedTokensNeverMakeValidOnesWait(t *testing.T) {
	key := newSigner("k")
	asked := make(chan struct{}, 10)
	hang := hangs(t)
	s := serve(t, key.publishes, func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		hang(w, r)
	})
	var mutex sync.Mutex
	now := time.Unix(1_700_000_000, 0)
	after := func(wait time.Duration) {
		mutex.Lock()
		defer mutex.Unlock()
		now = now.Add(wait)
	}
	verifier := &svc.TokenVerifier{EnvironmentID: "e", BaseURL: s.URL + "/", Now: func() time.Time {
		mutex.Lock()
		defer mutex.Unlock()
		return now
	}}
	valid := key.token(s.URL, now.Add(time.Hour))
	claims, err := verifier.Verify(context.Background(), valid)
	expect(t, err, nil)
	expect(t, fmt.Sprintf("%s %t %s %s", claims.UserID, claims.MFA, claims.Methods, claims.ImpersonatorID), "ada true [code] eve")
	forged := newSigner("made-up").token(s.URL, now.Add(time.Hour))
	_, err = verifier.Verify(context.Background(), forged)
	expect(t, reasonOf(err), "unknown_key")
	after(31 * time.Second)
	waiting, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	for i := 0; i < 5; i++ {
		go func() {
			_, err := verifier.Verify(waiting, forged)
			ended <- err
		}()
	}
	<-asked
	// The request for the made-up key hangs.
	for i := 0; i < 100; i++ {
		if _, err := verifier.Verify(context.Background(), valid); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	for i := 0; i < 5; i++ {
		expect(t, errors.Is(<-ended, context.Canceled), true)
	}
	expect(t, len(s.arrived()), 2)
}

func TestKnownKeysStayWhileTheServerDoesNotAnswer(t *testing.T) {
	key := newSigner("k")
	s := serve(t, key.publishes, refuses(503, "unavailable", "Wait."))
	now := time.Unix(1_700_000_000, 0)
	verifier := &svc.TokenVerifier{EnvironmentID: "e", BaseURL: s.URL, Now: func() time.Time { return now }}
	token := key.token(s.URL, now.Add(time.Hour))
	asks := func(count int) {
		for len(s.arrived()) < count {
			_, err := verifier.Verify(context.Background(), token)
			expect(t, reasonOf(err), "<nil>")
			time.Sleep(time.Millisecond)
		}
	}
	asks(1)
	now = now.Add(299 * time.Second)
	_, err := verifier.Verify(context.Background(), token)
	expect(t, reasonOf(err), "<nil>")
	expect(t, len(s.arrived()), 1)
	now = now.Add(2 * time.Second)
	asks(2)
	now = now.Add(31 * time.Second)
	asks(3)
	now = now.Add(time.Hour)
	_, err = verifier.Verify(context.Background(), token)
	expect(t, strings.HasSuffix(reasonOf(err), "answered 503, without signing keys"), true)
	never := &svc.TokenVerifier{EnvironmentID: "e", BaseURL: serve(t, refuses(503, "unavailable", "Wait.")).URL}
	_, err = never.Verify(context.Background(), token)
	expect(t, strings.HasSuffix(err.Error(), "answered 503, without signing keys"), true)
}

func TestAServerThatHangsDelaysNoTokenWithAKnownKey(t *testing.T) {
	key := newSigner("k")
	s := serve(t, key.publishes, hangs(t))
	var mutex sync.Mutex
	now := time.Unix(1_700_000_000, 0)
	verifier := &svc.TokenVerifier{EnvironmentID: "e", BaseURL: s.URL, Now: func() time.Time {
		mutex.Lock()
		defer mutex.Unlock()
		return now
	}}
	token := key.token(s.URL, now.Add(2*time.Hour))
	for i := 0; i < 3; i++ {
		began := time.Now()
		_, err := verifier.Verify(context.Background(), token)
		expect(t, reasonOf(err), "<nil>")
		expect(t, time.Since(began) < 5*time.Second, true)
		mutex.Lock()
		now = now.Add(6 * time.Minute)
		mutex.Unlock()
	}
}

func TestTheMiddlewareRefusesInTheWordsOfRFC6750(t *testing.T) {
	key := newSigner("k")
	s := serve(t, key.publishes)
	protect := func(verifier *svc.TokenVerifier) http.Handler {
		return verifier.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, svc.ClaimsFromContext(r.Context()).UserID)
		}))
	}
	ask := func(handler http.Handler, authorization string) string {
		request := httptest.NewRequest("GET", "/", nil)
		request.Header.Set("Authorization", authorization)
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		return fmt.Sprintln(recorder.Code, recorder.Header().Get("WWW-Authenticate"), recorder.Body)
	}
	handler := protect(&svc.TokenVerifier{EnvironmentID: "e", BaseURL: s.URL})
	expect(t, ask(handler, "bearer "+key.token(s.URL, time.Now().Add(time.Minute))), "200  ada\n")
	expect(t, strings.HasPrefix(ask(handler, ""), `401 Bearer {"error":{"code":"unauthenticated"`), true)
	expect(t, strings.HasPrefix(ask(handler, "Basic abc"), "401 Bearer {"), true)
	expired := ask(handler, "Bearer "+key.token(s.URL, time.Now().Add(-time.Minute)))
	expect(t, strings.HasPrefix(expired, `401 Bearer error="invalid_token", error_description="expired" {`), true)
	down := protect(&svc.TokenVerifier{EnvironmentID: "e", BaseURL: "http://127.0.0.1:2"})
	expect(t, strings.HasPrefix(ask(down, "Bearer "+key.token("x", time.Now())), `503  {"error":{"code":"unavailable"`), true)
	expect(t, svc.ClaimsFromContext(context.Background()) == nil, true)
}

func TestTheMiddlewareSaysWhyItCannotCheck(t *testing.T) {
	key := newSigner("k")
	wrong := serve(t, refuses(404, "not_found", "There is no such environment."))
	for _, each := range []struct {
		environment string
		reason      string
	}{{"", "EnvironmentID is empty"}, {"e", "check TokenVerifier.EnvironmentID"}} {
		var log bytes.Buffer
		verifier := &svc.TokenVerifier{EnvironmentID: each.environment, BaseURL: wrong.URL, ErrorLog: stdlog.New(&log, "", 0)}
		request := httptest.NewRequest("GET", "/", nil)
		request.Header.Set("Authorization", "Bearer "+key.token(wrong.URL, time.Now().Add(time.Minute)))
		recorder := httptest.NewRecorder()
		verifier.Middleware(http.NotFoundHandler()).ServeHTTP(recorder, request)
		expect(t, recorder.Code, 503)
		expect(t, strings.Contains(recorder.Body.String(), `"fix":"Repeat the request`), true)
		expect(t, strings.Contains(log.String(), each.reason), true)
	}
}

func TestRolesAreRequired(t *testing.T) {
	key := newSigner("k")
	s := serve(t, key.publishes)
	verifier := &svc.TokenVerifier{EnvironmentID: "e", BaseURL: s.URL}
	handler := verifier.RequireRole(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "in") }), "owner", "admin")
	for more, answer := range map[string]string{
		`,"org_id":"o","org_role":"admin"`:  "200 in",
		`,"org_id":"o","org_role":"member"`: `403 {"error":{"code":"org_role_required"`,
		``:                                  `403 {"error":{"code":"forbidden"`,
	} {
		request := httptest.NewRequest("GET", "/", nil)
		request.Header.Set("Authorization", "Bearer "+key.tokenWith(more, s.URL, time.Now().Add(time.Minute)))
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		expect(t, strings.HasPrefix(fmt.Sprint(recorder.Code, " ", recorder.Body), answer), true)
	}
}
