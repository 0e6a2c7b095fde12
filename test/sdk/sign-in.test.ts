import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { bindSignIn, returnedCode, SignInNotStartedHere, signInUrl } from '#core/surfaces/sdk/session.js';

describe('The SDK’s sign-in on the hosted pages', () => {
  const app = 'https://app.example.com/callback';

  it('makes an address with a state and a challenge, which differ each time', async () => {
    const binding = await bindSignIn();
    expect(binding.codeChallenge).to.equal(createHash('sha256').update(binding.codeVerifier).digest('base64url'));
    const url = new URL(
      signInUrl({ baseUrl: 'https://svc.example.com/', environmentId: 'e', redirectTo: app, binding }),
    );
    expect(url.origin + url.pathname).to.equal('https://svc.example.com/auth/e/signin');
    const { state, codeChallenge } = binding;
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({ redirectTo: app, state, codeChallenge });
    expect(url.href).to.not.contain(binding.codeVerifier);
    expect((await bindSignIn()).state).to.not.equal(state);
  });

  it('takes the code in the browser that started the sign-in only', async () => {
    const kept = await bindSignIn();
    const back = `${app}?svc_code=svc_hc_x&state=${kept.state}`;
    expect(returnedCode(back, kept)).to.deep.equal({ code: 'svc_hc_x', codeVerifier: kept.codeVerifier });
    expect(returnedCode(`/callback?svc_code=y&state=${kept.state}`, kept).code).to.equal('y');
    for (const [address, mine, reason] of [
      [back, null, 'nothing_kept'],
      [back, await bindSignIn(), 'other_state'],
      [`${app}?svc_code=svc_hc_x`, kept, 'other_state'],
      [`${app}?state=${kept.state}`, kept, 'no_code'],
    ] as const)
      expect(() => returnedCode(address, mine))
        .to.throw(SignInNotStartedHere)
        .with.property('reason', reason);
  });
});
