import type { BillingTexts } from './billing-texts.js';

export const pt: BillingTexts = {
  invoice: {
    title: 'Fatura {number}',
    number: 'Número',
    month: 'Mês',
    amount: 'Valor',
    due: 'Vence em',
    paidOn: 'Paga em',
    pdf: 'Transferir a fatura (PDF)',
    lead: {
      open: 'Esta fatura ainda não foi paga.',
      past_due: 'Esta fatura está vencida. Os envios em massa ficam retidos até que seja paga.',
      paid: 'Esta fatura está paga. Agradecemos o pagamento.',
      void: 'Esta fatura foi anulada: não há nada a pagar.',
      carried:
        'Este valor é demasiado pequeno para ser cobrado. Foi transportado para uma fatura posterior: por agora, não há nada a pagar.',
      processing: 'O pagamento está em curso. Pode demorar alguns dias.',
      confirm: 'O seu banco pede-lhe que confirme este pagamento.',
      noMethod: 'Esta fatura ainda não foi paga, e não há nenhum método de pagamento com o qual possa ser cobrada.',
      manual: 'Esta fatura ainda não foi paga. Pague-a como combinado e indique o número da fatura.',
      unavailable:
        'O prestador de pagamentos não responde neste momento. Nada é cobrado duas vezes: tente novamente dentro de alguns minutos.',
    },
    failed: 'O último pagamento falhou. {reason}',
    pay: 'Pagar {amount}',
    confirm: 'Confirmar o pagamento',
    addMethod: 'Adicionar um método de pagamento e pagar',
    otherMethod: 'Usar outro método de pagamento',
  },
  method: {
    title: 'Método de pagamento',
    pending:
      'O método de pagamento é introduzido na página do nosso prestador de pagamentos. As faturas são cobradas com ele.',
    start: 'Adicionar um método de pagamento',
    active: 'O método de pagamento está guardado. As faturas por pagar e as futuras são cobradas com ele.',
    failed: 'O método de pagamento não foi guardado. {reason}',
    again: 'Feche esta página e adicione de novo um método de pagamento onde começou.',
    unavailable: 'O prestador de pagamentos não responde neste momento. Tente novamente dentro de alguns minutos.',
    back: 'Voltar',
  },
  leaving: {
    title: 'Para o prestador de pagamentos',
    text: 'A abrir a página do nosso prestador de pagamentos…',
    button: 'Continuar',
  },
};
