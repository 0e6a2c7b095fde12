import type { FullContext } from '#core/kernel/context.js';
import { chargeSystemBudget } from '#core/messaging/system-budget.js';
import { newId } from '#core/runtime/id.js';
import type { SignInTexts } from '#plugins/auth/ports.js';
import { metering } from '#plugins/billing/ports.js';
import { acceptText } from '../messages/accept.js';
import { requireAllowed } from '../messages/destination.js';
import { checkNumbers } from '../messages/eligibility.js';
import { usageOf } from '../messages/usage.js';
import { countSegments } from '../segments/count.js';
import { canSendTexts } from './available.js';
import { renderSystemText } from './render.js';

/** Provides auth's port `signInTexts`. */
export const makeSignInTexts = (context: FullContext): SignInTexts => ({
  available: (environment) => canSendTexts(context, environment),
  async queue(environment, text) {
    if (environment.closedAt) throw context.fail.account_closed({ reopen: 'account.reopen' });
    // A test environment sends nothing anywhere.
    if (environment.kind === 'live') requireAllowed(context, environment, text.to);
    await chargeSystemBudget(context, environment, 'system text');
    const purpose = { topic: null, isSystem: true };
    const [{ eligibility, from }, { content, template }] = await Promise.all([
      checkNumbers(context, environment, purpose, [text.to]),
      renderSystemText(context, environment, text),
    ]);
    const [checked] = eligibility;
    if (!checked) throw new Error('The eligibility of the recipient was not checked.');
    const id = newId();
    const counted = countSegments(content);
    const usages = [usageOf(id, text.to, counted.segments)];
    const isQueued = checked.blockReason === null;
    if (isQueued) await context.use(metering).record(environment, usages);
    const message = await acceptText(context, {
      id,
      environment,
      isSystem: true,
      to: text.to,
      from,
      body: content,
      counted,
      tags: {},
      template,
      topic: null,
      personId: text.personId ?? null,
      sendAfter: null,
      price: isQueued ? await context.use(metering).estimate(environment, usages) : null,
      eligibility: checked,
    });
    return { messageId: message.id };
  },
});
