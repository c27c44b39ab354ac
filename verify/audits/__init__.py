"""What runs alone say of privacy: events that tell two inputs apart, and what they refute."""
