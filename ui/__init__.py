"""What all pages share: the collection, controls that live in the link, and one way to show things."""
