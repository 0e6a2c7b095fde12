import type { InviteWords } from './words.js';

export const pt: InviteWords = {
  title: 'Convite para {account}',
  heading: 'Você tem um convite para {account}',
  lead: '{person} convida você a ser membro desta conta.',
  leadWithoutPerson: 'Você tem um convite para ser membro desta conta.',
  address: 'Endereço convidado',
  role: 'Sua função',
  until: 'Válido até',
  roles: {
    owner: {
      name: 'Proprietário',
      may: 'Você pode fazer tudo, inclusive o que é reservado aos proprietários, como encerrar a conta.',
    },
    admin: { name: 'Administrador', may: 'Você pode fazer tudo, exceto o que é reservado aos proprietários.' },
    developer: {
      name: 'Desenvolvedor',
      may: 'Você pode ver tudo e alterar o acesso, o e-mail, o SMS, os públicos, as chaves e os webhooks.',
    },
    viewer: { name: 'Observador', may: 'Você pode ver tudo, sem alterar nada.' },
  },
  next: {
    heading: 'Como continuar',
    signIn: 'Entre no painel com {email} para aceitar o convite.',
    ask: 'Entrar no painel ainda não faz parte desta instalação, por isso o convite não pode ser aceito aqui. Pergunte a quem convidou você como continuar.',
  },
  troubles: {
    unknown: {
      heading: 'Não conhecemos este convite',
      said: 'O link está incompleto, ou este convite nunca existiu.',
      next: 'Abra de novo o link do e-mail e verifique se está inteiro. Se não bastar, peça outro a quem convidou você.',
    },
    expired: {
      heading: 'Este convite expirou',
      said: 'O link dele só valia por tempo limitado.',
      next: 'Peça a quem convidou você que o faça de novo: você receberá outro link.',
    },
    revoked: {
      heading: 'Este convite foi retirado',
      said: 'O link dele já não leva a lugar nenhum.',
      next: 'Se achar que é um engano, peça um novo convite a um proprietário ou administrador da conta.',
    },
    accepted: {
      heading: 'Este convite já foi aceito',
      said: 'Um convite só pode ser aceito uma vez.',
      next: 'Entre com o endereço convidado para abrir a conta.',
    },
    limited: {
      heading: 'Tentativas demais',
      said: 'Muitos convites foram abertos a partir da sua rede em pouco tempo.',
      next: 'Aguarde dez minutos e abra o link de novo.',
    },
    failed: {
      heading: 'Esta página não pode ser exibida agora',
      said: 'Algo deu errado do nosso lado. O seu convite não foi afetado.',
      next: 'Tente de novo em alguns minutos. Se voltar a acontecer, informe este número a quem mantém o serviço: {requestId}',
    },
  },
};
