import { CliError } from '../../errors.js';
import { distinctNames, headerOf, tableRows, type TableRow } from '../files/csv.js';
import type { Entry } from '../files/entry.js';
import type { Found, MoveSettings } from '../found.js';
import { columnTypesOf, contactOf, isAddress, targetsOf, timeOf, type ColumnTypes, type Table } from '../values.js';
import { left, note, requireTopic, unequalCells, unknownLayout, type Source } from './source.js';

/*
 * Brevo exports contacts as CSV with the columns EMAIL, the chosen attributes, ADDED_TIME and MODIFIED_TIME, and the
 * subscription status if the export includes it (https://developers.brevo.com/reference/request-contact-export,
 * exportSubscriptionStatus). DOUBLE_OPT-IN is Yes, or 1, for who followed the link of a confirmation mail. Blocklisted
 * contacts get no campaigns; the export does not say whether they unsubscribed, complained or bounced
 * (https://help.brevo.com/hc/en-us/articles/5317448358034).
 */

/** Names of the first and last name in accounts of other languages. */
const names: Readonly<Record<string, string>> = {
  ...{ FIRSTNAME: 'firstName', PRENOM: 'firstName', VORNAME: 'firstName', NOMBRE: 'firstName', NOME: 'firstName' },
  ...{ LASTNAME: 'lastName', NOM: 'lastName', NACHNAME: 'lastName', APELLIDOS: 'lastName', COGNOME: 'lastName' },
  ...{ SMS: 'phone', EXT_ID: 'externalId', CONTACT_TIMEZONE: 'timeZone' },
};
const own = ['EMAIL', 'DOUBLE_OPT-IN', 'OPT_IN', 'ADDED_TIME', 'MODIFIED_TIME', 'CONTACT ID', 'CONTACT_ID', '_LISTIDS'];

/** Columns with the subscription status, in lower case without other characters. */
const statusColumns = [
  ...['emailmarketing', 'emailmarketingstatus', 'emailsubscription', 'emailsubscriptionstatus', 'emailcampaigns'],
  ...['emailblacklisted', 'emailblocklisted', 'blacklisted', 'blocklisted', 'unsubscribed', 'subscriptionstatus'],
];
const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

interface StatusTable extends Table {
  /** The column that states who is blocklisted. */
  readonly status: string | undefined;
}

export const brevo: Source = {
  service: 'Brevo',
  moves: 'contacts',
  async prepare(entries, settings) {
    requireTopic('Brevo', settings);
    const tables: StatusTable[] = [];
    for (const entry of entries) tables.push(await tableOf(entry, settings));
    const types = await columnTypesOf(tables);
    return async function* () {
      for (const table of tables)
        for await (const row of tableRows(table.entry, table.header)) yield found(row, table, types, settings);
    };
  },
};

async function tableOf(entry: Entry, settings: MoveSettings): Promise<StatusTable> {
  const header = distinctNames(await headerOf(entry));
  if (!header.includes('EMAIL'))
    throw unknownLayout(
      entry,
      header,
      [['EMAIL', 'FIRSTNAME', 'LASTNAME', 'DOUBLE_OPT-IN', 'ADDED_TIME', '…']],
      'In Brevo, open Contacts, and export them with the subscription status, all attributes, and dates.',
    );
  const mapped = header.find((column) => settings.columns.get(column.toLowerCase()) === 'status');
  const candidates = header.filter((column) => statusColumns.includes(plain(column)));
  if (mapped === undefined && candidates.length > 1)
    throw new CliError(
      `${entry.name}, line 1: ${candidates.map((each) => `“${each}”`).join(' and ')} may both state who is blocklisted.`,
      `Name the right one: --map "${candidates[0] ?? ''}=status".`,
    );
  const status = mapped ?? candidates[0];
  if (status === undefined && settings.subscription === undefined)
    throw new CliError(
      `${entry.name}, line 1: no column states who is blocklisted. It has ${header.slice(0, 30).join(', ')}.`,
      'Export the contacts with their subscription status, or name its column with --map "<column>=status". For files without it, pass --subscription unsubscribed with the blocklisted contacts first, then --subscription unconfirmed, or confirmed, with the others.',
    );
  const columns = new Map([...settings.columns].filter(([, field]) => field !== 'status'));
  const targets = targetsOf(entry, header, { ...settings, columns }, (column) => {
    const name = column.toUpperCase();
    return own.includes(name) || column === status ? undefined : (names[name] ?? 'property');
  });
  return { entry, header, targets, status };
}

const isYes = (cell: string): boolean => /^(?:yes|true|1|oui|ja|sí|si|sim)$/i.test(cell);

/** The meaning of a cell with a status: of a column such as BLOCKLISTED, or of one with Subscribed or Blocklisted. */
function isBlocklisted(column: string, cell: string): boolean | undefined {
  const text = plain(cell);
  if (/^(?:blocklisted|blacklisted|unsubscribed)$/.test(text)) return true;
  if (text === 'subscribed') return false;
  if (cell !== '' && !isYes(cell) && !/^(?:no|false|0|non|nein|não)$/i.test(cell)) return undefined;
  return /blocklisted|blacklisted|unsubscribed/.test(plain(column))
    ? isYes(cell)
    : cell === ''
      ? undefined
      : !isYes(cell);
}

function found(row: TableRow, { targets, status }: StatusTable, types: ColumnTypes, settings: MoveSettings): Found {
  const { place, cells, unequal } = row;
  const cell = (column: string): string => cells.get(column) ?? '';
  const email = cell('EMAIL');
  if (email === '') return left(place, cell('SMS'), 'a contact without an address');
  if (!isAddress(email)) return left(place, email, 'this is not an address');
  const { topic = '', subscription } = settings;
  const blocklisted = status === undefined ? subscription === 'unsubscribed' : isBlocklisted(status, cell(status));
  if (blocklisted === undefined)
    return left(place, email, `${status ?? ''}: the status “${cell(status ?? '').slice(0, 40)}” is not known`);
  if (unequal !== undefined && !blocklisted) return left(place, email, unequalCells(unequal, cells.size));
  // Numbers have a country code, and no plus.
  const international = /^[1-9]\d{6,14}$/.test(cell('SMS')) ? `+${cell('SMS')}` : cell('SMS');
  const whole = contactOf(email, { ...row, cells: new Map([...cells, ['SMS', international]]) }, targets, types);
  // Who opted out stays opted out, even if the other cells of the row cannot be read.
  const { contact, notes } =
    unequal === undefined
      ? whole
      : { contact: { email, properties: {} }, notes: [note(place, email, unequalCells(unequal, cells.size))] };
  const person = { email, contact, consents: [], optOuts: [], suppression: undefined };
  if (blocklisted)
    return {
      place,
      notes,
      person: { ...person, optOuts: [{ source: 'Brevo: blocklisted', reason: 'blocklisted' }] },
    };
  if (!isYes(cell('DOUBLE_OPT-IN')) && subscription !== 'confirmed') {
    const reason = 'no consent: the export does not state a double opt-in';
    return { place, notes: [...notes, note(place, email, reason, false)], person };
  }
  // When a contact was added says nothing about when it confirmed, so it is only part of the source.
  const added = timeOf(cell('ADDED_TIME'));
  const source = `Brevo: double opt-in${added === undefined ? '' : `, added on ${added.slice(0, 10)}`}`;
  return { place, notes, person: { ...person, consents: [{ topic, source, reason: 'double opt-in' }] } };
}
