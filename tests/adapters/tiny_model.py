"""Makes a tiny language model at random whose template knows no tools: python tiny_model.py FOLDER."""

import sys

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

TEMPLATE = (
    "{% for message in messages %}<|start|>{{ message['role'] }}\n{{ message['content'] }}<|end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant\n{% endif %}"
)
letters = sorted(pre_tokenizers.ByteLevel.alphabet())
known = {token: number for number, token in enumerate(["<|end|>", "<|start|>", *letters])}
made = Tokenizer(models.BPE(known, []))
made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
tokenizer = PreTrainedTokenizerFast(
    tokenizer_object=made, eos_token="<|end|>", pad_token="<|end|>", additional_special_tokens=["<|start|>"]
)
tokenizer.chat_template = TEMPLATE
shape = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
config = LlamaConfig(
    vocab_size=len(known), max_position_embeddings=32768, eos_token_id=0, pad_token_id=0, **shape
)
LlamaForCausalLM(config).save_pretrained(sys.argv[1])
tokenizer.save_pretrained(sys.argv[1])
