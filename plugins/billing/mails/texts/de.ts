import type { MailTexts } from '../kinds.js';

export const de: MailTexts = {
  invoice: {
    subject: 'Rechnung {{ number }} für {{ month }}: {{ amount }}',
    heading: 'Ihre Rechnung für {{ month }}',
    body: 'Die Rechnung {{ number }} über {{ amount }} ist am {{ dueDate }} fällig. {% if collection == "manual" %}Bitte bezahlen Sie sie wie vereinbart und geben Sie die Rechnungsnummer an.{% else %}Es ist keine Zahlungsmethode hinterlegt, über die sie eingezogen werden könnte.{% endif %}',
    button: 'Rechnung ansehen',
    footer: 'Sie erhalten diese E-Mail, weil Sie die Rechnungen dieses Kontos bekommen.',
  },
  receipt: {
    subject: 'Zahlungsbestätigung zur Rechnung {{ number }}: {{ amount }}',
    heading: 'Vielen Dank für Ihre Zahlung',
    body: 'Die Rechnung {{ number }} für {{ month }} über {{ amount }} ist bezahlt.',
    button: 'Rechnung ansehen',
    footer: 'Auf der Seite gibt es die Rechnung auch als PDF.',
  },
  payment_failed: {
    subject: 'Die Rechnung {{ number }} konnte nicht eingezogen werden',
    heading: 'Die Zahlung ist fehlgeschlagen',
    body: 'Die Rechnung {{ number }} für {{ month }} über {{ amount }} konnte nicht eingezogen werden. {{ reason }} In den nächsten Tagen wird es noch einmal versucht.',
    button: 'Jetzt bezahlen',
    footer:
      'Wenn die Zahlungsmethode nicht mehr gültig ist, fügen Sie eine andere hinzu. Ist die Rechnung eine Woche nach der Fälligkeit am {{ dueDate }} noch nicht bezahlt, werden Rundsendungen angehalten, bis sie bezahlt ist.',
  },
  action_required: {
    subject: 'Bitte bestätigen Sie die Zahlung der Rechnung {{ number }}',
    heading: 'Ihre Bank bittet um Ihre Bestätigung',
    body: 'Die Rechnung {{ number }} für {{ month }} über {{ amount }} kann bezahlt werden, sobald Sie die Zahlung bei Ihrer Bank bestätigen.',
    button: 'Zahlung bestätigen',
    footer: 'Die Schaltfläche führt zur Seite der Rechnung und von dort zu Ihrer Bank.',
  },
  payment_taken_back: {
    subject: 'Die Zahlung der Rechnung {{ number }} wurde zurückgebucht',
    heading: 'Ihre Bank hat die Zahlung zurückgebucht',
    body: 'Die Zahlung der Rechnung {{ number }} für {{ month }} über {{ amount }} wurde bei Ihrer Bank zurückgegeben oder beanstandet. Die Rechnung ist deshalb wieder offen. Sie wird nicht noch einmal automatisch eingezogen.',
    button: 'Jetzt bezahlen',
    footer:
      'Wenn das ein Versehen war, wenden Sie sich an Ihre Bank oder den Betreiber. Ist die Rechnung nach einer Woche noch nicht bezahlt, werden Rundsendungen angehalten, bis sie bezahlt ist.',
  },
  refund: {
    subject: 'Erstattung zur Rechnung {{ number }}: {{ refunded }}',
    heading: 'Eine Zahlung wurde erstattet',
    body: 'Von der Rechnung {{ number }} für {{ month }} über {{ amount }} wurden {{ refunded }} erstattet. Bis das Geld auf Ihrem Konto ist, können einige Tage vergehen.',
    button: 'Rechnung ansehen',
    footer: 'Sie müssen nichts weiter tun.',
  },
  past_due: {
    subject: 'Die Rechnung {{ number }} ist überfällig: Rundsendungen sind angehalten',
    heading: 'Die Rechnung {{ number }} ist überfällig',
    body: 'Die Rechnung {{ number }} für {{ month }} über {{ amount }} war am {{ dueDate }} fällig. Bis sie bezahlt ist, sind Rundsendungen angehalten. Einzelne Nachrichten, die Anmeldung und alles andere funktionieren weiter.{% if collection == "manual" %} Bitte bezahlen Sie sie wie vereinbart und geben Sie die Rechnungsnummer an.{% endif %}',
    button: '{% if collection == "manual" %}Rechnung ansehen{% else %}Jetzt bezahlen{% endif %}',
    footer: 'Angehaltene Rundsendungen werden automatisch fortgesetzt, sobald die Rechnung bezahlt ist.',
  },
  cap: {
    subject: '{{ percent }}\u00a0% Ihrer Ausgabengrenze sind erreicht',
    heading: '{{ percent }}\u00a0% der Ausgabengrenze sind erreicht',
    body: 'Im {{ month }} wurden {{ amount }} der Ausgabengrenze von {{ cap }} ausgegeben. Was die Grenze überschreiten würde, wird abgelehnt.',
    footer:
      'Ein Inhaber kann die Grenze mit billing.cap.set ändern oder aufheben. billing.usage.get zeigt, was verbraucht wurde.',
  },
};
