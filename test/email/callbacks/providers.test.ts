import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '#core/runtime/id.js';
import { parseJson, textAt } from '#core/runtime/json.js';
import type { TestPlatform } from '#test/support/platform.js';
import { itNeeding } from '#test/support/products.js';
import { openConnection, postHead } from '#test/support/raw-http.js';
import { useBounces, notice, complaint } from '../bounces/support.js';
import { basic, mailgunBody, post, secret, sendgridHeaders, sendgridPublicKey } from './support.js';

/** How a provider reports, in the form that its documentation shows. `messageId` is ours. */
interface Provider {
  readonly name: string;
  readonly body: (
    event: 'hard' | 'soft' | 'complaint' | 'delivered' | 'deferred',
    messageId: string,
    to: string,
  ) => object;
  readonly headers: (body: string) => Record<string, string>;
  /** What a forger sends instead. */
  readonly forged: (body: string) => { body: string; headers: Record<string, string> };
}

const messageIdHeader = (messageId: string): string => `<${messageId}@shop.mail.example.com>`;

const sendgrid: Provider = {
  name: 'SendGrid',
  body(event, messageId, email) {
    const shared = {
      email,
      timestamp: 1_513_299_569,
      'smtp-id': messageIdHeader(messageId),
      category: ['cat facts'],
      sg_event_id: 'sg_event_id',
      sg_message_id: 'sg_message_id.filter0001.16648.5515E0B88.0',
    };
    return [
      {
        hard: { ...shared, event: 'bounce', type: 'bounce', status: '5.0.0', reason: '550 5.1.1 unknown recipient' },
        soft: { ...shared, event: 'bounce', type: 'blocked', status: '5.7.1', reason: '550 5.7.1 blocked' },
        complaint: { ...shared, event: 'spamreport' },
        delivered: { ...shared, event: 'delivered', response: '250 OK' },
        deferred: { ...shared, event: 'deferred', response: '400 try again later', attempt: '5' },
      }[event],
      { ...shared, event: 'open', useragent: 'Mozilla/4.0', ip: '255.255.255.255' },
    ];
  },
  headers: (body) => sendgridHeaders(body),
  forged: (body) => ({
    body,
    headers: sendgridHeaders(body, { key: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey }),
  }),
};

