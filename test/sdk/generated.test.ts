import { expect } from 'chai';
import { commonErrors } from '#core/kernel/errors/common.js';
import { findPlugins } from '#core/kernel/registry/find-plugins.js';
import { defineOperation, type Operation } from '#core/kernel/operation.js';
import { definePlugin } from '#core/kernel/plugin.js';
import { createRegistry, type Registry } from '#core/kernel/registry/registry.js';
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
import { goSources } from '#core/surfaces/sdk-go/generate/index.js';
import { pythonSources } from '#core/surfaces/sdk-python/generate/index.js';

const plugins = await findPlugins();
const registry = createRegistry(plugins, []);

/** The registry of all operations and one additional product. */
const registryWith = (...operations: readonly Operation[]): Registry =>
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
  );
const sourceWith = (...operations: readonly Operation[]): string => sdkSource(registryWith(...operations));

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
    expect(declaration('ParcelInput')).to.include("size?: 's' | 'l' | undefined;");
    expect(declaration('LabParcelSendResult')).to.include('parcel: Parcel;').and.include('stops: {');
    const input = declaration('LabParcelSendInput');
    expect(input).to.include('export type LabParcelSendInput = ExactlyOne<{').and.include("}, 'to' | 'toAll'>;");
    expect(input)
      .to.include('parcel: ParcelInput;')
      .and.include('to?: string | string[] | undefined;')
      .and.include('tags?: Record<string, string> | undefined;');
    expect(input).to.include('/** Grams. (1 to 100; default 50) */').and.include('weight?: number | undefined;');
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

