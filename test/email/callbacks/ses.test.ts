import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { createHttpClient, type HttpClient } from '#core/runtime/http-client/client.js';
import { emailCallback } from '#plugins/email/callbacks/callback.js';
import { refusalOf } from '#core/kernel/errors/common.js';
import { SvcError } from '#core/kernel/errors/errors.js';
import { selfSigned } from '#test/support/certificate.js';
import { useBounces } from '../bounces/support.js';
import { post, startAmazon, type AmazonServer } from './support.js';

const topic = 'arn:aws:sns:us-west-2:123456789012:bounces';
const amazon = 'https://sns.us-west-2.amazonaws.com';
const certificatePath = '/SimpleNotificationService-f3ecfb7224c7233fe7bb5f59f96de52f.pem';
const expiredPath = '/SimpleNotificationService-0000000000000000000000000000dead.pem';
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

type SnsMessage = Record<string, string>;

const signedFields = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];

/** Signs a message as Amazon SNS does, and lets a test change it afterwards. */
function signed(message: SnsMessage, key: KeyObject = keys.privateKey, version: '1' | '2' = '2'): SnsMessage {
  const whole = {
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    Timestamp: '2012-05-02T00:54:06.655Z',
    TopicArn: topic,
    SigningCertURL: `${amazon}${certificatePath}`,
    ...message,
  };
  const fields = Object.entries(whole).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = fields.flatMap(([name, value]) => (signedFields.includes(name) ? [`${name}\n${value}\n`] : [])).join('');
  const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), key).toString('base64');
  return { ...whole, SignatureVersion: version, Signature: signature };
}

interface Reported {
  /** The Amazon SES id of the message, the return path, and the headers that SES repeats. */
  messageId?: string;
  source?: string;
  headers?: { name: string; value: string }[];
  what: object;
}

/** A notification of Amazon SES about a message. */
const notification = ({ messageId = '', source = 'sender@example.com', headers = [], what }: Reported): SnsMessage => ({
  Type: 'Notification',
  Message: JSON.stringify({
    ...what,
    mail: { timestamp: '2018-10-08T14:05:45.000Z', messageId, source, destination: ['ada@example.com'], headers },
  }),
});

const bounce = (type: string, changes: object = {}): object => ({
  notificationType: 'Bounce',
  bounce: {
    bounceType: type,
    bounceSubType: 'General',
    reportingMTA: 'dns; email.example.com',
    bouncedRecipients: [
      {
        emailAddress: 'ada@example.com',
        status: '5.1.1',
        action: 'failed',
        diagnosticCode: 'smtp; 550 5.1.1 <ada@example.com>... User unknown',
        ...changes,
      },
    ],
    timestamp: '2016-01-27T14:59:38.237Z',
    feedbackId: '00000138111222aa-33322211-cccc-cccc-cccc-ddddaaaa068a-000000',
  },
});

