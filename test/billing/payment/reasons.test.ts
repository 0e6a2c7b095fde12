import { expect } from 'chai';
import { languages } from '#core/kernel/language.js';
import { failureCodes } from '#plugins/billing/tables/failure-codes.js';
import { failureTexts, failureText } from '#plugins/billing/failures/failure-text.js';
import { failureCodeOf } from '#plugins/billing/providers/stripe/failure-codes.js';
import { useMail } from '#test/email/support.js';
import { freePort } from '#test/support/free-port.js';
import { startStripe, type StripeFake } from '#test/support/stripe.js';
import { flat, usePrices } from '../prices.js';
import { addCard, issueInvoice } from './support.js';

describe('Why a payment failed', () => {
  const parts: { stripe?: StripeFake } = {};
  const prices = usePrices([flat('email.message', '1')]);
  const mails = useMail({
    settings: async () => {
      parts.stripe = await startStripe();
      return { SVC_PORT: String(await freePort()), ...(await prices()), SVC_PAYMENT_URL: parts.stripe.paymentUrl };
    },
  });
  const { platform } = mails;
  after(() => parts.stripe?.close());
  const stripe = (): StripeFake => {
    if (!parts.stripe) throw new Error('Stripe is not running yet.');
    return parts.stripe;
  };
  /** The text of the mail about a payment with a card that is declined, to an account that reads a language. */
  const mailTo = async (locale: string, card: string): Promise<{ text: string; reason: string | undefined }> => {
    const account = await platform.account();
    const { svc, projectId, ownerEmail } = account;
    await svc.call('account.project.update', { projectId, locale });
    await addCard(account, stripe(), card);
    const period = await issueInvoice(platform, account);
    await platform.settled();
    const found = mails.smtp.received.filter(({ recipients }) => recipients.includes(ownerEmail)).at(-1);
    const { invoice } = await svc.call('billing.invoice.get', { period });
    return { text: (found?.parsed.text ?? '').replace(/\s+/g, ' '), reason: invoice.lastFailure?.reason };
  };

  it('is said in the owner’s language; the interface keeps the provider’s words', async () => {
    const german = await mailTo('de', '4000000000009995');
    expect(german.text).to.contain('konnte nicht eingezogen werden. Das Konto ist nicht ausreichend gedeckt.');
    expect(german.text).not.to.contain('insufficient');
    expect(german.reason).to.equal('Your card has insufficient funds.');
  });

  it('is quoted where svc does not know it', async () => {
    const french = await mailTo('fr', '4000000000000998');
    expect(french.text).to.contain('Le prestataire de paiement indique : « Your card takes a rest ».');
  });

  it('is one sentence for each reason in every language', () => {
    for (const lang of languages) {
      const said = failureCodes.map((code) => failureText(lang, code, 'unused'));
      for (const sentence of said) expect(sentence, lang).to.match(/^\p{Lu}.*\.$/u);
      expect(new Set(said).size, lang).to.equal(failureCodes.length);
      expect(failureText(lang, null, 'No.'), lang)
        .to.match(/No(\s»|”|“|»)\.$/)
        .and.not.contain('{');
      expect(Object.keys(failureTexts[lang]).sort()).to.deep.equal([...failureCodes, 'other'].sort());
    }
  });

  it('is that of the decline, if it has one, and never that a card is stolen or suspected', () => {
    expect(failureCodeOf({ code: 'card_declined', decline_code: 'expired_card' })).to.equal('method_expired');
    expect(failureCodeOf({ code: 'expired_card' })).to.equal('method_expired');
    for (const decline_code of ['lost_card', 'stolen_card', 'fraudulent', 'merchant_blacklist', 'do_not_honor'])
      expect(failureCodeOf({ code: 'card_declined', decline_code }), decline_code).to.equal('declined');
    expect(failureCodeOf({ code: 'card_declined', decline_code: 'of_the_future' })).to.equal('declined');
    expect(failureCodeOf({ code: 'of_the_future' })).to.equal(null);
    expect(failureCodeOf(null)).to.equal(null);
  });
});
