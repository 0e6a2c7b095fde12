/* The texts of the screens of text messages that are longer than a label. */

export const texts = {
  sub: 'Every text message in this environment, with its outcome.',
  emptyTitle: 'No texts yet.',
  empty: 'A text appears here the moment it is accepted: sent, delivered, or blocked and why.',
  system: 'A text of svc’s own, such as a sign-in code. Its content cannot be read by anyone.',
  noContent: 'The content is not there: the text has not left yet, its recipient was erased, or it was deleted by age.',
  failed: 'The provider or carrier rejected it. svc won’t retry it.',
  cancel: 'The text is not sent. This cannot be undone.',
  notTried: 'It has not been handed to the provider.',

  inboxSub:
    'Everyone who has texted your numbers. Broadcasts, automations and replies to keywords do not count as answers.',
  noTexts: 'Nobody has texted you yet.',
  noTextsYet: 'A conversation appears here when somebody writes to one of your numbers.',
  allAnswered: 'Everyone has been answered.',
  newestAnswered: 'Everyone in the newest conversations has been answered. Show more to look further back.',
  wrongNumber: 'Enter the number in international form, such as +491713920000.',
  numberHint: 'In international form. It also opens the conversation with somebody who has never written.',
  systemText: 'A system text, whose content nobody can read',
  broadcastText: 'A broadcast’s text that has not been sent',
  noBody: 'The content was deleted',
  erased: 'The content was erased',
  waits: 'Waits until',
  nothingSaid: 'No texts in either direction.',
  optedOut: 'They opted out with STOP on',
  onlyStart: 'Only they can undo it, by texting START.',
  suppressed: 'The number is suppressed:',
  notRegistered: 'Texts are blocked until the carrier registration is submitted.',
  nobody: 'No contact has this number.',
  sendKey: 'Ctrl-Enter sends it.',
  tooLong: 'A text of this environment has at most',
  forcedBy: 'Characters that shorten the segments from 160 to 70:',
  fromAnother: 'Replies are sent from the default number, most recently',
  testOnly: 'In the test environment only test numbers get texts; others are stored as suppressed.',
} as const;

export const numberTexts = {
  sub: 'Texts are sent from the default number. Every number receives texts, and the replies to keywords are sent from it.',
  empty:
    'Without one, texts are sent from the deployment’s number, if the operator has set one. A number of your own also receives replies.',
  noDefault:
    'No number is the default: texts are sent from the deployment’s number, and blocked (“No number to send from”) if the operator has set none.',
  buy: 'The rent is metered now and then every month (UTC) until the number is released. The first number becomes the default.',
  free: 'Numbers have no price on this server.',
  usedForAll: 'All texts are sent from it.',
  usedForReplies: 'It only receives texts, and replies to keywords.',
  makeDefault:
    'From now on all texts are sent from it, also those of scheduled broadcasts. Texts that are already waiting keep their number.',
  unset:
    'Texts are then sent from the deployment’s number. If the operator has set none, they are blocked: “No number to send from”.',
  isDefault: 'It is the default number. Make another one the default first.',
  onlyDefault: 'It is the default number. Stop sending from it first, or buy another number.',
  release:
    'goes back to the provider, or to the numbers of this server. It may be assigned to anyone, so you may not get it back.',
  releaseAfter:
    'Replies to it are no longer received; STOP still opts people out. It is refused while texts wait to be sent from it, or an open broadcast has no other number. The rent of this month is not returned.',
} as const;

export const registrationTexts = {
  sub: 'Carriers accept texts only from registered businesses: who you are, what you send, and how people agreed to it.',
  whatFor:
    'Have ready your legal name and tax number as registered, two sample texts, and the page where people opt in.',
  missing: 'No texts are sent until it is submitted: they are stored as suppressed.',
  blocked: 'The carriers refused it. No texts are sent until it is submitted again.',
  sends: 'Texts are sent.',
  notRequired: 'This server sends texts without a registration.',
  next: {
    submitted: 'The provider is creating the brand and the campaign. There is nothing to do; this page follows it.',
    registering:
      'The carriers are deciding, which takes days. Until then they may filter texts or deliver them slowly. This page follows it.',
    active: 'The carriers have approved it. There is nothing to do.',
    action_needed: 'Texts are still sent, but the carriers want something corrected before they approve it.',
    failed:
      'Correct what the carriers name below, and submit it again. Records that the provider already has are updated, not created again.',
  },
  noTest: 'Test environments have no registration.',
  noTestWhy: 'They send no texts. Switch to Live.',
  taxAgain: 'Enter the tax number again: it is stored encrypted, and shown only as',
  numbers: 'All your numbers are added to the registration automatically. Any that couldn’t be are marked under',
  decisions: [
    {
      who: 'Registry',
      what: 'Whether the business exists under this name, tax number and address (the brand). Minutes to days.',
    },
    {
      who: 'Carriers',
      what: 'Whether the use case, the samples and the way people agree fit together (the campaign). Days.',
    },
    {
      who: 'You',
      what: 'What is refused comes back here with the reason. Fees of the registry are passed on at cost.',
    },
  ],
} as const;
