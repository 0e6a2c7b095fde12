/* The texts of the list of contacts that are longer than a label. */

export const contactTexts = {
  sub: 'Everyone you know, whether or not they can be reached.',
  emptyTitle: 'No contacts yet.',
  empty:
    'A contact appears when you add or import one, when somebody subscribes by a form, or when your product sends one.',
  search: 'Beginning of a name, address, number or ID',
  exporting:
    'The file is made in this browser. It has the contacts that match the filters, with all of their properties.',
  topic:
    'Only people who have agreed themselves: in a form, a call, a letter. The source is kept as evidence. Whoever has opted out later stays opted out.',
  source: 'Such as “trade fair in Lyon” or “paper form, shop”.',
  property: 'Other properties stay as they are. It can be undone as long as this dialog is open.',
  suppress: 'Nothing is sent to their addresses and numbers until the suppressions are lifted, not even receipts.',
  erase:
    'Personal data and properties are erased. Consent records stay as evidence without an address; suppressions stay in force. This cannot be undone.',
  mostSelected: 'At most 5,000 contacts are selected at once. For more, use an import or a segment.',
} as const;
