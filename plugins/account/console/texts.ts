/* The texts of the account's screens that are longer than a label. */

export const themeTexts = {
  sub: 'The look of hosted pages and system emails, and of the layout of your templates. People see it when you publish it.',
  logo: 'An https address. It is shown beside the brand name on pages, and in place of it in emails.',
  brand: 'Shown at the top of pages and emails, without web addresses.',
  color: 'A colour is # and six digits or letters a to f, such as #1f5fbf.',
  publish:
    'Every hosted page and system email of this environment, and every template that uses the layout, gets this look immediately. The theme that is published now is replaced.',
  reset: 'Pages and emails get the default look again. The published theme and the draft are deleted.',
  lowContrast: 'The contrast of some text is too low. See the colours.',
  unsaved: 'Only you see these changes, here in the preview.',
  draft: 'There is a saved draft, which you see here. It has no effect until it is published.',
  noPage: 'The sign-in page cannot be shown here.',
  dark: 'Dark mode is made from these colours; its contrast is always high enough.',
} as const;

export const projectTexts = {
  sub: 'Each project has a live and a test environment, with its own keys, contacts, messages and users.',
  archive:
    'Its keys stop working and it sends nothing. Messages that are queued are held, and cancelled if it is not unarchived within a day. Nothing is deleted. Release its phone numbers, cancel its broadcasts and pause its automations first.',
  unarchive:
    'Its keys work again. Messages that have waited for less than a day are sent, older ones are cancelled, and imports and automation runs continue.',
  noneArchived: 'No project is archived.',
} as const;

/** What the preview's email says. */
export const sampleMail = {
  subject: 'Your order is on its way',
  html: '<h1>Your order is on its way</h1><p>Good news, Ada: we sent your order this morning. It arrives on Thursday.</p><p><a class="button" href="#">Track the order</a></p><p class="small">Questions? Reply to this email, or <a href="#">read how deliveries work</a>.</p>',
} as const;
