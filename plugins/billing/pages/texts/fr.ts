import type { BillingTexts } from './billing-texts.js';

export const fr: BillingTexts = {
  invoice: {
    title: 'Facture {number}',
    number: 'Numéro',
    month: 'Mois',
    amount: 'Montant',
    due: 'À payer au plus tard le',
    paidOn: 'Payée le',
    pdf: 'Télécharger la facture (PDF)',
    lead: {
      open: 'Cette facture n’est pas encore payée.',
      past_due: 'Cette facture est en retard. Les envois groupés sont suspendus jusqu’à son paiement.',
      paid: 'Cette facture est payée. Merci.',
      void: 'Cette facture a été annulée\u00a0: il n’y a rien à payer.',
      carried:
        'Ce montant est trop faible pour être prélevé. Il a été reporté sur une facture ultérieure\u00a0: il n’y a rien à payer pour le moment.',
      processing: 'Le paiement est en cours. Cela peut prendre quelques jours.',
      confirm: 'Votre banque vous demande de confirmer ce paiement.',
      noMethod: 'Cette facture n’est pas encore payée, et aucun moyen de paiement n’est enregistré pour la régler.',
      manual: 'Cette facture n’est pas encore payée. Veuillez la payer comme convenu, en indiquant son numéro.',
      unavailable:
        'Le prestataire de paiement ne répond pas pour le moment. Rien n’est débité deux fois\u00a0: veuillez réessayer dans quelques minutes.',
    },
    failed: 'Le dernier paiement a échoué. {reason}',
    pay: 'Payer {amount}',
    confirm: 'Confirmer le paiement',
    addMethod: 'Ajouter un moyen de paiement et payer',
    otherMethod: 'Utiliser un autre moyen de paiement',
  },
  method: {
    title: 'Moyen de paiement',
    pending:
      'Vous saisissez le moyen de paiement sur la page de notre prestataire de paiement. Les factures seront réglées avec ce moyen de paiement.',
    start: 'Ajouter un moyen de paiement',
    active:
      'Le moyen de paiement est enregistré. Les factures en attente de paiement et les prochaines seront réglées avec ce moyen de paiement.',
    failed: 'Le moyen de paiement n’a pas été enregistré. {reason}',
    again: 'Fermez cette page et ajoutez de nouveau un moyen de paiement là où vous avez commencé.',
    unavailable: 'Le prestataire de paiement ne répond pas pour le moment. Veuillez réessayer dans quelques minutes.',
    back: 'Retour',
  },
  leaving: {
    title: 'Vers le prestataire de paiement',
    text: 'Redirection vers la page de notre prestataire de paiement…',
    button: 'Continuer',
  },
};
