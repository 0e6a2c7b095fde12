import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore } from '#core/kernel/schema/paging.js';
import { list, object, optional, text, uuid } from '#core/kernel/schema/schema.js';
import { exampleImport } from '../../examples.js';
import { Import, RejectedRow } from '../../resources.js';
import { presentImport } from '../../imports/present.js';
import { rejectionPage } from '../../imports/rejections.js';
import { imports } from '../../tables/import.js';

export default defineOperation({
  name: 'audience.import.get',
  summary: 'Show an import’s progress and the rows that it refused.',
  description:
    'Refused rows come in the order of their numbers, 100 a page: `before` is the `nextBefore` of the page before. Rows that met a contact and changed nothing count as processed alone.',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  input: object({
    importId: uuid('The import, as audience.contact.import answered it.'),
    before: optional(text('The `nextBefore` of the page before this one.', { maxLength: 64 })),
  }),
  output: object({ import: Import, rejected: list(RejectedRow), nextBefore }),
  example: {
    input: { importId: exampleImport.id },
    output: {
      import: { ...exampleImport, status: 'running', processed: 1, rejected: 1, startedAt: exampleImport.createdAt },
      rejected: [
        { row: 1, code: 'invalid_input', message: 'email must be one email address such as ada@example.com.' },
      ],
      nextBefore: null,
    },
  },

  async handle({ importId, before }, { db, caller, fail }) {
    const row = await db.findOne(imports, { id: importId, environmentId: caller.environment.id });
    if (!row) throw fail.not_found({ thing: 'import', lookup: 'the reply of audience.contact.import' });
    const { rejected, next } = await rejectionPage(db, row.id, before);
    return { import: presentImport(row), rejected, nextBefore: next };
  },
});