const mailgun: Provider = {
  name: 'Mailgun',
  body(event, messageId, recipient) {
    const shared = {
      id: 'G9Bn5sl1TC6nu79C8C0bwg',
      timestamp: 1_521_233_195.375624,
      'log-level': 'error',
      message: {
        headers: { to: recipient, 'message-id': messageIdHeader(messageId).slice(1, -1), subject: 'Test' },
        size: 111,
      },
      recipient,
      'recipient-domain': 'example.com',
      tags: [],
    };
    const status = { 'attempt-no': 1, 'session-seconds': 0.4, message: '', description: '' };
    return mailgunBody(
      {
        hard: {
          ...shared,
          event: 'failed',
          severity: 'permanent',
          reason: 'bounce',
          'delivery-status': { ...status, code: 550, message: '5.1.1 The email account does not exist.' },
        },
        soft: {
          ...shared,
          event: 'failed',
          severity: 'permanent',
          reason: 'generic',
          'delivery-status': { ...status, code: 552, message: '5.2.2 mailbox full' },
        },
        complaint: { ...shared, event: 'complained' },
        delivered: { ...shared, event: 'delivered', 'delivery-status': { ...status, code: 250, message: 'OK' } },
        deferred: {
          ...shared,
          event: 'failed',
          severity: 'temporary',
          reason: 'generic',
          'delivery-status': { ...status, code: 452, message: '4.2.2 over quota', 'retry-seconds': 600 },
        },
      }[event],
    );
  },
  headers: () => ({}),
  forged: (body) => ({ body: body.replace(/"signature":"[0-9a-f]{8}/, '"signature":"00000000'), headers: {} }),
};

const sharedSecret = {
  headers: () => basic(),
  forged: (body: string) => ({ body, headers: basic('another secret of tests') }),
};

const postmark: Provider = {
  ...sharedSecret,
  name: 'Postmark',
  body(event, messageId, email) {
    const shared = {
      MessageID: newId(),
      ServerID: 23,
      MessageStream: 'outbound',
      Tag: 'Test',
      Metadata: { 'svc-message-id': messageId },
    };
    const bounce = {
      ...shared,
      RecordType: 'Bounce',
      ID: 692_560_173,
      Email: email,
      BouncedAt: '2019-11-05T16:33:54.9070259Z',
      Inactive: true,
    };
    return {
      hard: {
        ...bounce,
        Type: 'HardBounce',
        TypeCode: 1,
        Details: 'smtp;550 5.1.1 The email account that you tried to reach does not exist.',
      },
      soft: { ...bounce, Type: 'SoftBounce', TypeCode: 4096, Details: 'smtp;452 4.2.2 over quota' },
      complaint: { ...bounce, RecordType: 'SpamComplaint', Type: 'SpamComplaint', TypeCode: 512 },
      delivered: {
        ...shared,
        RecordType: 'Delivery',
        Recipient: email,
        DeliveredAt: '2019-11-05T16:33:54Z',
        Details: 'Test',
      },
      deferred: { ...bounce, Type: 'Transient', TypeCode: 2, Details: 'Message delayed' },
    }[event];
  },
};

const brevo: Provider = {
  ...sharedSecret,
  name: 'Brevo',
  body(event, messageId, email) {
    const shared = {
      email,
      id: 804_436,
      date: '2020-10-09 00:00:00',
      ts: 1_602_180_000,
      'message-id': '<202010090000.12345678901@smtp-relay.mailin.fr>',
      ts_event: 1_602_180_000,
      subject: 'My first transactional',
      'X-Mailin-custom': messageId,
      sending_ip: '185.41.28.109',
      ts_epoch: 1_602_180_000_000,
    };
    return {
      hard: { ...shared, event: 'hard_bounce', reason: '550 5.1.1 user unknown' },
      soft: { ...shared, event: 'soft_bounce', reason: '452 4.2.2 mailbox full' },
      complaint: { ...shared, event: 'spam' },
      delivered: { ...shared, event: 'delivered' },
      deferred: { ...shared, event: 'deferred', reason: 'try later' },
    }[event];
  },
};

const settings = {
  SVC_MAIL_CALLBACK_SECRET: secret,
  SVC_MAIL_SENDGRID_KEY: sendgridPublicKey,
  SVC_MAIL_MAILGUN_KEY: 'mailgun-signing-key',
};

for (const provider of [sendgrid, mailgun, postmark, brevo]) {
  describe(`/v1/callbacks/email: ${provider.name}`, () => {
    const mail = useBounces(settings);
    const { platform } = mail;

    const report = (event: Parameters<Provider['body']>[0], messageId: string, to = 'ada@example.com') => {
      const body = JSON.stringify(provider.body(event, messageId, to));
      return post(platform, body, provider.headers(body));
    };
    const reasons = async (svc: Awaited<ReturnType<typeof platform.account>>['svc']): Promise<string[]> =>
      (await svc.call('audience.suppression.list', {})).suppressions.map(({ reason }) => reason);

    itNeeding('audience')('records bounces, complaints and deliveries, and ignores what is only deferred', async () => {
      const account = await platform.account();
      const hard = await mail.sent(account);
      expect((await report('deferred', hard.messageId)).counts).to.include({ recorded: 0 });
      expect(await report('hard', hard.messageId)).to.deep.include({ status: 200, code: undefined });
      const { message } = await hard.shown();
      expect(message).to.include({ status: 'bounced' });
      expect(message.bounce).to.include({ kind: 'hard', code: '5.1.1' });
      expect(await reasons(account.svc)).to.deep.equal(['bounce']);

      const soft = await mail.sent(account, 'bob@example.com');
      await report('soft', soft.messageId, 'bob@example.com');
      expect((await soft.shown()).message.bounce?.kind).to.equal('soft');

      const both = await mail.sent(account, 'eve@example.com');
      await report('delivered', both.messageId, 'eve@example.com');
      // Providers' clocks are not ours: nothing is delivered before it was sent.
      const delivered = await both.shown();
      expect(delivered.message).to.include({ status: 'sent', deliveredAt: delivered.message.sentAt });
      await report('complaint', both.messageId, 'eve@example.com');
      expect((await both.shown()).recipients[0]?.complainedAt).to.be.a('string');
      expect((await reasons(account.svc)).sort()).to.deep.equal(['bounce', 'complaint']);
    });

    it('is refused with a forged signature or secret, or without any', async () => {
      const account = await platform.account();
      const { messageId, shown } = await mail.sent(account);
      const body = JSON.stringify(provider.body('hard', messageId, 'ada@example.com'));
      const forged = provider.forged(body);
      expect(await post(platform, forged.body, forged.headers)).to.include({ status: 403, code: 'callback_rejected' });
      const [, ...others] = Object.entries(provider.headers(body));
      const unsigned = provider.name === 'Mailgun' ? body.replace('"token"', '"no token"') : body;
      expect(await post(platform, unsigned, Object.fromEntries(others))).to.include({ code: 'callback_rejected' });
      expect((await shown()).message.status).to.equal('sent');
    });

    itNeeding('audience')('changes nothing when it is replayed, even after the suppression was lifted', async () => {
      const account = await platform.account();
      const { messageId } = await mail.sent(account);
      expect((await report('hard', messageId)).counts).to.include({ recorded: 1 });
      const { suppressions } = await account.svc.call('audience.suppression.list', {});
      await account.svc.call('audience.suppression.lift', { suppressionId: suppressions[0]?.id ?? '' });
      const replayed = await report('hard', messageId);
      expect(replayed).to.deep.include({ status: 200, counts: { recorded: 0, repeated: 1, ignored: 0 } });
      const active = (await account.svc.call('audience.suppression.list', {})).suppressions.filter(
        (each) => !each.liftedAt,
      );
      expect(active).to.deep.equal([]);
    });

    it('answers 200 for messages and recipients that it knows nothing of', async () => {
      const account = await platform.account();
      const { messageId, shown } = await mail.sent(account);
      expect(await report('hard', newId())).to.deep.include({ status: 200 });
      expect(await report('hard', messageId, 'mallory@example.com')).to.deep.include({ status: 200 });
      expect((await shown()).message.status).to.equal('sent');
    });

    it('refuses a body that was cut off', async () => {
      const account = await platform.account();
      const { messageId, shown } = await mail.sent(account);
      const body = JSON.stringify(provider.body('hard', messageId, 'ada@example.com'));
      for (const length of [0, 1, 30, body.length - 1]) {
        const reply = await post(platform, body.slice(0, length), provider.headers(body));
        expect(reply.status, String(length)).to.be.oneOf([400, 403]);
      }
      expect((await shown()).message.status).to.equal('sent');
    });
  });

  describe(`/v1/callbacks/email: ${provider.name} that is not configured`, () => {
    const mail = useBounces();

    it('is refused', async () => {
      const body = JSON.stringify(provider.body('hard', newId(), 'ada@example.com'));
      const reply = await post(mail.platform, body, provider.headers(body));
      expect(reply).to.include({ status: 403, code: 'callback_rejected' });
    });
  });
}

/** What is answered to a large request of which the head alone has arrived. */
async function answerToHead(platform: TestPlatform, headers: Record<string, string>): Promise<string> {
  const connection = await openConnection(platform.running.address);
  connection.write(postHead('/v1/callbacks/email', { 'Content-Length': 4_000_000, ...headers }));
  const { status, body } = await connection.answer();
  connection.socket.destroy();
  return `${status} ${textAt(parseJson(body), 'error', 'code') ?? ''}`;
}

describe('/v1/callbacks/email: JSON where only the shared secret is set', () => {
  const { platform } = useBounces({ SVC_MAIL_CALLBACK_SECRET: secret });

  it('is refused without the secret before its body has arrived', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer wrong' },
      { 'x-twilio-email-event-webhook-signature': 'x' },
      { 'x-amz-sns-message-type': 'Notification' },
    ])
      expect(await answerToHead(platform, headers)).to.equal('403 callback_rejected');
  });
});

