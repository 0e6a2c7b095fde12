import { expect } from 'chai';
import { renderTemplate } from '#core/messaging/templates/liquid.js';
import { matchKeyword } from '#plugins/sms/keywords/match.js';
import { replyTemplates } from '#plugins/sms/inbound/reply-templates.js';
import { countSegments } from '#plugins/sms/segments.js';

describe('the built-in answers to keywords', () => {
  it('are one segment of GSM-7 in every language, with a name and an address of usual length', () => {
    for (const [keyword, { locales }] of Object.entries(replyTemplates))
      for (const [locale, { body }] of Object.entries(locales)) {
        const variables = { brandName: 'Acme Coffee Roasters', contact: 'help@acme-coffee.example' };
        const rendered = renderTemplate(body, variables, 'none');
        if (!rendered.ok) throw new Error(`${keyword} in ${locale} does not render.`);
        const { segments, encoding, forcedBy } = countSegments(rendered.text);
        expect({ segments, encoding, forcedBy }, rendered.text).to.deep.equal({
          segments: 1,
          encoding: 'GSM-7',
          forcedBy: [],
        });
      }
  });

  it('are not keywords themselves: two deployments that answer each other stop at once', () => {
    for (const { locales } of Object.values(replyTemplates))
      for (const { body } of Object.values(locales))
        expect(matchKeyword(body, { stop: [], start: [], help: [] })).to.equal(null);
  });
});
