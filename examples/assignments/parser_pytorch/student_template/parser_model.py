"""The model of the neural dependency parser.

n features, embeddings of D numbers, H hidden units, C classes (transitions), N parses in a batch.
"""

import torch  # noqa: F401  (for students)
from torch import nn


class ParserModel(nn.Module):
    """Scores the transitions for a batch of parses, with one hidden layer.

    Keep the names of the attributes: the checks set and read them.
        embeddings                (V, D), a parameter
        embed_to_hidden_weight    (n * D, H), drawn by xavier_uniform_
        embed_to_hidden_bias      (H,), drawn by uniform_
        hidden_to_logits_weight   (H, C), drawn by xavier_uniform_
        hidden_to_logits_bias     (C,), drawn by uniform_
    """

    def __init__(self, embeddings, n_features=36, hidden_size=200, n_classes=3, dropout_prob=0.5):
        """Make the parameters; embeddings: numpy array (V, D); dropout_prob: the probability of dropping a unit."""
        super().__init__()
        raise NotImplementedError

    def embedding_lookup(self, w):
        """Look up the embeddings of w, an integer tensor (N, n); return a tensor (N, n * D).

        Use no function that does the lookup for you, such as torch.nn.Embedding.
        """
        raise NotImplementedError

    def forward(self, w):
        """Return the logits (N, C), before the softmax: ReLU in the hidden layer, then dropout on it."""
        raise NotImplementedError
