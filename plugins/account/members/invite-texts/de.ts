import type { InviteTexts } from './texts.js';

export const de: InviteTexts = {
  title: 'Einladung zu {account}',
  heading: 'Sie sind zu {account} eingeladen',
  lead: '{inviter} lädt Sie ein, Mitglied dieses Kontos zu werden.',
  leadWithoutInviter: 'Sie sind eingeladen, Mitglied dieses Kontos zu werden.',
  address: 'E-Mail-Adresse',
  role: 'Ihre Rolle',
  validUntil: 'Gültig bis',
  roles: {
    owner: {
      name: 'Inhaber',
      description: 'Sie können alles tun, auch was Inhabern vorbehalten ist, etwa das Konto schließen.',
    },
    admin: { name: 'Administrator', description: 'Sie können alles tun, außer was Inhabern vorbehalten ist.' },
    developer: {
      name: 'Entwickler',
      description: 'Sie können alles sehen und Anmeldung, E-Mail, SMS, Zielgruppen, Schlüssel und Webhooks ändern.',
    },
    viewer: { name: 'Betrachter', description: 'Sie können alles sehen, aber nichts ändern.' },
  },
  narrowed: {
    change: 'Sie können ändern: {areas}.',
    see: 'Sie können sehen: {areas}.',
    areas: {
      account: 'Konto',
      auth: 'Anmeldung',
      email: 'E-Mail',
      sms: 'SMS',
      audience: 'Zielgruppen',
      billing: 'Abrechnung',
      developers: 'Schlüssel und Webhooks',
    },
  },
  next: {
    heading: 'Nächster Schritt',
    unavailable:
      'Die Anmeldung ist auf diesem Server nicht verfügbar, deshalb kann die Einladung hier nicht angenommen werden. Bitte wenden Sie sich an die Person, die Sie eingeladen hat.',
  },
  accept: {
    heading: 'Einladung annehmen',
    start: 'Bestätigen Sie, dass {email} Ihre Adresse ist: Wir senden Ihnen einen Code dorthin.',
    sendCode: 'Code senden',
    sendAgain: 'Neuen Code senden',
    sent: 'Wir haben einen Code an {email} gesendet. Er gilt zehn Minuten.',
    code: 'Code aus der E-Mail',
    second: 'Ihr Konto ist durch die Anmeldung in zwei Schritten geschützt.',
    secondCode: 'Code aus Ihrer Authenticator-App oder ein Wiederherstellungscode',
    button: 'Einladung annehmen',
    signIn: 'Melden Sie sich als {email} an, um die Einladung anzunehmen.',
    signInButton: 'Anmelden',
    doneHeading: 'Sie sind jetzt Mitglied',
    done: 'Sie sind {account} beigetreten.',
    after: {
      heading: 'Was Sie jetzt tun können',
      signIn: 'Anmeldung absichern',
      signInWhy: 'Fügen Sie einen Passkey oder einen zweiten Schritt hinzu und sehen Sie, wo Sie angemeldet sind.',
      invoices:
        'E-Mails zu Rechnungen gehen an die Inhaber oder an die Adresse in den Rechnungsangaben. Der Link darin führt zu einer Seite, auf der Sie die Rechnung sehen und bezahlen können.',
      console: 'Konsole öffnen',
      work: 'Sie können mit dem Konto auch über Programme und die Kommandozeile arbeiten; wie das geht, beschreibt {reference} (auf Englisch). So installieren Sie das Kommandozeilenprogramm und melden sich dort an:',
      reference: 'die Referenz',
    },
    mistakes: {
      wrongCode: 'Dieser Code ist nicht richtig. Prüfen Sie ihn und versuchen Sie es noch einmal.',
      codeEnded: 'Dieser Code gilt nicht mehr. Lassen Sie sich einen neuen senden.',
      nothingWaits:
        'Die Anmeldung ist abgelaufen, oder Ihr Browser blockiert Cookies. Erlauben Sie sie für diese Seite und lassen Sie sich einen neuen Code senden.',
    },
  },
  problems: {
    unknown: {
      heading: 'Einladung nicht gefunden',
      explanation: 'Der Link ist unvollständig, oder die Einladung gab es nie.',
      next: 'Öffnen Sie den Link in der E-Mail noch einmal und achten Sie darauf, dass er vollständig ist. Hilft das nicht, bitten Sie die Person, die Sie eingeladen hat, um einen neuen.',
    },
    expired: {
      heading: 'Diese Einladung ist abgelaufen',
      explanation: 'Der Link war nur für begrenzte Zeit gültig.',
      next: 'Bitten Sie die Person, die Sie eingeladen hat, um eine neue Einladung.',
    },
    revoked: {
      heading: 'Diese Einladung wurde zurückgezogen',
      explanation: 'Der Link funktioniert nicht mehr.',
      next: 'Wenn Sie das für ein Versehen halten, bitten Sie einen Inhaber oder Administrator des Kontos um eine neue Einladung.',
    },
    accepted: {
      heading: 'Diese Einladung wurde schon angenommen',
      explanation: 'Eine Einladung kann nur einmal angenommen werden.',
      next: 'Wenn Sie sie angenommen haben, sind Sie schon Mitglied. Wenn es jemand anderes war, sagen Sie es einem Inhaber des Kontos.',
    },
    limited: {
      heading: 'Zu viele Versuche',
      explanation: 'Aus Ihrem Netz gab es in kurzer Zeit zu viele Versuche.',
      next: 'Ihre Einladung bleibt gültig: Öffnen Sie den Link in einer Stunde noch einmal.',
    },
    secondStep: {
      heading: 'Ein zweiter Schritt ist Pflicht',
      explanation:
        'Hier melden sich alle mit einer Authenticator-App als zweitem Schritt an, und Sie haben noch keine eingerichtet. Ihre Einladung ist davon nicht betroffen.',
      next: 'Richten Sie die App auf der folgenden Seite ein und öffnen Sie dann den Link in der E-Mail noch einmal.',
    },
    failed: {
      heading: 'Diese Seite kann gerade nicht angezeigt werden',
      explanation: 'Bei uns ist etwas schiefgegangen. Ihre Einladung ist davon nicht betroffen.',
      next: 'Versuchen Sie es in ein paar Minuten noch einmal. Tritt der Fehler wieder auf, nennen Sie den Betreibern diese Anfrage-ID: {requestId}',
    },
  },
};
