import type { Context } from '#core/kernel/context.js';
import type { SignInTexts } from '../ports.js';

/** Used if no product sends texts. */
export const noTexts = ({ fail }: Pick<Context, 'fail'>): SignInTexts => ({
  available: () => Promise.resolve(false),
  async queue() {
    throw fail.provider_not_configured({
      owner: 'This deployment',
      provider: 'text messages',
      nextStep: 'Add sms to SVC_PRODUCTS and restart the server, or sign in with another method (auth.signin.methods).',
    });
  },
});
