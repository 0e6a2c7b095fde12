import type { InviteTexts } from './texts.js';

export const en: InviteTexts = {
  title: 'Invitation to {account}',
  heading: 'You’re invited to join {account}',
  lead: '{inviter} has invited you to become a member of this account.',
  leadWithoutInviter: 'You’ve been invited to become a member of this account.',
  address: 'Email address',
  role: 'Your role',
  validUntil: 'Valid until',
  roles: {
    owner: {
      name: 'Owner',
      description: 'You can do everything, including what is reserved for owners, such as closing the account.',
    },
    admin: { name: 'Admin', description: 'You can do everything except what is reserved for owners.' },
    developer: {
      name: 'Developer',
      description: 'You can see everything and change sign-in, email, SMS, audiences, keys and webhooks.',
    },
    viewer: { name: 'Viewer', description: 'You can see everything, but you can’t make changes.' },
  },
  narrowed: {
    change: 'You can change: {areas}.',
    see: 'You can see: {areas}.',
    areas: {
      account: 'account',
      auth: 'sign-in',
      email: 'email',
      sms: 'SMS',
      audience: 'audiences',
      billing: 'billing',
      developers: 'keys and webhooks',
    },
  },
  next: {
    heading: 'Next step',
    unavailable:
      'Sign-in isn’t available on this server, so the invitation can’t be accepted here. Please ask the person who invited you.',
  },
  accept: {
    heading: 'Accept the invitation',
    start: 'To accept, confirm that {email} is your address. We’ll send it a code.',
    sendCode: 'Send me a code',
    sendAgain: 'Send another code',
    sent: 'We’ve sent a code to {email}. It expires in ten minutes.',
    code: 'Code from the email',
    second: 'Your account is protected by two-step sign-in.',
    secondCode: 'Code from your authenticator app, or a recovery code',
    button: 'Accept the invitation',
    signIn: 'Sign in as {email} to accept the invitation.',
    signInButton: 'Sign in',
    doneHeading: 'You’re now a member',
    done: 'You’ve joined {account}.',
    after: {
      heading: 'What you can do now',
      signIn: 'Secure your sign-in',
      signInWhy: 'Add a passkey or a second step, and see where you’re signed in.',
      invoices:
        'Invoice emails go to the owners, or to the address in the billing details. Each has a link to a page where you can view and pay the invoice.',
      console: 'Open the console',
      work: 'You can also work with the account from your own programs and from the command line; {reference} (in English) shows how. To install the command-line tool and sign in, run:',
      reference: 'the reference',
    },
    mistakes: {
      wrongCode: 'That code isn’t correct. Check it and try again.',
      codeEnded: 'That code is no longer valid. Request a new one.',
      nothingWaits:
        'The sign-in has expired, or your browser is blocking cookies. Allow cookies for this site, then request a new code.',
    },
  },
  problems: {
    unknown: {
      heading: 'Invitation not found',
      explanation: 'The link is incomplete, or the invitation never existed.',
      next: 'Open the link from the email again and make sure it’s complete. If that doesn’t help, ask the person who invited you for a new one.',
    },
    expired: {
      heading: 'This invitation has expired',
      explanation: 'The link was valid for a limited time.',
      next: 'Ask the person who invited you for a new invitation.',
    },
    revoked: {
      heading: 'This invitation was withdrawn',
      explanation: 'The link no longer works.',
      next: 'If you think this is a mistake, ask an owner or admin of the account to invite you again.',
    },
    accepted: {
      heading: 'This invitation has already been accepted',
      explanation: 'An invitation can be accepted only once.',
      next: 'If you accepted it, you’re already a member. If someone else did, tell an owner of the account.',
    },
    limited: {
      heading: 'Too many attempts',
      explanation: 'There were too many attempts from your network in a short time.',
      next: 'Your invitation isn’t affected. Open the link again in an hour.',
    },
    secondStep: {
      heading: 'A second step is required',
      explanation:
        'Everyone here signs in with an authenticator app as a second step, and you haven’t set one up yet. Your invitation isn’t affected.',
      next: 'Set it up on the page below, then open the link in the email again.',
    },
    failed: {
      heading: 'This page can’t be shown right now',
      explanation: 'Something went wrong on our side. Your invitation isn’t affected.',
      next: 'Try again in a few minutes. If it happens again, give the operators of this service this request ID: {requestId}',
    },
  },
};
