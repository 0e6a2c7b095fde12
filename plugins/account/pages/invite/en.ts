import type { InviteTexts } from './texts.js';

export const en: InviteTexts = {
  title: 'Invitation to {account}',
  heading: 'You are invited to {account}',
  lead: '{inviter} invites you to become a member of this account.',
  leadWithoutInviter: 'You are invited to become a member of this account.',
  address: 'Invited address',
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
    viewer: { name: 'Viewer', description: 'You can see everything but change nothing.' },
  },
  next: {
    heading: 'Next step',
    unavailable:
      'Sign-in is not enabled in this deployment, so the invitation cannot be accepted here. Please ask the person who invited you.',
  },
  accept: {
    heading: 'Accept the invitation',
    start: 'To accept, confirm that {email} is your address: we send a code to it.',
    sendCode: 'Send me a code',
    sendAgain: 'Send another code',
    sent: 'We have sent a code to {email}. It is valid for ten minutes.',
    code: 'Code from the email',
    second: 'Your account is protected by a second factor.',
    secondCode: 'Code from your authenticator app, or a recovery code',
    button: 'Accept the invitation',
    signIn: 'Sign in as {email} to accept the invitation.',
    signInButton: 'Sign in',
    doneHeading: 'You are a member now',
    done: 'You have joined {account}.',
    after: {
      heading: 'What you can do now',
      signIn: 'Protect your sign-in',
      signInWhy: 'Add a passkey or a second step, and see where you are signed in.',
      invoices:
        'Mails about invoices go to the owners, or to the address in the billing details. The link in each leads to a page where the invoice can be seen and paid.',
      work: 'The account itself is worked with by programs and on the command line, as {reference} describes (in English). There, sign in with:',
      reference: 'the reference',
    },
    mistakes: {
      wrongCode: 'That code is not right. Check it and try again.',
      codeEnded: 'That code can no longer be used. Have another one sent to you.',
      nothingWaits:
        'The sign-in has ended, or your browser keeps no cookies. Allow them for this site, then have another code sent to you.',
    },
  },
  problems: {
    unknown: {
      heading: 'Invitation not found',
      explanation: 'The link is incomplete, or the invitation never existed.',
      next: 'Open the link in the email again and check that it is complete. If that does not help, ask the person who invited you for a new one.',
    },
    expired: {
      heading: 'This invitation has expired',
      explanation: 'The link was valid for a limited time.',
      next: 'Ask the person who invited you to invite you again: you will get a new link.',
    },
    revoked: {
      heading: 'This invitation was withdrawn',
      explanation: 'The link no longer works.',
      next: 'If you think this is a mistake, ask an owner or admin of the account to invite you again.',
    },
    accepted: {
      heading: 'This invitation was already accepted',
      explanation: 'An invitation can be accepted only once.',
      next: 'If you accepted it, you are a member. If somebody else did, tell an owner of the account.',
    },
    limited: {
      heading: 'Too many attempts',
      explanation: 'There were many attempts from your network in a short time.',
      next: 'Your invitation is not affected: open the link again after an hour at most.',
    },
    secondStep: {
      heading: 'A second step is required',
      explanation:
        'Everybody signs in here with an authenticator app as second step, and you have not set one up yet. Your invitation is not affected.',
      next: 'Set it up on the page below, then open the link in the email again.',
    },
    failed: {
      heading: 'This page cannot be shown right now',
      explanation: 'Something went wrong on our side. Your invitation is not affected.',
      next: 'Try again in a few minutes. If it happens again, give this number to the operators of the service: {requestId}',
    },
  },
};
