/* `svc-sdk/session`: keeps a signed-in user's tokens fresh, and checks access tokens offline. It needs WebCrypto, which browsers, Node, Deno and Bun have. */
export {
  createSession,
  type Lock,
  type SessionOptions,
  type SessionTokens,
  type TokenStore,
  type UserSession,
} from './user-session.js';
export {
  createTokenVerifier,
  TokenRejected,
  type AccessTokenClaims,
  type TokenVerifier,
  type VerifierOptions,
} from './verify-token.js';
