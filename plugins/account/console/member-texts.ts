/* The texts of the screen of members that are longer than a label. */

export const memberTexts = {
  roles:
    'Owners can do everything. Admins can do everything except what is reserved for owners, such as closing the account. Developers can read everything, and write in all products except account and billing. Viewers can read everything. Marketers and Support have a part of the role developer.',
  invite: 'They get an email with a link that works for 7 days, and sign in with this address.',
  again: 'They get the email again. If the link has expired, the email contains a new one.',
  withdraw: 'The link in the email stops working.',
  remove:
    'They lose access to the account immediately. Keys that they created keep working, with at most the role developer; webhook endpoints keep receiving events. Invitations that they sent are withdrawn.',
  change:
    'It takes effect immediately. If they lose permissions, keys that they created keep working with the role developer at most, and invitations that they could no longer send are withdrawn.',
} as const;
