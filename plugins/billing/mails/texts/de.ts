import type { MailTexts } from '../kinds.js';

export const de: MailTexts = {
  invoice: {
    subject: 'Rechnung {{ number }} für {{ month }}: {{ amount }}',
    heading: 'Ihre Rechnung für {{ month }}',
    body: 'Die Rechnung {{ number }} über {{ amount }} ist am {{ dueDate }} fällig. {% if collection == "manual" %}Bitte bezahlen Sie sie wie vereinbart und geben Sie ihre Nummer an.{% else %}Es ist keine Zahlungsmethode hinterlegt, von der sie eingezogen werden könnte.{% endif %}',
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
    body: 'Die Rechnung {{ number }} für {{ month }} über {{ amount }} konnte nicht eingezogen werden: {{ reason }} In den nächsten Tagen wird es erneut versucht.',
    button: 'Jetzt bezahlen',
    footer:
      'Wenn die Zahlungsmethode nicht mehr gültig ist, fügen Sie eine andere hinzu. Eine Woche nach der Fälligkeit am {{ dueDate }} werden Rundsendungen angehalten, bis die Rechnung bezahlt ist.',
  },
  action_required: {
    subject: 'Bitte bestätigen Sie die Zahlung der Rechnung {{ number }}',
    heading: 'Ihre Bank bittet um Ihre Bestätigung',
    body: 'Die Rechnung {{ number }} für {{ month }} über {{ amount }} kann bezahlt werden, sobald Sie die Zahlung bei Ihrer Bank bestätigen.',
    button: 'Zahlung bestätigen',
    footer: 'Die Schaltfläche führt zur Seite der Rechnung und von dort zu Ihrer Bank.',
  },
  past_due: {
    subject: 'Die Rechnung {{ number }} ist überfällig: Rundsendungen sind angehalten',
    heading: 'Die Rechnung {{ number }} ist überfällig',
    body: 'Die Rechnung {{ number }} für {{ month }} über {{ amount }} war am {{ dueDate }} fällig. Bis sie bezahlt ist, sind Rundsendungen angehalten. Einzelne Nachrichten, die Anmeldung und alles andere gehen weiter.{% if collection == "manual" %} Bitte bezahlen Sie sie wie vereinbart und geben Sie ihre Nummer an.{% endif %}',
    button: '{% if collection == "manual" %}Rechnung ansehen{% else %}Jetzt bezahlen{% endif %}',
    footer: 'Angehaltene Rundsendungen gehen von selbst weiter, sobald die Rechnung bezahlt ist.',
  },
  cap: {
    subject: '{{ percent }} % Ihrer Ausgabengrenze sind verbraucht',
    heading: '{{ percent }} % der Ausgabengrenze sind verbraucht',
    body: 'Im {{ month }} sind {{ amount }} von der Grenze von {{ cap }} ausgegeben. Was die Grenze überschreiten würde, wird abgelehnt.',
    footer:
      'Ein Inhaber kann die Grenze mit billing.cap.set ändern oder aufheben. billing.usage.get zeigt, was verbraucht wurde.',
  },
};
