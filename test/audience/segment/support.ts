import type { Api, InputOf, ReplyOf } from '#test/support/api.js';

/** Creates a segment, by default of the contacts whose plan is pro. */
export const segmentOf = (
  svc: Api,
  facts: Partial<InputOf<'audience.segment.create'>> = {},
): Promise<ReplyOf<'audience.segment.create'>> =>
  svc.call('audience.segment.create', {
    name: 'Pros',
    definition: { field: 'properties.plan', op: 'eq', value: 'pro' },
    ...facts,
  });
