import { countryPattern } from '#core/kernel/schema/patterns.js';
import {
  dateTime,
  email,
  filledText,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  phone,
  text,
  url,
  uuid,
  type ValueOf,
} from '#core/kernel/schema/schema.js';
import { registrationStages } from './stages.js';

const entityTypes = ['sole_proprietor', 'private', 'public', 'non_profit', 'government'] as const;
const useCases = [
  'account_notification',
  'customer_care',
  'delivery_notification',
  'fraud_alert',
  'marketing',
  'polling',
  'security_alert',
  'two_factor',
  'mixed',
  'higher_education',
  'charity',
] as const;
const monthlyVolumes = ['under_1000', 'under_10000', 'under_100000', 'over_100000'] as const;

const country = text('Country, ISO 3166-1 alpha-2.', { pattern: countryPattern });

/** What is submitted to the carriers. */
export const registrationFields = {
  legalName: filledText('The business’s legal name.', 200),
  entityType: oneOf(entityTypes, 'The type of business.'),
  taxId: optional(filledText('The tax number. It is stored encrypted and returned masked.', 40)),
  country,
  address: object(
    {
      line1: filledText('Street and number.', 200),
      line2: optional(filledText('Further lines.', 200)),
      city: filledText('City.', 100),
      region: optional(filledText('State or province.', 100)),
      postalCode: filledText('Postal code.', 20),
    },
    { description: 'The business’s address.' },
  ),
  website: url('The business’s website.'),
  contact: object(
    { name: filledText('Full name.', 120), email: email('Address.'), phone: phone('Number.') },
    { description: 'The contact for the carriers.' },
  ),
  useCase: oneOf(useCases, 'What the messages are for.'),
  description: filledText('What is sent, to whom, and how they opted in.', 4_096, 40),
  sampleMessages: list(filledText('A sample message.', 1_024), 'Two to five sample messages.', {
    minItems: 2,
    maxItems: 5,
  }),
  optIn: object(
    {
      how: filledText('How people opt in to messages.', 2_048),
      url: optional(url('The page where they opt in.')),
      keyword: optional(filledText('The keyword that opts them in.', 40)),
    },
    { description: 'How people opt in.' },
  ),
  monthlyVolume: optional(oneOf(monthlyVolumes, 'How many messages are sent per month.')),
};

export const Problem = object({
  code: text('The provider’s code.'),
  message: text('What is wrong.'),
  fix: text('The next step.'),
});

export const SmsRegistration = named(
  'SmsRegistration',
  object(
    {
      id: uuid('The registration’s id.'),
      stage: oneOf(
        registrationStages,
        'submitted: received; registering: pending with the carriers; active: approved; action_needed: correct `problems` and resubmit; failed: refused, resubmit.',
      ),
      problems: list(Problem, 'What must be corrected.'),
      submittedAt: dateTime('When it was last submitted.'),
      updatedAt: dateTime('When its stage last changed.'),
      filed: object(
        { ...registrationFields, taxId: nullable(text('The tax number, masked.')) },
        { description: 'What was submitted.' },
      ),
    },
    { description: 'The registration that carriers require from senders of text messages.' },
  ),
);

/** What was filed, without the tax number. */
export type FiledValue = Omit<ValueOf<typeof SmsRegistration>['filed'], 'taxId'>;

/** The registration in this product's examples. */
export const exampleRegistration: ValueOf<typeof SmsRegistration> = {
  id: '01890a5d-ac96-774b-bcce-b302099a9300',
  stage: 'submitted',
  problems: [],
  submittedAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
  filed: {
    legalName: 'Acme GmbH',
    entityType: 'private',
    taxId: '•••••••89',
    country: 'DE',
    address: { line1: 'Hauptstraße 1', city: 'Berlin', postalCode: '10115' },
    website: 'https://example.com/',
    contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+491713920000' },
    useCase: 'delivery_notification',
    description: 'Customers who order in our shop are told when their parcel leaves and arrives.',
    sampleMessages: ['Your order A-1024 is on its way.', 'Your order A-1024 was delivered.'],
    optIn: { how: 'A box at the checkout, not ticked beforehand.', url: 'https://example.com/checkout' },
    monthlyVolume: 'under_10000',
  },
};
