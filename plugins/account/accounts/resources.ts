import { dateTime, named, nullable, object, oneOf, text, uuid, type ValueOf } from '#core/kernel/schema/schema.js';
import type { AccountRow } from '../tables/account.js';

const sources = ['search', 'ai_assistant', 'social', 'referral', 'content', 'community', 'event', 'other'] as const;

export const heardFrom = oneOf(sources, 'Where you heard about svc.');
export const heardFromDetail = text('More about where you heard about svc, in your own words.', { maxLength: 500 });
export const country = text('ISO 3166-1 alpha-2 code, such as DE.', { pattern: '^[A-Z]{2}$' });

export const Account = named(
  'Account',
  object(
    {
      id: uuid('The account’s id.'),
      name: text('The account’s name.'),
      country: nullable(country),
      heardFrom: nullable(heardFrom),
      heardFromDetail: nullable(text('More about where you heard about svc, in your own words.')),
      createdAt: dateTime('When the account was opened.'),
      updatedAt: dateTime('When account.update changed it last.'),
      closedAt: nullable(dateTime('When the account was closed; null while it is open.')),
      closedReason: nullable(text('The reason given for closing the account.')),
    },
    { description: 'An account. It has projects and members.' },
  ),
);

export const exampleAccount = {
  id: '01890a5d-ac96-774b-bcce-b302099a8100',
  name: 'Acme',
  country: 'DE',
  heardFrom: 'search' as const,
  heardFromDetail: null,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T10:12:00.000Z',
  closedAt: null,
  closedReason: null,
};

/** An account as replies and events show it. */
export const presentAccount = (row: AccountRow): ValueOf<typeof Account> => ({
  id: row.id,
  name: row.name,
  country: row.country,
  heardFrom: sources.find((source) => source === row.heardFrom) ?? null,
  heardFromDetail: row.heardFromDetail,
  createdAt: row.createdAt.toISOString(),
  updatedAt: (row.updatedAt ?? row.createdAt).toISOString(),
  closedAt: row.closedAt?.toISOString() ?? null,
  closedReason: row.closedReason,
});
