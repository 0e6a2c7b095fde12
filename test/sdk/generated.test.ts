import { expect } from 'chai';
import { commonErrors } from '#core/kernel/errors/common.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { createRegistry } from '#core/kernel/registry/registry.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import {
  boolean,
  either,
  integer,
  list,
  map,
  named,
  nullable,
  object,
  oneOf,
  optional,
  propertiesOf,
  text,
  uuid,
  withDefault,
} from '#core/kernel/schema/schema.js';
import { sdkSource } from '#core/surfaces/sdk/generate/index.js';
import { Svc } from '#core/surfaces/sdk/index.js';

const plugins = await findPlugins();
const registry = createRegistry(plugins, []);

/** The generated source for all operations and one additional product. */
const sourceWith = (...operations: readonly Operation[]): string =>
  sdkSource(
    createRegistry(
      [
        ...plugins,
        definePlugin({
          name: 'lab',
          summary: 'What no product shows.',
          tables: [],
          operations,
          events: {},
          errors: {},
        }),
      ],
      [],
    ),
  );

const Parcel = named(
  'Parcel',
  object({ id: uuid(), size: withDefault(oneOf(['s', 'l']), 's'), notes: nullable(text()), 'odd-name': boolean() }),
);
const example = { id: '01890a5d-ac96-774b-bcce-b302099a8057', size: 's' as const, notes: null, 'odd-name': true };

const sendParcel = defineOperation({
  name: 'lab.parcel.send',
  summary: 'Send a parcel.',
  description: 'It ends */ nothing.',
  access: 'secret',
  impact: { billable: true },
  input: object(
    {
      parcel: Parcel,
      weight: withDefault(integer('Grams.', { minimum: 1, maximum: 100 }), 50),
      to: optional(either(text(), list(text()))),
      toAll: optional(boolean()),
      tags: optional(map(text())),
    },
    { exactlyOneOf: ['to', 'toAll'] },
  ),
  output: object({ parcel: Parcel, stops: list(object({ at: text() })) }),
  errors: ['limit_reached'],
  example: { input: { parcel: example, to: 'ada' }, output: { parcel: example, stops: [] } },
  handle: async ({ parcel }) => ({ parcel, stops: [] }),
});

const listParcels = defineOperation({
  name: 'lab.parcel.list',
  summary: 'List parcels.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({ ...page }),
  output: object({ parcels: list(Parcel), nextBefore }),
  example: { input: {}, output: { parcels: [example], nextBefore: null } },
  handle: async () => ({ parcels: [], nextBefore: null }),
});

describe('The SDK’s generated source', () => {
  it('includes a newly registered operation with its method, types, codes and table entry', () => {
    expect(sdkSource(registry)).not.to.include('lab.');
    const source = sourceWith(sendParcel, listParcels);
    for (const part of [
      'send(input: LabParcelSendInput, options?: CallOptions): Promise<LabParcelSendResult>;',
      '(input?: LabParcelListInput, options?: CallOptions): Promise<LabParcelListResult>;',
      'all(input?: LabParcelListInput, options?: CallOptions): AsyncGenerator<Parcel, void, undefined>;',
      "'lab.parcel.send': {},",
      "'lab.parcel.list': { read: true, retrySafe: true, list: 'parcels' },",
    ])
      expect(source).to.include(part);
    expect(source).to.match(/export type LabParcelSendCode = CommonCode \|.*'limit_reached'/);
  });

  it('has strict input types, and reply types with every field, and declares each resource once', () => {
    const source = sourceWith(sendParcel, listParcels);
    const declaration = (name: string): string =>
      new RegExp(`^export (?:interface|type) ${name} [\\s\\S]*?^\\}.*$`, 'm').exec(source)?.[0] ?? '';
    expect(declaration('Parcel')).to.equal(
      [
        'export interface Parcel {',
        '  /** uuid */',
        '  id: string;',
        '  /** default "s" */',
        "  size: 's' | 'l';",
        '  notes: string | null;',
        "  'odd-name': boolean;",
        '}',
      ].join('\n'),
    );
    expect(declaration('ParcelInput')).to.include("size?: 's' | 'l';");
    expect(declaration('LabParcelSendResult')).to.include('parcel: Parcel;').and.include('stops: {');
    const input = declaration('LabParcelSendInput');
    expect(input).to.include('export type LabParcelSendInput = ExactlyOne<{').and.include("}, 'to' | 'toAll'>;");
    expect(input)
      .to.include('parcel: ParcelInput;')
      .and.include('to?: string | string[];')
      .and.include('tags?: Record<string, string>;');
    expect(input).to.include('/** Grams. (1 to 100; default 50) */').and.include('weight?: number;');
    expect(source.match(/^export interface Parcel /gm)).to.have.length(1);
  });

  it('documents each method with its purpose, access and errors, and escapes the end of a comment', () => {
    const words = [
      '/**',
      '* Send a parcel.',
      '* It ends *\\/ nothing.',
      '* Needs a secret key with `lab:write`. Impact: billable.',
      `* @throws SvcError \`limit_reached\` (409): ${commonErrors.limit_reached.message}`,
      '*/',
      'send(',
    ];
    expect(sourceWith(sendParcel).replace(/^ +/gm, '')).to.include(words.join('\n'));
  });

  it('rejects two different resources with the same name', () => {
    const other = defineOperation({
      name: 'lab.parcel.other',
      summary: 'Show something else.',
      access: 'secret',
      input: object({}),
      output: object({ parcel: named('Parcel', object({ id: text() })) }),
      example: { input: {}, output: { parcel: { id: 'x' } } },
      handle: async () => ({ parcel: { id: 'x' } }),
    });
    expect(() => sourceWith(listParcels, other)).to.throw('Two schemas are named Parcel');
  });
});

describe('The SDK’s client', () => {
  const svc = new Svc({ baseUrl: 'http://127.0.0.1:9' });

  const at = (name: string): unknown =>
    name
      .split('.')
      .reduce<unknown>(
        (node, word) =>
          (typeof node === 'object' && node !== null) || typeof node === 'function'
            ? Reflect.get(node, word)
            : undefined,
        svc,
      );

  it('has a method for every operation, and `all` on every list', () => {
    for (const { name, input, output } of registry.operations.values()) {
      expect(at(name), name).to.be.a('function');
      const isList = 'before' in propertiesOf(input) && 'nextBefore' in propertiesOf(output);
      expect(at(`${name}.all`), name).to.be.a(isList ? 'function' : 'undefined');
    }
  });

  it('is not a promise, so that an async function can return it', async () => {
    expect(await Promise.resolve(svc)).to.equal(svc);
    expect(await Promise.resolve(svc.account)).to.equal(svc.account);
  });
});
