package svc

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"time"
)

// AccessTokenClaims are the claims of an access token.
type AccessTokenClaims struct {
	// UserID is the claim sub.
	UserID string

	// Issuer is the server's address (iss).
	Issuer string

	// EnvironmentID is the claim aud.
	EnvironmentID string

	// SessionID is the claim sid.
	SessionID string

	IssuedAt  time.Time
	ExpiresAt time.Time

	// SignedInAt is when the person signed in (auth_time).
	SignedInAt time.Time

	// Methods are how the person signed in (amr).
	Methods []string

	// MFA tells whether the person used a second factor.
	MFA bool

	// OrganizationID and OrganizationRole are those of the organization that the person acts in (org_id, org_role); empty if
	// there is none.
	OrganizationID   string
	OrganizationRole string

	// ImpersonatorID is the person who impersonates the user (act.sub); empty if nobody does.
	ImpersonatorID string

	// All has all claims by name, also those that claims of the environment's settings add.
	All map[string]any
}

// TokenError is returned for an access token that is not valid.
type TokenError struct {
	// Reason is malformed, unknown_key, wrong_signature, wrong_issuer, wrong_audience or expired.
	Reason string
}

// Error states the reason.
func (e *TokenError) Error() string { return "svc: the access token is not valid: " + e.Reason }

// TokenVerifier checks access tokens offline (RFC 7519) with the environment's published keys (RFC 7517). It fetches the keys
// once in five minutes, and again for a new key. Make one and share it between goroutines. An ended session stays valid until
// its access token expires; auth.session.verify checks with the server.
type TokenVerifier struct {
	EnvironmentID string

	// BaseURL is the server's address, which is the tokens' issuer. By default, it is the server that this module was
	// downloaded from.
	BaseURL string

	// HTTPClient replaces the HTTP client, for proxies or certificates.
	HTTPClient *http.Client

	// Tolerance is how long after their end tokens are accepted, because clocks differ. The default is 5 seconds.
	Tolerance time.Duration

	// ErrorLog gets the reason if the middleware cannot check a token. By default, it is the standard logger of package log.
	ErrorLog *log.Logger

	// Now replaces time.Now, for tests.
	Now func() time.Time

	mutex     sync.Mutex
	keys      map[string]publicKey
	askedAt   time.Time
	fetchedAt time.Time
	failure   error
	// fetching is closed when the running request for keys ends; nil if none runs.
	fetching chan struct{}
}

const (
	// keyLifetime is how long fetched keys are used before they are fetched again, in the background.
	keyLifetime = 5 * time.Minute

	// keyMaxAge is how long fetched keys are used if the server does not answer.
	keyMaxAge = time.Hour

	// keyInterval is the shortest time between two requests for keys, because anyone can send a token with a made-up key, and
	// the server may not answer.
	keyInterval = 30 * time.Second

	// firstInterval is the same while no keys are known: without them, no token can be checked.
	firstInterval = time.Second

	// keyTimeout limits a request for keys, for which the first tokens wait.
	keyTimeout = 10 * time.Second

	maxKeySetSize = 1 << 20
)

// publicKey is a key of the environment.
type publicKey struct {
	algorithm string
	key       crypto.PublicKey
}

// Verify returns the claims of a valid access token. The error is a *TokenError, or says why the keys cannot be fetched while
// none are known.
func (v *TokenVerifier) Verify(ctx context.Context, accessToken string) (*AccessTokenClaims, error) {
	if v.EnvironmentID == "" {
		return nil, errors.New("svc: TokenVerifier.EnvironmentID is empty: set it to the environment of your users")
	}
	address := v.baseURL()
	if err := checkBaseURL(address, "TokenVerifier.BaseURL"); err != nil {
		return nil, err
	}
	if v.Tolerance < 0 {
		return nil, errors.New("svc: TokenVerifier.Tolerance is negative")
	}
	// The decoders of base64 skip line breaks, so one token would have several forms.
	if strings.ContainsAny(accessToken, "\r\n") {
		return nil, &TokenError{Reason: "malformed"}
	}
	parts := strings.Split(accessToken, ".")
	if len(parts) != 3 {
		return nil, &TokenError{Reason: "malformed"}
	}
	header, err := jsonPart(parts[0])
	if err != nil {
		return nil, err
	}
	keyID, isText := header["kid"].(string)
	if !isText || header["typ"] != "JWT" {
		return nil, &TokenError{Reason: "malformed"}
	}
	key, err := v.key(ctx, keyID)
	if err != nil {
		return nil, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, &TokenError{Reason: "malformed"}
	}
	if header["alg"] != key.algorithm || !key.verify(parts[0]+"."+parts[1], signature) {
		return nil, &TokenError{Reason: "wrong_signature"}
	}
	claims, err := jsonPart(parts[1])
	if err != nil {
		return nil, err
	}
	if claims["iss"] != address {
		return nil, &TokenError{Reason: "wrong_issuer"}
	}
	if claims["aud"] != v.EnvironmentID {
		return nil, &TokenError{Reason: "wrong_audience"}
	}
	tolerance := v.Tolerance
	if tolerance == 0 {
		tolerance = 5 * time.Second
	}
	expires, isNumber := claims["exp"].(float64)
	if !isNumber || expires+tolerance.Seconds() <= float64(nowOf(v.Now).UnixMilli())/1000 {
		return nil, &TokenError{Reason: "expired"}
	}
	return claimsOf(claims), nil
}

