"""Right solution of parser_model: scores of the transitions of a dependency parser, from the words of its state.

Source: Chen and Manning 2014, A Fast and Accurate Dependency Parser using Neural Networks, section 3, with ReLU in
place of the cube; Glorot and Bengio 2010 for the initial weights; Srivastava et al. 2014 for dropout.
"""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

Embeddings = NDArray[np.float32]


class ParserModel(nn.Module):
    """A network with one hidden layer; n features, embeddings of D numbers, H hidden units, C transitions.

    Attributes:
        embeddings: parameter (V, D), one row for each word.
        embed_to_hidden_weight, embed_to_hidden_bias: parameters (n D, H) and (H,).
        hidden_to_logits_weight, hidden_to_logits_bias: parameters (H, C) and (C,).
    """

    def __init__(
        self,
        embeddings: Embeddings,
        n_features: int = 36,
        hidden_size: int = 200,
        n_classes: int = 3,
        dropout_prob: float = 0.5,
    ) -> None:
        """Take the embeddings, an array (V, D), and draw the weights; `dropout_prob`: of setting a hidden unit to 0."""
        super().__init__()
        self.embeddings = nn.Parameter(torch.tensor(embeddings))
        self.n_features, self.embed_size = n_features, self.embeddings.shape[1]
        self.embed_to_hidden_weight = nn.Parameter(torch.empty(n_features * self.embed_size, hidden_size))
        self.embed_to_hidden_bias = nn.Parameter(torch.empty(hidden_size))
        self.hidden_to_logits_weight = nn.Parameter(torch.empty(hidden_size, n_classes))
        self.hidden_to_logits_bias = nn.Parameter(torch.empty(n_classes))
        for weight in (self.embed_to_hidden_weight, self.hidden_to_logits_weight):
            nn.init.xavier_uniform_(weight)
        for bias in (self.embed_to_hidden_bias, self.hidden_to_logits_bias):
            nn.init.uniform_(bias)
        self.dropout = nn.Dropout(dropout_prob)

    def embedding_lookup(self, w: Tensor) -> Tensor:
        """Return the embeddings (N, n D) of word indices (N, n), those of one row beside each other."""
        return self.embeddings[w].reshape(len(w), -1)

    def forward(self, w: Tensor) -> Tensor:
        """Return the logits (N, C), before any softmax, of word indices (N, n)."""
        hidden = torch.relu(self.embedding_lookup(w) @ self.embed_to_hidden_weight + self.embed_to_hidden_bias)
        logits: Tensor = self.dropout(hidden) @ self.hidden_to_logits_weight + self.hidden_to_logits_bias
        return logits
