import * as openid from 'openid-client';
import { forgetDocument, readDocument } from './documents.js';
import { fetchOver, responseOf, type Outbound } from '../providers/outbound.js';
import { problemOf } from './problem.js';
import { ProviderProblem } from '../providers/provider-problem.js';
import type { Client, ConfiguredClient, Deviations, Provider } from '../providers/provider.js';
import { providerOf } from '../providers/providers.js';

/**
 * A provider's client with the contents of its discovery document (kept for ten minutes).
 * @throws ProviderProblem if the document cannot be read, is invalid, or contains addresses that svc may not reach
 */
export async function configureClient(client: Client, outbound: Outbound): Promise<ConfiguredClient> {
  const provider = providerOf(client.provider);
  const read = new Set<string>();
  const deviations = deviationsOf(provider, client, outbound);
  const secret = provider.presentedSecret?.(client, outbound.clock) ?? client.clientSecret;
  try {
    const configuration =
      provider.protocol === 'oauth'
        ? withEndpoints(provider.endpoints(client.issuer), client.clientId, secret)
        : await discover(client, authenticationWith(secret, deviations), outbound, read);
    configuration[openid.customFetch] = fetchOver(outbound);
    if (outbound.plainHttp) openid.allowInsecureRequests(configuration);
    requireAllowedEndpoints(configuration.serverMetadata(), outbound);
    return { provider, client, deviations, configuration, outbound };
  } catch (error) {
    // If a document cannot be used, the next call reads it again: the provider may have corrected it by then.
    for (const url of read) forgetDocument(outbound, url);
    throw problemOf(error);
  }
}

/** A broker that a customer configured under the name of a provider follows the standards, and is held to them. */
const deviationsOf = (provider: Provider, { issuer }: Client, { plainHttp }: Outbound): Deviations =>
  provider.protocol === 'oidc' && (plainHttp || issuer === provider.issuer) ? (provider.deviations ?? {}) : {};

function withEndpoints(
  { issuer, authorize, token }: { issuer: string; authorize: string; token: string },
  clientId: string,
  secret: string | null,
): openid.Configuration {
  const metadata = { issuer, authorization_endpoint: authorize, token_endpoint: token };
  return new openid.Configuration(metadata, clientId, undefined, authenticationWith(secret, {}));
}

/** @param read receives the addresses of the documents that it reads */
async function discover(
  client: Client,
  authentication: openid.ClientAuth,
  outbound: Outbound,
  read: Set<string>,
): Promise<openid.Configuration> {
  const configuration = await openid.discovery(
    new URL(client.issuer ?? ''),
    client.clientId,
    undefined,
    authentication,
    {
      [openid.customFetch]: async (url) => {
        read.add(url);
        return responseOf(await readDocument(outbound, url));
      },
      ...(outbound.plainHttp ? { execute: [openid.allowInsecureRequests] } : {}),
    },
  );
  const { authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata();
  const missing = Object.entries({ authorization_endpoint, token_endpoint, jwks_uri }).find(([, url]) => !url);
  if (missing) throw new ProviderProblem('failed', `its discovery document does not contain ${missing[0]}`);
  return configuration;
}

/**
 * How the client authenticates at the token endpoint: with its secret in the form, or in the header if the provider
 * accepts only that.
 */
function authenticationWith(secret: string | null, { secretInForm }: Deviations): openid.ClientAuth {
  if (secret === null) return openid.None();
  return (server, client, body, headers) => {
    // RFC 8414 section 2: client_secret_basic if the list is absent. All providers without a document accept the form.
    const methods = server.token_endpoint_auth_methods_supported;
    const isDiscovered = server.jwks_uri !== undefined;
    const takesForm = secretInForm === true || (methods ? methods.includes('client_secret_post') : !isDiscovered);
    const authenticate = takesForm ? openid.ClientSecretPost(secret) : basicWith(secret);
    authenticate(server, client, body, headers);
  };
}

/**
 * client_secret_basic with id and secret encoded as in forms (RFC 6749, section 2.3.1 and Appendix B), which leave
 * `-._*` unchanged. openid-client encodes these too, and providers that do not decode refuse the client.
 */
const basicWith =
  (secret: string): openid.ClientAuth =>
  (_server, { client_id: id }, _body, headers) => {
    const credentials = [id, secret].map((text) => new URLSearchParams([['', text]]).toString().slice(1)).join(':');
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
  };

/** A discovery document is controlled by the provider: the addresses in it are checked like those from a customer. */
function requireAllowedEndpoints(metadata: openid.ServerMetadata, { http, plainHttp }: Outbound): void {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  for (const [name, url] of Object.entries({ authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint })) {
    if (url === undefined) continue;
    const check = http.checkUrl(url, { http: plainHttp });
    if (!check.ok) throw new ProviderProblem('url_not_allowed', `${name}: ${check.problem.replace(/\.$/, '')}`);
  }
}
