import { lockEnvironment } from '#core/kernel/environment/environment.js';
import { requireKnownPermissions } from '#core/kernel/caller/known-permissions.js';
import { publicPermission } from '#core/kernel/caller/permissions.js';
import { defineOperation } from '#core/kernel/operation.js';
import { filledText, list, object, oneOf, optional, text, withDefault } from '#core/kernel/schema/schema.js';
import { invalidField } from '#core/kernel/errors/invalid-field.js';
import { idBytes } from '#core/runtime/id.js';
import { dashboard } from '#plugins/account/ports.js';
import { allowedOrigins, requireOrigins } from '../../keys/input.js';
import { insertKey } from '../../keys/insert-key.js';
import { presentKey, exampleKey, Key, permission } from '../../keys/resources.js';
import { reloadCaller } from '../../keys/reload-caller.js';
import { administration, assertCallerHolds } from '../../keys/rules.js';

const maxKeys = 100;

export default defineOperation({
  name: 'developers.key.create',
  summary: 'Creates an API key in this environment. Its plaintext is returned once.',
  description: `An environment has at most ${maxKeys} keys that are not revoked.`,
  keywords: 'API token credential new',
  access: 'secret',
  showsSecret: 'stored encrypted',
  input: object({
    name: filledText('What the key is for.', 120),
    kind: withDefault(
      oneOf(
        ['secret', 'publishable'],
        'Publishable keys are for browsers and apps and can only call sign-in operations.',
      ),
      'secret',
    ),
    permissions: optional(
      list(
        permission,
        'Required for a secret key: what the key may do. You cannot grant permissions that you do not hold.',
        {
          minItems: 1,
          uniqueItems: true,
        },
      ),
    ),
    allowedOrigins: optional(allowedOrigins),
  }),
  output: object({ key: Key, plaintext: text('The key. It is not shown again.') }),
  errors: ['permission_exceeds_caller', 'limit_reached'],
  events: ['developers.key.created'],
  example: {
    input: { name: 'Shop backend', permissions: ['account:read', 'developers:read'] },
    output: { key: exampleKey, plaintext: 'svc_test_9fKqH2v7Lw0XcYt5RbNz8mQaJd3EsPg6UiTo1CkVxWy' },
  },

  async handle({ name, kind, permissions, allowedOrigins: origins }, context) {
    const { db, clock, deployment, fail, emit, audit } = context;
    const wanted = permissionsFor(kind, permissions, deployment.products);
    if (origins) requireOrigins(origins);
    if (kind === 'secret' && origins) throw invalidField('allowedOrigins', 'is only for publishable keys');
    if (await context.use(dashboard).includes(context.caller.environment))
      throw fail.forbidden({
        problem: 'the environment that members sign in to has no keys other than its own publishable one',
        nextStep: 'Call with your dashboard session. The publishable key is x-svc-dashboard in /openapi.json.',
      });
    await lockEnvironment(db, context.caller.environment.id);
    const caller = await reloadCaller(context, context.caller, {
      operation: 'developers.key.create',
      permission: administration,
    });
    assertCallerHolds(caller, { kind, permissions: wanted, role: caller.role }, fail);
    const [{ live } = { live: 0 }] = await db.rows<{ live: number }>(
      'SELECT COUNT(*) AS live FROM developers_key WHERE environment_id = ? AND revoked_at IS NULL',
      [idBytes(caller.environment.id)],
    );
    if (live >= maxKeys)
      throw fail.limit_reached({
        limit: maxKeys,
        things: 'keys in this environment',
        nextStep:
          'Revoke a key that is no longer used with developers.key.revoke, then call again (developers.key.list shows when each key was last used).',
      });
    const { row, plaintext } = await insertKey(db, {
      environment: caller.environment,
      name,
      kind,
      permissions: wanted,
      allowedOrigins: origins ?? null,
      role: caller.role,
      memberId: caller.memberId,
      createdBy: caller.label,
      createdIp: caller.request.ip,
      createdAt: clock.now(),
    });
    const key = presentKey(row);
    audit({
      subject: { type: 'key', id: row.id },
      summary: `Created the ${kind} key “${name}”.`,
      changes: [{ field: 'permissions', from: null, to: wanted }],
    });
    emit('developers.key.created', { subjectId: row.id, data: { key } });
    return { key, plaintext };
  },
});

function permissionsFor(
  kind: 'secret' | 'publishable',
  given: readonly string[] | undefined,
  products: readonly string[],
): string[] {
  if (kind === 'publishable') {
    if (given && (given.length !== 1 || given[0] !== publicPermission))
      throw invalidField('permissions', `must be only ${publicPermission} for a publishable key`);
    return [publicPermission];
  }
  if (!given) throw invalidField('permissions', 'is required for a secret key');
  if (given.includes(publicPermission))
    throw invalidField('permissions', `must not contain ${publicPermission}, which only publishable keys hold`);
  requireKnownPermissions(given, products);
  return [...given];
}
