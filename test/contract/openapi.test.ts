import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { pathOf } from '#core/kernel/operation.js';
import { descriptionText } from '#core/surfaces/openapi/file.js';
import { at, isRecord, recordAt, resolved } from '#test/support/json.js';
import { usePlatform } from '#test/support/platform.js';
import { operations, plugins } from './support/operations.js';

describe('/openapi.json', () => {
  const platform = usePlatform();

  const description = async (): Promise<Record<string, unknown>> => {
    const answer = await platform.api.raw('/openapi.json', undefined, { method: 'GET' });
    const parsed: unknown = JSON.parse(answer.text);
    if (!isRecord(parsed)) throw new Error('/openapi.json is not an object.');
    return parsed;
  };

  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(await description());
    expect(errors ?? []).to.deep.equal([]);
    expect(valid).to.equal(true);
  });

  it('is also a file, as npm run generate writes it', async () => {
    const path = new URL('../../openapi.json', import.meta.url);
    expect(
      (await readFile(path, 'utf8')) === descriptionText(createRegistry(plugins, [])),
      'run `npm run generate`',
    ).to.equal(true);
  });

  it('has exactly the enabled operations, each as one POST', async () => {
    const { paths } = await description();
    const stated = isRecord(paths) ? paths : {};
    expect(Object.keys(stated)).to.have.members(operations.map(({ name }) => pathOf(name)));
    for (const { name } of operations) {
      const item = stated[pathOf(name)];
      expect(isRecord(item) && Object.keys(item)).to.deep.equal(['post']);
      expect(isRecord(item) && isRecord(item['post']) && item['post']['operationId']).to.equal(name);
    }
  });

  it('has no dangling references', async () => {
    const document = await description();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.some((path) => path.startsWith('components/schemas/'))).to.equal(true);
    expect([...new Set(references)].filter((path) => at(document, ...path.split('/')) === undefined)).to.deep.equal([]);
  });

  it('lists for each status the error codes of the operation', async () => {
    const document = await description();
    const { errors } = platform.running.services.catalogue;
    for (const { name } of operations) {
      const post = at(document, 'paths', pathOf(name), 'post');
      const codes = at(post, 'x-svc-errors');
      expect(codes, name).to.be.an('array').that.is.not.empty;
      const stated = Object.entries(recordAt(post, 'responses')).flatMap(([status, response]) => {
        const schema = resolved(document, at(response, 'content', 'application/json', 'schema'));
        const some = at(schema, 'properties', 'error', 'properties', 'code', 'enum');
        for (const code of Array.isArray(some) ? some.map(String) : [])
          expect(errors[code]?.status, `${name} ${code}`).to.equal(Number(status));
        return Array.isArray(some) ? some.map(String) : [];
      });
      expect(stated, name).to.have.members(Array.isArray(codes) ? codes : []);
    }
  });

  it('forbids unknown fields in requests and allows them in replies, since a later version may add some', async () => {
    const document = await description();
    for (const { name } of operations) {
      const post = at(document, 'paths', pathOf(name), 'post');
      const input = resolved(document, at(post, 'requestBody', 'content', 'application/json', 'schema'));
      expect(at(input, 'additionalProperties'), name).to.equal(false);
      expect(closedIn(document, at(post, 'responses')), name).to.deep.equal([]);
    }
    expect(closedIn(document, at(document, 'webhooks'))).to.deep.equal([]);
  });

  it('gives webhooks tags of their own, for generators that make a class per tag, and states the security of both', async () => {
    const document = await description();
    const tagsAt = (name: string): string[] =>
      Object.values(recordAt(document, name)).map((item) => String(at(item, 'post', 'tags', '0')));
    expect(tagsAt('webhooks').filter((tag) => tagsAt('paths').includes(tag))).to.deep.equal([]);
    for (const item of Object.values({ ...recordAt(document, 'paths'), ...recordAt(document, 'webhooks') }))
      expect(at(item, 'post', 'security')).to.be.an('array');
  });
});

/** The paths of schemas that forbid further fields, references followed. */
function closedIn(document: unknown, start: unknown): string[] {
  const seen = new Set<unknown>();
  const walk = (part: unknown, path: string): string[] => {
    const value = resolved(document, part);
    if (typeof value !== 'object' || value === null || seen.has(value)) return [];
    seen.add(value);
    return [
      ...(at(value, 'additionalProperties') === false ? [path] : []),
      ...Object.entries(value).flatMap(([name, each]) => walk(each, `${path}/${name}`)),
    ];
  };
  return walk(start, '');
}
