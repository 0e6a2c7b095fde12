import { declareErrors } from '#core/kernel/errors/errors.js';

export const errors = declareErrors({
  word_known: {
    status: 409,
    message: 'The word “{word}” already exists.',
    fix: 'Choose another word; GET /ping/{environmentId}/words.json lists the existing ones.',
  },
});

declare module '#core/kernel/errors/errors.js' {
  interface DeclaredErrors extends Readonly<typeof errors> {}
}
