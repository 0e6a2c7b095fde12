package svc

// Iterator returns the items of a list, newest first. It fetches pages as the loop reaches them (docs/interface.md, Calls 6).
//
// With Go 1.23 or newer:
//
//	for message, err := range client.Email.Message.ListAll(ctx, input).Seq() {
//		if err != nil {
//			return err
//		}
//	}
//
// With every version:
//
//	messages := client.Email.Message.ListAll(ctx, input)
//	for messages.Next() {
//		use(messages.Item())
//	}
//	if err := messages.Err(); err != nil {
//		return err
//	}
type Iterator[T any] struct {
	fetch  func(before *string) ([]T, *string, error)
	page   []T
	before *string
	item   T
	err    error
	isLast bool
}

func newIterator[T any](fetch func(before *string) ([]T, *string, error)) *Iterator[T] {
	return &Iterator[T]{fetch: fetch}
}

// Next goes to the next item. It returns false after the last one, and after an error.
func (it *Iterator[T]) Next() bool {
	for len(it.page) == 0 {
		if it.isLast {
			return false
		}
		it.page, it.before, it.err = it.fetch(it.before)
		it.isLast = it.err != nil || it.before == nil
	}
	it.item, it.page = it.page[0], it.page[1:]
	return true
}

// Item returns the item that Next went to.
func (it *Iterator[T]) Item() T { return it.item }

// Err returns the error that ended the loop; nil after the last item.
func (it *Iterator[T]) Err() error { return it.err }

// Seq returns the items that are left, for range. An error is its last element, with the zero value of an item.
func (it *Iterator[T]) Seq() func(yield func(T, error) bool) {
	return func(yield func(T, error) bool) {
		for it.Next() {
			if !yield(it.item, nil) {
				return
			}
		}
		if it.err != nil {
			var none T
			yield(none, it.err)
		}
	}
}
