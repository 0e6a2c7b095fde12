import type { InviteWords } from './words.js';

export const en: InviteWords = {
  title: 'Invitation to {account}',
  heading: 'You are invited to {account}',
  lead: '{person} invites you to become a member of this account.',
  leadWithoutPerson: 'You are invited to become a member of this account.',
  address: 'Invited address',
  role: 'Your role',
  until: 'Valid until',
  roles: {
    owner: {
      name: 'Owner',
      may: 'You may do everything, including what only owners may: closing the account, for example.',
    },
    admin: { name: 'Admin', may: 'You may do everything, except what is kept for owners.' },
    developer: {
      name: 'Developer',
      may: 'You may see everything, and change sign-in, email, SMS, audiences, keys and webhooks.',
    },
    viewer: { name: 'Viewer', may: 'You may see everything and change nothing.' },
  },
  next: {
    heading: 'How to go on',
    signIn: 'Sign in to the dashboard with {email} to accept the invitation.',
    ask: 'Signing in to the dashboard is not part of this deployment yet, so the invitation cannot be accepted here. Please ask the person who invited you how to go on.',
  },
  troubles: {
    unknown: {
      heading: 'We do not know this invitation',
      said: 'The link is incomplete, or there never was such an invitation.',
      next: 'Open the link in the mail once more, and see that it is whole. If that does not help, ask the person who invited you for a new one.',
    },
    expired: {
      heading: 'This invitation has expired',
      said: 'Its link was valid for a limited time only.',
      next: 'Ask the person who invited you to invite you again: you will get a new link.',
    },
    revoked: {
      heading: 'This invitation was withdrawn',
      said: 'Its link no longer leads anywhere.',
      next: 'If you think that this is a mistake, ask an owner or admin of the account to invite you again.',
    },
    accepted: {
      heading: 'This invitation was already accepted',
      said: 'An invitation can be accepted once.',
      next: 'Sign in with the invited address to open the account.',
    },
    limited: {
      heading: 'Too many attempts',
      said: 'Many invitations were opened from your network within a short time.',
      next: 'Wait ten minutes, then open the link again.',
    },
    failed: {
      heading: 'This page cannot be shown right now',
      said: 'Something went wrong on our side. Your invitation is not affected.',
      next: 'Try again in a few minutes. If it happens again, give this number to the people who run this service: {requestId}',
    },
  },
};
