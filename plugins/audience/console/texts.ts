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
    'Email about a topic goes only to people who subscribed to it. Say which topic these people agreed to, and where: it is kept as the proof.',
  noConsent: 'Nobody in the file gets email about a topic unless they have already subscribed to it.',
  source: 'Such as “newsletter form on fern.example” or “shop checkout”.',
  givenAt: 'If it is empty, the consent counts only for people who have never opted out.',
  conflict: 'What to do with a row whose contact already exists.',
  check: 'A dry run reads every row and imports none.',
  recent: 'No imports yet. The first one appears here, with its progress and its rejected rows.',
  leave: 'The import continues if you leave this page. Its address stays the same, and Imports lists it.',
  failed:
    'The import stopped because of an error. The rows before it are imported. Import the file again: existing people are recognized.',
  removed: 'The rejected rows were deleted because of their age.',
  checked: 'This was a dry run. Nothing is imported yet.',
} as const;

export const segmentTexts = {
  sub: 'Contacts that match conditions when the segment is used, so it always stays up to date.',
  empty:
    'A segment narrows a broadcast down to the people it’s meant for: by what you know about them, what they’ve agreed to and what they’ve done.',
  shown:
    'The builder cannot show this definition: it nests groups deeper than two levels, or negates one. Edit it as JSON.',
  none: 'Nobody matches yet.',
  json: 'A tree of {"all": […]}, {"any": […]}, {"not": …} and {"field", "op", "value"}.',
  notJson: 'This is not JSON yet. The count is that of the last complete version.',
  deleted: 'Broadcasts that were sent to it keep their results. It can’t be restored.',
} as const;

export const subscribeTexts = {
  none: 'A page where people subscribe themselves and confirm by email, and a form for your own site that does the same.',
  double: 'People are subscribed once they confirm by the link in an email.',
  single:
    'People are subscribed immediately, without a confirmation email. Addresses that opted out before still have to confirm.',
  embed: 'The same form for your own site:',
  remove:
    'The page, the forms on other sites and the links in unconfirmed emails stop working. Subscribers stay subscribed.',
} as const;

export const topicTexts = {
  sub: 'What people subscribe to and can unsubscribe from, one by one. Marketing email always belongs to a topic.',
  empty: 'A topic is what people agree to, such as “Product news”. Create one before the first broadcast.',
  archive:
    'Nothing can be sent about it and nobody can subscribe to it while it is archived. Consents are kept, and restoring it brings everything back.',
  key: 'Its permanent name in calls and imports. It never changes.',
  isPublic: 'People see it on the preferences page and can subscribe to it there.',
} as const;
