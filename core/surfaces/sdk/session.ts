/*
 * `svc-sdk/session`: binds sign-ins to a browser, keeps a signed-in user's tokens fresh, and checks access tokens
 * offline. It needs WebCrypto, which browsers, Node, Deno and Bun have.
 */
export {
  bindSignIn,
  returnedCode,
  SignInNotStartedHere,
  signInUrl,
  type HostedSignIn,
  type NewSignInBinding,
  type SignInBinding,
} from './sign-in.js';
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
