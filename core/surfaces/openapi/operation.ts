import type { Catalogue } from '#core/kernel/deployment-catalogue.js';
import { permissionOf, type Operation } from '#core/kernel/operation.js';
import { ageText, asOfHeader } from '../answer-age.js';
import { described, type Components } from './components.js';
import { answerHeader, parameter } from './headers.js';
import { errorResponses } from './refusals.js';
import { schemeOf } from './security.js';

/** Describes an operation. */
export function describeOperation(
  operation: Operation,
  catalogue: Catalogue,
  components: Components,
): Record<string, unknown> {
  const { name, product, summary, description, access, impact, limits, example } = operation;
  const scheme = schemeOf(operation);
  const age = ageText(operation);
  const texts = [description, age].filter((each) => each !== undefined);
  return {
    operationId: name,
    tags: [product],
    summary,
    ...(texts.length === 0 ? {} : { description: texts.join('\n\n') }),
    security: scheme === undefined ? [] : [{ [scheme]: [] }],
    ...(impact.read ? {} : { parameters: [parameter('IdempotencyKey')] }),
    ...(age === undefined ? {} : { parameters: [parameter('SvcMaxAge')] }),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: described(operation.input, 'input', components), example: example.input },
      },
    },
    responses: {
      200: successResponse(operation, components),
      ...errorResponses(operation, catalogue, components),
    },
    'x-svc-scope': access === 'public' ? 'pretenant' : 'environment',
    'x-svc-access': access,
    'x-svc-permission': permissionOf(operation),
    'x-svc-impact': impact,
    'x-svc-errors': catalogue.codesOf(operation),
    'x-svc-events': catalogue.eventsOf(operation),
    'x-svc-limit': limits?.map((limit) => limit.description).join('; ') ?? null,
  };
}

function successResponse(
  { impact, mayBeOld, output, example }: Operation,
  components: Components,
): Record<string, unknown> {
  return {
    description: 'Success.',
    headers: {
      'X-Request-Id': answerHeader('RequestId'),
      ...(impact.read ? {} : { 'Idempotent-Replayed': answerHeader('IdempotentReplayed') }),
      ...(mayBeOld === undefined ? {} : { [asOfHeader]: answerHeader('DataAsOf') }),
    },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['activityId', 'result'],
          properties: {
            activityId: { type: 'string', description: 'Id of the audit record that the call wrote; empty for reads.' },
            result: described(output, 'reply', components),
          },
        },
        example: { activityId: impact.read ? '' : '01890a5d-ac96-774b-bcce-b302099a8057', result: example.output },
      },
    },
  };
}
