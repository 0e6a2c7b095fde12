import type { SubscribeTexts } from './texts.js';

export const de: SubscribeTexts = {
  heading: '{topic} abonnieren',
  email: 'E-Mail-Adresse',
  firstName: 'Vorname',
  optional: '(freiwillig)',
  consent:
    'Ich möchte „{topic}“ von {brand} per E-Mail erhalten. Ich kann das jederzeit über den Link in jeder E-Mail abbestellen.',
  button: 'Abonnieren',
  mistakes: {
    email: 'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    firstName: 'Geben Sie einen Namen ohne Webadresse und mit höchstens 100 Zeichen ein.',
  },
  leaveEmpty: 'Lassen Sie dieses Feld leer',
  confirm: {
    heading: 'Bestätigen Sie Ihr Abonnement',
    text: '„{topic}“ wird an {email} gesendet.',
    button: 'Abonnement bestätigen',
  },
  done: {
    asked: {
      heading: 'Noch ein Schritt: Sehen Sie in Ihr Postfach',
      text: 'Wenn die eingegebene Adresse E-Mails empfangen kann, erhalten Sie gleich eine mit einem Link. Öffnen Sie ihn, um Ihr Abonnement von „{topic}“ zu bestätigen. Der Link ist {days} Tage gültig. Wenn Sie die E-Mail nicht finden, sehen Sie im Spam-Ordner nach.',
    },
    registered: {
      heading: 'Vielen Dank',
      text: 'Sie erhalten „{topic}“ per E-Mail. Wurde der Versand an diese Adresse früher abbestellt, senden wir zuerst eine E-Mail mit einem Link zur Bestätigung.',
    },
    subscribed: {
      heading: 'Ihr Abonnement ist bestätigt',
      text: 'Sie erhalten „{topic}“ per E-Mail. Über den Link in jeder E-Mail können Sie das jederzeit abbestellen.',
    },
    blocked: {
      heading: 'Ihr Abonnement ist gespeichert, aber der Versand ist gestoppt',
      text: 'Eine frühere E-Mail an diese Adresse kam zurück oder wurde als Spam gemeldet, oder {brand} hat den Versand dorthin gestoppt. Damit Sie „{topic}“ erhalten, wenden Sie sich bitte an {brand}.',
    },
  },
  problems: {
    unknown: {
      heading: 'Dieses Formular ist nicht verfügbar',
      text: 'Es wurde geschlossen, oder die Adresse dieser Seite ist unvollständig.',
    },
    invalid: {
      heading: 'Dieser Link funktioniert nicht',
      text: 'Er ist unvollständig. Öffnen Sie den Link aus der E-Mail noch einmal und achten Sie darauf, dass er vollständig ist.',
    },
    expired: {
      heading: 'Dieser Link ist abgelaufen',
      text: 'Er war {days} Tage gültig. Geben Sie Ihre Adresse noch einmal in das Formular ein, um einen neuen zu erhalten.',
    },
    void: {
      heading: 'Dieser Link ist nicht mehr gültig',
      text: 'Die Auswahl für diese Adresse wurde geändert, nachdem der Link gesendet worden war. Zum Abonnieren geben Sie die Adresse noch einmal in das Formular ein.',
    },
    limited: {
      heading: 'Zu viele Versuche',
      text: 'Das Formular wurde mit dieser Adresse, aus Ihrem Netz oder insgesamt zu oft verwendet. Diesmal wurde nichts geändert. Versuchen Sie es später noch einmal.',
    },
    closed: {
      heading: 'Dieses Formular ist zurzeit nicht verfügbar',
      text: 'Im Moment sind keine neuen Abonnements möglich.',
    },
    failed: {
      heading: 'Diese Seite kann gerade nicht angezeigt werden',
      text: 'Bei uns ist ein Fehler aufgetreten. Versuchen Sie es in einigen Minuten noch einmal. Wenn es wieder geschieht, nennen Sie den Betreibern dieses Dienstes diese Anfrage-ID: {requestId}',
    },
  },
  again: 'Zum Formular',
  continue: 'Weiter',
};
