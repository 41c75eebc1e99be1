"""A Commander that speaks as people do, by what is counted in recorded sessions."""
