import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  key_revoked: {
    status: 409,
    message: 'The key “{name}” is revoked.',
    fix: 'Make a new key with developers.key.create; a revoked one does not come back.',
  },
  last_key: {
    status: 409,
    message: '“{name}” is the last key of this environment that holds developers:write.',
    fix: 'Make another key that holds developers:write with developers.key.create first.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
