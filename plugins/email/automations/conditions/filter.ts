import type { Context } from '#core/kernel/context.js';
import { contacts, type ContactFacts } from '#plugins/audience/ports.js';
import { conditionField, type Condition } from './condition.js';
import type { Scope } from './evaluate.js';

/** The data about contacts that conditions need. */
interface ContactsKnown {
  readonly facts: ReadonlyMap<string, ContactFacts>;
  readonly consents: ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

/**
 * Reads the data that the given conditions need about contacts of one environment.
 * @param contactIds they are read only if a condition is about properties or consent
 */
export async function readForConditions(
  { use }: Pick<Context, 'use'>,
  environmentId: string,
  conditions: readonly Condition[],
  contactIds: readonly string[],
): Promise<ContactsKnown> {
  const fields = conditions.flatMap(({ field }) => conditionField(field) ?? []);
  const topics = new Map(
    fields.flatMap((field) => (field.of === 'consent' ? [[`${field.channel}.${field.topic}`, field] as const] : [])),
  );
  const ids = [...new Set(contactIds)];
  const port = use(contacts);
  const [facts, consents] = await Promise.all([
    fields.some(({ of }) => of === 'properties') ? port.facts(environmentId, ids) : new Map<string, ContactFacts>(),
    port.consents(environmentId, ids, [...topics.values()]),
  ]);
  return { facts, consents };
}

/** The scope in which the conditions about one contact are evaluated. */
export const scopeOf = (
  { facts, consents }: ContactsKnown,
  contactId: string,
  context: Readonly<Record<string, unknown>>,
): Scope => ({ context, contact: facts.get(contactId), consents: consents.get(contactId) });
