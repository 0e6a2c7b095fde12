import {
  boolean,
  dateTime,
  list,
  named,
  nullable,
  object,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';

export const Passkey = named(
  'Passkey',
  object(
    {
      id: uuid('The passkey’s id.'),
      name: text('The name that the user knows it by.'),
      credentialId: text('WebAuthn’s id of the credential, base64url.'),
      transports: list(text(), 'How browsers reach the authenticator.'),
      backedUp: boolean('Whether it is synchronized to other devices.'),
      aaguid: text('The make of the authenticator.'),
      createdAt: dateTime('When it was added.'),
      lastUsedAt: nullable(dateTime('When it was used last.')),
    },
    { description: 'A WebAuthn credential.' },
  ),
);

export type PasskeyValue = ValueOf<typeof Passkey>;
