import type { BillingTexts } from './billing-texts.js';

export const de: BillingTexts = {
  invoice: {
    title: 'Rechnung {number}',
    number: 'Nummer',
    month: 'Monat',
    amount: 'Betrag',
    due: 'Fällig am',
    paidOn: 'Bezahlt am',
    pdf: 'Rechnung herunterladen (PDF)',
    lead: {
      open: 'Diese Rechnung ist noch nicht bezahlt.',
      past_due: 'Diese Rechnung ist überfällig. Rundsendungen sind angehalten, bis sie bezahlt ist.',
      paid: 'Diese Rechnung ist bezahlt. Vielen Dank.',
      void: 'Diese Rechnung wurde storniert: Es ist nichts zu bezahlen.',
      carried:
        'Dieser Betrag ist für eine Abbuchung zu klein. Er wurde auf eine spätere Rechnung übertragen: Jetzt ist nichts zu bezahlen.',
      processing: 'Die Zahlung ist unterwegs. Das kann einige Tage dauern.',
      confirm: 'Ihre Bank bittet Sie, diese Zahlung zu bestätigen.',
      noMethod:
        'Diese Rechnung ist noch nicht bezahlt, und es ist keine Zahlungsmethode hinterlegt, über die sie eingezogen werden könnte.',
      manual:
        'Diese Rechnung ist noch nicht bezahlt. Bitte bezahlen Sie sie wie vereinbart und geben Sie die Rechnungsnummer an.',
      unavailable:
        'Der Zahlungsdienst antwortet gerade nicht. Es wird nichts doppelt abgebucht: Bitte versuchen Sie es in einigen Minuten noch einmal.',
    },
    failed: 'Die letzte Zahlung ist fehlgeschlagen. {reason}',
    pay: '{amount} bezahlen',
    confirm: 'Zahlung bestätigen',
    addMethod: 'Zahlungsmethode hinzufügen und bezahlen',
    otherMethod: 'Andere Zahlungsmethode verwenden',
  },
  method: {
    title: 'Zahlungsmethode',
    pending:
      'Sie geben die Zahlungsmethode auf der Seite unseres Zahlungsdienstes ein. Rechnungen werden darüber eingezogen.',
    start: 'Zahlungsmethode hinzufügen',
    active: 'Die Zahlungsmethode wurde gespeichert. Offene und künftige Rechnungen werden darüber eingezogen.',
    failed: 'Die Zahlungsmethode wurde nicht gespeichert. {reason}',
    again: 'Schließen Sie diese Seite und fügen Sie die Zahlungsmethode dort noch einmal hinzu, wo Sie begonnen haben.',
    unavailable: 'Der Zahlungsdienst antwortet gerade nicht. Bitte versuchen Sie es in einigen Minuten noch einmal.',
    back: 'Zurück',
  },
  leaving: {
    title: 'Zum Zahlungsdienst',
    text: 'Sie werden auf die Seite unseres Zahlungsdienstes weitergeleitet.',
    button: 'Weiter',
  },
};