describe('The generated source of the Python SDK', () => {
  const sources = (...operations: readonly Operation[]) => pythonSources(registryWith(...operations), '1.2.0');

  it('has both clients’ methods of a newly registered operation, with overloads for alternative fields', () => {
    const { '_sync_gen.py': sync, '_async_gen.py': async } = sources(sendParcel, listParcels);
    const group = /^class LabParcelGroup:[^]*?(?=\n\n\n)/m.exec(sync)?.[0] ?? '';
    expect(group.match(/ {4}def send\(/g)).to.have.length(3);
    expect(group.match(/@overload\n {4}def send\(/g)).to.have.length(2);
    expect(sync)
      .to.include('        to: Union[str, Sequence[str]],\n')
      .and.include('        weight: Union[int, NotGiven] = NOT_GIVEN,\n')
      .and.include('        parcel: t.ParcelInput,\n')
      .and.include('"parcel": encode(parcel, t.ParcelInput),')
      .and.include('    ) -> Iterator[t.Parcel]:');
    expect(async).to.include('    async def send(').and.include('    ) -> AsyncIterator[t.Parcel]:');
    for (const text of [
      ':param weight: Grams. (1 to 100; default 50)',
      `:raises SvcError: \`limit_reached\` (409): ${commonErrors.limit_reached.message}`,
    ])
      expect(sync.replace(/\s+/g, ' ')).to.include(text);
  });

  it('has replies as classes, inputs as TypedDicts, and lists names that cannot be computed', () => {
    const { '_types_gen.py': types, '_operations_gen.py': table } = sources(sendParcel, listParcels);
    const declaration = (name: string): string =>
      new RegExp(`^class ${name}\\([^]*?(?=\\n\\n\\n)`, 'm').exec(types)?.[0] ?? '';
    expect(declaration('Parcel')).to.equal(
      [
        'class Parcel(Record):',
        '    id: str',
        '    """uuid"""',
        '    size: Literal["s", "l"]',
        '    """default "s\\""""',
        '    notes: Optional[str]',
        '    odd_name: bool',
      ].join('\n'),
    );
    expect(declaration('_ParcelInputRequired')).to.include('notes: Optional[str]').and.not.include('size');
    expect(declaration('ParcelInput')).to.include('size: Literal["s", "l"]');
    expect(table).to.include('"odd_name": "odd-name",').and.include('"lab.parcel.list",');
    expect(table).to.include('VERSION = "1.2.0"').and.not.include('"lab.parcel.send"');
  });

  it('keeps apart names of Python and of the SDK, and refuses two fields that would be one', () => {
    const named = (...fields: readonly string[]) =>
      defineOperation({
        name: 'lab.parcel.import',
        summary: 'Import parcels.',
        description: 'It has \\ and """.',
        access: 'secret',
        input: object(Object.fromEntries(fields.map((field) => [field, optional(text())]))),
        output: object({ toDict: text() }),
        example: { input: {}, output: { toDict: 'x' } },
        handle: async () => ({ toDict: 'x' }),
      });
    const { '_sync_gen.py': sync, '_types_gen.py': types } = sources(named('from', 'timeout', 'dueAt'));
    expect(sync).to.include('    def import_(\n').and.include('"from": from_,').and.include('"timeout": timeout_,');
    expect(sync).to.include('It has \\\\ and \\"\\"\\".');
    expect(types).to.include('    to_dict_: str');
    expect(() => sources(named('dueAt', 'due-at'))).to.throw('In Python, dueAt and due-at would both be due_at.');
  });
});

describe('The generated source of the Go SDK', () => {
  const sources = (...operations: readonly Operation[]) => goSources(registryWith(...operations), '1.2.0');

  it('has the methods of a newly registered operation, and an iterator for a list', () => {
    const { 'operations_gen.go': client, 'facts_gen.go': facts } = sources(sendParcel, listParcels);
    expect(client)
      .to.include('type LabParcelGroup struct {\n\tcaller *caller\n}')
      .and.include(
        '(ctx context.Context, in LabParcelSendInput, options ...CallOption) (*LabParcelSendResult, error) {',
      )
      .and.include('(ctx context.Context, in LabParcelListInput, options ...CallOption) *Iterator[Parcel] {')
      .and.include('return page.Parcels, page.NextBefore, nil')
      .and.include('client.Lab.Parcel.caller = c');
    for (const text of [
      'Send calls lab.parcel.send. Send a parcel.',
      `- limit_reached (409): ${commonErrors.limit_reached.message}`,
    ])
      expect(client.replace(/\s+(?:\/\/\s+)*/g, ' ')).to.include(text);
    expect(facts).to.include('const Version = "1.2.0"').and.include('"lab.parcel.list"');
    expect(facts).to.not.include('"lab.parcel.send"');
  });

  it('has replies whose absent fields are nil, and inputs that say what is left out', () => {
    const { 'types_gen.go': types } = sources(sendParcel, listParcels);
    const declaration = (name: string): string =>
      new RegExp(`^type ${name} struct \\{[^]*?^\\}`, 'm').exec(types)?.[0] ?? '';
    expect(declaration('Parcel')).to.equal(
      [
        'type Parcel struct {',
        '\t// uuid',
        '\tID string `json:"id"`',
        '',
        '\t// default "s"',
        '\tSize string `json:"size"`',
        '',
        '\tNotes *string `json:"notes"`',
        '',
        '\tOddName bool `json:"odd-name"`',
        '}',
      ].join('\n'),
    );
    expect(types).to.include('\tParcelSizeS = "s"\n\tParcelSizeL = "l"\n');
    expect(declaration('ParcelInput')).to.include('Size *string').and.include('Notes *string');
    expect(declaration('LabParcelSendInput'))
      .to.include('Parcel ParcelInput `json:"parcel"`')
      .and.include('\t// Grams. (1 to 100; default 50)\n\tWeight *int64 `json:"weight"`')
      .and.include('To Strings `json:"to"`')
      .and.include('Tags map[string]string `json:"tags"`');
    expect(types).to.include('LabParcelSendInput is the input of lab.parcel.send. Set exactly one of To, ToAll.');
    expect(types).to.include('\tif in.ToAll != nil {\n\t\to.add("toAll", in.ToAll)\n\t}\n');
    expect(types).to.include('\to.add("parcel", in.Parcel)\n');
    expect(declaration('LabParcelListResult')).to.include('Envelope Envelope `json:"-"`');
  });

  it('takes any value for alternative objects that have no names', () => {
    const operation = defineOperation({
      name: 'lab.parcel.plan',
      summary: 'Plan a parcel.',
      access: 'secret',
      input: object({ form: either(object({ post: text() }), object({ courier: text() })) }),
      output: object({}),
      example: { input: { form: { post: 'x' } }, output: {} },
      handle: async () => ({}),
    });
    const { 'types_gen.go': types } = sources(operation);
    expect(types).to.include('\tForm any `json:"form"`');
  });

  it('writes names as Go programs do, and refuses those that would be one', () => {
    const named = (...fields: readonly string[]) =>
      defineOperation({
        name: 'lab.parcel.smsUrl',
        summary: 'Show a parcel.',
        access: 'secret',
        input: object(Object.fromEntries(fields.map((field) => [field, optional(nullable(text()))]))),
        output: object({ envelopeId: text() }),
        example: { input: {}, output: { envelopeId: 'x' } },
        handle: async () => ({ envelopeId: 'x' }),
      });
    const { 'types_gen.go': types, 'operations_gen.go': client } = sources(named('clientDataJSON', 'rpId', '2faCode'));
    expect(client).to.include('SMSURL(ctx context.Context, in LabParcelSMSURLInput,');
    expect(types)
      .to.include('ClientDataJSON Nullable[string] `json:"clientDataJSON"`')
      .and.include('RPID Nullable[string] `json:"rpId"`')
      .and.include('N2faCode Nullable[string] `json:"2faCode"`')
      .and.include('if in.RPID.IsSet() {');
    expect(() => sources(named('dueAt', 'due-at'))).to.throw('In Go, two fields of LabParcelSMSURLInput');
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
