/** What people write about something else, or only because they are angry. */
export const others = `
  Chega
  Chega!
  Já chega
  Basta
  ¡Basta ya!
  Ça suffit
  Assez
  Es reicht
  Genug jetzt
  Mir reicht’s
  Lasst mich in Ruhe
  Enough
  Leave me alone
  Shut up
  Хватит
  די
  够了
  Genoeg
  Non
  Nein danke
  No gracias
  Não, obrigado
  No
  OK
  Ich möchte mich nicht abmelden
  Bitte nicht kündigen
  Kündigen Sie meinen Handyvertrag?
  Keine Ahnung
  Keine Zeit mehr
  Ich habe keine Nachrichten bekommen
  Je ne veux pas me désabonner
  N’annulez pas
  Annuler le rendez-vous
  Plus de détails
  plus de photos svp
  Arrêt de bus
  Arrêtez de crier
  No cancelar
  No quiero cancelar
  No quiero darme de baja
  No parar
  Anular la cita
  Para mañana
  Alto y claro
  Quiero más mensajes
  No me envíen el pedido
  Não cancelar
  Não quero sair
  Anular a consulta
  Para amanhã
  Quero mais mensagens
  Sair às cinco
  Non annullare
  Annulla l’ordine
  Ferma in piazza
  Va bene, fine
  Niet afmelden
  Ik kan geen berichten lezen
  Не отписывайте меня
  Не отменяйте заказ
  Отмена заказа
  לא להסיר
  ביטול הזמנה
  不要停止
  取消订单
  停车
  Bestellen
  Anmeldung zum Kurs?
  Subscription ends when?
  Inscription au cours`;
