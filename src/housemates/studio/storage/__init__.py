"""What lasts: projects, people, plays and the journal of everything that was done."""
