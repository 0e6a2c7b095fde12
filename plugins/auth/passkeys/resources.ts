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
      name: text('The user’s name for the passkey.'),
      credentialId: text('The WebAuthn id of the credential, in base64url.'),
      transports: list(text(), 'How browsers reach the authenticator.'),
      backedUp: boolean('Whether it is synced to other devices.'),
      aaguid: text('The model of the authenticator.'),
      createdAt: dateTime('When it was added.'),
      lastUsedAt: nullable(dateTime('When it was last used.')),
    },
    { description: 'A WebAuthn credential.' },
  ),
);

export type PasskeyValue = ValueOf<typeof Passkey>;
