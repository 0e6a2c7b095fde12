import type { PreferencesTexts } from './texts.js';

export const en: PreferencesTexts = {
  title: 'Your preferences',
  heading: 'What {project} can send you',
  lead: 'Choose what you’d like to receive. Changes take effect as soon as you save them.',
  channels: {
    email: {
      legend: 'Email',
      noTopics: 'There are no newsletters to choose from.',
      unsubscribe: 'Unsubscribe from all email newsletters',
      allow: 'Allow emails again',
      reasons: {
        unsubscribe:
          'You’ve unsubscribed from all email newsletters. You’ll still get messages that aren’t newsletters, such as receipts. Selecting something here subscribes you to it again.',
        complaint:
          'You marked one of our emails as spam, so we only send sign-in codes and security notices to this address. Selecting something here subscribes you to it again.',
        stop: 'Nothing is sent to this address any more.',
        bounce:
          'Emails to this address bounced, so nothing is sent there for now. Your choices are kept. If the address is correct, please let {project} know.',
        manual:
          '{project} only sends sign-in codes and security notices to this address. Your choices are kept. To change this, contact {project}.',
      },
    },
    sms: {
      legend: 'Text messages',
      noTopics: 'There’s nothing to choose from.',
      unsubscribe: 'Unsubscribe from all text message newsletters',
      allow: 'Allow text messages again',
      reasons: {
        unsubscribe:
          'You’ve unsubscribed from all text message newsletters. You’ll still get messages that aren’t newsletters, such as delivery times. Selecting something here subscribes you to it again.',
        complaint:
          'You reported one of our text messages as spam, so we only send sign-in codes and security notices to this number. Selecting something here subscribes you to it again.',
        stop: 'You replied STOP, so no text messages are sent to this number, not even sign-in codes. To get them again, text START to the number that texted you. Your choices here are kept until then.',
        bounce:
          'Text messages to this number weren’t delivered, so nothing is sent there for now. Your choices are kept. If the number is correct, please let {project} know.',
        manual:
          '{project} only sends sign-in codes and security notices to this number. Your choices are kept. To change this, contact {project}.',
      },
    },
  },
  noAddress: '{project} doesn’t have an email address or phone number for you, so there’s nothing to choose here.',
  unsubscribeTopic: {
    heading: 'Stop getting “{topic}”?',
    text: 'The message that brought you here is part of it.',
    button: 'Unsubscribe from {topic}',
  },
  save: 'Save choices',
  unsubscribeAll: {
    heading: 'Unsubscribe from all newsletters',
    text: '{project} will stop sending you newsletters, including any that aren’t listed above. You’ll still get messages that aren’t newsletters, such as receipts and confirmations. You can change your mind on this page at any time.',
    button: 'Unsubscribe from all newsletters',
  },
  done: {
    saved: 'Your choices have been saved.',
    unsubscribedTopic: 'You’ve unsubscribed from {topic}.',
    unsubscribed: 'You’ve been unsubscribed.',
    allowed: 'Messages are allowed again.',
  },
  stale: {
    heading: 'Nothing was changed',
    text: 'The choices have changed since you opened this page. These are the current ones: please choose again.',
  },
  errors: {
    invalid: {
      heading: 'This link doesn’t work',
      text: 'It’s incomplete, or it’s no longer valid.',
      next: 'Open the link from the message again and make sure it’s complete. A link in a newer message works too.',
    },
    expired: {
      heading: 'This link has expired',
      text: 'It was valid for a limited time only.',
      next: 'Go back to where you found it and open a new one. The links in our messages never expire.',
    },
    limited: {
      heading: 'Too many attempts',
      text: 'Preferences were opened or changed too often from your network. Nothing was changed this time.',
      next: 'Wait ten minutes, then open the link again.',
    },
    failed: {
      heading: 'This page can’t be shown right now',
      text: 'Something went wrong on our side.',
      next: 'Try again in a few minutes. If it happens again, give the operators of this service this request ID: {requestId}',
    },
  },
};
