import { defineOperation } from '#core/kernel/operation.js';
import { boolean, list, object, oneOf, text } from '#core/kernel/schema/schema.js';
import { directory, exampleTheme, Theme } from '#plugins/account/ports.js';
import { loadSettings } from '../../settings/load.js';
import { usableMethods } from '../../settings/usable-methods.js';

export default defineOperation({
  name: 'auth.signin.methods',
  summary:
    'Returns the sign-in methods and providers that are enabled and available in this environment, with the name and colours of its published theme, so that a sign-in form can be rendered.',
  description:
    'A method is true if it is enabled in the settings and available in this deployment. `signup` is closed if people without an account cannot get one by signing in: only people with an invitation can, or nobody.',
  keywords: 'login form providers enabled options discover branding',
  access: 'publishable',
  impact: { read: true, retrySafe: true },
  input: object({}),
  output: object({
    methods: object(
      {
        code: boolean('A one-time code by email.'),
        link: boolean('A magic link by email.'),
        password: boolean('Address and password.'),
        passkey: boolean('A passkey.'),
        sms: boolean('A one-time code as a text message.'),
        oauth: list(
          object({ provider: text('For auth.oauth.start.'), name: text('The label of its button.') }),
          'Providers, by name.',
        ),
      },
      { description: 'The sign-in methods, and whether each is available.' },
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
