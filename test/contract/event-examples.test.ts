import { expect } from 'chai';
import type { EventDeclaration } from '#core/kernel/event.js';
import { examplePayload } from '#core/kernel/events/example.js';
import { cutToSchema } from '#core/kernel/schema/validation/cut.js';
import { replyProblem } from '#core/kernel/schema/validation/validate.js';
import { at, isRecord } from '#test/support/json.js';
import { plugins } from './support/operations.js';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('The example of every event', () => {
  for (const [name, declaration] of plugins.flatMap(({ events }) => Object.entries<EventDeclaration>(events))) {
    const { data, example } = declaration;
    it(`${name}: is declared, matches its schema without further fields, and has the status that its name says`, () => {
      expect(example, `declare ‘example’ beside ‘data’ of ${name}`).to.be.an('object');
      const surplus: string[] = [];
      cutToSchema(data, example, (path) => surplus.push(path));
      expect(surplus).to.deep.equal([]);
      expect(replyProblem(data, asJson(example))).to.equal(undefined);
      expect(examplePayload(name, declaration).environment).to.equal(
        JSON.stringify(example).includes('test_environment') ? 'test' : 'live',
      );
      const said = name.split('.').at(-1);
      const [resource] = isRecord(example) ? Object.values(example) : [];
      const status = at(resource, 'status') ?? at(resource, 'state');
      const statuses = [
        'queued',
        'sent',
        'failed',
        'suppressed',
        'cancelled',
        'bounced',
        'granted',
        'revoked',
        'enabled',
        'disabled',
      ];
      const ofMember = name.startsWith('account.') ? ['invited', 'removed'] : [];
      // Statuses of broadcasts are other words: draft, sending, held, closed.
      const isBroadcast = /^(email|sms)\.broadcast\./.test(name);
      if (!isBroadcast && typeof status === 'string' && said !== undefined && [...statuses, ...ofMember].includes(said))
        expect(status).to.equal(said);
    });
  }
});
