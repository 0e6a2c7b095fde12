import type { InviteTexts } from './texts.js';

export const pt: InviteTexts = {
  title: 'Convite para {account}',
  heading: 'Tem um convite para {account}',
  lead: '{inviter} enviou-lhe um convite para ser membro desta conta.',
  leadWithoutInviter: 'Tem um convite para ser membro desta conta.',
  address: 'Endereço de e-mail',
  role: 'A sua função',
  validUntil: 'Válido até',
  roles: {
    owner: {
      name: 'Proprietário',
      description: 'Pode fazer tudo, incluindo o que é reservado aos proprietários, como encerrar a conta.',
    },
    admin: { name: 'Administrador', description: 'Pode fazer tudo, exceto o que é reservado aos proprietários.' },
    developer: {
      name: 'Programador',
      description:
        'Pode ver tudo e alterar o início de sessão, o e-mail, os SMS, os públicos, as chaves e os webhooks.',
    },
    viewer: { name: 'Observador', description: 'Pode ver tudo, sem alterar nada.' },
  },
  narrowed: {
    change: 'Pode alterar: {areas}.',
    see: 'Pode ver: {areas}.',
    areas: {
      account: 'conta',
      auth: 'acesso',
      email: 'e-mail',
      sms: 'SMS',
      audience: 'públicos',
      billing: 'faturação',
      developers: 'chaves e webhooks',
    },
  },
  next: {
    heading: 'Próximo passo',
    unavailable:
      'O início de sessão não está disponível neste servidor, por isso o convite não pode ser aceite aqui. Fale com quem lhe enviou o convite.',
  },
  accept: {
    heading: 'Aceitar o convite',
    start: 'Para aceitar, confirme que {email} é o seu endereço: enviamos-lhe um código.',
    sendCode: 'Enviar o código',
    sendAgain: 'Enviar outro código',
    sent: 'Enviámos um código para {email}. É válido durante dez minutos.',
    code: 'Código do e-mail',
    second: 'A sua conta está protegida pelo início de sessão em dois passos.',
    secondCode: 'Código da sua aplicação de autenticação ou um código de recuperação',
    button: 'Aceitar o convite',
    signIn: 'Inicie sessão como {email} para aceitar o convite.',
    signInButton: 'Iniciar sessão',
    doneHeading: 'Já é membro',
    done: 'Juntou-se a {account}.',
    after: {
      heading: 'O que pode fazer agora',
      signIn: 'Proteger o seu início de sessão',
      signInWhy: 'Adicione uma chave de acesso ou um segundo passo e veja onde tem sessão iniciada.',
      invoices:
        'Os e-mails sobre faturas são enviados aos proprietários ou ao endereço dos dados de faturação. O link leva a uma página onde pode ver a fatura e pagá-la.',
      console: 'Abrir a consola',
      work: 'Também se pode trabalhar com a conta através de programas e na linha de comandos, como descreve {reference} (em inglês). Para instalar a ferramenta de linha de comandos e iniciar sessão nela:',
      reference: 'a referência',
    },
    mistakes: {
      wrongCode: 'Esse código não está certo. Verifique-o e tente novamente.',
      codeEnded: 'Esse código já não pode ser usado. Peça outro.',
      nothingWaits:
        'O início de sessão expirou, ou o seu navegador bloqueia os cookies. Permita-os para este site e peça outro código.',
    },
  },
  problems: {
    unknown: {
      heading: 'Convite não encontrado',
      explanation: 'O link está incompleto, ou o convite nunca existiu.',
      next: 'Abra de novo o link do e-mail e verifique se está completo. Se não bastar, peça outro a quem lhe enviou o convite.',
    },
    expired: {
      heading: 'Este convite expirou',
      explanation: 'O link só era válido por tempo limitado.',
      next: 'Peça um novo convite a quem lhe enviou este: receberá outro link.',
    },
    revoked: {
      heading: 'Este convite foi retirado',
      explanation: 'O link já não funciona.',
      next: 'Se achar que é um engano, peça um novo convite a um proprietário ou administrador da conta.',
    },
    accepted: {
      heading: 'Este convite já foi aceite',
      explanation: 'Um convite só pode ser aceite uma vez.',
      next: 'Se o aceitou, já é membro. Se foi outra pessoa, avise um proprietário da conta.',
    },
    limited: {
      heading: 'Demasiadas tentativas',
      explanation: 'Houve demasiadas tentativas a partir da sua rede em pouco tempo.',
      next: 'O seu convite continua válido: abra o link de novo dentro de uma hora.',
    },
    secondStep: {
      heading: 'É obrigatório um segundo passo',
      explanation:
        'Aqui, o início de sessão pede um segundo passo com uma aplicação de autenticação, e ainda não configurou nenhuma. O seu convite não foi afetado.',
      next: 'Configure-a na página abaixo e abra depois de novo o link do e-mail.',
    },
    failed: {
      heading: 'Esta página não pode ser mostrada agora',
      explanation: 'Algo correu mal do nosso lado. O seu convite não foi afetado.',
      next: 'Tente novamente dentro de alguns minutos. Se voltar a acontecer, indique aos operadores deste serviço este identificador do pedido: {requestId}',
    },
  },
};
