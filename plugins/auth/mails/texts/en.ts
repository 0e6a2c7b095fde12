import type { MailTexts } from '../kinds.js';

export const en: MailTexts = {
  code: {
    subject: '{{ code }} is your {{ brandName }} code',
    heading: 'Your sign-in code: {{ code }}',
    body: 'Enter the code {{ code }} where you’re signing in to {{ brandName }}. It expires in {{ minutes }} minutes and can be used only once.',
    footer:
      'Don’t share this code with anyone; {{ brandName }} will never ask you for it. If you didn’t try to sign in, you can ignore this email.',
  },
  link: {
    subject: 'Sign in to {{ brandName }}',
    heading: 'Sign in to {{ brandName }}',
    body: 'Use the button below to sign in. The link expires in {{ minutes }} minutes and can be used only once.',
    button: 'Sign in',
    footer: 'Don’t forward this link to anyone. If you didn’t try to sign in, you can ignore this email.',
  },
  verifyAddress: {
    subject: '{{ code }} is your code to confirm this address at {{ brandName }}',
    heading: 'Confirm your address: {{ code }}',
    body: 'Enter the code {{ code }} to add this address to your account at {{ brandName }}. It expires in {{ minutes }} minutes.',
    footer: 'If you didn’t request this, you can ignore this email. The address won’t be added without the code.',
  },
  notices: {
    password_set: { subject: 'A password was set', body: 'A password was set for your account at {{ brandName }}.' },
    password_changed: {
      subject: 'Your password was changed',
      body: 'The password of your account at {{ brandName }} was changed.',
    },
    password_removed: {
      subject: 'Your password was removed',
      body: 'The password of your account at {{ brandName }} was removed.',
    },
    factor_activated: {
      subject: 'Two-step sign-in was turned on',
      body: 'An authenticator app now protects your account at {{ brandName }}.',
    },
    factor_replaced: {
      subject: 'Your authenticator app was replaced',
      body: 'Another authenticator app now protects your account at {{ brandName }}. The previous one no longer works.',
    },
    factor_removed: {
      subject: 'Two-step sign-in was turned off',
      body: 'The authenticator app of your account at {{ brandName }} was removed. You can now sign in without a second step.',
    },
    recovery_regenerated: {
      subject: 'You have new recovery codes',
      body: 'New recovery codes were created for your account at {{ brandName }}. The previous ones no longer work.',
    },
    recovery_used: {
      subject: 'A recovery code was used',
      body: 'Someone signed in to your account at {{ brandName }} with a recovery code.',
    },
    passkey_added: {
      subject: 'A passkey was added',
      body: 'The passkey “{{ what }}” was added to your account at {{ brandName }}.',
    },
    passkey_removed: {
      subject: 'A passkey was removed',
      body: 'The passkey “{{ what }}” was removed from your account at {{ brandName }}.',
    },
    primary_changed: {
      subject: 'Your primary address or number was changed',
      body: '{{ what }} is now the primary address or phone number of your account at {{ brandName }}.',
    },
    identity_added: {
      subject: 'A way to sign in was added',
      body: '{{ what }} was added to your account at {{ brandName }} and can be used to sign in.',
    },
    identity_removed: {
      subject: 'A way to sign in was removed',
      body: '{{ what }} was removed from your account at {{ brandName }}.',
    },
    new_device: {
      subject: 'New sign-in to {{ brandName }}',
      body: 'Someone signed in to your account at {{ brandName }} from a new device: {{ what }}.',
    },
  },
  facts: 'Time: {{ time }}\nIP address: {{ ip }}',
  noticeFooter:
    'If this was you, there’s nothing you need to do. If it wasn’t, sign in right away, sign out everywhere else and change how you sign in.',
  sms: '{{ code }} is your {{ brandName }} code. Do not share it with anyone. It expires in {{ minutes }} minutes.',
};
