import { newFields } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { boolean, email, object, optional, phone, withDefault } from '#core/kernel/schema/schema.js';
import { exampleUser } from '../../examples.js';
import { emailIdentity, phoneIdentity } from '../../identities/normalize.js';
import { checkNewPassword } from '../../passwords/check-new.js';
import { hashPassword } from '../../passwords/hash.js';
import { newPassword } from '../../passwords/normalize.js';
import { requireClaimsFit } from '../../settings/claim-size.js';
import { loadSettings } from '../../settings/load.js';
import { passwords } from '../../tables/password.js';
import { createUser } from '../../users/create.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { normalizeFacts, userName } from '../../users/input.js';
import { mergeMetadata, metadataInput } from '../../users/metadata.js';
import { jsonRecord } from '#core/runtime/database/json.js';
import { presentUserPrivately, UserWithPrivateMetadata } from '../../users/resources.js';
import { userEntry } from '../../users/update.js';

const nouns = { email: 'address', phone: 'number', oauth: 'provider account', externalId: 'external id' } as const;

export default defineOperation({
  name: 'auth.user.create',
  summary: 'Creates a user with identities that the caller vouches for.',
  description:
    'Signup rules do not apply, because your server creates the user. An unverified address or number is verified by the first sign-in that proves it if the user has no other verified identity; otherwise, the person who proves it gets a separate user.',
  keywords: 'add new end user customer account register sign up',
  access: 'secret',
  input: object({
    email: optional(email('The user’s address.')),
    phone: optional(phone('The user’s number, E.164.')),
    emailVerified: withDefault(boolean('Whether you have verified the address.'), false),
    phoneVerified: withDefault(boolean('Whether you have verified the number.'), false),
    name: optional(userName),
    metadata: optional(metadataInput('Writable only with secret keys; the user can read it.')),
    privateMetadata: optional(metadataInput('Readable and writable only with secret keys.')),
    password: optional(newPassword('A first password. It is stored as an argon2id hash.')),
  }),
  output: object({ user: UserWithPrivateMetadata }),
  errors: ['identity_taken', 'password_too_short', 'password_too_long', 'password_breached'],
  events: ['auth.user.created'],
  example: {
    input: { email: 'ada@example.com', emailVerified: true, name: 'Ada Lovelace', metadata: { plan: 'pro' } },
    output: { user: { ...exampleUser, lastSignInAt: null, banReason: null, privateMetadata: {} } },
  },

  async prepare({ email: address, phone: number, password }, context) {
    if (address === undefined && number === undefined)
      throw context.fail.invalid_input({
        field: 'email',
        problem: 'is missing: pass at least one of email and phone',
      });
    if (password === undefined) return null;
    const settings = await loadSettings(context.db, context.caller.environment.id);
    await checkNewPassword(context, settings.password, password);
    return hashPassword(context.caller, password);
  },

  async handle({ email: address, phone: number, emailVerified, phoneVerified, ...given }, context) {
    const { db, caller, clock, audit, fail, prepared: hash } = context;
    const { environment } = caller;
    const metadata = mergeMetadata('metadata', '{}', given.metadata);
    if (given.metadata) requireClaimsFit((await loadSettings(db, environment.id)).claims, '{}', metadata);
    const created = await createUser(
      context,
      environment,
      {
        identities: [
          ...(address === undefined ? [] : [{ ...emailIdentity(address), verified: emailVerified }]),
          ...(number === undefined ? [] : [{ ...phoneIdentity(number), verified: phoneVerified }]),
        ],
        ...normalizeFacts({ name: given.name && plainName('name', given.name) }),
        metadata: jsonRecord(metadata),
        privateMetadata: jsonRecord(mergeMetadata('privateMetadata', '{}', given.privateMetadata)),
      },
      'now',
    );
    if ('erased' in created) throw new Error('A call that creates a user does not wait.');
    if ('taken' in created) throw fail.identity_taken({ what: nouns[created.taken] });
    const now = clock.now();
    if (hash !== null)
      await db.insert(passwords, {
        userId: created.user.id,
        environmentId: environment.id,
        hash,
        byUser: false,
        createdAt: now,
        updatedAt: now,
      });
    const user = presentUserPrivately(created.user, now);
    audit({
      ...userEntry(user.id),
      summary: hash === null ? 'Created a user.' : 'Created a user with a password.',
      changes: newFields(user, ['email', 'emailVerified', 'phone', 'name', 'metadata', 'privateMetadata']),
    });
    return { user };
  },
});
