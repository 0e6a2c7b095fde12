import { findOwned } from '#core/kernel/environment/owned.js';
import { defineOperation } from '#core/kernel/operation.js';
import { nextBefore, page } from '#core/kernel/schema/paging.js';
import { dateTime, list, nullable, object, uuid } from '#core/kernel/schema/schema.js';
import { exampleImport } from '../../examples.js';
import { Import, RejectedRow } from '../../resources.js';
import { presentImport } from '../../imports/present.js';
import { rejectionPage } from '../../imports/rejections.js';
import { imports } from '../../tables/import.js';

export default defineOperation({
  name: 'audience.import.get',
  summary: 'Returns an import’s progress and its rejected rows.',
  description:
    'Rejected rows are listed by row number, 100 per page: `before` is the `nextBefore` of the previous page. Rows that matched a contact and changed nothing count only as processed.',
  keywords: 'how far upload finished result errors rejected',
  access: 'secret',
  impact: { read: true, retrySafe: true },
  progress: {
    status: 'import.status',
    succeeded: ['done'],
    failed: ['failed'],
    done: 'import.processed',
    total: 'import.total',
    parts: [
      {
        text: 'rows were rejected',
        failed: 'import.rejected',
        listedBy: { operation: 'audience.import.get', input: { importId: 'import.id' } },
      },
    ],
  },
  input: object({
    importId: uuid('The id from the reply of audience.contact.import.'),
    before: page.before,
  }),
  output: object({
    import: Import,
    rejected: list(RejectedRow, 'Rows that were not imported.'),
    rejectedRemovedAt: nullable(
      dateTime(
        'When the rejected rows were deleted because of their age (by default 30 days after the end); null while they are kept. `import.rejected` still counts them.',
      ),
    ),
    nextBefore,
  }),
  example: {
    input: { importId: exampleImport.id },
    output: {
      import: { ...exampleImport, status: 'running', processed: 1, rejected: 1, startedAt: exampleImport.createdAt },
      rejected: [
        { row: 1, code: 'invalid_input', message: 'email must be one email address such as ada@example.com.' },
      ],
      rejectedRemovedAt: null,
      nextBefore: null,
    },
  },

  async handle({ importId, before }, { db, caller }) {
    const row = await findOwned(db, imports, caller, importId);
    const { rejected, next } = await rejectionPage(db, row.id, before);
    return {
      import: presentImport(row),
      rejected,
      rejectedRemovedAt: row.rejectedRemovedAt?.toISOString() ?? null,
      nextBefore: next,
    };
  },
});
