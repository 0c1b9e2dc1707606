#!/usr/bin/env python
# coding: utf-8

# In[1]:


get_ipython().run_line_magic('matplotlib', 'inline')
%load_ext autoreload
!pip install numpy


# In[2]:


import numpy as np


def normalizeRows(x):
    ### YOUR CODE HERE
    N = x.shape[0]
    norm = np.sqrt(np.sum(x ** 2, axis=1)).reshape(N, 1)
    x = x / (norm + 1e-30)
    ### END YOUR CODE
    return x
