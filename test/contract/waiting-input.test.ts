import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { usePlatform } from '#test/support/platform.js';

/*
 * Input that waits must not bring back a person who was erased meanwhile
 * (docs/decisions/0154-waiting-input-and-erasure.md).
 * Whoever adds a work queue, or code that creates a person, decides here whether its input waits.
 */

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Every work queue, and what of it can create a person. */
const queues: Readonly<Record<string, 'nobody' | 'asks through planUpserts'>> = {
  'audience.import': 'asks through planUpserts',
  'auth.orgRemoval': 'nobody',
  'billing.close-months': 'nobody',
  'billing.collect-invoices': 'nobody',
  'developers.webhook.delivery': 'nobody',
  'email.automation.archive': 'nobody',
  'email.automation.runs': 'nobody',
  'email.broadcast-audiences': 'nobody',
  'email.broadcasts': 'nobody',
  'email.chunks': 'nobody',
  'email.delivery': 'nobody',
  'email.domains': 'nobody',
  'sms.broadcast-audiences': 'nobody',
  'sms.broadcasts': 'nobody',
  'sms.delivery': 'nobody',
  'sms.numbers': 'nobody',
  'sms.quiet-hours': 'nobody',
  'sms.registrations': 'nobody',
  'svc.erasure': 'nobody',
  'svc.events': 'nobody',
  'svc.events.consumers': 'nobody',
};

/** The code that inserts a person: it asks erasedSince, or is called only by code that does. */
const inserts: Readonly<Record<string, string>> = {
  'plugins/audience/contacts/store.ts': 'writes what planUpserts planned, and changes of contacts that exist',
  'plugins/auth/users/create.ts': 'asks',
  'plugins/auth/imports/write.ts': 'auth.user.import runs in its call: nothing waits',
};

/** Everything that creates people through these, with the time at which the input was accepted. */
const creators: Readonly<Record<string, string>> = {
  'plugins/audience/imports/import-rows.ts': 'the import’s call',
  'plugins/audience/subscriptions/confirm.ts': 'the time in the link of the mail',
  'plugins/audience/subscriptions/request.ts': 'now',
  'plugins/audience/operations/contact/upsert.ts': 'now',
  'plugins/audience/text-choices/port.ts': 'now: a text arrives',
  'plugins/auth/proofs/prove.ts': 'the start of the sign-in',
  'plugins/auth/oauth/finish.ts': 'the start of the sign-in',
  'plugins/auth/operations/user/create.ts': 'now',
};

async function sources(folder: string): Promise<Map<string, string>> {
  const names = await readdir(root + folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts')).map((name) => `${folder}/${name}`);
  return new Map(await Promise.all(files.map(async (name) => [name, await readFile(root + name, 'utf8')] as const)));
}

describe('Input that waits', () => {
  const platform = usePlatform();

  it('is in queues of which it is known whether they create people', () => {
    const names = platform.running.workers.map(({ queue }) => queue);
    expect(names.filter((name) => !(name in queues))).to.deep.equal([]);
  });

  it('reaches the tables of people only through code that asks for erasures since it was accepted', async () => {
    const found = [...(await sources('plugins')), ...(await sources('core'))];
    const matching = (pattern: RegExp): string[] =>
      found
        .filter(([, text]) => pattern.test(text))
        .map(([name]) => name)
        .sort();
    const insertion =
      /\b(?:users|contacts)\.insertRows\(|\.insert\((?:users|contacts),|INSERT (?:IGNORE )?INTO `?(?:auth_user|audience_contact)`?[ (]/;
    expect(matching(insertion)).to.deep.equal(Object.keys(inserts).sort());
    expect(matching(/(?<!function )\b(?:planUpserts|createUser)\(\s*context\b/)).to.deep.equal(
      Object.keys(creators).sort(),
    );
    expect(matching(/\berasedSince\(\s*\{/)).to.include.members([
      'plugins/audience/contacts/upsert.ts',
      'plugins/auth/users/create.ts',
      'plugins/auth/organizations/invitation.ts',
      'plugins/audience/imports/screen.ts',
    ]);
  });
});
