import {
  dateTime,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  url,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import type { KeyRow } from '../tables/key.js';

/** `<product>:<verb>`, or `auth:public`. */
export const permission = text('Such as email:write.', { pattern: '^([a-z][a-z0-9]{0,30}:(read|write)|auth:public)$' });

export const Key = named(
  'Key',
  object(
    {
      id: uuid('The key’s id.'),
      name: text('A name that you choose.'),
      kind: oneOf(['secret', 'publishable'], 'secret: for servers only; publishable: safe in browsers and apps.'),
      prefix: text('The first characters of the key, to recognise it by.'),
      permissions: list(text(), '`<product>:read` or `<product>:write`. Publishable keys hold only `auth:public`.'),
      environmentId: uuid('The environment that the key belongs to.'),
      allowedOrigins: nullable(list(url(), 'Browser origins that may use a publishable key; null for any origin.')),
      createdBy: text('The name of the key, or the address of the member, that created it.'),
      createdAt: dateTime('When it was created.'),
      updatedAt: dateTime('When its name, permissions or origins were changed last.'),
      lastUsedAt: nullable(dateTime('When the key was last used, accurate to a few seconds.')),
      revokedAt: nullable(dateTime('When the key was revoked; null while it is valid.')),
    },
    {
      description: 'A key, without its plaintext.',
      columns: ['id', 'name', 'kind', 'prefix', 'revokedAt', 'lastUsedAt', 'permissions', 'createdBy', 'createdAt'],
    },
  ),
);

export const exampleKey = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  name: 'Shop backend',
  kind: 'secret' as const,
  prefix: 'svc_test_9fKq',
  permissions: ['account:read', 'developers:read'],
  environmentId: '01890a5d-ac96-774b-bcce-b302099a8001',
  allowedOrigins: null,
  createdBy: 'First key',
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
};

/** A key as replies and events show it, without its plaintext or digest. */
export const presentKey = (row: KeyRow): ValueOf<typeof Key> => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  prefix: row.prefix,
  permissions: row.permissions,
  environmentId: row.environmentId,
  allowedOrigins: row.allowedOrigins,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  updatedAt: (row.updatedAt ?? row.createdAt).toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
});
