import type { SubscribeTexts } from './texts.js';

export const en: SubscribeTexts = {
  heading: 'Subscribe to {topic}',
  email: 'Email address',
  firstName: 'First name',
  optional: '(optional)',
  consent:
    'I’d like to get “{topic}” from {brand} by email. I can unsubscribe at any time with the link in each email.',
  button: 'Subscribe',
  mistakes: {
    email: 'Enter a complete email address, such as name@example.com.',
    firstName: 'Enter a name without a web address, with at most 100 characters.',
  },
  leaveEmpty: 'Leave this field empty',
  confirm: {
    heading: 'Confirm your subscription',
    text: '“{topic}” will be sent to {email}.',
    button: 'Confirm subscription',
  },
  done: {
    asked: {
      heading: 'One more step: check your inbox',
      text: 'If emails can be sent to the address you entered, you’ll get one with a link. Open it to confirm your subscription to “{topic}”. The link works for {days} days. If you can’t find the email, look in your spam folder.',
    },
    registered: {
      heading: 'Thank you',
      text: 'You’ll get “{topic}” by email. If this address has unsubscribed before, we’ll first send it an email with a confirmation link.',
    },
    subscribed: {
      heading: 'Your subscription is confirmed',
      text: 'You’ll get “{topic}” by email. You can unsubscribe at any time with the link in each email.',
    },
    blocked: {
      heading: 'Your subscription is saved, but emails are stopped',
      text: 'An earlier email to this address came back or was reported as spam, or {brand} stopped sending to it. To get “{topic}”, please contact {brand}.',
    },
  },
  problems: {
    unknown: {
      heading: 'This form isn’t available',
      text: 'It has been closed, or the address of this page is incomplete.',
    },
    invalid: {
      heading: 'This link doesn’t work',
      text: 'It’s incomplete. Open the link from the email again and make sure it’s complete.',
    },
    expired: {
      heading: 'This link has expired',
      text: 'It worked for {days} days. Enter your address in the form again to get a new one.',
    },
    void: {
      heading: 'This link is no longer valid',
      text: 'The choice for this address was changed after the link was sent. To subscribe, enter the address in the form again.',
    },
    limited: {
      heading: 'Too many attempts',
      text: 'The form was used too often with this address, from your network, or in total. Nothing was changed this time. Try again later.',
    },
    closed: {
      heading: 'This form isn’t available at the moment',
      text: 'No new subscriptions are possible for now.',
    },
    failed: {
      heading: 'This page can’t be shown right now',
      text: 'Something went wrong on our side. Try again in a few minutes. If it happens again, give the operators of this service this request ID: {requestId}',
    },
  },
  again: 'Go to the form',
  continue: 'Continue',
};
