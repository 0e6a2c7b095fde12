import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, object, oneOf, text } from '#core/kernel/schema/schema.js';
import { directory, exampleTheme, Theme } from '#plugins/account/ports.js';
import { loadSettings } from '../../settings/load.js';
import { usableMethods } from '../../settings/usable-methods.js';

export default defineOperation({
  name: 'auth.signin.methods',
  summary: 'Show how people can sign in here, and the theme, so that a sign-in form can draw itself.',
  description:
    'A method is true where it is enabled in the settings and available in this deployment. `signup` is closed where somebody without an account cannot get one by signing in: only people with an invitation can, or nobody.',
  keywords: 'login form providers enabled options discover branding',
  access: 'publishable',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    methods: object(
      {
        code: boolean('A one-time code by mail.'),
        link: boolean('A magic link by mail.'),
        password: boolean('Address and password.'),
        passkey: boolean('A passkey.'),
        sms: boolean('A one-time code as a text message.'),
        oauth: list(
          object({ provider: text('For auth.oauth.start.'), name: text('What its button says.') }),
          'Providers, by name.',
        ),
      },
      { description: 'Each way to sign in, and whether it is there.' },
    ),
    signup: oneOf(['open', 'closed'], 'Whether new people can sign up.'),
    theme: Theme,
  }),
  example: {
    input: {},
    output: {
      methods: {
        code: true,
        link: true,
        password: true,
        passkey: true,
        sms: false,
        oauth: [{ provider: 'google', name: 'Google' }],
      },
      signup: 'open',
      theme: exampleTheme,
    },
  },

  async handle(_input, context) {
    const { environment } = context.caller;
    const settings = await loadSettings(context.db, environment.id);
    const methods = await usableMethods(context, environment, settings);
    const theme = await context.use(directory).theme(environment);
    const signup: 'open' | 'closed' = settings.signup.allow === 'anyone' ? 'open' : 'closed';
    return { methods: { ...methods, oauth: [...methods.oauth] }, signup, theme };
  },
});
