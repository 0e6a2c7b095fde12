/* The texts of these screens that are longer than a label. */

export const suppressionTexts = {
  sub: 'Addresses and numbers that get no messages, and why. What a person asked for is lifted only by that person.',
  many: 'Lifts what bounced or what your team suppressed, for example after an outage at a mail provider. Unsubscribing, STOP and complaints are never lifted. An address that bounces again is suppressed again.',
  countFirst: 'Count first: nothing is lifted until you confirm the number.',
  none: 'Nothing matches.',
} as const;

export const importTexts = {
  sub: 'A CSV with a header line: one person per row, at most 50,000 rows. Rows that cannot be imported are listed with their reason; the others are imported.',
  file: 'Commas, semicolons, tabs and pipes are understood.',
  guessed:
    'The file is not in UTF-8, so it was read as Windows-1252. Check the names below. If they are wrong, save the file as “CSV UTF-8” and choose it again.',
  paste: 'Or paste the rows, with the header line',
  columns: 'Each column fills a field of the contact, or a property of your own. Other columns are left out.',
  identifier:
    'Choose the column with the email address, the phone number or your own id: contacts are recognized by it.',
  twice: (field: string) => `Two columns fill ${field}. Choose another field for one of them.`,
  consent:
    'A topic’s mail goes only to people who subscribed to it. Say which topic these people agreed to, and where: it is kept as the proof.',
  noConsent: 'Nobody in the file gets mail on a topic unless they have already subscribed to it.',
  source: 'Such as “newsletter form on fern.example” or “shop checkout”.',
  givenAt: 'If it is empty, the consent counts only for people who have never opted out.',
  conflict: 'What happens to a row whose contact exists already.',
  check: 'A check reads all rows and imports none.',
  recent: 'No imports yet. The first one appears here, with its progress and its rejected rows.',
  leave: 'The import goes on if you leave this page. Its address stays the same, and Imports lists it.',
  failed:
    'The import stopped because of an error. The rows before it are imported. Import the file again: existing people are recognized.',
  removed: 'The rejected rows were deleted because of their age.',
  checked: 'This was a check. Nothing is imported yet.',
} as const;

export const segmentTexts = {
  sub: 'Contacts that match conditions, at the time when they are used: a segment stays current by itself.',
  empty:
    'A segment narrows a broadcast to the people that it is meant for: by what you know about them, what they agreed to, what they did.',
  shown:
    'The builder cannot show this definition: it nests groups deeper than two levels, or negates one. Edit it as JSON.',
  none: 'Nobody matches yet.',
  json: 'A tree of {"all": […]}, {"any": […]}, {"not": …} and {"field", "op", "value"}.',
  notJson: 'This is not JSON yet. The count is that of the last complete version.',
  property: 'The key of a property, such as plan.',
  event: 'The name of a recorded event, such as order.placed.',
  deleted: 'Broadcasts that were sent to it keep their results. It cannot be brought back.',
} as const;

export const subscribeTexts = {
  none: 'A page where people subscribe themselves and confirm by mail, and a form for your own site that does the same.',
  double: 'People subscribe when they confirm the mail that they get.',
  single: 'People are subscribed at once, without a mail. Addresses that opted out before still have to confirm.',
  embed: 'The same form for your own site:',
  remove:
    'The page and forms on other sites stop working, and links in mails that are not confirmed yet. Subscribers stay.',
} as const;

export const topicTexts = {
  sub: 'What people subscribe to and can unsubscribe from, one by one. Marketing mail always belongs to a topic.',
  empty: 'A topic is what people agree to, such as “Product news”. Create one before the first broadcast.',
  archive:
    'Nothing can be sent on it and nobody can subscribe to it while it is archived. Consents are kept, and restoring it brings everything back.',
  key: 'Its permanent name in calls and imports. It never changes.',
  isPublic: 'People see it on the preferences page and can subscribe to it there.',
} as const;
