/* The texts of the person page that are longer than a label. */

export const personTexts = {
  why: 'Choose what they should have got. The answer is what sending goes by, with the record that it is based on.',
  reach: 'By the rules that sending uses, as of now',
  reachable: 'Nothing stops it: the next message is sent.',
  unknownRecorder: 'Who recorded it is not in the audit log anymore.',
  neverAsked: 'Nobody has recorded that they subscribed. Silence is not consent, so nothing is sent under this topic.',
  noMessages:
    'No message of this kind has been made for this address. A broadcast reaches those who are subscribed when it is sent; somebody who subscribes later does not get it.',
  noUser: 'Nobody signs in with this address.',
  noConsents: 'No consent is recorded. Record one with its source: a form, a checkout, a call.',
  suppress: 'Nothing is sent to this address until the suppression is lifted, not even receipts.',
  erase:
    'Personal data and properties are erased. Consent records stay as evidence without an address; suppressions stay in force.',
} as const;
