import { permissionOf, pathOf, type Operation } from '#core/kernel/operation.js';
import type { Catalogue } from '#core/kernel/catalogue.js';
import { described, type Components } from './components.js';
import { describeEvents } from './events.js';

/** The machine-readable description (OpenAPI 3.1) of everything that is enabled, made of the registry alone. */
export function describeApi(catalogue: Catalogue, baseUrl: string): Record<string, unknown> {
  const components: Components = new Map([['Error', errorEnvelope]]);
  const paths = Object.fromEntries(
    [...catalogue.operations.values()].map((operation) => [
      pathOf(operation.name),
      { post: describeOperation(operation, catalogue, components) },
    ]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'svc',
      version: '1',
      description:
        'Outbound messaging, sign-in, audiences, billing, developer credentials and account administration. Every operation is one POST.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: baseUrl },
      { url: `${baseUrl}/v1`, description: 'The same operations, under the prefix that also stays valid.' },
    ],
    tags: [...catalogue.products].map(([name, description]) => ({ name, description })),
    paths,
    webhooks: describeEvents(catalogue, components),
    components: {
      schemas: Object.fromEntries(components),
      securitySchemes: {
        secretKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A secret key (svc_live_… or svc_test_…), or a dashboard session.',
        },
        publishableKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A publishable key (svc_live_pk… or svc_test_pk…).',
        },
      },
    },
    'x-svc-events': [...catalogue.events.keys()],
    'x-svc-errors': catalogue.enabledErrors,
  };
}

const errorEnvelope = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'fix', 'requestId'],
      properties: {
        code: { type: 'string', description: 'Stable: branch on it.' },
        message: { type: 'string', description: 'For people; may be reworded.' },
        fix: { type: 'string', description: 'The next step.' },
        requestId: { type: 'string', format: 'uuid' },
        details: { type: 'object', description: 'More, for programs; by code.' },
      },
    },
  },
};

function security(operation: Operation): Record<string, string[]>[] {
  if (operation.access === 'public') return [];
  return [
    operation.access === 'secret' || operation.access === 'operator' ? { secretKey: [] } : { publishableKey: [] },
  ];
}

function describeOperation(
  operation: Operation,
  catalogue: Catalogue,
  components: Components,
): Record<string, unknown> {
  const { name, product, summary, description, access, impact, limits, example } = operation;
  const codes = catalogue.codesOf(operation);
  const reply = {
    type: 'object',
    required: ['activityId', 'result'],
    properties: {
      activityId: { type: 'string', description: 'Id of the audit record the call wrote; empty for reads.' },
      result: described(operation.output, components),
    },
  };
  return {
    operationId: name,
    tags: [product],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security(operation),
    ...(impact.read ? {} : { parameters: [idempotencyHeader] }),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: described(operation.input, components), example: example.input } },
    },
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: reply, example: exampleReply(operation) } },
      },
      ...refusals(codes, catalogue),
    },
    'x-svc-scope': access === 'public' ? 'pretenant' : 'environment',
    'x-svc-access': access,
    'x-svc-permission': permissionOf(operation),
    'x-svc-impact': impact,
    'x-svc-errors': codes,
    'x-svc-events': catalogue.eventsOf(operation),
    'x-svc-limit': limits?.map((limit) => limit.words).join('; ') ?? null,
  };
}

const exampleReply = ({ impact, example }: Operation): unknown => ({
  activityId: impact.read ? '' : '01890a5d-ac96-774b-bcce-b302099a8057',
  result: example.output,
});

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'A repeat with the same key and input returns the stored answer for 24 hours; the same key with other input is refused.',
};

/** One response per status, with its codes as an enum. */
function refusals(codes: readonly string[], catalogue: Catalogue): Record<string, unknown> {
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const status = catalogue.errors[code]?.status ?? 500;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, some]) => [
        status,
        {
          description: some.join(', '),
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Error' },
                  { properties: { error: { properties: { code: { enum: some } } } } },
                ],
              },
            },
          },
        },
      ]),
  );
}
