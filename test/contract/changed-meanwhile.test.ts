import { expect } from 'chai';
import { pathOf } from '#core/kernel/operation.js';
import { propertiesOf } from '#core/kernel/schema/schema.js';
import { at, isRecord } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { operations } from './support/operations.js';
import { prepareWrite, refusedExample } from './support/write-calls.js';

/** Why the other operations that change what is there cannot overwrite the work of somebody else. */
const open: Readonly<Record<string, string>> = {
  'audience.preferences.set': 'Each choice is one value and a consent record of its own; other choices stay.',
  'auth.identity.primary.set': 'It sets one value of the user’s own, which the caller names.',
  'auth.password.set': 'The user’s own password: one value, which no other person sees or sets.',
  'billing.cap.set': 'It sets one value, which only owners may do. Its audit record has the one before.',
};

const isGuarded = ({ input }: (typeof operations)[number]): boolean => 'ifUnchangedSince' in propertiesOf(input);

/** The `updatedAt` of the thing in a reply. */
const updatedAtIn = (text: string): string => {
  const result = at(JSON.parse(text), 'result');
  if (isRecord(result) && 'updatedAt' in result) return String(result['updatedAt']);
  const thing = isRecord(result) ? Object.values(result).find((each) => isRecord(each) && 'updatedAt' in each) : null;
  return String(at(thing, 'updatedAt'));
};

describe('An update of what somebody else has changed', () => {
  const platform = usePlatform();

  it('can be prevented in every operation that changes or replaces something, unless a reason is given here', () => {
    const changing = operations.filter(({ name }) => /\.(?:update|set|save)$/.test(name));
    const unguarded = changing.filter((each) => !isGuarded(each)).map(({ name }) => name);
    expect(unguarded.filter((name) => !(name in open))).to.deep.equal([]);
    const guarded = changing.filter(isGuarded).map(({ name }) => name);
    expect(guarded.filter((name) => name in open)).to.deep.equal([]);
  });

  itNeeding('audience')('lets one of two saves through that are made at the same time', async () => {
    const { svc } = await platform.account();
    const definition = { field: 'email', op: 'exists' };
    const { segment } = await svc.call('audience.segment.create', { name: 'All', definition });
    const save = (name: string) =>
      svc
        .call('audience.segment.update', { segmentId: segment.id, name, ifUnchangedSince: segment.updatedAt })
        .then(() => name)
        .catch(() => null);
    const saved = (await Promise.all(['One', 'Two', 'Three'].map(save))).filter((name) => name !== null);
    expect(saved).to.have.length(1);
    expect((await svc.call('audience.segment.get', { segmentId: segment.id })).segment.name).to.equal(saved[0]);
  });

  for (const operation of operations.filter(isGuarded))
    it(`is refused by ${operation.name}, and names who changed it`, async () => {
      const account = await platform.account();
      const { body, key } = await prepareWrite(operation, platform, account);
      const path = pathOf(operation.name);
      const call = (ifUnchangedSince: string) =>
        platform.api.raw(path, JSON.stringify({ ...JSON.parse(body), ifUnchangedSince }), { key });
      const first = await platform.api.raw(path, body, { key });
      expect(first.status, refusedExample(operation, first.text)).to.equal(200);
      const updatedAt = updatedAtIn(first.text);
      const same = await call(updatedAt);
      expect(same.status, same.text).to.equal(200);
      const late = await call(new Date(Date.parse(updatedAtIn(same.text)) - 1).toISOString());
      const error = at(JSON.parse(late.text), 'error');
      expect([late.status, at(error, 'code')], late.text).to.deep.equal([409, 'changed_meanwhile']);
      const details = at(error, 'details');
      expect(at(details, 'updatedAt')).to.equal(updatedAtIn(same.text));
      // End users may not know the project's members and keys.
      if (operation.access === 'user') expect(at(details, 'changedBy')).to.equal(null);
      else expect(at(details, 'changedBy', 'kind')).to.equal('key');
    });
});
