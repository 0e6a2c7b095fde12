/* The texts of the screen of members that are longer than a label. */

export const memberTexts = {
  roles:
    'Owners do everything. Admins do everything except what is reserved for owners, such as closing the account. Developers read everything, and write all products except account and billing. Viewers read everything. Marketers and Support have a part of the role developer.',
  invite: 'They get a mail with a link that works for 7 days, and sign in with this address.',
  again: 'They get the mail again. If the link has expired, the mail contains a new one.',
  withdraw: 'The link in the mail stops working.',
  remove:
    'They lose access to the account at once. Keys that they created keep working, with at most the role developer; webhook endpoints keep receiving events. Invitations that they sent are withdrawn.',
  change:
    'It takes effect at once. If they lose permissions, keys that they created keep working with the role developer at most, and invitations that they could no longer send are withdrawn.',
} as const;
