import type { Configuration, TokenEndpointResponse } from 'openid-client';
import type { Clock } from '#core/runtime/clock.js';
import type { Outbound } from './outbound.js';

/** The person who signed in at a provider. */
export interface Profile {
  /** The provider’s id of the account, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  /** The provider states that the address belongs to this person. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly pictureUrl: string | null;
  readonly locale: string | null;
}

/** The claims of an ID token or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** A client of a provider as auth.oauth.app.set stored it, with its secret decrypted. */
export interface Client {
  readonly provider: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** Null if the provider has no issuer. */
  readonly issuer: string | null;
  readonly scopes: readonly string[];
  readonly callbackUrl: string;
}

interface Common {
  /** As shown on sign-in buttons. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** A client without a secret cannot sign in there. */
  readonly needsSecret: boolean;
  /** Additional parameters of the address that the browser is sent to. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What is wrong with a secret, if it is more than a text. */
  readonly secretProblem?: (secret: string) => string | undefined;
  /** The secret to present, made from the stored one. */
  readonly presentedSecret?: (client: Client, clock: Clock) => string;
}

/** What a provider does differently from the standards, so that svc must too. Nothing for most providers. */
export interface Deviations {
  /** Its token endpoint refuses `code_verifier` (RFC 7636) from clients with a secret. */
  readonly noPkce?: boolean;
  /** Its ID tokens may lack the nonce (OpenID Connect Core section 3.1.3.6). A nonce in them must still be ours. */
  readonly nonceMayBeAbsent?: boolean;
  /** Its token endpoint accepts the secret only in the form, and its discovery document does not say so. */
  readonly secretInForm?: boolean;
}

/** An OpenID Connect provider: everything comes from its discovery document and its ID tokens. */
export interface OidcProvider extends Common {
  readonly protocol: 'oidc';
  /** Null if auth.oauth.app.set must provide it. */
  readonly issuer: string | null;
  /** The issuer can be replaced only in test environments, with a stand-in. */
  readonly issuerIsFixed: boolean;
  /** Applied only at its own issuer, and at the stand-ins of test environments. */
  readonly deviations?: Deviations;
  /** Whether these claims prove the address. Default: `email_verified`. */
  readonly provesAddress?: (claims: Claims) => boolean;
  /** The name, from the claims and what the provider posted with the code. */
  readonly nameOf?: (claims: Claims, posted: Claims | null) => string | null;
}

/** A provider of plain OAuth 2.0, whose own API returns who signed in. */
export interface OAuthProvider extends Common {
  readonly protocol: 'oauth';
  /** The provider's addresses. @param server the address of the customer’s own server; null for the provider’s */
  readonly endpoints: (server: string | null) => { issuer: string; authorize: string; token: string };
  /** @throws ProviderProblem */
  readonly profile: (outbound: Outbound, server: string | null, tokens: TokenEndpointResponse) => Promise<Profile>;
}

export type Provider = OidcProvider | OAuthProvider;

/** A provider’s client, ready for openid-client. */
export interface ConfiguredClient {
  readonly provider: Provider;
  readonly client: Client;
  readonly deviations: Deviations;
  readonly configuration: Configuration;
  readonly outbound: Outbound;
}
