import type { MailTexts } from '../kinds.js';

export const pt: MailTexts = {
  code: {
    subject: '{{ code }} é o seu código para {{ brandName }}',
    heading: 'Seu código de acesso: {{ code }}',
    body: 'Digite o código {{ code }} onde você está entrando em {{ brandName }}. Ele vale por {{ minutes }} minutos e uma única vez.',
    footer:
      'Não passe este código a ninguém; ninguém de {{ brandName }} vai pedi-lo. Se você não tentou entrar, pode ignorar este e-mail.',
  },
  link: {
    subject: 'Entre em {{ brandName }}',
    heading: 'Entre em {{ brandName }}',
    body: 'Use o botão abaixo para entrar. O link vale por {{ minutes }} minutos e uma única vez.',
    button: 'Entrar',
    footer: 'Não encaminhe este link a ninguém. Se você não tentou entrar, pode ignorar este e-mail.',
  },
  verifyAddress: {
    subject: '{{ code }} confirma o seu endereço para {{ brandName }}',
    heading: 'Confirme o seu endereço: {{ code }}',
    body: 'Digite o código {{ code }} para adicionar este endereço à sua conta em {{ brandName }}. Ele vale por {{ minutes }} minutos.',
    footer: 'Se você não pediu isso, pode ignorar este e-mail. O endereço não é adicionado sem o código.',
  },
  notices: {
    password_set: {
      subject: 'Uma senha foi definida',
      body: 'Uma senha foi definida para a sua conta em {{ brandName }}.',
    },
    password_changed: {
      subject: 'Sua senha foi alterada',
      body: 'A senha da sua conta em {{ brandName }} foi alterada.',
    },
    password_removed: {
      subject: 'Sua senha foi removida',
      body: 'A senha da sua conta em {{ brandName }} foi removida.',
    },
    factor_activated: {
      subject: 'O acesso em duas etapas foi ativado',
      body: 'Um aplicativo autenticador agora protege a sua conta em {{ brandName }}.',
    },
    factor_replaced: {
      subject: 'Seu aplicativo autenticador foi substituído',
      body: 'Outro aplicativo autenticador agora protege a sua conta em {{ brandName }}. O anterior não funciona mais.',
    },
    factor_removed: {
      subject: 'O acesso em duas etapas foi desativado',
      body: 'O aplicativo autenticador da sua conta em {{ brandName }} foi removido. Entrar volta a exigir uma única etapa.',
    },
    recovery_regenerated: {
      subject: 'Você tem novos códigos de recuperação',
      body: 'Novos códigos de recuperação foram criados para a sua conta em {{ brandName }}. Os anteriores não funcionam mais.',
    },
    recovery_used: {
      subject: 'Um código de recuperação foi usado',
      body: 'Alguém entrou na sua conta em {{ brandName }} com um código de recuperação.',
    },
    passkey_added: {
      subject: 'Uma chave de acesso foi adicionada',
      body: 'A chave de acesso “{{ what }}” foi adicionada à sua conta em {{ brandName }}.',
    },
    passkey_removed: {
      subject: 'Uma chave de acesso foi removida',
      body: 'A chave de acesso “{{ what }}” foi removida da sua conta em {{ brandName }}.',
    },
    primary_changed: {
      subject: 'Seu endereço principal foi alterado',
      body: 'O endereço ou número principal da sua conta em {{ brandName }} agora é {{ what }}.',
    },
    identity_added: {
      subject: 'Uma forma de entrar foi adicionada',
      body: '{{ what }} foi adicionado à sua conta em {{ brandName }} e serve para entrar.',
    },
    identity_removed: {
      subject: 'Uma forma de entrar foi removida',
      body: '{{ what }} foi removido da sua conta em {{ brandName }}.',
    },
    new_device: {
      subject: 'Novo acesso a {{ brandName }}',
      body: 'Alguém entrou na sua conta em {{ brandName }} a partir de um dispositivo que ainda não tinha sido usado: {{ what }}.',
    },
  },
  facts: 'Hora: {{ time }}\nEndereço IP: {{ ip }}',
  noticeFooter:
    'Se foi você, não há nada a fazer. Se não, entre imediatamente, encerre as outras sessões e altere a forma como você entra.',
  sms: '{{ code }} é o seu código para {{ brandName }}. Não o passe a ninguém. Válido por {{ minutes }} minutos.',
};
