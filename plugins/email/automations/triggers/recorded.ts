import type { FullContext } from '#core/kernel/context.js';
import type { EventTriggers } from '#plugins/audience/ports.js';
import { activeAutomations } from './active.js';
import { enrol } from './enrol.js';
import { evaluate } from '../conditions/evaluate.js';
import { readForConditions, scopeOf } from '../conditions/filter.js';
import { filterOf } from '../store.js';

/**
 * Provides the port `eventTriggers`: enrols a contact in the transaction that records the event. An environment without
 * an active automation for the event costs one indexed read.
 */
export const makeEventTriggers = (context: FullContext): EventTriggers => ({
  async recorded({ environment, contactId, name, properties }) {
    const triggered = await activeAutomations(context.db, [environment.id], [name]);
    if (triggered.length === 0) return [];
    const filters = triggered.flatMap((automation) => filterOf(automation) ?? []);
    const known = await readForConditions(context, environment.id, filters, [contactId]);
    const scope = scopeOf(known, contactId, properties);
    const matching = triggered.filter((automation) => {
      const filter = filterOf(automation);
      return filter === null || evaluate(filter, scope);
    });
    const json = JSON.stringify(properties);
    const candidates = matching.map((automation) => ({
      automation,
      contactId,
      personId: null,
      context: json,
      activityId: context.startedBy(),
    }));
    return (await enrol(context, candidates)).map(({ automationId }) => automationId);
  },
});
