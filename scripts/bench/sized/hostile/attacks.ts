import { randomUUID } from 'node:crypto';

/** The environments of the hostile account, with their secret and publishable keys. */
export interface HostileKeys {
  readonly secret: string;
  readonly publishable: string;
}

/** A call of an attack: the operation, with which kind of key, and its body. */
interface HostileCall {
  readonly operation: string;
  readonly publishable?: boolean;
  readonly body: string;
}

/** Everything that one account may do at once, again and again, in all its environments. */
interface Attack {
  readonly name: string;
  /** Calls at the same time. */
  readonly parallel: number;
  /** @param index the number of the call */
  call(index: number): HostileCall;
}

const json = JSON.stringify;

/** Liquid that computes until the limit of its CPU time. */
const costlyHtml =
  '{% for a in (1..1000) %}{% for b in (1..1000) %}{% assign c = a | times: b | plus: 1 %}{% endfor %}{% endfor %}<p>{{ c }}</p>';
const preview = json({ content: { subject: 'Preview', html: costlyHtml } });

const manyRows = (rows: number): { email: string; firstName: string; properties: Record<string, number> }[] =>
  Array.from({ length: rows }, (_, index) => ({
    email: `person.${index}.${randomUUID()}@example.com`,
    firstName: `Person ${index}`,
    properties: { orders: index % 100 },
  }));

/** Contacts of the environments in which segments are evaluated. */
export const contactsFor = (rows: number): string => json({ contacts: manyRows(rows) });

const condition = (field: string, value: number): object => ({ field: `properties.${field}`, op: 'gte', value });
const segment = json({
  definition: {
    any: Array.from({ length: 8 }, (_, index) => ({
      all: [condition('orders', index), { not: condition('orders', 90 + index) }],
    })),
  },
});
const largeBody = json({ contacts: [{ firstName: 'x'.repeat(8 * 1024 * 1024) }], dryRun: true });
const names = json({ contacts: manyRows(20_000), dryRun: true });
const someImport = (): string => json({ contacts: manyRows(2_000) });

/** By what they do. The environments that the calls use are taken in turn. */
export const attacks: readonly Attack[] = [
  { name: 'account.get', parallel: 100, call: () => ({ operation: 'account.get', body: '{}' }) },
  { name: 'previews', parallel: 100, call: () => ({ operation: 'email.template.preview', body: preview }) },
  {
    name: 'list searches',
    parallel: 100,
    call: (index) =>
      index % 2 === 0
        ? { operation: 'audience.contact.list', body: json({ query: 'person', limit: 100 }) }
        : { operation: 'email.message.list', body: json({ status: 'failed', limit: 100 }) },
  },
  {
    name: 'segment previews',
    parallel: 100,
    call: () => ({ operation: 'audience.segment.preview', body: segment }),
  },
  {
    name: 'large bodies',
    parallel: 20,
    call: (index) => ({ operation: 'audience.contact.import', body: index % 2 === 0 ? largeBody : names }),
  },
  { name: 'imports', parallel: 20, call: () => ({ operation: 'audience.contact.import', body: someImport() }) },
  {
    name: 'password sign-ins',
    parallel: 100,
    call: (index) => ({
      operation: 'auth.password.signin',
      publishable: true,
      body: json({ email: `user-${index}@example.com`, password: 'correct horse battery staple' }),
    }),
  },
  {
    name: 'webhooks that hang',
    parallel: 50,
    call: (index) => ({ operation: 'audience.contact.upsert', body: json({ externalId: `person.${index}` }) }),
  },
];
