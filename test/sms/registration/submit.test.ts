import { expect } from 'chai';
import { minutes } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { twilioRefusals } from '#test/support/twilio.js';
import { eventually } from '#test/support/eventually.js';
import { itNeeding } from '#test/support/products.js';
import { useTwilio } from '../twilio-platform.js';
import { submission } from './submission.js';

const registrationEvents = /^sms\.registration\./;

describe('sms.registration.submit', () => {
  const given = useTwilio({ SVC_SMS_REGISTRATION_FEES: 'brand:4.50,campaign:15' });
  const { platform } = given;

  const typesOf = async ({ live }: TestAccount): Promise<string[]> =>
    (await platform.events(live)).map(({ type }) => type).filter((type) => registrationEvents.test(type));
  const stageOf = async ({ svc }: TestAccount): Promise<string | undefined> =>
    (await svc.call('sms.registration.get', {})).registration?.stage;
  /** Waits until nothing is left to do now; the registration has the stage then. */
  const reaches = async (account: TestAccount, stage: string): Promise<void> => {
    await eventually(async () => (await stageOf(account)) === stage, `the stage ${stage}`);
    await platform.settled();
  };
  /** Lets the next question to the carriers be asked. */
  const later = async (): Promise<void> => {
    platform.clock.advance(minutes(16));
    await platform.settled();
  };

  itNeeding('billing')(
    'files business, brand and campaign at Twilio, and follows them until they are active',
    async () => {
      const account = await platform.account();
      const { svc } = account;
      const { registrations } = given.twilio;
      expect(await svc.call('sms.registration.get', {})).to.deep.include({ registration: null, required: true });
      const { registration } = await svc.call('sms.registration.submit', submission());
      expect(registration.stage).to.equal('submitted');
      await reaches(account, 'registering');
      expect(
        JSON.parse(String(registrations.things.find(({ kind }) => kind === 'endUser')?.fields['Attributes'])),
      ).to.include({
        business_name: 'Acme GmbH',
        business_registration_number: '12-3456789',
        website_url: 'https://acme.example.com/',
      });
      expect(registrations.newest('profile')).to.include({ status: 'pending-review' });
      await later();
      expect(await stageOf(account)).to.equal('registering');
      registrations.decide('brand', 'APPROVED');
      await later();
      expect(registrations.newest('campaign').fields).to.deep.include({
        UsAppToPersonUsecase: 'DELIVERY_NOTIFICATION',
        HasEmbeddedLinks: 'true',
        OptInKeywords: 'START',
      });
      // What people write to its numbers comes to the numbers' own address; else Twilio would drop it.
      expect(registrations.newest('service').fields).to.include({ UseInboundWebhookOnNumber: 'true' });
      registrations.decide('campaign', 'VERIFIED');
      await later();
      expect(await stageOf(account)).to.equal('active');
      expect(await typesOf(account)).to.deep.equal([
        'sms.registration.submitted',
        'sms.registration.registering',
        'sms.registration.active',
      ]);
      expect(registrations.charges).to.deep.equal(['brand', 'campaign']);
      const fees = (await platform.events(account.live)).filter(({ type }) => type === 'billing.passthrough.recorded');
      expect(JSON.stringify(fees.map(({ data }) => data))).to.match(/"amount":"4\.50?".*"amount":"15(\.00)?"/);
      expect(await svc.refusal('sms.registration.submit', submission())).to.include({
        status: 409,
        code: 'registration_pending',
      });
    },
  );

  it('asks at once when Twilio says that something has changed, and believes its signature alone', async () => {
    const account = await platform.account();
    const { twilio } = given;
    await account.svc.call('sms.registration.submit', submission());
    await reaches(account, 'registering');
    twilio.registrations.decide('brand', 'APPROVED');
    const callback = String(twilio.registrations.newest('profile').fields['StatusCallback']);
    const fields = { Status: 'twilio-approved' };
    expect(await twilio.call(callback, platform.running.address, fields, 'another token')).to.include({ status: 403 });
    await platform.settled();
    const campaigns = (): number => twilio.registrations.things.filter(({ kind }) => kind === 'campaign').length;
    const before = campaigns();
    expect(await twilio.call(callback, platform.running.address, fields)).to.include({ status: 200 });
    await eventually(() => campaigns() === before + 1, 'the campaign');
  });

  it('lets texts of the registration leave from the environment’s numbers, those taken later too', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { registrations } = given.twilio;
    const first = await svc.call('sms.number.assign', { country: 'US' });
    await svc.call('sms.registration.submit', submission());
    await reaches(account, 'registering');
    registrations.decide('brand', 'APPROVED');
    await later();
    registrations.decide('campaign', 'VERIFIED');
    await later();
    const second = await svc.call('sms.number.assign', { country: 'US' });
    const service = registrations.newest('service').sid;
    const joined = registrations.things
      .filter(({ kind, fields }) => kind === 'service.number' && fields['parent'] === service)
      .map(({ fields }) => given.twilio.numbers.find(({ sid }) => sid === fields['PhoneNumberSid'])?.number);
    expect(joined).to.deep.equal([first.number.number, second.number.number]);
  });

  it('says what must be corrected, and submits it again without creating anything twice', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { registrations } = given.twilio;
    await svc.call('sms.registration.submit', submission());
    await reaches(account, 'registering');
    registrations.decide('brand', 'FAILED', [
      {
        code: 30_794,
        description: 'The tax number 12-3456789 does not match the name',
        fields: ['business_registration_number'],
      },
    ]);
    await later();
    const refused = await svc.call('sms.registration.get', {});
    const problem = {
      code: '30794',
      message: 'The tax number ••••••••89 does not match the name',
      fix: 'Correct `taxId`, then call sms.registration.submit again.',
    };
    expect(refused.registration).to.deep.include({ stage: 'action_needed', problems: [problem] });
    expect(refused.problems).to.deep.equal([problem]);
    const profile = registrations.newest('profile').sid;
    const made = registrations.things.length;
    const again = await svc.call('sms.registration.submit', submission({ taxId: '98-7654321' }));
    expect(again.registration).to.include({ id: refused.registration?.id, stage: 'submitted' });
    await reaches(account, 'registering');
    expect(registrations.newest('profile').sid).to.equal(profile);
    expect(registrations.things.length).to.equal(made);
    expect(registrations.newest('brand').status).to.equal('PENDING');
    registrations.decide('brand', 'APPROVED');
    await later();
    registrations.decide('campaign', 'FAILED', [
      { error_code: 30_886, description: 'The opt-in is not clear', fields: ['MESSAGE_FLOW'] },
    ]);
    await later();
    const { problems } = await svc.call('sms.registration.get', {});
    expect(problems[0]?.fix).to.equal('Correct `optIn`, then call sms.registration.submit again.');
    await svc.call('sms.registration.submit', submission());
    await eventually(() => registrations.newest('campaign').status === 'PENDING', 'another campaign');
    await platform.settled();
    registrations.decide('campaign', 'VERIFIED');
    await later();
    expect(await stageOf(account)).to.equal('active');
    expect(await typesOf(account)).to.deep.equal([
      'sms.registration.submitted',
      'sms.registration.registering',
      'sms.registration.action_needed',
      'sms.registration.submitted',
      'sms.registration.registering',
      'sms.registration.action_needed',
      'sms.registration.submitted',
      'sms.registration.registering',
      'sms.registration.active',
    ]);
  });

  it('shows the tax number nowhere, and stores it sealed', async () => {
    const account = await platform.account();
    const idempotencyKey = 'a-submission-with-a-secret';
    const taxId = '77-7654321';
    const { registration } = await account.svc.call('sms.registration.submit', submission({ taxId }), {
      idempotencyKey,
    });
    expect(registration.filed.taxId).to.equal('••••••••21');
    await reaches(account, 'registering');
    const tables = [
      ['svc_event', 'data'],
      ['svc_activity', 'changes'],
      ['svc_activity', 'summary'],
      ['svc_idempotency', 'answer'],
      ['sms_registration', 'filed'],
      ['sms_registration', 'sealed_tax_id'],
      ['sms_registration', 'problems'],
    ] as const;
    for (const [table, column] of tables)
      expect(await platform.count(table, `${column} LIKE '%${taxId}%'`), `${table}.${column}`).to.equal(0);
    expect(platform.logLines.filter((line) => line.includes(taxId))).to.deep.equal([]);
    expect(await platform.count('sms_registration', 'LENGTH(sealed_tax_id) > 33')).to.be.above(0);
  });

  it('answers provider_failed if nothing could be submitted, and can be called again', async () => {
    const account = await platform.account();
    const { svc } = account;
    given.twilio.fail(/CustomerProfiles/, { kind: 'refuse', refusal: twilioRefusals.internal });
    const refused = await svc.refusal('sms.registration.submit', submission());
    expect(refused).to.include({ status: 502, code: 'provider_failed' });
    const { registration, problems } = await svc.call('sms.registration.get', {});
    expect(registration?.stage).to.equal('failed');
    expect(await typesOf(account)).to.include('sms.registration.failed');
    expect(problems[0]?.code).to.equal('provider_failed');
    expect((await svc.call('sms.registration.submit', submission())).registration.stage).to.equal('submitted');
    await reaches(account, 'registering');
  });

  it('continues after a task that failed, and creates a brand whose answer was lost only once', async () => {
    const account = await platform.account();
    const { registrations } = given.twilio;
    const brands = registrations.charges.length;
    given.twilio.fail(/^POST \/v1\/SupportingDocuments/, { kind: 'refuse', refusal: twilioRefusals.tooMany });
    given.twilio.fail(/^POST \/v1\/a2p\/BrandRegistrations/, { kind: 'cut', carriedOut: true });
    await account.svc.call('sms.registration.submit', submission());
    await platform.settled();
    const [problem] = (await account.svc.call('sms.registration.get', {})).problems;
    expect(problem).to.include({ code: 'provider_failed', message: 'Twilio failed: Too Many Requests (error 20429).' });
    expect(problem?.fix).to.include('sms.registration.get');
    for (let round = 0; round < 3 && (await stageOf(account)) !== 'registering'; round += 1) await later();
    await reaches(account, 'registering');
    expect(registrations.charges.length).to.equal(brands + 1);
    expect((await account.svc.call('sms.registration.get', {})).problems).to.deep.equal([]);
  });

  it('says which number could not join it, tries again, and forgets a number that is given back', async () => {
    const account = await platform.account();
    const { svc } = account;
    const { registrations } = given.twilio;
    await svc.call('sms.registration.submit', submission());
    await reaches(account, 'registering');
    registrations.decide('brand', 'APPROVED');
    await later();
    registrations.decide('campaign', 'VERIFIED');
    await later();
    expect(await stageOf(account)).to.equal('active');
    const refusal = { status: 409, code: 21_717, message: 'The number is in another campaign' };
    given.twilio.fail(/\/PhoneNumbers$/, ...Array.from({ length: 3 }, () => ({ kind: 'refuse', refusal }) as const));
    const { number } = await svc.call('sms.number.assign', { country: 'US' });
    const problems = async () => (await svc.call('sms.registration.get', {})).problems;
    const [problem] = await problems();
    expect(problem?.code).to.equal('number_not_registered');
    expect(problem?.message).to.include(number.number).and.include('another campaign');
    expect(await stageOf(account)).to.equal('active');
    await later();
    expect(await problems()).to.have.length(1);
    const second = await svc.call('sms.number.assign', { country: 'US' });
    expect(await problems()).to.have.length(2);
    const held = given.twilio.numbers.length;
    await svc.call('sms.number.release', { numberId: second.number.id });
    await platform.settled();
    expect(given.twilio.numbers.length).to.equal(held - 1);
    await later();
    expect(await problems()).to.deep.equal([]);
  });

  it('files the contact’s number as carriers take it', async () => {
    const { svc } = await platform.account();
    const contact = { name: 'Ada Lovelace', email: 'ada@acme.example.com', phone: '+1 (212) 555-0123' };
    const { registration } = await svc.call('sms.registration.submit', submission({ contact }));
    expect(registration.filed.contact).to.deep.equal({ ...contact, phone: '+12125550123' });
  });

  it('is refused in test environments and closed accounts, and for submissions that are not complete', async () => {
    const { svc, svcTest } = await platform.account();
    expect(await svcTest.refusal('sms.registration.submit', submission())).to.include({
      status: 403,
      code: 'live_only',
    });
    expect(await svcTest.call('sms.registration.get', {})).to.deep.equal({
      registration: null,
      required: false,
      problems: [],
    });
    for (const wrong of [
      { description: 'too short' },
      { sampleMessages: ['one'] },
      { country: 'usa' },
      { website: 'acme' },
    ])
      expect(await svc.refusal('sms.registration.submit', { ...submission(), ...wrong })).to.include({
        code: 'invalid_input',
      });
    await svc.call('account.close', { reason: 'Testing.' });
    expect(await svc.refusal('sms.registration.submit', submission())).to.include({ code: 'account_closed' });
  });

  it('is filed once by calls at the same time', async () => {
    const account = await platform.account();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => account.svc.raw('/sms/registration/submit', JSON.stringify(submission()))),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
  });
});
