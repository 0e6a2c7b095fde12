/*
 * What an access request (GDPR, Article 15) contains, as the operations that read it. An operation that reads the data
 * of a person and is missing here fails test/contract/access-request.test.ts.
 */

/** What a person is known by. Reading the contact and the user adds to it. */
export interface Known {
  readonly emails: Set<string>;
  readonly phones: Set<string>;
  readonly externalIds: Set<string>;
  readonly contactIds: Set<string>;
  readonly userIds: Set<string>;
}

export type Input = Readonly<Record<string, unknown>>;

/** A list that is read to its end, once for each input. */
export interface Section {
  /** Its field in person.json. */
  readonly name: string;
  /** Its heading in person.html. */
  readonly title: string;
  readonly operation: string;
  readonly inputs: (known: Known) => readonly Input[];
  /** The operation that shows an item whole. */
  readonly each?: {
    readonly operation: string;
    /** The field of the item that identifies it, and the operation's input. */
    readonly id: string;
    readonly input: string;
  };
}

const by =
  (field: string, of: keyof Known) =>
  (known: Known): Input[] =>
    [...known[of]].map((value) => ({ [field]: value }));
const byAny =
  (...ways: readonly ((known: Known) => readonly Input[])[]) =>
  (known: Known): Input[] =>
    ways.flatMap((way) => way(known));

/** A contact or user, read by each name that the person is known by. */
export interface Profile {
  /** Its field in the answer and in person.json. */
  readonly name: 'contact' | 'user';
  readonly title: string;
  readonly operation: string;
  readonly inputs: (known: Known) => readonly Input[];
  /** Where its id is remembered. */
  readonly ids: 'contactIds' | 'userIds';
}

const names = byAny(by('email', 'emails'), by('phone', 'phones'), by('externalId', 'externalIds'));

export const profiles: readonly Profile[] = [
  {
    name: 'contact',
    title: 'Contact',
    operation: 'audience.contact.get',
    inputs: byAny(by('contactId', 'contactIds'), names),
    ids: 'contactIds',
  },
  {
    name: 'user',
    title: 'User',
    operation: 'auth.user.get',
    inputs: byAny(by('userId', 'userIds'), names),
    ids: 'userIds',
  },
];

export const sections: readonly Section[] = [
  {
    name: 'consents',
    title: 'Consents and opt-outs',
    operation: 'audience.consent.list',
    inputs: by('contactId', 'contactIds'),
  },
  {
    name: 'suppressions',
    title: 'Suppressions',
    operation: 'audience.suppression.list',
    inputs: byAny(by('email', 'emails'), by('phone', 'phones')),
  },
  {
    name: 'emails',
    title: 'Emails sent to the person',
    operation: 'email.message.list',
    inputs: by('to', 'emails'),
    each: { operation: 'email.message.get', id: 'messageId', input: 'messageId' },
  },
  {
    name: 'receivedEmails',
    title: 'Emails received from the person',
    operation: 'email.inbound.list',
    inputs: by('from', 'emails'),
    each: { operation: 'email.inbound.get', id: 'inboundId', input: 'inboundId' },
  },
  {
    name: 'automationRuns',
    title: 'Automations',
    operation: 'email.automation.run.list',
    inputs: by('contactId', 'contactIds'),
    each: { operation: 'email.automation.run.get', id: 'id', input: 'runId' },
  },
  {
    name: 'texts',
    title: 'Texts sent to the person',
    operation: 'sms.message.list',
    inputs: by('to', 'phones'),
    each: { operation: 'sms.message.get', id: 'messageId', input: 'messageId' },
  },
  {
    name: 'receivedTexts',
    title: 'Texts received from the person',
    operation: 'sms.inbound.list',
    inputs: by('from', 'phones'),
  },
  {
    name: 'sessions',
    title: 'Sign-in sessions',
    operation: 'auth.session.list',
    inputs: by('userId', 'userIds'),
  },
  {
    name: 'events',
    title: 'Events about the person',
    operation: 'developers.event.list',
    inputs: byAny(by('subjectId', 'contactIds'), by('subjectId', 'userIds')),
  },
  {
    name: 'changes',
    title: 'Changes to the person’s data',
    operation: 'account.activity.list',
    inputs: byAny(by('subjectId', 'contactIds'), by('subjectId', 'userIds')),
  },
  {
    name: 'actions',
    title: 'Changes that the person made',
    operation: 'account.activity.list',
    inputs: by('actorId', 'userIds'),
  },
];

/** The operation that reads an attachment of a received mail. */
export const attachment = 'email.inbound.attachment.get';
