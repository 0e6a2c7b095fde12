package svc

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

type claimsKey struct{}

// ClaimsFromContext returns the claims of the request's access token. It returns nil if the request did not pass Middleware.
func ClaimsFromContext(ctx context.Context) *AccessTokenClaims {
	claims, _ := ctx.Value(claimsKey{}).(*AccessTokenClaims)
	return claims
}

// Middleware passes on requests with a valid access token in the header Authorization: Bearer (RFC 6750), with its claims in
// the context. It answers other requests with 401. If the keys cannot be fetched, and none are known, it answers with 503.
func (v *TokenVerifier) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		token = strings.TrimSpace(token)
		if !strings.EqualFold(scheme, "Bearer") || token == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, CodeUnauthenticated, "The request has no access token.")
			return
		}
		claims, err := v.Verify(r.Context(), token)
		var rejected *TokenError
		if errors.As(err, &rejected) {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="`+rejected.Reason+`"`)
			refuse(w, http.StatusUnauthorized, CodeTokenInvalid, "The access token is not valid: "+rejected.Reason+".")
			return
		}
		if err != nil {
			refuse(w, http.StatusServiceUnavailable, CodeUnavailable, "The access token cannot be checked at the moment.")
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), claimsKey{}, claims)))
	})
}

// refuse answers with an error in the form of svc's.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	body := map[string]map[string]string{"error": {"code": code, "message": message}}
	// The connection may be closed.
	_ = json.NewEncoder(w).Encode(body)
}
