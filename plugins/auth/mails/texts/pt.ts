import type { MailTexts } from '../kinds.js';

export const pt: MailTexts = {
  code: {
    subject: '{{ code }} é o seu código para {{ brandName }}',
    heading: 'O seu código de acesso: {{ code }}',
    body: 'Introduza o código {{ code }} onde está a iniciar sessão em {{ brandName }}. É válido durante {{ minutes }} minutos e só pode ser usado uma vez.',
    footer:
      'Não dê este código a ninguém; ninguém de {{ brandName }} lho vai pedir. Se não tentou iniciar sessão, pode ignorar este e-mail.',
  },
  link: {
    subject: 'Inicie sessão em {{ brandName }}',
    heading: 'Inicie sessão em {{ brandName }}',
    body: 'Use o botão abaixo para iniciar sessão. O link é válido durante {{ minutes }} minutos e só pode ser usado uma vez.',
    button: 'Iniciar sessão',
    footer: 'Não reencaminhe este link para ninguém. Se não tentou iniciar sessão, pode ignorar este e-mail.',
  },
  verifyAddress: {
    subject: '{{ code }} é o seu código para confirmar este endereço em {{ brandName }}',
    heading: 'Confirme o seu endereço: {{ code }}',
    body: 'Introduza o código {{ code }} para adicionar este endereço à sua conta em {{ brandName }}. É válido durante {{ minutes }} minutos.',
    footer: 'Se não o pediu, pode ignorar este e-mail. Sem o código, o endereço não será adicionado.',
  },
  notices: {
    password_set: {
      subject: 'Foi definida uma palavra-passe',
      body: 'Foi definida uma palavra-passe para a sua conta em {{ brandName }}.',
    },
    password_changed: {
      subject: 'A sua palavra-passe foi alterada',
      body: 'A palavra-passe da sua conta em {{ brandName }} foi alterada.',
    },
    password_removed: {
      subject: 'A sua palavra-passe foi removida',
      body: 'A palavra-passe da sua conta em {{ brandName }} foi removida.',
    },
    factor_activated: {
      subject: 'O início de sessão em dois passos foi ativado',
      body: 'Uma aplicação de autenticação protege agora a sua conta em {{ brandName }}.',
    },
    factor_replaced: {
      subject: 'A sua aplicação de autenticação foi substituída',
      body: 'Outra aplicação de autenticação protege agora a sua conta em {{ brandName }}. A anterior já não funciona.',
    },
    factor_removed: {
      subject: 'O início de sessão em dois passos foi desativado',
      body: 'A aplicação de autenticação da sua conta em {{ brandName }} foi removida. Iniciar sessão volta a exigir um único passo.',
    },
    recovery_regenerated: {
      subject: 'Tem novos códigos de recuperação',
      body: 'Foram criados novos códigos de recuperação para a sua conta em {{ brandName }}. Os anteriores já não funcionam.',
    },
    recovery_used: {
      subject: 'Foi usado um código de recuperação',
      body: 'Alguém iniciou sessão na sua conta em {{ brandName }} com um código de recuperação.',
    },
    passkey_added: {
      subject: 'Uma chave de acesso foi adicionada',
      body: 'A chave de acesso «{{ what }}» foi adicionada à sua conta em {{ brandName }}.',
    },
    passkey_removed: {
      subject: 'Uma chave de acesso foi removida',
      body: 'A chave de acesso «{{ what }}» foi removida da sua conta em {{ brandName }}.',
    },
    primary_changed: {
      subject: 'O seu endereço ou número principal foi alterado',
      body: 'O endereço ou número principal da sua conta em {{ brandName }} é agora {{ what }}.',
    },
    identity_added: {
      subject: 'Foi adicionada uma forma de iniciar sessão',
      body: '{{ what }} foi adicionado à sua conta em {{ brandName }} e pode ser usado para iniciar sessão.',
    },
    identity_removed: {
      subject: 'Foi removida uma forma de iniciar sessão',
      body: '{{ what }} foi removido da sua conta em {{ brandName }}.',
    },
    new_device: {
      subject: 'Novo início de sessão em {{ brandName }}',
      body: 'Alguém iniciou sessão na sua conta em {{ brandName }} a partir de um dispositivo que ainda não tinha sido usado: {{ what }}.',
    },
  },
  facts: 'Data e hora: {{ time }}\nEndereço IP: {{ ip }}',
  noticeFooter:
    'Se reconhece esta atividade, não precisa de fazer nada. Caso contrário, inicie sessão imediatamente, termine sessão em todos os outros dispositivos e altere as suas formas de iniciar sessão.',
  sms: '{{ code }} é o seu código para {{ brandName }}. Não o partilhe.',
};
