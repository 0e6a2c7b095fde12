import { list, nullable, object, oneOf, text, url, type ValueOf } from '#core/kernel/schema/schema.js';
import { factorKinds } from '../tables/factor.js';
import { Tokens } from '../sessions/resources.js';
import { User } from '../users/resources.js';

/** The reply of every operation that completes a sign-in. */
export const signInResult = {
  status: oneOf(
    ['complete', 'mfa_required', 'handoff'],
    'complete: `tokens` and `user` are set; mfa_required: continue with `mfa` (auth.mfa.verify or auth.mfa.recover); handoff: send the browser to `redirectTo`.',
  ),
  tokens: nullable(Tokens),
  user: nullable(User),
  mfa: nullable(
    object(
      {
        mfaToken: text('For auth.mfa.verify or auth.mfa.recover, within ten minutes.'),
        factors: list(oneOf([...factorKinds, 'recovery_code']), 'The methods that the second step accepts.'),
      },
      { description: 'The second step that the sign-in awaits.' },
    ),
  ),
  redirectTo: nullable(url('Where the sign-in returns to. With `handoff`, it carries a one-time svc_code.')),
};

export const SignInResult = object(signInResult);
export type SignInResultValue = ValueOf<typeof SignInResult>;
