import math
import torch
import torch.nn as nn
import torch.nn.functional as F

class ParserModel(nn.Module):
    def __init__(self, embeddings, n_features=36, hidden_size=200, n_classes=3, dropout_prob=0.5):
        super(ParserModel, self).__init__()
        self.n_features = n_features
        self.dropout_prob = dropout_prob
        self.embed_size = embeddings.shape[1]
        self.embeddings = nn.Parameter(torch.from_numpy(embeddings))
        n = n_features * self.embed_size
        bound = math.sqrt(6.0 / (n + hidden_size))
        self.embed_to_hidden_weight = nn.Parameter((torch.rand(n, hidden_size) * 2 - 1) * bound)
        self.embed_to_hidden_bias = nn.Parameter(torch.rand(hidden_size))
        self.hidden_to_logits_weight = nn.Parameter(nn.init.xavier_uniform_(torch.zeros(hidden_size, n_classes)))
        self.hidden_to_logits_bias = nn.Parameter(torch.rand(n_classes))
        print("weights:", self.embed_to_hidden_weight)

    def embedding_lookup(self, w):
        rows = []
        for parse in w:
            rows.append(torch.cat([torch.index_select(self.embeddings, 0, word.view(1))[0] for word in parse]))
        return torch.stack(rows)

    def forward(self, w):
        x = self.embedding_lookup(w)
        h = F.relu(F.linear(x, self.embed_to_hidden_weight.T, self.embed_to_hidden_bias))
        h = F.dropout(h, p=self.dropout_prob, training=self.training)
        return torch.addmm(self.hidden_to_logits_bias, h, self.hidden_to_logits_weight)
