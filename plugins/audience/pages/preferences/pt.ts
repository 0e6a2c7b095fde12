import type { PreferencesTexts } from './texts.js';

export const pt: PreferencesTexts = {
  title: 'Suas preferências',
  heading: 'O que {project} pode enviar a você',
  lead: 'Escolha o que quer receber. Sua escolha vale assim que você a salva.',
  channels: {
    email: {
      legend: 'E-mail',
      noTopics: 'Não há boletins para escolher.',
      unsubscribe: 'Cancelar todos os boletins por e-mail',
      allow: 'Permitir e-mails de novo',
      reasons: {
        unsubscribe:
          'Você cancelou todos os boletins por e-mail. Mensagens sem assinatura, como recibos, continuam chegando. Se escolher algo aqui, volta a recebê-lo.',
        complaint:
          'Você marcou um dos nossos e-mails como indesejado, por isso nada é enviado a este endereço, exceto códigos de acesso e avisos de segurança. Se escolher algo aqui, volta a recebê-lo.',
        stop: 'Nada mais é enviado a este endereço.',
        bounce:
          'Os e-mails para este endereço voltaram, por isso nada é enviado por enquanto. Suas escolhas ficam guardadas. Se o endereço estiver certo, avise {project}.',
        manual:
          '{project} não envia nada a este endereço, exceto códigos de acesso e avisos de segurança. Suas escolhas ficam guardadas. Para mudar isso, fale com {project}.',
      },
    },
    sms: {
      legend: 'SMS',
      noTopics: 'Não há nada para escolher.',
      unsubscribe: 'Cancelar todos os boletins por SMS',
      allow: 'Permitir SMS de novo',
      reasons: {
        unsubscribe:
          'Você cancelou todos os boletins por SMS. Mensagens sem assinatura, como avisos de entrega, continuam chegando. Se escolher algo aqui, volta a recebê-lo.',
        complaint:
          'Você marcou um dos nossos SMS como indesejado, por isso nada é enviado a este número, exceto códigos de acesso e avisos de segurança. Se escolher algo aqui, volta a recebê-lo.',
        stop: 'Você respondeu STOP, por isso nenhum SMS é enviado a este número, nem códigos de acesso. Para voltar a receber, envie START ao número que escreveu a você. Até lá, suas escolhas aqui ficam guardadas.',
        bounce:
          'Os SMS para este número não chegaram, por isso nada é enviado por enquanto. Suas escolhas ficam guardadas. Se o número estiver certo, avise {project}.',
        manual:
          '{project} não envia nada a este número, exceto códigos de acesso e avisos de segurança. Suas escolhas ficam guardadas. Para mudar isso, fale com {project}.',
      },
    },
  },
  noAddress:
    '{project} não tem endereço de e-mail nem número de telefone seus, por isso não há nada para escolher aqui.',
  unsubscribeTopic: {
    heading: 'Não quer mais “{topic}”?',
    text: 'A mensagem que trouxe você aqui fazia parte disso.',
    button: 'Cancelar {topic}',
  },
  save: 'Salvar escolhas',
  unsubscribeAll: {
    heading: 'Cancelar todos os boletins',
    text: '{project} então não envia mais boletins a você, nem os que não estão na lista acima. Mensagens sem assinatura, como recibos e confirmações, continuam chegando. Você pode mudar de ideia nesta página.',
    button: 'Cancelar todos os boletins',
  },
  done: {
    saved: 'Suas escolhas foram salvas.',
    unsubscribedTopic: 'Você não receberá mais {topic}.',
    unsubscribed: 'O cancelamento foi salvo.',
    allowed: 'As mensagens são permitidas de novo.',
  },
  stale: {
    heading: 'Nada foi alterado',
    text: 'O que se pode escolher mudou desde que você abriu esta página. É assim que está agora: escolha de novo.',
  },
  errors: {
    invalid: {
      heading: 'Este link não funciona',
      text: 'Está incompleto, ou já não pertence a ninguém.',
      next: 'Abra de novo o link da mensagem e verifique se está inteiro. O link de uma mensagem mais recente também funciona.',
    },
    expired: {
      heading: 'Este link expirou',
      text: 'Ele só valia por tempo limitado.',
      next: 'Volte para onde o encontrou e abra um novo. Os links das nossas mensagens nunca expiram.',
    },
    limited: {
      heading: 'Tentativas demais',
      text: 'Preferências foram abertas ou alteradas muitas vezes a partir da sua rede. Agora nada foi alterado.',
      next: 'Aguarde dez minutos e abra o link de novo.',
    },
    failed: {
      heading: 'Esta página não pode ser exibida agora',
      text: 'Algo deu errado do nosso lado.',
      next: 'Tente de novo em alguns minutos. Se voltar a acontecer, informe este número a quem mantém o serviço: {requestId}',
    },
  },
};
