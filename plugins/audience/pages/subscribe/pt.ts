import type { SubscribeTexts } from './texts.js';

export const pt: SubscribeTexts = {
  heading: 'Subscrever «{topic}»',
  email: 'Endereço de e-mail',
  firstName: 'Nome próprio',
  optional: '(opcional)',
  consent:
    'Quero receber «{topic}» de {brand} por e-mail. Posso cancelar a subscrição a qualquer momento com o link de cada e-mail.',
  button: 'Subscrever',
  mistakes: {
    email: 'Introduza um endereço de e-mail completo, por exemplo nome@example.com.',
    firstName: 'Introduza um nome sem endereço web, com 100 caracteres no máximo.',
  },
  leaveEmpty: 'Deixe este campo vazio',
  confirm: {
    heading: 'Confirme a sua subscrição',
    text: '«{topic}» será enviado para {email}.',
    button: 'Confirmar subscrição',
  },
  done: {
    asked: {
      heading: 'Falta um passo: consulte a sua caixa de correio',
      text: 'Se o endereço introduzido puder receber e-mails, receberá um com um link. Abra-o para confirmar a sua subscrição de «{topic}». O link é válido durante {days} dias. Se não encontrar o e-mail, procure na pasta de spam.',
    },
    registered: {
      heading: 'Agradecemos a sua subscrição',
      text: 'Receberá «{topic}» por e-mail. Se a subscrição deste endereço tiver sido cancelada antes, enviamos primeiro um e-mail com um link para confirmar.',
    },
    subscribed: {
      heading: 'A sua subscrição está confirmada',
      text: 'Receberá «{topic}» por e-mail. Pode cancelar a subscrição a qualquer momento com o link de cada e-mail.',
    },
    blocked: {
      heading: 'A sua subscrição foi guardada, mas os envios estão parados',
      text: 'Um e-mail anterior para este endereço foi devolvido ou marcado como spam, ou {brand} deixou de lhe enviar e-mails. Para receber «{topic}», contacte {brand}.',
    },
  },
  problems: {
    unknown: {
      heading: 'Este formulário não está disponível',
      text: 'Foi encerrado ou o endereço desta página está incompleto.',
    },
    invalid: {
      heading: 'Este link não funciona',
      text: 'Está incompleto. Abra novamente o link do e-mail e verifique se está completo.',
    },
    expired: {
      heading: 'Este link expirou',
      text: 'Era válido durante {days} dias. Introduza novamente o seu endereço no formulário para receber outro.',
    },
    void: {
      heading: 'Este link já não é válido',
      text: 'A escolha para este endereço mudou depois de o link ser enviado. Para subscrever, introduza novamente o endereço no formulário.',
    },
    limited: {
      heading: 'Demasiadas tentativas',
      text: 'O formulário foi usado demasiadas vezes com este endereço, a partir da sua rede ou no total. Desta vez, nada foi alterado. Tente mais tarde.',
    },
    closed: {
      heading: 'Este formulário não está disponível de momento',
      text: 'Por agora, não é possível subscrever.',
    },
    failed: {
      heading: 'Esta página não pode ser mostrada agora',
      text: 'Ocorreu um erro do nosso lado. Tente novamente dentro de alguns minutos. Se voltar a acontecer, indique aos operadores deste serviço este identificador do pedido: {requestId}',
    },
  },
  again: 'Ir para o formulário',
  continue: 'Continuar',
};
