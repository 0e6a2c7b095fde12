import type { Api, InputOf, ReplyOf } from '#test/support/api.js';

/** Everybody whose plan is pro, where nothing else is said. */
export const segmentOf = (
  svc: Api,
  facts: Partial<InputOf<'audience.segment.create'>> = {},
): Promise<ReplyOf<'audience.segment.create'>> =>
  svc.call('audience.segment.create', {
    name: 'Pros',
    definition: { field: 'properties.plan', op: 'eq', value: 'pro' },
    ...facts,
  });