func (v *TokenVerifier) baseURL() string {
	if v.BaseURL == "" {
		return serverAddress
	}
	return strings.TrimRight(v.BaseURL, "/")
}

// key returns a key of the environment. A token whose key is known and fresh never waits. Other tokens wait for one request,
// which all of them share and which does not end with their contexts.
func (v *TokenVerifier) key(ctx context.Context, id string) (publicKey, error) {
	v.mutex.Lock()
	now := nowOf(v.Now)
	key, known := v.keys[id]
	age := now.Sub(v.fetchedAt)
	if known && age < keyLifetime {
		v.mutex.Unlock()
		return key, nil
	}
	interval := keyInterval
	if v.fetchedAt.IsZero() {
		interval = firstInterval
	}
	if v.fetching == nil && (v.askedAt.IsZero() || now.Sub(v.askedAt) >= interval) {
		v.askedAt = now
		v.fetching = make(chan struct{})
		go v.fetch(now, v.fetching)
	}
	fetching := v.fetching
	v.mutex.Unlock()
	// A server that hangs must not delay tokens whose key is known.
	if known && age < keyMaxAge {
		return key, nil
	}
	if fetching != nil {
		select {
		case <-fetching:
		case <-ctx.Done():
			return publicKey{}, fmt.Errorf("svc: the signing keys are being fetched: %w", ctx.Err())
		}
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if key, known := v.keys[id]; known && now.Sub(v.fetchedAt) < keyMaxAge {
		return key, nil
	}
	// The key may be a new one that could not be fetched.
	if v.failure != nil {
		return publicKey{}, v.failure
	}
	return publicKey{}, &TokenError{Reason: "unknown_key"}
}

// fetch requests the keys and then closes done.
func (v *TokenVerifier) fetch(now time.Time, done chan struct{}) {
	keys, err := v.request()
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if err == nil {
		v.keys, v.fetchedAt = keys, now
	}
	v.failure, v.fetching = err, nil
	close(done)
}

func (v *TokenVerifier) request() (map[string]publicKey, error) {
	ctx, cancel := context.WithTimeout(context.Background(), keyTimeout)
	defer cancel()
	address := v.baseURL() + "/auth/jwks/" + v.EnvironmentID
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("svc: the signing keys cannot be fetched: %w", err)
	}
	request.Header.Set("User-Agent", userAgent)
	client := v.HTTPClient
	if client == nil {
		client = defaultHTTPClient
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("svc: the signing keys cannot be fetched: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxKeySetSize))
	if err != nil {
		return nil, fmt.Errorf("svc: the signing keys cannot be fetched: %w", err)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if response.StatusCode != http.StatusOK || json.Unmarshal(body, &set) != nil || set.Keys == nil {
		hint := ""
		if response.StatusCode == http.StatusNotFound {
			hint = ": check TokenVerifier.EnvironmentID and BaseURL"
		}
		return nil, fmt.Errorf("svc: %s answered %d, without signing keys%s", address, response.StatusCode, hint)
	}
	keys := map[string]publicKey{}
	for _, each := range set.Keys {
		// Keys of other kinds, which newer servers may add, are left out.
		if id, key, ok := readKey(each); ok {
			keys[id] = key
		}
	}
	return keys, nil
}

// readKey reads a JSON Web Key (RFC 7517, RFC 7518 section 6, RFC 8037).
func readKey(text []byte) (string, publicKey, bool) {
	var fields struct {
		ID        string `json:"kid"`
		Algorithm string `json:"alg"`
		Type      string `json:"kty"`
		Curve     string `json:"crv"`
		X         string `json:"x"`
		Y         string `json:"y"`
		N         string `json:"n"`
		E         string `json:"e"`
	}
	if json.Unmarshal(text, &fields) != nil || fields.ID == "" {
		return "", publicKey{}, false
	}
	bytes := map[string][]byte{}
	for name, each := range map[string]string{"x": fields.X, "y": fields.Y, "n": fields.N, "e": fields.E} {
		decoded, err := base64.RawURLEncoding.DecodeString(each)
		if err != nil {
			return "", publicKey{}, false
		}
		bytes[name] = decoded
	}
	var key crypto.PublicKey
	switch {
	case fields.Algorithm == "ES256" && fields.Type == "EC" && fields.Curve == "P-256":
		key = p256Key(bytes["x"], bytes["y"])
	case fields.Algorithm == "RS256" && fields.Type == "RSA":
		exponent := new(big.Int).SetBytes(bytes["e"])
		modulus := new(big.Int).SetBytes(bytes["n"])
		if modulus.BitLen() >= 2048 && exponent.IsInt64() && exponent.Int64() >= 3 && exponent.Int64() < 1<<31 {
			key = &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}
		}
	case fields.Algorithm == "EdDSA" && fields.Type == "OKP" && fields.Curve == "Ed25519":
		if len(bytes["x"]) == ed25519.PublicKeySize {
			key = ed25519.PublicKey(bytes["x"])
		}
	}
	return fields.ID, publicKey{fields.Algorithm, key}, key != nil
}

// p256Prefix is a SubjectPublicKeyInfo of P-256 up to the coordinates of an uncompressed point (RFC 5480).
var p256Prefix = []byte{
	0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
	0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
}

// p256Key returns a key, or nil if the coordinates are not those of a point on the curve. x509 checks that.
func p256Key(x, y []byte) crypto.PublicKey {
	if len(x) != 32 || len(y) != 32 {
		return nil
	}
	info := append(append(append([]byte{}, p256Prefix...), x...), y...)
	key, err := x509.ParsePKIXPublicKey(info)
	if err != nil {
		return nil
	}
	return key
}

// verify tells whether the key signed the text (RFC 7518 section 3.1, RFC 8037 section 3.1).
func (k publicKey) verify(text string, signature []byte) bool {
	digest := sha256.Sum256([]byte(text))
	switch key := k.key.(type) {
	case *ecdsa.PublicKey:
		if len(signature) != 64 {
			return false
		}
		r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
		return ecdsa.Verify(key, digest[:], r, s)
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, digest[:], signature) == nil
	case ed25519.PublicKey:
		return ed25519.Verify(key, []byte(text), signature)
	}
	return false
}

// jsonPart reads a part of a token, which is a JSON object in base64url.
func jsonPart(part string) (map[string]any, error) {
	text, err := base64.RawURLEncoding.DecodeString(part)
	var fields map[string]any
	if err != nil || json.Unmarshal(text, &fields) != nil || fields == nil {
		return nil, &TokenError{Reason: "malformed"}
	}
	return fields, nil
}

// claimsOf returns the claims. The server signs no other form.
func claimsOf(all map[string]any) *AccessTokenClaims {
	text := func(name string) string {
		value, _ := all[name].(string)
		return value
	}
	moment := func(name string) time.Time {
		value, _ := all[name].(float64)
		return time.Unix(int64(value), 0)
	}
	mfa, _ := all["mfa"].(bool)
	actor, _ := all["act"].(map[string]any)
	impersonator, _ := actor["sub"].(string)
	var methods []string
	if list, ok := all["amr"].([]any); ok {
		for _, each := range list {
			if method, ok := each.(string); ok {
				methods = append(methods, method)
			}
		}
	}
	return &AccessTokenClaims{
		UserID:           text("sub"),
		Issuer:           text("iss"),
		EnvironmentID:    text("aud"),
		SessionID:        text("sid"),
		IssuedAt:         moment("iat"),
		ExpiresAt:        moment("exp"),
		SignedInAt:       moment("auth_time"),
		Methods:          methods,
		MFA:              mfa,
		OrganizationID:   text("org_id"),
		OrganizationRole: text("org_role"),
		ImpersonatorID:   impersonator,
		All:              all,
	}
}
