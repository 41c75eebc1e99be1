"""From people's words to intents: text, slots, decoding, small talk."""
