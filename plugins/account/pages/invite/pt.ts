import type { InviteTexts } from './texts.js';

export const pt: InviteTexts = {
  title: 'Convite para {account}',
  heading: 'Você tem um convite para {account}',
  lead: '{inviter} convida você a ser membro desta conta.',
  leadWithoutInviter: 'Você tem um convite para ser membro desta conta.',
  address: 'Endereço convidado',
  role: 'Sua função',
  validUntil: 'Válido até',
  roles: {
    owner: {
      name: 'Proprietário',
      description: 'Você pode fazer tudo, inclusive o que é reservado aos proprietários, como encerrar a conta.',
    },
    admin: { name: 'Administrador', description: 'Você pode fazer tudo, exceto o que é reservado aos proprietários.' },
    developer: {
      name: 'Desenvolvedor',
      description: 'Você pode ver tudo e alterar o acesso, o e-mail, o SMS, os públicos, as chaves e os webhooks.',
    },
    viewer: { name: 'Observador', description: 'Você pode ver tudo, sem alterar nada.' },
  },
  next: {
    heading: 'Próximo passo',
    unavailable:
      'O acesso não está ativado nesta instalação, por isso o convite não pode ser aceito aqui. Fale com quem convidou você.',
  },
  accept: {
    heading: 'Aceitar o convite',
    start: 'Para aceitar, confirme que {email} é o seu endereço: enviaremos um código.',
    sendCode: 'Enviar o código',
    sendAgain: 'Enviar outro código',
    sent: 'Enviamos um código para {email}. Ele vale por dez minutos.',
    code: 'Código do e-mail',
    second: 'Sua conta está protegida por um segundo fator.',
    secondCode: 'Código do seu aplicativo autenticador ou um código de recuperação',
    button: 'Aceitar o convite',
    signIn: 'Entre como {email} para aceitar o convite.',
    signInButton: 'Entrar',
    doneHeading: 'Agora você é membro',
    done: 'Você entrou em {account}. Na linha de comando, entre com:',
    mistakes: {
      wrongCode: 'Esse código não está certo. Confira e tente de novo.',
      codeEnded: 'Esse código não pode mais ser usado. Peça outro.',
    },
  },
  problems: {
    unknown: {
      heading: 'Convite não encontrado',
      explanation: 'O link está incompleto, ou o convite nunca existiu.',
      next: 'Abra de novo o link do e-mail e verifique se está completo. Se não bastar, peça outro a quem convidou você.',
    },
    expired: {
      heading: 'Este convite expirou',
      explanation: 'O link só era válido por tempo limitado.',
      next: 'Peça a quem convidou você que o faça de novo: você receberá outro link.',
    },
    revoked: {
      heading: 'Este convite foi retirado',
      explanation: 'O link não funciona mais.',
      next: 'Se achar que é um engano, peça um novo convite a um proprietário ou administrador da conta.',
    },
    accepted: {
      heading: 'Este convite já foi aceito',
      explanation: 'Um convite só pode ser aceito uma vez.',
      next: 'Entre com o endereço convidado para abrir a conta.',
    },
    limited: {
      heading: 'Tentativas demais',
      explanation: 'Houve muitas tentativas a partir da sua rede em pouco tempo.',
      next: 'O seu convite continua válido: abra o link de novo dentro de uma hora, no máximo.',
    },
    failed: {
      heading: 'Esta página não pode ser exibida agora',
      explanation: 'Algo deu errado do nosso lado. O seu convite não foi afetado.',
      next: 'Tente de novo em alguns minutos. Se voltar a acontecer, informe este número a quem mantém o serviço: {requestId}',
    },
  },
};
