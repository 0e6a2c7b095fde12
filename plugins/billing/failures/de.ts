import type { FailureTexts } from '../tables/failure-codes.js';

export const de: FailureTexts = {
  insufficient_funds: 'Das Konto ist nicht ausreichend gedeckt.',
  limit_exceeded: 'Die Zahlung überschreitet ein Limit der Karte oder des Kontos.',
  method_expired: 'Die Karte ist abgelaufen.',
  method_invalid: 'Nummer, Ablaufdatum oder Prüfnummer der Zahlungsmethode stimmt nicht.',
  method_not_supported: 'Die Bank lässt diese Art von Zahlung oder diese Währung mit dieser Zahlungsmethode nicht zu.',
  account_closed: 'Das Bankkonto ist aufgelöst oder existiert nicht.',
  mandate_missing: 'Der Kontoinhaber erlaubt den Einzug nicht oder hat die Erlaubnis widerrufen.',
  authentication_failed: 'Die Zahlung wurde bei der Bank nicht bestätigt.',
  declined: 'Die Bank hat die Zahlung ohne Angabe von Gründen abgelehnt. Ihre Bank kann Ihnen mehr dazu sagen.',
  temporary: 'Die Bank konnte die Zahlung zu diesem Zeitpunkt nicht verarbeiten.',
  confirmation_needed: 'Die Bank bittet um eine Bestätigung.',
  payment_cancelled: 'Die Zahlung wurde abgebrochen.',
  method_unusable: 'Die Zahlungsmethode kann nicht mehr verwendet werden.',
  page_expired: 'Die Seite ist abgelaufen, bevor eine Zahlungsmethode hinzugefügt wurde.',
  page_unopened: 'Die Seite wurde nie geöffnet.',
  method_superseded: 'Eine später eingegebene Zahlungsmethode ist bereits gespeichert.',
  taken_back: 'Die Bank hat die Zahlung zurückgebucht.',
  other: 'Der Zahlungsdienst meldet: „{reason}“.',
};
