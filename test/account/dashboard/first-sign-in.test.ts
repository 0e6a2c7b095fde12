import { expect } from 'chai';
import { at } from '#core/runtime/json.js';
import { atOwnShard } from '#core/runtime/shard.js';
import { addMember } from '#test/account/support.js';
import { from, useSignInMail } from '#test/auth/sign-in-mail.js';
import { startedCode } from '#test/auth/support.js';
import { apiAt } from '#test/support/api.js';
import { days, hours } from '#test/support/clock.js';
import type { TestAccount } from '#test/support/platform.js';
import { dashboardOf } from './support.js';

describe('The first sign-in to the dashboard', () => {
  const { platform } = useSignInMail();
  const keys: { publishable?: string } = {};
  before(async () => {
    const description: unknown = await (await fetch(atOwnShard(`${platform.running.address}/openapi.json`))).json();
    keys.publishable = String(at(description, 'x-svc-dashboard', 'publishableKey'));
  });
  // Each case has hours of its own.
  beforeEach(() => platform.clock.advance(hours(2)));

  /** Enters the right code for an address. @returns `complete`, or the refusal's code */
  async function signIn(email: string, ip = '203.0.113.1'): Promise<string> {
    const challengeId = await startedCode(platform, await dashboardOf(platform), { email });
    const app = apiAt(
      () => platform.running.address,
      () => keys.publishable ?? '',
      () => platform.running.registry,
    );
    const { text } = await app.raw('/auth/signin/verify', JSON.stringify({ challengeId, code: '271828' }), from(ip));
    return /"(?:status|code)":"([a-z_]+)"/.exec(text)?.[1] ?? text;
  }
  const invited = (account: TestAccount, email: string) =>
    addMember(platform, account, { role: 'viewer', status: 'invited', email });
  const strangers = async (prefix: string): Promise<void> => {
    for (const n of [1, 2, 3, 4, 5]) expect(await signIn(`${prefix}${n}@example.com`)).to.equal('complete');
    expect(await signIn(`${prefix}6@example.com`)).to.equal('rate_limited');
  };

  it('of an invited person succeeds where five others signed up from the same network', async () => {
    const account = await platform.account();
    await invited(account, 'Colleague@example.com');
    await strangers('visitor');
    expect(await signIn('colleague@example.com')).to.equal('complete');
  });

  it('of seven invited people from one network takes no place of people who are not', async () => {
    const account = await platform.account();
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      await invited(account, `invited${n}@example.com`);
      expect(await signIn(`invited${n}@example.com`)).to.equal('complete');
    }
    await strangers('guest');
  });

  it('of invited people is limited too: fifty an hour from one network', async () => {
    const account = await platform.account();
    for (let n = 0; n < 51; n += 1) await invited(account, `many${n}@example.com`);
    const answers = await Promise.all(Array.from({ length: 51 }, (_, n) => signIn(`many${n}@example.com`)));
    expect(answers.filter((answer) => answer === 'complete')).to.have.length(50);
    expect(answers.filter((answer) => answer === 'rate_limited')).to.have.length(1);
  });

  it('counts like everybody else’s once the invitation has expired or was withdrawn', async () => {
    const account = await platform.account();
    await invited(account, 'late@example.com');
    await addMember(platform, account, { role: 'viewer', status: 'removed', email: 'removed@example.com' });
    platform.clock.advance(days(7));
    await strangers('person');
    expect(await signIn('late@example.com')).to.equal('rate_limited');
    expect(await signIn('removed@example.com')).to.equal('rate_limited');
  });
});
