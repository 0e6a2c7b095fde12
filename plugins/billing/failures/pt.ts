import type { FailureTexts } from '../tables/failure-codes.js';

export const pt: FailureTexts = {
  insufficient_funds: 'A conta não tem saldo suficiente.',
  limit_exceeded: 'O pagamento ultrapassa um limite do cartão ou da conta.',
  method_expired: 'O cartão expirou.',
  method_invalid: 'O número, a data de validade ou o código de segurança do método de pagamento não está correto.',
  method_not_supported: 'O banco não permite este tipo de pagamento, ou esta moeda, com este método de pagamento.',
  account_closed: 'A conta bancária está encerrada ou não existe.',
  mandate_missing: 'O titular da conta não permite o débito ou retirou a autorização.',
  authentication_failed: 'O pagamento não foi confirmado junto do banco.',
  declined: 'O banco recusou o pagamento sem indicar o motivo. O seu banco pode dar-lhe mais informações.',
  temporary: 'O banco não conseguiu processar o pagamento naquele momento.',
  confirmation_needed: 'O banco pede uma confirmação.',
  payment_cancelled: 'O pagamento foi cancelado.',
  method_unusable: 'O método de pagamento já não pode ser usado.',
  page_expired: 'A página expirou antes de ser adicionado um método de pagamento.',
  page_unopened: 'A página nunca foi aberta.',
  method_superseded: 'Já está guardado um método de pagamento introduzido mais tarde.',
  taken_back: 'O banco devolveu o pagamento.',
  other: 'O prestador de pagamentos indica: «{reason}».',
};
