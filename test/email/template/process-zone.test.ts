import { expect } from 'chai';
import { textAt } from '#test/faults/support/call.js';
import { openStage } from '#test/faults/support/stage.js';

describe('Dates in mails of a server whose machine has summer time', function () {
  this.timeout(120_000);

  it('are right while the clocks change there', async () => {
    const stage = await openStage();
    try {
      const node = await stage.start({ settings: { TZ: 'Europe/Berlin', LC_ALL: 'de_DE.UTF-8' } });
      const subject = '{{ at | date: "%d %B %H:%M" }}, {{ at | date: "%H:%M", "America/New_York" }}';
      // At 01:00 UTC of that night 02:00 in Berlin became 03:00.
      const input = { content: { subject, text: 'Hi' }, variables: { at: '2027-03-28T01:30:00Z' } };
      const shown = await stage.askLive(node, 'email.template.preview', input);
      expect(textAt(shown, 'subject')).to.equal('28 March 01:30, 21:30');
    } finally {
      await stage.close();
    }
  });
});