describe('/v1/callbacks/email: Amazon SNS from a topic of somebody else', () => {
  const topic = 'arn:aws:sns:us-west-2:123456789012:bounces';
  const { platform } = useBounces({ SVC_MAIL_SES_TOPICS: topic });

  it('is refused before its body has arrived', async () => {
    const headers = { 'x-amz-sns-message-type': 'Notification', 'x-amz-sns-topic-arn': `${topic}2` };
    expect(await answerToHead(platform, headers)).to.equal('403 callback_rejected');
    const own = { 'x-amz-sns-message-type': 'Notification', 'x-amz-sns-topic-arn': topic };
    expect((await post(platform, '{}', own)).code).to.equal('invalid_json');
  });
});

describe('/v1/callbacks/email: mail', () => {
  const mail = useBounces(settings);
  const { platform } = mail;
  const type = { 'content-type': 'message/rfc822' };
  const bearer = { ...type, authorization: `Bearer ${secret}` };

  it('takes bounces and complaints that a mail server passes on, with their envelope', async () => {
    const account = await platform.account();
    const bounced = await mail.sent(account);
    const to = { 'x-svc-envelope-to': bounced.returnPaths[0] ?? '' };
    expect(await post(platform, notice(), { ...bearer, ...to })).to.deep.include({
      status: 200,
      counts: { recorded: 1, repeated: 0, ignored: 0 },
    });
    expect((await bounced.shown()).message.status).to.equal('bounced');
    const complained = await mail.sent(account, 'bob@example.com');
    const report = complaint({ originalMailFrom: complained.returnPaths[0] ?? '' });
    expect((await post(platform, report, { ...basic(), ...type })).counts).to.include({ recorded: 1 });
  });

  it('finds the return path in the mail where no envelope is given', async () => {
    const account = await platform.account();
    const { returnPaths } = await mail.sent(account);
    expect((await post(platform, notice({ to: returnPaths[0] ?? '' }), bearer)).counts).to.include({ recorded: 1 });
  });

  it('is refused without the secret', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const to = { 'x-svc-envelope-to': returnPaths[0] ?? '' };
    for (const headers of [type, { ...type, authorization: 'Bearer no' }, { ...type, authorization: 'Digest x' }])
      expect(await post(platform, notice(), { ...headers, ...to })).to.include({ code: 'callback_rejected' });
    expect((await shown()).message.status).to.equal('sent');
  });

  it('is refused without the secret before its body has arrived', async () => {
    const refused = [
      { 'Content-Type': 'message/rfc822', Authorization: 'Bearer wrong' },
      { 'Content-Type': 'text/plain', 'x-amz-sns-message-type': 'Notification' },
    ];
    for (const headers of refused) expect(await answerToHead(platform, headers)).to.equal('403 callback_rejected');
  });

  it('answers 503 while the message is being sent, so that the report comes again', async () => {
    const account = await platform.account();
    mail.smtp.onMessage = () => ({ code: 451, message: 'try later' });
    const sending = await account.svc.call('email.send', { to: 'ada@example.com', subject: 'Hello', text: 'Hi' });
    await platform.settled();
    mail.smtp.onMessage = () => null;
    const body = postmark.body('hard', sending.messageId, 'ada@example.com');
    expect(await post(platform, body, basic())).to.include({ status: 503, code: 'unavailable' });
  });

  it('refuses what no provider sends', async () => {
    for (const body of ['{}', '[]', 'null', '"text"', '[[[]]]', '{"event":1}'])
      expect(await post(platform, body, basic()), body).to.include({ status: 403, code: 'callback_rejected' });
    expect(await post(platform, 'no json', basic())).to.include({ status: 400, code: 'invalid_json' });
  });
});
