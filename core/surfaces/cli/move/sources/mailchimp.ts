import { distinctNames, headerOf, tableRows, type TableRow } from '../files/csv.js';
import type { Entry } from '../files/entry.js';
import type { Found, MovedConsent, MoveSettings, Note } from '../found.js';
import {
  columnTypesOf,
  contactOf,
  ipOf,
  isAddress,
  propertyKey,
  targetsOf,
  timeOf,
  type ColumnTypes,
  type Table,
  type Targets,
} from '../values.js';
import { startOf } from '../files/text.js';
import { foundTemplate, templateName } from '../templates/found.js';
import { mailchimpToLiquid } from '../templates/mailchimp.js';
import { has, left, note, requireTopic, unequalCells, unknownLayout, type Source } from './source.js';

/*
 * An audience export is a ZIP archive with one CSV for each state of the contacts
 * (https://mailchimp.com/help/view-export-contacts/). The columns are the audience's fields by their labels, then those
 * of Mailchimp in capitals. Times are in UTC.
 */

const states = ['subscribed', 'unsubscribed', 'cleaned', 'nonsubscribed'] as const;
type State = (typeof states)[number];

/** What the columns that Mailchimp adds become, as `--map` takes it; undefined for nothing. */
const own: Readonly<Record<string, string | undefined>> = {
  MEMBER_RATING: 'properties.rating',
  TAGS: 'properties.tags',
  NOTES: 'properties.notes',
  TIMEZONE: 'timeZone',
  CC: 'properties.country',
  ...Object.fromEntries(
    [
      ...['OPTIN_TIME', 'OPTIN_IP', 'CONFIRM_TIME', 'CONFIRM_IP', 'LAST_CHANGED', 'LATITUDE', 'LONGITUDE', 'GMTOFF'],
      ...['DSTOFF', 'REGION', 'LEID', 'EUID', 'UNSUB_TIME', 'UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID'],
      ...['UNSUB_REASON', 'UNSUB_REASON_OTHER', 'CLEAN_TIME', 'CLEAN_CAMPAIGN_TITLE', 'CLEAN_CAMPAIGN_ID'],
    ].map((column) => [column, undefined]),
  ),
};

/** What the fields that every audience has become. */
const standard: Readonly<Record<string, string | undefined>> = {
  'Email Address': undefined,
  'First Name': 'firstName',
  'Last Name': 'lastName',
};

interface StateTable extends Table {
  readonly state: State;
  /** Which columns have other names here than in the header line. */
  readonly renamed: readonly Note[];
}

export const mailchimp: Source = {
  service: 'Mailchimp',
  moves: 'contacts',
  async prepare(entries, settings) {
    const isTemplate = ({ base }: Entry): boolean => /\.html?$/i.test(base);
    const templates = entries.filter(isTemplate);
    // Archives of templates contain images too.
    const others = entries.filter(
      ({ base, name }) => name !== base && /\.(?:png|jpe?g|gif|svg|css|txt|pdf)$/i.test(base),
    );
    const lists = entries.filter((entry) => !isTemplate(entry) && !others.includes(entry));
    if (lists.length > 0) requireTopic('Mailchimp', settings);
    const tables: StateTable[] = [];
    for (const entry of lists) tables.push(await tableOf(entry, settings));
    const types = await columnTypesOf(tables);
    return async function* () {
      for (const { name } of others) yield left({ file: name, line: 1 }, '', 'a file of another kind', false);
      for (const entry of templates) yield await templateOf(entry, settings);
      for (const { entry, header, state, targets, renamed } of tables) {
        let first = renamed;
        for await (const row of tableRows(entry, header)) {
          const result = found(row, { state, targets, types, settings });
          yield first.length === 0 ? result : { ...result, notes: [...first, ...result.notes] };
          first = [];
        }
      }
    };
  },
};

/** Characters of a template's file: more than any mail. */
const maxTemplate = 2 * 1024 * 1024;

/** A template or campaign as HTML: Templates, Export as HTML. The subject is the title, if that is not a merge tag. */
async function templateOf(entry: Entry, { columns }: MoveSettings): Promise<Found> {
  const html = await startOf(entry, maxTemplate);
  const title = /<title[^>]*>([^<]{1,300})<\/title>/i.exec(html)?.[1]?.trim() ?? '';
  const base = entry.base.replace(/\.html?$/i, '');
  return foundTemplate({ file: entry.name, line: 1 }, templateName('mailchimp', base), {
    subject: mailchimpToLiquid(title === '*|MC:SUBJECT|*' ? base : title || base, columns),
    html: mailchimpToLiquid(html.replaceAll('*|MC:SUBJECT|*', base), columns),
  });
}

