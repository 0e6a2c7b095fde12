import type { Port } from '#core/kernel/port.js';
import { contacts, type ContactFacts } from '#plugins/audience/ports.js';
import type { PropertyStep } from '../steps/tree.js';
import type { PlanContext } from '../runner/step.js';

type Properties = ContactFacts['properties'];

/** The properties after a step that sets or removes one. */
export function withProperty(properties: Properties, { key, value }: PropertyStep): Properties {
  const { [key]: _, ...others } = properties;
  return value === null ? others : { ...others, [key]: value };
}

/**
 * A context in which one contact has other properties, so that a trial sees what its earlier steps would have set. It
 * changes nothing.
 */
export function withContact(context: PlanContext, contactId: string, properties: Properties): PlanContext {
  const port = context.use(contacts);
  const changed: typeof port = {
    ...port,
    async facts(environmentId, ids) {
      const found = await port.facts(environmentId, ids);
      const contact = found.get(contactId);
      return contact ? new Map([...found, [contactId, { ...contact, properties }]]) : found;
    },
  };
  function use<T>(wanted: Port<T>): T;
  function use(wanted: Port<unknown>): unknown {
    return wanted === contacts ? changed : context.use(wanted);
  }
  return { ...context, use };
}
