import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { formats } from '#core/kernel/schema/formats.js';
import { at, isRecord, recordAt, resolved } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';

describe('The events in /openapi.json', () => {
  const platform = usePlatform();
  const shared: { document?: unknown } = {};
  before(async () => {
    const { text } = await platform.api.raw('/openapi.json', undefined, { method: 'GET' });
    shared.document = JSON.parse(text);
  });

  const events = (): string[] => [...platform.running.services.deployment.events.keys()];
  const content = (event: string): unknown =>
    at(shared.document, 'webhooks', event, 'post', 'requestBody', 'content', 'application/json');

  /** Judges payloads of one event by the document alone, as a customer's program would. */
  function judge(event: string): (payload: unknown) => boolean {
    const ajv = new Ajv2020({ strict: false, formats: { ...formats } });
    ajv.addSchema({ $id: 'https://svc.example/', components: at(shared.document, 'components') });
    const schema = JSON.stringify(at(content(event), 'schema')).replaceAll('"#/', '"https://svc.example/#/');
    const parsed: unknown = JSON.parse(schema);
    if (!isRecord(parsed)) throw new Error(`${event} has no schema.`);
    return ajv.compile(parsed);
  }

  it('are all there, and none beyond: as webhooks and by name', () => {
    expect(Object.keys(recordAt(shared.document, 'webhooks'))).to.have.members(events());
    expect(at(shared.document, 'x-svc-events')).to.have.members(events());
  });

  it('each have an example that fits their schema, and a schema that other payloads do not fit', () => {
    for (const event of events()) {
      const fits = judge(event);
      const example = at(content(event), 'example');
      expect(at(example, 'type')).to.equal(event);
      expect(fits(example), event).to.equal(true);
      for (const wrong of [{}, { type: 'another.event' }, { data: {} }, { data: undefined }, { environment: 'both' }]) {
        const payload: unknown = JSON.parse(JSON.stringify(Object.assign({}, example, wrong)));
        const isSame = JSON.stringify(payload) === JSON.stringify(example);
        const isEmptyAnyway = JSON.stringify(at(example, 'data')) === '{}' && 'data' in wrong && isRecord(wrong.data);
        if (!isSame && !isEmptyAnyway) expect(fits(payload), `${event} ${JSON.stringify(wrong)}`).to.equal(false);
      }
    }
  });

  it('that are counted by a field have few values there', () => {
    /** The schema of a field, also of an object that may be null. */
    const fieldOf = (schema: unknown, name: string): unknown => {
      const forms = at(schema, 'anyOf');
      const found = (Array.isArray(forms) ? forms : [schema]).map((form: unknown) => at(form, 'properties', name));
      return found.find((each) => each !== undefined);
    };
    for (const [event, { countedBy, data, example }] of platform.running.services.deployment.events) {
      if (countedBy === undefined) continue;
      const path = countedBy.split('.');
      const values = at(path.reduce<unknown>(fieldOf, data), 'enum');
      expect(values, `${event} by ${countedBy}`).to.be.an('array').with.length.below(20);
      expect(values, event).to.include(at(example, ...path));
    }
  });

  it('each name the headers of a delivery, required', () => {
    for (const event of events()) {
      const parameters = Object.values(recordAt(shared.document, 'webhooks', event, 'post', 'parameters'));
      const named = parameters
        .map((each) => resolved(shared.document, each))
        .map((each) => [at(each, 'name'), at(each, 'required')]);
      expect(named).to.deep.equal([
        ['Svc-Signature', true],
        ['Svc-Event-Id', true],
        ['Svc-Delivery-Id', true],
        ['webhook-id', true],
        ['webhook-timestamp', true],
        ['webhook-signature', true],
      ]);
    }
  });

  it('are what a delivery really carries', async () => {
    const { svc } = await platform.account();
    await svc.call('account.update', { name: 'Renamed' });
    await svc.call('developers.webhook.create', { url: 'https://hooks.example.com/', eventTypes: ['account.*'] });
    await platform.settled();
    const { events: written } = await svc.call('developers.event.list', {});
    expect(written.map(({ type }) => type)).to.deep.equal(['developers.webhook.created', 'account.updated']);
    for (const event of written) expect(judge(event.type)(event), event.type).to.equal(true);
  });

  it('each operation names those it may write, and all of them are there', () => {
    for (const [path, item] of Object.entries(recordAt(shared.document, 'paths'))) {
      const named = at(item, 'post', 'x-svc-events');
      expect(named, path).to.be.an('array');
      for (const event of Array.isArray(named) ? named : []) expect(events(), path).to.include(event);
    }
  });
});
