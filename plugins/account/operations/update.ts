import { requireUnchanged, updateTime } from '#core/kernel/audit/unchanged.js';
import { changesBetween } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filledText, ifUnchangedSince, nullable, object, optional } from '#core/kernel/schema/schema.js';
import { lockAccount, accounts } from '../tables/account.js';
import { validateCountry } from '#core/kernel/schema/country.js';
import { plainName } from '#core/kernel/schema/plain-name.js';
import { presentAccount, Account, country, exampleAccount, heardFrom, heardFromDetail } from '../accounts/resources.js';

export default defineOperation({
  name: 'account.update',
  summary: 'Updates the account’s name, country and where it heard about svc. Omitted fields keep their values.',
  keywords: 'rename company organisation organization',
  access: 'secret',
  impact: { retrySafe: true },
  accountWide: true,
  input: object(
    {
      name: optional(filledText('The account’s new name, without web addresses.', 120)),
      country: optional(nullable(country)),
      heardFrom: optional(nullable(heardFrom)),
      heardFromDetail: optional(nullable(heardFromDetail)),
      ifUnchangedSince,
    },
    { minProperties: 1 },
  ),
  output: object({ account: Account }),
  events: ['account.updated'],
  example: { input: { country: 'DE' }, output: { account: exampleAccount } },

  async handle(input, context) {
    const { db, caller, clock, emit, audit } = context;
    const before = await lockAccount(db, caller);
    const changedAt = { updatedAt: before.updatedAt ?? before.createdAt };
    await requireUnchanged(context, input.ifUnchangedSince, changedAt, { type: 'account', id: before.id });
    const after = {
      ...before,
      name: input.name === undefined ? before.name : plainName('name', input.name),
      country: input.country === undefined ? before.country : validateCountry(input.country),
      heardFrom: input.heardFrom === undefined ? before.heardFrom : input.heardFrom,
      heardFromDetail: input.heardFromDetail === undefined ? before.heardFromDetail : input.heardFromDetail,
    };
    const changes = changesBetween(before, after, ['name', 'country', 'heardFrom', 'heardFromDetail']);
    audit({
      subject: { type: 'account', id: after.id },
      summary: `Changed the account “${after.name}”.`,
      changes,
      unchanged: `the account “${after.name}” already had these values.`,
    });
    if (changes.length === 0) return { account: presentAccount(before) };
    const updatedAt = updateTime(changedAt, clock.now());
    const { name, country: code, heardFrom: source, heardFromDetail: detail } = after;
    const values = { name, country: code, heardFrom: source, heardFromDetail: detail, updatedAt };
    await db.update(accounts, { id: after.id }, values);
    const account = presentAccount({ ...after, updatedAt });
    emit('account.updated', { subjectId: after.id, data: { account } });
    return { account };
  },
});
