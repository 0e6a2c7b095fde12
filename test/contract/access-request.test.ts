import { expect } from 'chai';
import { attachment, profiles, sections } from '#core/surfaces/cli/privacy/sections.js';
import { usePlatform } from '#test/support/platform.js';
import { propertiesOf } from '#core/kernel/schema/schema.js';

/** Input fields that name a person. */
const naming = ['contactId', 'userId', 'email', 'phone', 'externalId', 'to', 'from', 'subjectId', 'actorId'];

/** Reads by such a field that an access request does not need, with the reason. */
const notNeeded: Readonly<Record<string, string>> = {
  'email.template.preview': 'shows a template with the fields of the contact',
  'sms.estimate': 'counts a text for a number, and stores nothing',
};

describe('An access request', () => {
  const platform = usePlatform();

  it('reads every operation that finds something by a person', () => {
    const read = new Set([
      attachment,
      ...profiles.map(({ operation }) => operation),
      ...sections.flatMap(({ operation, each }) => (each ? [operation, each.operation] : [operation])),
    ]);
    const missing = [...platform.running.services.catalogue.operations.values()]
      .filter(({ impact, access }) => impact.read && access === 'secret')
      .filter(({ input }) => naming.some((name) => name in propertiesOf(input)))
      .map(({ name }) => name)
      .filter((name) => !read.has(name) && !(name in notNeeded));
    expect(missing).to.deep.equal([]);
  });
});
