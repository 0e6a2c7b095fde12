import type { PreferencesTexts } from './texts.js';

export const pt: PreferencesTexts = {
  title: 'As suas preferências',
  heading: 'O que {project} lhe pode enviar',
  lead: 'Escolha o que quer receber. A sua escolha aplica-se assim que a guardar.',
  channels: {
    email: {
      legend: 'E-mail',
      noTopics: 'Não há boletins para escolher.',
      unsubscribe: 'Cancelar a subscrição de todos os boletins por e-mail',
      allow: 'Voltar a permitir e-mails',
      reasons: {
        unsubscribe:
          'Cancelou a subscrição de todos os boletins por e-mail. As outras mensagens, como recibos, continuam a chegar-lhe. O que escolher aqui voltará a receber.',
        complaint:
          'Marcou um dos nossos e-mails como spam, por isso nada é enviado para este endereço, exceto códigos de acesso e avisos de segurança. Se escolher algo aqui, volta a recebê-lo.',
        stop: 'Já não é enviado nada para este endereço.',
        bounce:
          'Os e-mails para este endereço foram devolvidos, por isso nada é enviado por agora. As suas escolhas ficam guardadas. Se o endereço estiver certo, avise {project}.',
        manual:
          '{project} não envia nada para este endereço, exceto códigos de acesso e avisos de segurança. As suas escolhas ficam guardadas. Para mudar isso, fale com {project}.',
      },
    },
    sms: {
      legend: 'SMS',
      noTopics: 'Não há nada para escolher.',
      unsubscribe: 'Cancelar a subscrição de todos os boletins por SMS',
      allow: 'Voltar a permitir SMS',
      reasons: {
        unsubscribe:
          'Cancelou a subscrição de todos os boletins por SMS. As outras mensagens, como avisos de entrega, continuam a chegar-lhe. O que escolher aqui voltará a receber.',
        complaint:
          'Marcou um dos nossos SMS como spam, por isso nada é enviado para este número, exceto códigos de acesso e avisos de segurança. Se escolher algo aqui, volta a recebê-lo.',
        stop: 'Respondeu STOP, por isso nenhum SMS é enviado para este número, nem códigos de acesso. Para voltar a receber, envie START para o número que lhe escreveu. Até lá, as suas escolhas aqui ficam guardadas.',
        bounce:
          'Os SMS para este número não chegaram, por isso nada é enviado por agora. As suas escolhas ficam guardadas. Se o número estiver certo, avise {project}.',
        manual:
          '{project} não envia nada para este número, exceto códigos de acesso e avisos de segurança. As suas escolhas ficam guardadas. Para mudar isso, fale com {project}.',
      },
    },
  },
  noAddress:
    '{project} não tem endereço de e-mail nem número de telefone seus, por isso não há nada para escolher aqui.',
  unsubscribeTopic: {
    heading: 'Já não quer receber «{topic}»?',
    text: 'A mensagem que o link trazia pertence a este tema.',
    button: 'Cancelar a subscrição de «{topic}»',
  },
  save: 'Guardar as escolhas',
  unsubscribeAll: {
    heading: 'Cancelar a subscrição de todos os boletins',
    text: '{project} deixará de lhe enviar boletins, mesmo os que não estão na lista acima. As outras mensagens, como recibos e confirmações, continuam a chegar-lhe. Pode mudar de ideias a qualquer momento nesta página.',
    button: 'Cancelar a subscrição de todos os boletins',
  },
  done: {
    saved: 'As suas escolhas foram guardadas.',
    unsubscribedTopic: 'Já não vai receber «{topic}».',
    unsubscribed: 'A sua subscrição foi cancelada.',
    allowed: 'As mensagens são de novo permitidas.',
  },
  stale: {
    heading: 'Nada foi alterado',
    text: 'As opções mudaram desde que abriu esta página. Estas são as atuais: escolha de novo.',
  },
  errors: {
    invalid: {
      heading: 'Este link não funciona',
      text: 'Está incompleto ou já não é válido.',
      next: 'Abra de novo o link da mensagem e verifique se está completo. O link de uma mensagem mais recente também funciona.',
    },
    expired: {
      heading: 'Este link expirou',
      text: 'Só era válido por tempo limitado.',
      next: 'Volte para onde o encontrou e abra um novo. Os links das nossas mensagens nunca expiram.',
    },
    limited: {
      heading: 'Demasiadas tentativas',
      text: 'Foram abertas ou alteradas preferências demasiadas vezes a partir da sua rede. Desta vez, nada foi alterado.',
      next: 'Aguarde dez minutos e abra o link de novo.',
    },
    failed: {
      heading: 'Esta página não pode ser mostrada agora',
      text: 'Algo correu mal do nosso lado.',
      next: '(same as above)',
    },
  },
};
