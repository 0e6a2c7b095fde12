import type { PreferencesTexts } from './texts.js';

export const de: PreferencesTexts = {
  title: 'Ihre Einstellungen',
  heading: 'Was {project} Ihnen schicken darf',
  lead: 'Wählen Sie, was Sie erhalten möchten. Ihre Wahl gilt, sobald Sie sie speichern.',
  channels: {
    email: {
      legend: 'E-Mail',
      noTopics: 'Es gibt keine Newsletter zur Auswahl.',
      unsubscribe: 'Alle Newsletter per E-Mail abbestellen',
      allow: 'E-Mails wieder erlauben',
      reasons: {
        unsubscribe:
          'Sie haben alle Newsletter per E-Mail abbestellt. Nachrichten, die nicht dazugehören, etwa Rechnungen, erhalten Sie weiterhin. Was Sie hier auswählen, abonnieren Sie wieder.',
        complaint:
          'Sie haben eine unserer E-Mails als Spam gemeldet. Deshalb geht an diese Adresse nichts mehr außer Anmeldecodes und Sicherheitshinweisen. Was Sie hier auswählen, abonnieren Sie wieder.',
        stop: 'An diese Adresse geht nichts mehr.',
        bounce:
          'E-Mails an diese Adresse kamen zurück, deshalb geht vorerst nichts mehr dorthin. Ihre Auswahl bleibt gespeichert. Falls die Adresse stimmt, sagen Sie bitte {project} Bescheid.',
        manual:
          '{project} schickt nichts mehr an diese Adresse außer Anmeldecodes und Sicherheitshinweisen. Ihre Auswahl bleibt gespeichert. Möchten Sie das ändern, wenden Sie sich an {project}.',
      },
    },
    sms: {
      legend: 'SMS',
      noTopics: 'Es gibt nichts zur Auswahl.',
      unsubscribe: 'Alle Newsletter per SMS abbestellen',
      allow: 'SMS wieder erlauben',
      reasons: {
        unsubscribe:
          'Sie haben alle Newsletter per SMS abbestellt. Nachrichten, die nicht dazugehören, etwa Liefertermine, erhalten Sie weiterhin. Was Sie hier auswählen, abonnieren Sie wieder.',
        complaint:
          'Sie haben eine unserer SMS als Spam gemeldet. Deshalb geht an diese Nummer nichts mehr außer Anmeldecodes und Sicherheitshinweisen. Was Sie hier auswählen, abonnieren Sie wieder.',
        stop: 'Sie haben mit STOP geantwortet. Deshalb gehen an diese Nummer keine SMS mehr, auch keine Anmeldecodes. Um wieder welche zu erhalten, schicken Sie START an die Nummer, die Ihnen geschrieben hat. Ihre Auswahl hier bleibt bis dahin gespeichert.',
        bounce:
          'SMS an diese Nummer kamen nicht an, deshalb geht vorerst nichts mehr dorthin. Ihre Auswahl bleibt gespeichert. Falls die Nummer stimmt, sagen Sie bitte {project} Bescheid.',
        manual:
          '{project} schickt nichts mehr an diese Nummer außer Anmeldecodes und Sicherheitshinweisen. Ihre Auswahl bleibt gespeichert. Möchten Sie das ändern, wenden Sie sich an {project}.',
      },
    },
  },
  noAddress:
    '{project} hat weder eine E-Mail-Adresse noch eine Telefonnummer von Ihnen, deshalb gibt es hier nichts zu wählen.',
  unsubscribeTopic: {
    heading: '„{topic}“ nicht mehr erhalten?',
    text: 'Dazu gehört die Nachricht, über die Sie hierhergekommen sind.',
    button: '{topic} abbestellen',
  },
  save: 'Auswahl speichern',
  unsubscribeAll: {
    heading: 'Alle Newsletter abbestellen',
    text: '{project} schickt Ihnen dann keine Newsletter mehr, auch keine, die oben nicht aufgeführt sind. Nachrichten, die nicht dazugehören, etwa Rechnungen und Bestätigungen, erhalten Sie weiterhin. Auf dieser Seite können Sie es sich jederzeit anders überlegen.',
    button: 'Alle Newsletter abbestellen',
  },
  done: {
    saved: 'Ihre Auswahl wurde gespeichert.',
    unsubscribedTopic: 'Sie haben {topic} abbestellt.',
    unsubscribed: 'Ihre Abbestellung wurde gespeichert.',
    allowed: 'Nachrichten sind wieder erlaubt.',
  },
  stale: {
    heading: 'Es wurde nichts geändert',
    text: 'Die Auswahl hat sich geändert, seit Sie diese Seite geöffnet haben. Das ist der aktuelle Stand: Bitte wählen Sie noch einmal.',
  },
  errors: {
    invalid: {
      heading: 'Dieser Link funktioniert nicht',
      text: 'Er ist unvollständig oder nicht mehr gültig.',
      next: 'Öffnen Sie den Link in der Nachricht noch einmal und achten Sie darauf, dass er vollständig ist. Auch der Link in einer neueren Nachricht funktioniert.',
    },
    expired: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Er galt nur für begrenzte Zeit.',
      next: 'Gehen Sie dorthin zurück, wo Sie ihn gefunden haben, und öffnen Sie einen neuen. Die Links in unseren Nachrichten laufen nie ab.',
    },
    limited: {
      heading: 'Zu viele Versuche',
      text: 'Aus Ihrem Netz wurden zu oft Einstellungen geöffnet oder geändert. Diesmal wurde nichts geändert.',
      next: 'Warten Sie zehn Minuten und öffnen Sie den Link dann noch einmal.',
    },
    failed: {
      heading: 'Diese Seite kann gerade nicht angezeigt werden',
      text: 'Bei uns ist etwas schiefgegangen.',
      next: 'Versuchen Sie es in ein paar Minuten noch einmal. Tritt der Fehler wieder auf, nennen Sie den Betreibern diese Anfrage-ID: {requestId}',
    },
  },
};
