import type { Configuration, TokenEndpointResponse } from 'openid-client';
import type { Clock } from '#core/runtime/clock.js';
import type { Outbound } from './outbound.js';

/** Who signed in at a provider. */
export interface Profile {
  /** The provider’s id of the account, which never changes. */
  readonly subject: string;
  readonly email: string | null;
  /** The provider says that the address is this person’s. */
  readonly emailVerified: boolean;
  readonly name: string | null;
  readonly pictureUrl: string | null;
  readonly locale: string | null;
}

/** The claims of an ID token or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** A client of a provider as auth.oauth.app.set stored it, opened. */
export interface Client {
  readonly provider: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** Null where the provider has no issuer. */
  readonly issuer: string | null;
  readonly scopes: readonly string[];
  readonly callbackUrl: string;
}

interface Common {
  /** As sign-in buttons show it. */
  readonly name: string;
  readonly scopes: readonly string[];
  /** A client without a secret cannot sign in there. */
  readonly needsSecret: boolean;
  /** Further parameters of the address that the browser is sent to. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** What is wrong with a secret, where it is more than a text. */
  readonly secretProblem?: (secret: string) => string | undefined;
  /** The secret to present, made from the stored one. */
  readonly presentedSecret?: (client: Client, clock: Clock) => string;
}

/** An OpenID Connect provider: everything is in its discovery document and its ID tokens. */
export interface OidcProvider extends Common {
  readonly protocol: 'oidc';
  /** Null where auth.oauth.app.set must name it. */
  readonly issuer: string | null;
  /** The issuer can only be another one in test environments, for a stand-in. */
  readonly issuerIsFixed: boolean;
  /** Whether these claims prove the address. Default: `email_verified`. */
  readonly provesAddress?: (claims: Claims) => boolean;
  /** The name, from the claims and what the provider posted beside the code. */
  readonly nameOf?: (claims: Claims, posted: Claims | null) => string | null;
}

/** A provider of plain OAuth 2.0, which says through an API of its own who signed in. */
export interface OAuthProvider extends Common {
  readonly protocol: 'oauth';
  /** Where the provider is. @param server the address of a server of the customer’s own; null for the provider’s */
  readonly endpoints: (server: string | null) => { issuer: string; authorize: string; token: string };
  /** @throws ProviderProblem */
  readonly profile: (outbound: Outbound, server: string | null, tokens: TokenEndpointResponse) => Promise<Profile>;
}

export type Provider = OidcProvider | OAuthProvider;

/** A provider’s client, ready for openid-client. */
export interface ConfiguredClient {
  readonly provider: Provider;
  readonly client: Client;
  readonly configuration: Configuration;
  readonly outbound: Outbound;
}
