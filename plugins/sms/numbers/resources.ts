import {
  boolean,
  dateTime,
  list,
  named,
  nullable,
  object,
  oneOf,
  text,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { capabilities } from '../tables/number.js';

export const PhoneNumber = named(
  'PhoneNumber',
  object(
    {
      id: uuid('The number’s id.'),
      number: text('The number, E.164.'),
      country: text('Its country, ISO 3166-1 alpha-2.'),
      capabilities: list(oneOf(capabilities), 'What the carrier allows on it. svc sends only text messages.'),
      default: boolean('Whether messages are sent from it by default.'),
      assignedAt: dateTime('When it was assigned.'),
      releasedAt: nullable(dateTime('When it was released.')),
    },
    { description: 'A phone number of an environment.' },
  ),
);

/** The number in this product's examples. */
export const exampleNumber: ValueOf<typeof PhoneNumber> = {
  id: '01890a5d-ac96-774b-bcce-b302099a9200',
  number: '+15005550006',
  country: 'US',
  capabilities: ['sms'],
  default: true,
  assignedAt: '2026-11-20T09:00:00.000Z',
  releasedAt: null,
};
