/* The settings of software that signs its users in by OpenID Connect, to copy; docs/openid.md explains them. */

interface Guide {
  readonly name: string;
  /** The form of its redirect URL. */
  readonly redirect: string;
  /** Lines of its configuration, or the values of its form. */
  readonly settings: (app: {
    readonly issuer: string;
    readonly clientId: string;
    readonly secret: boolean;
  }) => string[];
}

const secretIn = (secret: boolean): string => (secret ? '<client secret>' : '');
const discoveryOf = (issuer: string): string => `${issuer}/.well-known/openid-configuration`;

export const guides: readonly Guide[] = [
  {
    name: 'Grafana',
    redirect: 'https://grafana.example.com/login/generic_oauth',
    settings: ({ issuer, clientId, secret }) => [
      '[auth.generic_oauth]',
      'enabled = true',
      `client_id = ${clientId}`,
      `client_secret = ${secretIn(secret)}`,
      'scopes = openid email profile groups',
      `auth_url = ${issuer}/oidc/authorize`,
      `token_url = ${issuer}/oidc/token`,
      `api_url = ${issuer}/oidc/userinfo`,
      'use_pkce = true',
    ],
  },
  {
    name: 'Nextcloud',
    redirect: 'https://cloud.example.com/apps/user_oidc/code',
    settings: ({ issuer, clientId, secret }) => [
      `occ user_oidc:provider svc --clientid=${clientId} --clientsecret=${secretIn(secret)} \\`,
      `  --scope="openid email profile" --discoveryuri=${discoveryOf(issuer)}`,
    ],
  },
  {
    name: 'Gitea and Forgejo',
    redirect: 'https://git.example.com/user/oauth2/svc/callback',
    settings: ({ issuer, clientId, secret }) => [
      'OAuth2 provider: OpenID Connect',
      'Authentication name: svc',
      `Client ID (Key): ${clientId}`,
      `Client secret: ${secretIn(secret)}`,
      `OpenID Connect Auto Discovery URL: ${discoveryOf(issuer)}`,
      'Additional scopes: email profile groups',
    ],
  },
  {
    name: 'WordPress',
    redirect: 'https://www.example.com/wp-admin/admin-ajax.php?action=openid-connect-authorize',
    settings: ({ issuer, clientId, secret }) => [
      'Plugin: OpenID Connect Generic',
      `Client ID: ${clientId}`,
      `Client secret key: ${secretIn(secret)}`,
      'OpenID scope: openid email profile',
      `Login endpoint URL: ${issuer}/oidc/authorize`,
      `Userinfo endpoint URL: ${issuer}/oidc/userinfo`,
      `Token validation endpoint URL: ${issuer}/oidc/token`,
      `End session endpoint URL: ${issuer}/oidc/logout`,
      'PKCE: on',
    ],
  },
  {
    name: 'oauth2-proxy',
    redirect: 'https://tools.example.com/oauth2/callback',
    settings: ({ issuer, clientId, secret }) => [
      'provider = "oidc"',
      `oidc_issuer_url = "${issuer}"`,
      `client_id = "${clientId}"`,
      `client_secret = "${secretIn(secret)}"`,
      'code_challenge_method = "S256"',
      'scope = "openid email profile groups"',
    ],
  },
  {
    name: 'Apache',
    redirect: 'https://www.example.com/protected/callback',
    settings: ({ issuer, clientId, secret }) => [
      `OIDCProviderMetadataURL ${discoveryOf(issuer)}`,
      `OIDCClientID ${clientId}`,
      `OIDCClientSecret ${secretIn(secret)}`,
      'OIDCScope "openid email profile"',
      'OIDCPKCEMethod S256',
    ],
  },
  {
    name: 'Other software',
    redirect: 'https://app.example.com/callback',
    settings: ({ issuer, clientId, secret }) => [
      `Issuer: ${issuer}`,
      `Discovery document: ${discoveryOf(issuer)}`,
      `Client ID: ${clientId}`,
      ...(secret ? [`Client secret: ${secretIn(secret)}`] : []),
      'Scopes: openid email profile',
      'PKCE: S256',
    ],
  },
];
