import type { PreferencesTexts } from './texts.js';

export const en: PreferencesTexts = {
  title: 'Your preferences',
  heading: 'What {project} may send you',
  lead: 'Choose what you want to receive. Your choice counts from the moment you save it.',
  channels: {
    email: {
      legend: 'Email',
      noTopics: 'There are no newsletters to choose from.',
      unsubscribe: 'Unsubscribe from all newsletters by email',
      allow: 'Allow email again',
      reasons: {
        unsubscribe:
          'You are unsubscribed from all newsletters by email. Messages that nobody subscribes to, such as receipts, still reach you. Choosing something here subscribes you to it again.',
        complaint:
          'You reported one of our emails as unwanted, so nothing is sent to this address except sign-in codes and security notices. Choosing something here subscribes you to it again.',
        stop: 'Nothing is sent to this address any more.',
        bounce:
          'Emails to this address came back, so nothing is sent there for now. Your choices are kept. If the address is right, please tell {project}.',
        manual:
          '{project} sends nothing to this address except sign-in codes and security notices. Your choices are kept. To change that, ask {project}.',
      },
    },
    sms: {
      legend: 'Text messages',
      noTopics: 'There is nothing to choose from.',
      unsubscribe: 'Unsubscribe from all newsletters by text message',
      allow: 'Allow text messages again',
      reasons: {
        unsubscribe:
          'You are unsubscribed from all newsletters by text message. Messages that nobody subscribes to, such as delivery times, still reach you. Choosing something here subscribes you to it again.',
        complaint:
          'You reported one of our text messages as unwanted, so nothing is sent to this number except sign-in codes and security notices. Choosing something here subscribes you to it again.',
        stop: 'You answered STOP, so no text messages are sent to this number, not even sign-in codes. To get them again, text START to the number that wrote to you. Your choices here are kept until then.',
        bounce:
          'Text messages to this number did not arrive, so nothing is sent there for now. Your choices are kept. If the number is right, please tell {project}.',
        manual:
          '{project} sends nothing to this number except sign-in codes and security notices. Your choices are kept. To change that, ask {project}.',
      },
    },
  },
  noAddress: '{project} has neither an email address nor a phone number of yours, so there is nothing to choose here.',
  unsubscribeTopic: {
    heading: 'No more “{topic}”?',
    text: 'The message that led you here was part of it.',
    button: 'Unsubscribe from {topic}',
  },
  save: 'Save choices',
  unsubscribeAll: {
    heading: 'Unsubscribe from all newsletters',
    text: '{project} then sends you no more newsletters, including any that are not listed above. Messages that nobody subscribes to, such as receipts and confirmations, still reach you. You can change your mind on this page.',
    button: 'Unsubscribe from all newsletters',
  },
  done: {
    saved: 'Your choices are saved.',
    unsubscribedTopic: 'You are unsubscribed from {topic}.',
    unsubscribed: 'You are unsubscribed.',
    allowed: 'Messages are allowed again.',
  },
  stale: {
    heading: 'Nothing was changed',
    text: 'The choices have changed since you opened this page. These are the current ones: please choose again.',
  },
  errors: {
    invalid: {
      heading: 'This link does not work',
      text: 'It is incomplete, or it no longer belongs to anybody.',
      next: 'Open the link in the message once more, and see that it is whole. A link in a newer message works too.',
    },
    expired: {
      heading: 'This link has expired',
      text: 'It was valid for a limited time only.',
      next: 'Go back to where you found it and open a new one. The links in our messages never expire.',
    },
    limited: {
      heading: 'Too many attempts',
      text: 'Preferences were opened or changed very often from your network. Nothing was changed just now.',
      next: 'Wait ten minutes, then open the link again.',
    },
    failed: {
      heading: 'This page cannot be shown right now',
      text: 'Something went wrong on our side.',
      next: 'Try again in a few minutes. If it happens again, give this number to the people who run this service: {requestId}',
    },
  },
};
