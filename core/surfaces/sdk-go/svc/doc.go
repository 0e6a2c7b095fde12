// Package svc is the Go client of an svc server: every operation typed, retries, paging, webhooks and access tokens.
//
//	client := svc.New(os.Getenv("SVC_API_KEY"))
//	sent, err := client.Email.Send(ctx, svc.EmailSendInput{
//		To:      []string{"ada@example.com"},
//		Subject: svc.Ptr("Hello"),
//		Text:    svc.Ptr("It works."),
//	})
//
// Names are those of the interface in Go's spelling: messageId is MessageID, sms.send is client.SMS.Send. A failed call returns
// an *Error with Code and Fix.
//
// In inputs, a field that is left out is nil: Ptr makes pointers. An empty list is sent. Fields of type Nullable can also be
// null, which clears them: Value and Null make them. In replies, nil is null or absent. Fields that newer servers add are in
// the Envelope of each result.
package svc
