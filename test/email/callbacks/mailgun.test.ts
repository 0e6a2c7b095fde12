import { expect } from 'chai';
import { shift } from '#core/runtime/clock.js';
import { useBounces } from '../bounces/support.js';
import { mailgunBody, post } from './support.js';
import { hours, minutes } from '#test/support/clock.js';

describe('A signature of Mailgun', () => {
  const { platform } = useBounces({ SVC_MAIL_MAILGUN_KEY: 'mailgun-signing-key' });
  const answerTo = (at: Date): Promise<{ status: number; code?: string | undefined }> =>
    post(platform, mailgunBody({ event: 'opened' }, { at }), {});

  it('counts for a day, because it does not cover the event that it comes with', async () => {
    const now = platform.clock.now();
    for (const at of [now, shift(now, -hours(8)), shift(now, minutes(30))])
      expect(await answerTo(at), at.toISOString()).to.include({ status: 200 });
    for (const at of [shift(now, -hours(25)), shift(now, hours(2)), new Date(NaN)])
      expect(await answerTo(at), String(at)).to.include({ status: 403, code: 'callback_rejected' });
  });
});
