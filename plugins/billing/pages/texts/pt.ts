import type { BillingTexts } from './billing-texts.js';

export const pt: BillingTexts = {
  invoice: {
    title: 'Fatura {number}',
    number: 'Número',
    month: 'De',
    amount: 'Valor',
    due: 'Vence em',
    paidOn: 'Paga em',
    pdf: 'Baixar a fatura (PDF)',
    lead: {
      open: 'Esta fatura ainda não foi paga.',
      past_due: 'Esta fatura está vencida. Os envios em massa ficam retidos até que ela seja paga.',
      paid: 'Esta fatura está paga. Obrigado.',
      void: 'Esta fatura foi anulada: não há nada a pagar.',
      processing: 'O pagamento está a caminho. Seu banco leva no máximo alguns dias.',
      confirm: 'Seu banco pede que você confirme este pagamento.',
      noMethod: 'Esta fatura ainda não foi paga, e não há nenhum método de pagamento com o qual ela possa ser cobrada.',
      manual: 'Esta fatura ainda não foi paga. Pague-a como combinado e informe o número dela.',
      unavailable:
        'O provedor de pagamentos não responde no momento. Nada é cobrado duas vezes: tente novamente em alguns minutos.',
    },
    failed: 'O último pagamento falhou: {reason}',
    pay: 'Pagar {amount}',
    confirm: 'Confirmar o pagamento',
    addMethod: 'Adicionar um método de pagamento e pagar',
    otherMethod: 'Usar outro método de pagamento',
  },
  method: {
    title: 'Método de pagamento',
    pending:
      'O método de pagamento é informado na página do nosso provedor de pagamentos. As faturas são cobradas com ele.',
    start: 'Adicionar um método de pagamento',
    active: 'O método de pagamento está salvo. A partir de agora, as faturas são cobradas com ele.',
    failed: 'O método de pagamento não foi salvo: {reason}',
    unavailable: 'O provedor de pagamentos não responde no momento. Tente novamente em alguns minutos.',
    back: 'Voltar',
  },
  leaving: {
    title: 'Para o provedor de pagamentos',
    text: 'Você está sendo levado à página do nosso provedor de pagamentos.',
    button: 'Continuar',
  },
};
