package svc

import (
	"context"
	"encoding/json"
	"errors"
	"log"
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
// the context. It answers other requests with 401. If the keys cannot be fetched, and none are known, it answers with 503, and
// ErrorLog states why.
func (v *TokenVerifier) Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		token = strings.TrimSpace(token)
		if !strings.EqualFold(scheme, "Bearer") || token == "" {
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, CodeUnauthenticated, "The request has no access token.",
				"Sign in, and send the header “Authorization: Bearer <access token>”.")
			return
		}
		claims, err := v.Verify(r.Context(), token)
		var rejected *TokenError
		if errors.As(err, &rejected) {
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="`+rejected.Reason+`"`)
			refuse(w, http.StatusUnauthorized, CodeTokenInvalid, "The access token is not valid: "+rejected.Reason+".",
				"Refresh the session or sign in again, and send the new access token.")
			return
		}
		if err != nil {
			v.logError(err)
			w.Header().Set("Retry-After", "5")
			refuse(w, http.StatusServiceUnavailable, CodeUnavailable, "The access token cannot be checked at the moment.",
				"Repeat the request in a few seconds.")
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), claimsKey{}, claims)))
	})
}

// RequireRole is Middleware for users who have one of these roles in their active organization. It answers others with 403. A
// role does not include others: list all that are admitted.
func (v *TokenVerifier) RequireRole(next http.Handler, roles ...string) http.Handler {
	return v.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		claims := ClaimsFromContext(r.Context())
		for _, role := range roles {
			if claims.OrganizationID != "" && claims.OrganizationRole == role {
				next.ServeHTTP(w, r)
				return
			}
		}
		if claims.OrganizationID == "" {
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", error_description="Switch to an organization first."`)
			refuse(w, http.StatusForbidden, CodeForbidden, "This needs an active organization.",
				"Switch to it with auth.org.switch, and send the access token that this returns.")
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", error_description="The user has none of the required roles."`)
		refuse(w, http.StatusForbidden, CodeOrgRoleRequired,
			"Your role in the organization does not allow this. It requires "+strings.Join(roles, " or ")+".",
			"Ask a member with this role to do it. After a change of role, refresh the session.")
	}))
}

func (v *TokenVerifier) logError(err error) {
	if v.ErrorLog != nil {
		v.ErrorLog.Print(err)
		return
	}
	log.Print(err)
}

// refuse answers with an error in the form of svc's.
func refuse(w http.ResponseWriter, status int, code, message, fix string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	body := map[string]map[string]string{"error": {"code": code, "message": message, "fix": fix}}
	// The connection may be closed.
	_ = json.NewEncoder(w).Encode(body)
}
