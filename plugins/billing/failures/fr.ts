import type { FailureTexts } from '../tables/failure-codes.js';

export const fr: FailureTexts = {
  insufficient_funds: 'Le compte n’est pas suffisamment approvisionné.',
  limit_exceeded: 'Le paiement dépasse un plafond de la carte ou du compte.',
  method_expired: 'La carte a expiré.',
  method_invalid: 'Le numéro, la date d’expiration ou le code de sécurité du moyen de paiement n’est pas correct.',
  method_not_supported: 'La banque n’autorise pas ce type de paiement, ou cette devise, avec ce moyen de paiement.',
  account_closed: 'Le compte bancaire est clos ou n’existe pas.',
  mandate_missing: 'Le titulaire du compte n’a pas autorisé ce prélèvement ou a retiré son autorisation.',
  authentication_failed: 'Le paiement n’a pas été confirmé auprès de la banque.',
  declined: 'La banque a refusé le paiement sans donner de raison. Votre banque peut vous en dire plus.',
  temporary: 'La banque n’a pas pu traiter le paiement à ce moment-là.',
  confirmation_needed: 'La banque demande une confirmation.',
  payment_cancelled: 'Le paiement a été annulé.',
  method_unusable: 'Le moyen de paiement ne peut plus être utilisé.',
  page_expired: 'La page a expiré avant l’ajout d’un moyen de paiement.',
  page_unopened: 'La page n’a jamais été ouverte.',
  method_superseded: 'Un moyen de paiement saisi plus tard est déjà enregistré.',
  taken_back: 'La banque a rejeté le paiement a posteriori.',
  other: 'Le prestataire de paiement indique\u00a0: «\u00a0{reason}\u00a0».',
};
