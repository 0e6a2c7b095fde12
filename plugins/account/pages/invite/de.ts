import type { InviteWords } from './words.js';

export const de: InviteWords = {
  title: 'Einladung zu {account}',
  heading: 'Sie sind zu {account} eingeladen',
  lead: '{person} lädt Sie ein, Mitglied dieses Kontos zu werden.',
  leadWithoutPerson: 'Sie sind eingeladen, Mitglied dieses Kontos zu werden.',
  address: 'Eingeladene Adresse',
  role: 'Ihre Rolle',
  until: 'Gültig bis',
  roles: {
    owner: { name: 'Inhaber', may: 'Sie dürfen alles, auch was Inhabern vorbehalten ist, etwa das Konto schließen.' },
    admin: { name: 'Administrator', may: 'Sie dürfen alles, außer was Inhabern vorbehalten ist.' },
    developer: {
      name: 'Entwickler',
      may: 'Sie dürfen alles sehen und Anmeldung, E-Mail, SMS, Zielgruppen, Schlüssel und Webhooks ändern.',
    },
    viewer: { name: 'Betrachter', may: 'Sie dürfen alles sehen und nichts ändern.' },
  },
  next: {
    heading: 'Wie es weitergeht',
    signIn: 'Melden Sie sich mit {email} im Dashboard an, um die Einladung anzunehmen.',
    ask: 'Die Anmeldung im Dashboard gehört noch nicht zu dieser Installation, deshalb lässt sich die Einladung hier nicht annehmen. Bitte fragen Sie die Person, die Sie eingeladen hat, wie es weitergeht.',
  },
  troubles: {
    unknown: {
      heading: 'Wir kennen diese Einladung nicht',
      said: 'Der Link ist unvollständig, oder es gab diese Einladung nie.',
      next: 'Öffnen Sie den Link in der E-Mail noch einmal und achten Sie darauf, dass er vollständig ist. Hilft das nicht, bitten Sie die Person, die Sie eingeladen hat, um einen neuen.',
    },
    expired: {
      heading: 'Diese Einladung ist abgelaufen',
      said: 'Ihr Link galt nur für begrenzte Zeit.',
      next: 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung: Sie erhalten dann einen neuen Link.',
    },
    revoked: {
      heading: 'Diese Einladung wurde zurückgezogen',
      said: 'Ihr Link führt nirgendwo mehr hin.',
      next: 'Wenn Sie das für ein Versehen halten, bitten Sie einen Inhaber oder Administrator des Kontos um eine neue Einladung.',
    },
    accepted: {
      heading: 'Diese Einladung wurde schon angenommen',
      said: 'Eine Einladung kann einmal angenommen werden.',
      next: 'Melden Sie sich mit der eingeladenen Adresse an, um das Konto zu öffnen.',
    },
    limited: {
      heading: 'Zu viele Versuche',
      said: 'Aus Ihrem Netz wurden in kurzer Zeit viele Einladungen geöffnet.',
      next: 'Warten Sie zehn Minuten und öffnen Sie den Link dann noch einmal.',
    },
    failed: {
      heading: 'Diese Seite lässt sich gerade nicht zeigen',
      said: 'Bei uns ist etwas schiefgegangen. Ihre Einladung ist davon nicht betroffen.',
      next: 'Versuchen Sie es in ein paar Minuten noch einmal. Geschieht es wieder, nennen Sie den Betreibern diese Nummer: {requestId}',
    },
  },
};
