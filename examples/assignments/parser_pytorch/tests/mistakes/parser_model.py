"""Known wrong answers of parser_model."""

import torch
from torch import nn

from autograder.mistakes import mistake


@mistake(
    "ParserModel.embedding_lookup",
    story="Sums the embeddings of a row instead of laying them side by side.",
    hint="How many numbers does one parse give the hidden layer, with n features of D numbers each?",
)
def embedding_lookup_sums(self, w):
    return self.embeddings[w].sum(dim=1).repeat(1, w.shape[1])


@mistake(
    "ParserModel.embedding_lookup",
    story="Lays the embeddings side by side in the order of their dimensions, not of the features.",
    hint="Which numbers stand beside each other in a row: those of one word, or one dimension of all words?",
)
def embedding_lookup_transposed(self, w):
    return self.embeddings[w].transpose(1, 2).reshape(len(w), -1)


@mistake(
    "ParserModel.embedding_lookup",
    story="Takes the embeddings out of the graph, so that they are never trained.",
    hint="Which of your steps stop gradients on their way back to the embeddings?",
)
def embedding_lookup_detached(self, w):
    return torch.tensor(self.embeddings.detach().numpy()[w.numpy()]).view(len(w), -1)


@mistake(
    "ParserModel.forward",
    story="Returns probabilities: a softmax follows the logits, and the loss takes another.",
    hint="Does the loss expect logits or probabilities?",
)
def forward_returns_probabilities(self, w):
    hidden = torch.relu(self.embedding_lookup(w) @ self.embed_to_hidden_weight + self.embed_to_hidden_bias)
    logits = self.dropout(hidden) @ self.hidden_to_logits_weight + self.hidden_to_logits_bias
    return torch.softmax(logits, dim=1)


@mistake(
    "ParserModel.forward",
    story="Leaves out the ReLU.",
    hint="What makes the hidden layer more than a linear map?",
)
def forward_without_relu(self, w):
    hidden = self.embedding_lookup(w) @ self.embed_to_hidden_weight + self.embed_to_hidden_bias
    return self.dropout(hidden) @ self.hidden_to_logits_weight + self.hidden_to_logits_bias


@mistake(
    "ParserModel.forward",
    story="Calls functional dropout, which is active in evaluation too.",
    hint="How does your dropout learn whether the model is in training or in evaluation?",
)
def forward_dropout_in_evaluation(self, w):
    hidden = torch.relu(self.embedding_lookup(w) @ self.embed_to_hidden_weight + self.embed_to_hidden_bias)
    return nn.functional.dropout(hidden, self.dropout.p) @ self.hidden_to_logits_weight + self.hidden_to_logits_bias


@mistake(
    "ParserModel.forward",
    story="Leaves out dropout.",
    hint="What happens to the hidden layer in training?",
)
def forward_without_dropout(self, w):
    hidden = torch.relu(self.embedding_lookup(w) @ self.embed_to_hidden_weight + self.embed_to_hidden_bias)
    return hidden @ self.hidden_to_logits_weight + self.hidden_to_logits_bias


@mistake(
    "ParserModel",
    story="Leaves the weights as small normal numbers instead of drawing them by xavier_uniform_.",
    hint="Which function draws the weights, and which bounds does it give them?",
)
def parser_model_normal_weights(self, embeddings, n_features=36, hidden_size=200, n_classes=3, dropout_prob=0.5):
    nn.Module.__init__(self)
    self.embeddings = nn.Parameter(torch.tensor(embeddings))
    size = n_features * self.embeddings.shape[1]
    self.embed_to_hidden_weight = nn.Parameter(0.01 * torch.randn(size, hidden_size))
    self.embed_to_hidden_bias = nn.Parameter(torch.rand(hidden_size))
    self.hidden_to_logits_weight = nn.Parameter(0.01 * torch.randn(hidden_size, n_classes))
    self.hidden_to_logits_bias = nn.Parameter(torch.rand(n_classes))
    self.dropout = nn.Dropout(dropout_prob)


@mistake(
    "ParserModel",
    story="Gives each weight the transposed shape, that of torch.nn.Linear.",
    hint="By which side does the assignment multiply with a weight, and which shape does it need for that?",
)
def parser_model_transposed_weights(self, embeddings, n_features=36, hidden_size=200, n_classes=3, dropout_prob=0.5):
    nn.Module.__init__(self)
    self.embeddings = nn.Parameter(torch.tensor(embeddings))
    size = n_features * self.embeddings.shape[1]
    self.embed_to_hidden_weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(hidden_size, size)))
    self.embed_to_hidden_bias = nn.Parameter(torch.rand(hidden_size))
    self.hidden_to_logits_weight = nn.Parameter(nn.init.xavier_uniform_(torch.empty(n_classes, hidden_size)))
    self.hidden_to_logits_bias = nn.Parameter(torch.rand(n_classes))
    self.dropout = nn.Dropout(dropout_prob)
