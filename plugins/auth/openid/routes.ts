/** The provider's addresses, below the environment's root. */
export const openidRoutes = {
  authorization: '/oidc/authorize',
  token: '/oidc/token',
  userinfo: '/oidc/userinfo',
  jwks: '/oidc/jwks',
  revocation: '/oidc/revoke',
  end_session: '/oidc/logout',
  pushed_authorization_request: '/oidc/par',
} as const;
