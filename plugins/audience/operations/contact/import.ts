import { defineOperation } from '#core/kernel/operation.js';
import {
  anything,
  boolean,
  either,
  list,
  map,
  object,
  optional,
  text,
  withDefault,
} from '#core/kernel/schema/schema.js';
import { newId } from '#core/runtime/id.js';
import { exampleImport } from '../../examples.js';
import { Import } from '../../resources.js';

import { consentClaims } from '../../contacts/input.js';
import { onConflict } from '../../imports/options.js';
import { presentImport } from '../../imports/present.js';
import { mostRows, readRows } from '../../imports/read-rows.js';
import { ContactInput } from '../../imports/row.js';
import { storeImport } from '../../imports/store.js';
import { pastMoment } from '../../contacts/past-date.js';
import { mustBeGrantable } from '../../topics/find.js';
import type { ImportRow } from '../../tables/import.js';

export default defineOperation({
  name: 'audience.contact.import',
  summary: 'Take up to 50,000 contacts as rows or CSV, and work through them in the background.',
  description: `Each row is what audience.contact.upsert takes, and is done or refused by itself: audience.import.get shows the progress and every refused row. Rows are worked in their order, up to 500 at once; a dry run looks at each such part by itself. A CSV begins with a header line; comma, semicolon, tab or pipe, a first line sep=;, byte order mark and quotes are understood, and blank lines are no rows. An empty cell says nothing. A column that fills a property is numbers where every cell of the file is a plain number (no leading zero, at most 15 digits), true and false where every cell says so in any case, and else texts; a text of RFC 3339 form is a moment. A consent without givenAt is no evidence against a no: it counts for people who never said one.`,
  access: 'secret',
  bodyLimit: 32 * 1024 * 1024,
  input: object(
    {
      contacts: optional(
        // Any object passes here: one bad row must not refuse the others. Each is held to ContactInput as it is worked.
        list(
          either(map(anything()), ContactInput),
          `The rows: at most ${mostRows}, each as audience.contact.upsert takes it.`,
        ),
      ),
      csv: optional(text('The rows as CSV below a header line.')),
      columns: optional(
        map(
          text(undefined, { maxLength: 200 }),
          'With csv: {<column>: field}, the field being externalId, email, phone, firstName, lastName, locale, timeZone or properties.<key>. A column that is not named is ignored.',
        ),
      ),
      consents: {
        ...consentClaims,
        description: 'Consents to grant for rows that bring none of their own; a row with an empty list grants none.',
      },
      onConflict: withDefault(onConflict, 'update'),
      dryRun: withDefault(boolean('Count and refuse as usual, and write no contact.'), false),
    },
    { exactlyOneOf: ['contacts', 'csv'] },
  ),
  output: object({ import: Import }),
  errors: ['batch_too_large', 'topic_archived'],
  events: [
    'audience.contact.imported',
    'audience.contact.created',
    'audience.contact.updated',
    'audience.consent.granted',
  ],
  example: {
    input: {
      contacts: [
        { externalId: 'customer-1024', email: 'ada@example.com', firstName: 'Ada', properties: { plan: 'pro' } },
        { externalId: 'customer-1025', email: 'grace@example.com', firstName: 'Grace' },
      ],
      onConflict: 'update',
    },
    output: { import: exampleImport },
  },

  prepare: (input) => readRows(input),

  async handle({ consents = [], onConflict: meeting, dryRun }, context) {
    const { db, caller, clock, fail, audit, activityId, prepared } = context;
    const environmentId = caller.environment.id;
    const now = clock.now();
    const claims = consents.map((claim, index) => ({ ...claim, field: `consents[${index}]` }));
    await mustBeGrantable(db, environmentId, claims, fail);
    claims.forEach(({ givenAt, field }) => pastMoment(givenAt, `${field}.givenAt`, now));
    const row: ImportRow = {
      id: newId(),
      environmentId,
      status: 'queued',
      options: JSON.stringify({ onConflict: meeting, dryRun, consents }),
      total: prepared.total,
      processed: 0,
      created: 0,
      updated: 0,
      rejected: 0,
      failures: 0,
      activityId,
      createdAt: now,
      startedAt: null,
      finishedAt: null,
    };
    await storeImport(context, row, prepared.parts());
    const rows = `${row.total} ${row.total === 1 ? 'row' : 'rows'}`;
    audit({
      subject: { type: 'import', id: row.id },
      summary: `${dryRun ? 'Tried' : 'Took'} an import of ${rows}${dryRun ? ', without writing' : ''}.`,
    });
    return { import: presentImport(row) };
  },
});
