//go:build go1.23

package behaviour_test

import (
	"context"
	"testing"

	"svc.internal/svc"
)

func TestListsAreForRange(t *testing.T) {
	s := serve(t, answers(`{"members":[{"id":"1"}],"nextBefore":"1"}`), answers(`{"members":[{"id":"2"}],"nextBefore":null}`))
	client := svc.New("key", svc.WithBaseURL(s.URL))
	var seen []string
	for member, err := range client.Account.Member.ListAll(context.Background(), svc.AccountMemberListInput{}).Seq() {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, member.ID)
	}
	expect(t, seen, []string{"1", "2"})
}
