import { expect } from 'chai';
import { Validator } from '@seriousme/openapi-schema-validator';
import { pathOf } from '#core/kernel/operation.js';
import { usePlatform } from '#test/support/platform.js';
import { operations } from './support/operations.js';

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

describe('/openapi.json', () => {
  const platform = usePlatform();

  const description = async (): Promise<Record<string, unknown>> => {
    const answer = await platform.api.raw('/openapi.json', undefined, { method: 'GET' });
    const parsed: unknown = JSON.parse(answer.text);
    if (!isRecord(parsed)) throw new Error('/openapi.json is no object.');
    return parsed;
  };

  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(await description());
    expect(errors ?? []).to.deep.equal([]);
    expect(valid).to.equal(true);
  });

  it('states every operation once, as one POST, and none beyond', async () => {
    const { paths } = await description();
    const stated = isRecord(paths) ? paths : {};
    expect(Object.keys(stated)).to.have.members(operations.map(({ name }) => pathOf(name)));
    for (const { name } of operations) {
      const item = stated[pathOf(name)];
      expect(isRecord(item) && Object.keys(item)).to.deep.equal(['post']);
      expect(isRecord(item) && isRecord(item['post']) && item['post']['operationId']).to.equal(name);
    }
  });

  it('refers to nothing that is not there', async () => {
    const document = await description();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)];
    const { components } = document;
    const schemas = isRecord(components) && isRecord(components['schemas']) ? components['schemas'] : {};
    expect(references.map(([, name = '']) => name).filter((name) => !(name in schemas))).to.deep.equal([]);
  });
});
