import { expect } from 'chai';
import { coreSettings } from '#core/kernel/settings.js';
import { readSettings } from '#config/read.js';
import { settings } from '#plugins/email/deployment/settings.js';
import { expectedFields, headerOf, letter, refusedFields, send, useMail } from './support.js';

const commands = {
  'Amazon SES': ['X-SES-CONFIGURATION-SET', 'X-SES-MESSAGE-TAGS', 'X-Amz-Something'],
  Brevo: ['X-Mailin-Tag', 'X-Mailin-Custom', 'X-Sib-Sandbox'],
  'Elastic Email': ['X-PostBack'],
  GreenArrow: ['X-GreenArrow-MtaID'],
  'Mailchimp Transactional': ['X-MC-BccAddress', 'X-MC-PreserveRecipients', 'X-MC-Template'],
  Mailgun: ['X-Mailgun-Recipient-Variables', 'X-Mailgun-Drop-Message', 'x-mailgun-deliver-by'],
  Mailjet: ['X-MJ-TemplateID', 'X-MJ-Vars', 'X-Mailjet-Campaign'],
  Mailtrap: ['X-MT-Category'],
  Netcore: ['X-APIHEADER'],
  Postmark: ['X-PM-Message-Stream', 'X-PM-Tag', 'X-PM-TrackOpens'],
  PowerMTA: ['X-Virtual-MTA', 'X-Job', 'X-DKIM-Options'],
  SendGrid: ['X-SMTPAPI', 'X-SG-EID'],
  SocketLabs: ['X-xsMessageId', 'X-xsMailingId'],
  SparkPost: ['X-MSYS-API'],
  Exchange: ['X-MS-Exchange-Organization-SCL', 'X-Forefront-Antispam-Report'],
  'any relay': ['X-Bcc', 'x-cc', 'X-To', 'X-Envelope-To', 'X-Rcpt-To', 'X-Return-Path', 'X-Resent-To', 'X-Forward-To'],
  readers: ['X-Confirm-Reading-To', 'X-Disposition-Notification-To', 'X-Return-Receipt-To'],
  svc: ['X-Svc-Envelope-To'],
};

describe('email.send: headers that mail relays take as commands', () => {
  const mail = useMail({ settings: { SVC_MAIL_RELAY_HEADERS: 'X-PM-Metadata-Order, x-mj-customid' } });
  const { platform } = mail;

  for (const [relay, names] of Object.entries(commands)) {
    it(`refuses those of ${relay}, with live and test keys, naming the header`, async () => {
      const { svc, svcTest } = await platform.account();
      const cases = names.map(
        (name) => [name, letter({ headers: { [name]: 'ada@example.com' } }), `headers.${name}`] as const,
      );
      for (const api of [svc, svcTest])
        expect(await refusedFields(api, 'email.send', cases)).to.deep.equal(expectedFields(cases));
    });
  }

  it('refuses standard headers of recipients, return paths and receipts', async () => {
    const { svc } = await platform.account();
    const names = [
      'Bcc',
      'Cc',
      'To',
      'Resent-To',
      'Resent-Bcc',
      'Return-Path',
      'Disposition-Notification-To',
      'Errors-To',
    ];
    const cases = names.map((name) => [name, letter({ headers: { [name]: 'a@b.co' } }), `headers.${name}`] as const);
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('says which setting allows the header', async () => {
    const { svc } = await platform.account();
    const refused = await svc.refusal('email.send', letter({ headers: { 'X-PM-Message-Stream': 'bulk' } }));
    expect(refused.message).to.contain('X-PM-Message-Stream').and.contain('SVC_MAIL_RELAY_HEADERS');
  });

  it('carries those that the operator allows, in any case, and no others that begin alike', async () => {
    const { svc } = await platform.account();
    const headers = { 'x-pm-metadata-order': 'A-1024', 'X-MJ-CustomID': 'A-1024', 'X-Entity-Ref-ID': 'A-1024' };
    const { messageId } = await send(svc, { headers });
    const arrived = await mail.mailOf(messageId);
    for (const name of Object.keys(headers)) expect(headerOf(arrived, name), name).to.equal('A-1024');
    const cases = ['X-PM-Metadata-Order-Id', 'X-MJ-Custom'].map(
      (name) => [name, letter({ headers: { [name]: 'v' } }), `headers.${name}`] as const,
    );
    expect(await refusedFields(svc, 'email.send', cases)).to.deep.equal(expectedFields(cases));
  });

  it('does not start where the setting names something else than an X- header', () => {
    for (const value of ['Bcc', 'X-PM-Tag,To', 'X-PM Tag'])
      expect(() => readSettings(coreSettings, [settings], { SVC_MAIL_RELAY_HEADERS: value }), value).to.throw(
        'SVC_MAIL_RELAY_HEADERS must name headers that begin with X-',
      );
  });
});
