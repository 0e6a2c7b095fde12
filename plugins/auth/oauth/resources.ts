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
        'google, github, microsoft, apple, gitlab, or the name you gave to another OpenID Connect issuer.',
      ),
      name: text('As sign-in buttons show it.'),
      clientId: text('The client id that the provider gave you.'),
      issuer: nullable(url('The issuer’s address; null for providers without OpenID Connect.')),
      scopes: list(text(), 'The scopes that are asked for.'),
      enabled: boolean('Whether users may sign in with it.'),
      callbackUrl: url('The redirect address to register at the provider.'),
      createdAt: dateTime('When it was configured.'),
      updatedAt: dateTime('When it changed last.'),
    },
    {
      description: 'A provider that users may sign in with. The client secret is never shown.',
      columns: ['provider', 'name', 'enabled', 'clientId', 'issuer', 'callbackUrl', 'updatedAt'],
    },
  ),
);

export type OAuthAppValue = ValueOf<typeof OAuthApp>;
