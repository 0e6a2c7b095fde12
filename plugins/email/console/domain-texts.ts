/* The texts of the screens of domains that are longer than a label. */

export const domainTexts = {
  sub: 'Where your mail is sent from. A domain is yours once its DNS records are found.',
  empty:
    'Until you add one, mail is sent from an address of this server. With a domain of your own, people see your name and more mail arrives.',
  add: 'A separate domain for mail, such as mail.fern.example, keeps the reputation of your website’s domain apart. You get the DNS records to publish.',
  where:
    'Add these records where the DNS of the domain is managed. Most panels add the domain to the name by themselves: then enter the short name.',
  short: 'Short name',
  colleague: 'Copy for a colleague',
  zone: 'Copy as a zone file',
  remove: 'Mail can no longer be sent from it. Its key is deleted: to use it again, add it and publish new records.',
  receive: 'Mail to any address of this domain arrives here and can be answered. It needs one more record (MX).',
  receiveOff: 'Mail to this domain is refused from now on. What has arrived stays.',
  sender: 'Choose an address of this domain as the sender of all mail.',
} as const;
