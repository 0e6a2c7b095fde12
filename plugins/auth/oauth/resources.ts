import {
  boolean,
  dateTime,
  list,
  named,
  nullable,
  object,
  text,
  url,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

export const OAuthApp = named(
  'OAuthApp',
  object(
    {
      provider: text(
        'google, github, microsoft, apple, gitlab, linkedin, or your name for another OpenID Connect issuer.',
      ),
      name: text('The name on sign-in buttons.'),
      clientId: text('The client id that the provider issued to you.'),
      issuer: nullable(url('The issuer URL; null for providers without OpenID Connect.')),
      scopes: list(text(), 'The scopes that are requested.'),
      enabled: boolean('Whether users can sign in with it.'),
      callbackUrl: url('The redirect URI to register at the provider.'),
      createdAt: dateTime('When it was configured.'),
      updatedAt: dateTime('When it last changed.'),
    },
    {
      description: 'A provider that users can sign in with. The client secret is never returned.',
      columns: ['provider', 'name', 'enabled', 'clientId', 'issuer', 'callbackUrl', 'updatedAt'],
    },
  ),
);

export type OAuthAppValue = ValueOf<typeof OAuthApp>;