/** The state comes from the file's name; if it was renamed, from the columns that only some states have. */
async function tableOf(entry: Entry, settings: MoveSettings): Promise<StateTable> {
  const labels = await headerOf(entry);
  const header = namesOf(labels);
  if (!has(header, ['Email Address', 'LEID', 'EUID']))
    throw unknownLayout(
      entry,
      labels,
      [['Email Address', 'OPTIN_TIME', 'CONFIRM_TIME', 'LEID', 'EUID', '…']],
      'In Mailchimp, open Audience, All contacts, Export audience, and pass the ZIP archive or the CSV files in it.',
    );
  const name = entry.base.toLowerCase();
  const named = states.find((state) => new RegExp(`(?:^|[^a-z])${state}(?![a-z])`).test(name));
  const state = header.includes('CLEAN_TIME') ? 'cleaned' : header.includes('UNSUB_TIME') ? 'unsubscribed' : named;
  if (state === undefined)
    throw unknownLayout(
      entry,
      [`the name ${entry.base}`],
      [['a name with subscribed, unsubscribed, cleaned or nonsubscribed']],
      'Give the file the name that it has in the ZIP archive: the name states whether its contacts are subscribed.',
    );
  const targets = targetsOf(entry, header, settings, (column) => {
    if (Object.hasOwn(own, column)) return own[column];
    if (Object.hasOwn(standard, column)) return standard[column];
    const label = column.endsWith(ofField) ? column.slice(0, -ofField.length) : '';
    // The name of a column that becomes nothing is free.
    return isOwnName(label) && own[label.toUpperCase()] === undefined ? `properties.${propertyKey(label)}` : 'property';
  });
  const renamed = header.flatMap((column, index) => {
    const label = labels[index] ?? '';
    const target = targets.get(column);
    const becomes = target?.kind === 'property' ? `properties.${target.key}` : (target?.field ?? 'nothing');
    const reason = `the name is that of another column, or of one that Mailchimp adds. Column ${index + 1} is “${column}” here, and becomes ${becomes}. To change that, pass --map "${column}=<field>"`;
    return column === label ? [] : [{ place: { file: entry.name, line: 1 }, column: label, reason, failed: false }];
  });
  return { entry, header, targets, state, renamed };
}

const ofField = ' (field)';
const isOwnName = (label: string): boolean => Object.hasOwn(own, label.toUpperCase());

/**
 * Different names for all columns. Fields of the audience can have any label, also that of another field or of a column
 * that Mailchimp adds. Those come last, from MEMBER_RATING on.
 */
function namesOf(labels: readonly string[]): string[] {
  const begin = labels.lastIndexOf('MEMBER_RATING');
  // In a table whose columns were moved, the last column with the name counts.
  const inOrder = begin !== -1 && ['LEID', 'EUID'].every((name) => labels.lastIndexOf(name) > begin);
  const isAdded = (label: string, index: number): boolean =>
    Object.hasOwn(own, label) && (inOrder ? index >= begin : index === labels.lastIndexOf(label));
  return distinctNames(
    labels.map((label, index) => (isOwnName(label) && !isAdded(label, index) ? `${label}${ofField}` : label)),
  );
}

interface Reading {
  readonly state: State;
  readonly targets: Targets;
  readonly types: ColumnTypes;
  readonly settings: MoveSettings;
}

function found(row: TableRow, { state, targets, types, settings }: Reading): Found {
  const { place, cells, unequal } = row;
  const cell = (column: string): string => cells.get(column) ?? '';
  const email = cell('Email Address');
  const mayBeLeft = state === 'subscribed' || state === 'nonsubscribed';
  if (unequal !== undefined && mayBeLeft) return left(place, email, unequalCells(unequal, cells.size));
  if (!isAddress(email)) return left(place, email, 'this is not an address');
  const isWhole = unequal === undefined;
  // Who opted out stays opted out, even if the other cells of the row cannot be read.
  const read = isWhole ? contactOf(email, row, targets, types) : { contact: { email, properties: {} }, notes: [] };
  const notes = isWhole ? read.notes : [note(place, email, unequalCells(unequal, cells.size))];
  const { contact } = read;
  const { topic = '' } = settings;
  const on = (column: string): string => (timeOf(cell(column)) === undefined ? '' : ` on ${timeOf(cell(column))}`);
  const person = { email, contact, consents: [], optOuts: [], suppression: undefined };
  if (state === 'cleaned')
    return {
      place,
      notes: isWhole ? [] : notes,
      person: {
        ...person,
        contact: undefined,
        suppression: {
          note: `Mailchimp: cleaned (the address bounced)${on('CLEAN_TIME')}`,
          reason: 'cleaned: the address bounced',
        },
      },
    };
  if (state === 'unsubscribed')
    return {
      place,
      notes,
      person: {
        ...person,
        optOuts: [{ topic, source: `Mailchimp: unsubscribed${on('UNSUB_TIME')}`, reason: 'unsubscribed' }],
      },
    };
  if (state === 'nonsubscribed')
    return {
      place,
      notes: [...notes, note(place, email, 'no consent: a customer who never subscribed', false)],
      person,
    };
  const consent = consentOf(cell, topic);
  const missing = 'no consent: without OPTIN_TIME, the contact did not sign up, but was added';
  return consent
    ? { place, notes, person: { ...person, consents: [consent] } }
    : { place, notes: [...notes, note(place, email, missing, false)], person };
}

/**
 * Whoever signed up has OPTIN_TIME, and then CONFIRM_TIME. Contacts that were imported or added by hand have only
 * CONFIRM_TIME, the time of that: it proves nothing. (As timestamp_signup and timestamp_opt of the API,
 * https://mailchimp.com/developer/marketing/api/list-members/.)
 */
function consentOf(cell: (column: string) => string, topic: string): MovedConsent | undefined {
  const [signedUp, confirmed] = [timeOf(cell('OPTIN_TIME')), timeOf(cell('CONFIRM_TIME'))];
  if (signedUp === undefined) return undefined;
  const ip = ipOf(cell(confirmed === undefined ? 'OPTIN_IP' : 'CONFIRM_IP')) ?? ipOf(cell('OPTIN_IP'));
  return {
    topic,
    source: confirmed === undefined ? 'Mailchimp: sign-up' : 'Mailchimp: confirmed sign-up',
    givenAt: confirmed ?? signedUp,
    reason: confirmed === undefined ? 'sign-up (OPTIN_TIME)' : 'confirmed sign-up (OPTIN_TIME, CONFIRM_TIME)',
    ...(ip === undefined ? {} : { ip }),
  };
}
