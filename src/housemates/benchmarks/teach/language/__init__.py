"""Language tools: cleaning of utterances and statistics of dialogue."""