describe('/v1/callbacks/email: Amazon SES', () => {
  const mail = useBounces({ SVC_MAIL_SES_TOPICS: `${topic},arn:aws:sns:eu-west-1:123456789012:other` });
  const { platform } = mail;
  const parts: { server?: AmazonServer; http?: HttpClient } = {};

  before(async () => {
    parts.server = await startAmazon({
      [certificatePath]: selfSigned(keys),
      [expiredPath]: selfSigned(keys, ['200101000000Z', '210101000000Z']),
      '/not-a-certificate.pem': 'hello',
      '/': 'confirmed',
    });
    const client = createHttpClient({ allow: ['127.0.0.0/8'] });
    const local = `http://127.0.0.1:${parts.server.port}`;
    parts.http = {
      ...client,
      request: (input) => client.request({ ...input, url: input.url.replace(amazon, local), http: true }),
    };
  });
  after(async () => {
    await parts.http?.close();
    parts.server?.close();
  });
  const server = (): AmazonServer => {
    if (!parts.server) throw new Error('The server does not run yet.');
    return parts.server;
  };

  /**
   * Posts a message; requests to Amazon's host reach the server of this test.
   * @returns the status, or the refusal's code
   */
  const deliver = async (message: SnsMessage | string): Promise<string> => {
    const { http } = parts;
    if (!http) throw new Error('The client does not exist yet.');
    const body = typeof message === 'string' ? message : JSON.stringify(message);
    const type = typeof message === 'string' ? 'Notification' : (message['Type'] ?? '');
    return emailCallback
      .answer(
        {
          rawBody: Buffer.from(body),
          headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': type },
          query: new URLSearchParams(),
          url: '',
          request: { requestId: '', ip: '', userAgent: null, origin: null },
        },
        { ...platform.running.services, http },
      )
      .then(({ body: answered }) => String(answered))
      .catch((error: unknown) => {
        if (error instanceof SvcError) return error.code;
        throw error;
      });
  };
  const recorded = JSON.stringify({ recorded: 1, repeated: 0, ignored: 0 });

  it('records bounces under either signature version, found by the return path', async () => {
    const account = await platform.account();
    for (const version of ['1', '2'] as const) {
      const { returnPaths, shown } = await mail.sent(account, `ada${version}@example.com`);
      const what = bounce('Permanent', { emailAddress: `Ada <ada${version}@example.com>` });
      const message = signed(notification({ source: returnPaths[0] ?? '', what }), keys.privateKey, version);
      expect(await deliver(message)).to.equal(recorded);
      expect(await deliver(message)).to.equal(JSON.stringify({ recorded: 0, repeated: 1, ignored: 0 }));
      expect((await shown()).message).to.deep.include({
        status: 'bounced',
        bounce: { kind: 'hard', code: '5.1.1', detail: '550 5.1.1 <ada@example.com>... User unknown' },
      });
    }
    expect(server().asked.filter((path) => path === certificatePath)).to.have.length(1);
  });

  it('finds messages by the headers that SES repeats, and by its own id from the reply to DATA', async () => {
    const account = await platform.account();
    const byHeader = await mail.sent(account);
    const headers = [{ name: 'Message-ID', value: `<${byHeader.messageId}@shop.mail.example.com>` }];
    expect(await deliver(signed(notification({ headers, what: bounce('Transient') })))).to.equal(recorded);
    expect((await byHeader.shown()).message.bounce?.kind).to.equal('soft');

    const sesId = '010201902f3a4b5c-11111111-2222-3333-4444-555555555555-000000';
    const byId = await mail.sent(account, 'bob@example.com');
    await platform.running.services.database.run(
      `UPDATE email_recipient SET provider_id = ? WHERE address = 'bob@example.com'`,
      [Buffer.from(sesId)],
    );
    const what = bounce('Permanent', { emailAddress: 'bob@example.com' });
    expect(await deliver(signed(notification({ messageId: sesId, what })))).to.equal(recorded);
    expect((await byId.shown()).message.status).to.equal('bounced');
  });

  it('records complaints and deliveries, of notifications and of published events', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const [source = ''] = returnPaths;
    const at = platform.clock.now().toISOString();
    const delivery = { eventType: 'Delivery', delivery: { timestamp: at, recipients: ['ada@example.com'] } };
    expect(await deliver(signed(notification({ source, what: delivery })))).to.equal(recorded);
    expect((await shown()).message.deliveredAt).to.equal(at);
    const complained = (complaintFeedbackType?: string) => ({
      notificationType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress: 'ada@example.com' }], timestamp: at, complaintFeedbackType },
    });
    const nothing = JSON.stringify({ recorded: 0, repeated: 0, ignored: 0 });
    expect(await deliver(signed(notification({ source, what: complained('not-spam') })))).to.equal(nothing);
    expect(await deliver(signed(notification({ source, what: complained('abuse') })))).to.equal(recorded);
    expect((await shown()).timeline.map(({ status }) => status)).to.include.members(['delivered', 'complained']);
    for (const what of [{ eventType: 'Open' }, { eventType: 'DeliveryDelay' }, {}, { notificationType: 'Bounce' }])
      expect(await deliver(signed(notification({ source, what })))).to.equal(nothing);
  });

  it('confirms the subscription of its own topics alone', async () => {
    const confirmation = {
      Type: 'SubscriptionConfirmation',
      Token: '2336412f37',
      Message: `You have chosen to subscribe to the topic ${topic}.`,
      SubscribeURL: `${amazon}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=2336412f37`,
    };
    const confirmed = (): number => server().asked.filter((path) => path.startsWith('/?Action=')).length;
    expect(await deliver(signed({ ...confirmation, TopicArn: `${topic}2` }))).to.equal('callback_rejected');
    expect(await deliver({ ...signed(confirmation), Token: 'another' })).to.equal('callback_rejected');
    for (const url of ['https://evil.example/', 'http://sns.us-west-2.amazonaws.com/', `${amazon}:8443/`])
      expect(await deliver(signed({ ...confirmation, SubscribeURL: url })), url).to.equal('callback_rejected');
    expect(confirmed()).to.equal(0);
    expect(await deliver(signed(confirmation))).to.equal(JSON.stringify({ recorded: 0, repeated: 0, ignored: 0 }));
    expect(confirmed()).to.equal(1);
    expect(await deliver(signed({ ...confirmation, SubscribeURL: `${amazon}/gone` }))).to.equal('unavailable');
  });

  it('is refused when it is forged', async () => {
    const account = await platform.account();
    const { returnPaths, shown } = await mail.sent(account);
    const genuine = notification({ source: returnPaths[0] ?? '', what: bounce('Permanent') });
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const cases: [what: string, message: SnsMessage, answer: string][] = [
      ['another key', signed(genuine, other.privateKey), 'callback_rejected'],
      ['changed text', { ...signed(genuine), Message: '{}' }, 'callback_rejected'],
      [
        'another topic',
        signed({ ...genuine, TopicArn: 'arn:aws:sns:us-west-2:999999999999:bounces' }),
        'callback_rejected',
      ],
      ['no signature', { ...signed(genuine), Signature: '' }, 'callback_rejected'],
      ['version 3', { ...signed(genuine), SignatureVersion: '3' }, 'callback_rejected'],
      [
        'an expired certificate',
        signed({ ...genuine, SigningCertURL: `${amazon}${expiredPath}` }),
        'callback_rejected',
      ],
      ['no certificate', signed({ ...genuine, SigningCertURL: `${amazon}${certificatePath}x` }), 'callback_rejected'],
      ['no type', signed({ ...genuine, Type: 'toString' }), 'invalid_json'],
    ];
    const urls = [
      'https://evil.example/SimpleNotificationService-1.pem',
      'https://sns.us-west-2.amazonaws.com.evil.example/SimpleNotificationService-1.pem',
      'https://evil.example/?sns.us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
      'https://user@sns.us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
      'https://sns.us-west-2.amazonaws.com:444/SimpleNotificationService-1.pem',
      'https://s3.us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
      'http://sns.us-west-2.amazonaws.com/SimpleNotificationService-1.pem',
      'https://sns.us-west-2.amazonaws.com/bucket/SimpleNotificationService-1.pem',
      'file:///etc/passwd',
    ];
    const before = server().asked.length;
    for (const url of urls) cases.push([url, signed({ ...genuine, SigningCertURL: url }), 'callback_rejected']);
    for (const [what, message, answer] of cases) expect(await deliver(message), what).to.equal(answer);
    expect(server().asked.slice(before)).to.deep.equal([expiredPath]);
    const whole = JSON.stringify(signed(genuine));
    for (const length of [0, 10, whole.length - 1])
      expect(await deliver(whole.slice(0, length))).to.be.oneOf(['invalid_json', 'callback_rejected']);
    expect((await shown()).message.status).to.equal('sent');
    expect(await deliver(signed(genuine))).to.equal(recorded);
  });

  it('comes again when the certificate cannot be fetched', async () => {
    const url = `${amazon}/SimpleNotificationService-missing.pem`;
    expect(await deliver(signed({ ...notification({ what: {} }), SigningCertURL: url }))).to.equal('unavailable');
    expect(refusalOf.unavailable({ problem: '' }).status).to.equal(503);
  });
});

describe('/v1/callbacks/email: Amazon SES that is not configured', () => {
  const mail = useBounces();

  it('is refused', async () => {
    const headers = { 'x-amz-sns-message-type': 'Notification' };
    const reply = await post(mail.platform, signed(notification({ what: {} })), headers);
    expect(reply).to.include({ status: 403, code: 'callback_rejected' });
  });
});
