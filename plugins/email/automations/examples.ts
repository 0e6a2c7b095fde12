/** The automation in this product's examples. */
export const exampleAutomation = {
  id: '01890a5d-ac96-774b-bcce-b302099a8400',
  name: 'Welcome',
  triggerEvent: 'signup.completed',
  triggerFilter: null,
  steps: [
    { type: 'send', channel: 'email', template: 'welcome', topic: 'news', from: 'hello@shop.mail.example.com' },
    { type: 'wait', seconds: 259_200 },
    {
      type: 'branch',
      if: { field: 'properties.plan', op: 'eq', value: 'pro' },
      then: [{ type: 'property.set', key: 'onboarded', value: true }],
      else: [
        { type: 'send', channel: 'email', template: 'upgrade', topic: 'news', from: 'hello@shop.mail.example.com' },
      ],
    },
  ],
  reenter: false,
  status: 'active' as const,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

export const exampleReadiness = { ok: true, problems: [] };

export const exampleRun = {
  id: '01890a5d-ac96-774b-bcce-b302099a8401',
  automationId: exampleAutomation.id,
  contactId: '01890a5d-ac96-774b-bcce-b302099a8402',
  status: 'waiting' as const,
  position: 'steps[1]',
  context: { plan: 'free' },
  nextAt: '2026-11-23T09:30:00.000Z',
  startedAt: '2026-11-20T09:30:00.000Z',
  endedAt: null,
  endReason: null,
};
