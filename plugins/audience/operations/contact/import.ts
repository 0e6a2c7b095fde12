import { counted } from '#config/counted.js';
import { newFields } from '#core/kernel/audit/changes.js';
import { defineOperation } from '#core/kernel/operation.js';
import {
  anything,
  boolean,
  either,
  list,
  map,
  notBlank,
  object,
  optional,
  text,
  withDefault,
} from '#core/kernel/schema/schema.js';
import { holderOf } from '#core/kernel/limits/holder-of.js';
import { newId } from '#core/runtime/id.js';
import { exampleImport } from '../../examples.js';
import { Import } from '../../resources.js';
import { consentClaims } from '../../contacts/input.js';
import { maxColumnName, maxColumns } from '../../imports/columns.js';
import { onConflict } from '../../imports/options.js';
import { presentImport } from '../../imports/present.js';
import { maxRows, readRows } from '../../imports/read-rows.js';
import { ContactInput } from '../../imports/row.js';
import { storeImport } from '../../imports/store.js';
import { pastDate } from '#core/kernel/schema/past-date.js';
import { requireGrantable } from '../../topics/find.js';
import type { ImportRow } from '../../tables/import.js';

export default defineOperation({
  name: 'audience.contact.import',
  summary:
    'Imports up to 50,000 contacts as rows or CSV, in the background. audience.import.get reports progress and every rejected row.',
  description:
    'Each row has the fields of audience.contact.upsert and is imported or rejected on its own; audience.import.get reports progress and every rejected row. Rows are imported in order, in parts of up to 500; a dry run checks each part on its own. A CSV starts with a header line. Commas, semicolons, tabs or pipes, a first line sep=;, a byte order mark and quotes are understood, and blank lines are skipped. An empty cell leaves the field out. The cells of a property column are numbers if every cell in the file is a plain number (no leading zero, at most 15 digits), booleans if every cell is true or false in any case, and text otherwise; text in RFC 3339 form is a date-time. A consent without givenAt counts only for people who have never opted out.',
  keywords: 'upload people customers spreadsheet bulk migrate',
  access: 'secret',
  followUp: { operation: 'audience.import.get', input: { importId: 'import.id' } },
  bodyLimit: 32 * 1024 * 1024,
  input: object(
    {
      contacts: optional(
        // Any object passes here: one invalid row must not cause the others to be refused. Each is checked against
        // ContactInput when it is imported.
        list(
          either(map(anything()), ContactInput),
          `At most ${maxRows} rows, each with the fields of audience.contact.upsert.`,
          { minItems: 1 },
        ),
      ),
      csv: optional(text('The rows as CSV, with a header line.', { minLength: 1, pattern: notBlank })),
      columns: optional(
        map(
          text('The field that the column maps to.', { minLength: 1, maxLength: 200 }),
          'Only with csv: {<column>: field}, where field is externalId, email, phone, firstName, lastName, locale, timeZone or properties.<key>. Other columns are ignored. The header line can have up to 1,000 columns.',
          { minProperties: 1, maxProperties: maxColumns, propertyNames: { type: 'string', maxLength: maxColumnName } },
        ),
      ),
      consents: {
        ...consentClaims,
        description: 'Consents to grant for rows that do not contain any; a row with an empty list grants none.',
      },
      onConflict: withDefault(onConflict, 'update'),
      dryRun: withDefault(boolean('Validate and count the rows without writing contacts.'), false),
    },
    { exactlyOneOf: ['contacts', 'csv'] },
  ),
  output: object({
    import: Import,
    ignoredColumns: list(text(), 'Columns of the CSV that are not in `columns` and so are not imported.'),
  }),
  errors: ['batch_too_large', 'topic_archived'],
  events: [
    'audience.contact.imported',
    'audience.contact.created',
    'audience.contact.updated',
    'audience.consent.granted',
    'audience.consent.revoked',
  ],
  example: {
    input: {
      contacts: [
        { externalId: 'customer-1024', email: 'ada@example.com', firstName: 'Ada', properties: { plan: 'pro' } },
        { externalId: 'customer-1025', email: 'grace@example.com', firstName: 'Grace' },
      ],
      onConflict: 'update',
    },
    output: { import: exampleImport, ignoredColumns: [] },
  },

  prepare: (input, { caller }) => readRows(input, holderOf(caller)),

  async handle({ consents = [], onConflict: conflict, dryRun }, context) {
    const { db, caller, clock, fail, audit, activityId, prepared } = context;
    const environmentId = caller.environment.id;
    const now = clock.now();
    const grants = consents.map((grant, index) => ({ ...grant, field: `consents[${index}]` }));
    await requireGrantable(db, environmentId, grants, fail);
    grants.forEach(({ givenAt, field }) => pastDate(givenAt, `${field}.givenAt`, now));
    const row: ImportRow = {
      id: newId(),
      environmentId,
      status: 'queued',
      options: JSON.stringify({ onConflict: conflict, dryRun, consents }),
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
      rejectedRemovedAt: null,
    };
    await storeImport(context, row, prepared.parts());
    // Sources and wordings are in the consent records.
    const granted = consents.length === 0 ? null : consents.map(({ topic, channel }) => ({ topic, channel }));
    audit({
      subject: { type: 'import', id: row.id },
      summary: `Started ${dryRun ? 'a dry run of ' : ''}an import of ${counted(row.total, 'row')}.`,
      changes: newFields({ ...row, onConflict: conflict, dryRun, consents: granted }, [
        'status',
        'total',
        'onConflict',
        'dryRun',
        'consents',
      ]),
    });
    return { import: presentImport(row), ignoredColumns: [...prepared.ignoredColumns] };
  },
});
